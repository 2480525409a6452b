#include "kernels/matmul/opencl_kernel.h"

namespace rooftune::matmul {
namespace {

std::string text(std::int64_t number) {
    return std::to_string(number);
}

// Writes a line with one of the macros of the body replaced by names with numbers.
class Lines {
public:
    void add(int indent, const std::string& line) {
        text_ += std::string(4 * static_cast<std::size_t>(indent), ' ') + line + "\n";
    }
    const std::string& all() const { return text_; }

private:
    std::string text_;
};

std::string head(DType dtype) {
    const std::string element = dtype == DType::f64 ? "double" : "float";
    return (dtype == DType::f64 ? "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" : "") +
           std::string("typedef ") + element + " T;\n";
}

const char* const kArguments =
    "(__global const T* restrict A, __global const T* restrict B, __global T* restrict C, ulong c_at, int "
    "m,\n"
    "             int n, int k, T alpha, T beta)";

// Index of op(A)(i, p) and op(B)(p, j) in what is stored.
std::string a_index(bool transposed, const std::string& i, const std::string& p) {
    return transposed ? "(size_t)(" + p + ") * m + " + i : "(size_t)(" + i + ") * k + " + p;
}
std::string b_index(bool transposed, const std::string& p, const std::string& j) {
    return transposed ? "(size_t)(" + j + ") * k + " + p : "(size_t)(" + p + ") * n + " + j;
}

std::string accumulator(int r, int v) {
    return "c" + text(r) + "_" + text(v);
}

// `count` elements from `name`, `stride` elements apart, as a vector.
std::string load_vector(const OpenclTile& tile, const std::string& base, const std::string& from) {
    if (tile.vector == 1) return base + "[" + from + "]";
    return "vload" + text(tile.vector) + "(0, " + base + " + " + from + ")";
}

// Vector v of row p of op(B), straight from global memory.
std::string global_b(const OpenclTile& tile, int v, const std::string& p) {
    const std::string j = "j" + text(v);
    if (!tile.transpose_b || tile.vector == 1) return load_vector(tile, "B", b_index(tile.transpose_b, p, j));
    std::string lanes;
    for (int l = 0; l < tile.vector; ++l)
        lanes += (l > 0 ? ", " : "") + std::string("B[") + b_index(true, p, j + " + " + text(l)) + "]";
    return "(V)(" + lanes + ")";
}

// One step of k. `p`: the step in global memory; `q`: in local memory.
void add_step(Lines& out, const OpenclTile& tile, int indent, const std::string& p, const std::string& q) {
    out.add(indent, "{");
    for (int v = 0; v < tile.item_vectors; ++v) {
        const std::string from = tile.local_b
                                     ? load_vector(tile, "near_b", "(" + q + ") * COLUMNS + l" + text(v))
                                     : global_b(tile, v, p);
        out.add(indent + 1, "const V b" + text(v) + " = " + from + ";");
    }
    for (int r = 0; r < tile.item_rows; ++r) {
        const std::string from = tile.local_a ? "near_a[(" + q + ") * ROWS + own_row + " + text(r) + "]"
                                              : "A[" + a_index(tile.transpose_a, "i" + text(r), p) + "]";
        out.add(indent + 1, "const V a" + text(r) + " = (V)(" + from + ");");
        for (int v = 0; v < tile.item_vectors; ++v) {
            const std::string c = accumulator(r, v);
            out.add(indent + 1, c + " = fma(a" + text(r) + ", b" + text(v) + ", " + c + ");");
        }
    }
    out.add(indent, "}");
}

// The loop over steps first … last−1 (names of ints), unrolled, and what is left over.
void add_steps(Lines& out, const OpenclTile& tile, int indent, const std::string& base,
               const std::string& count) {
    out.add(indent, "int q = 0;");
    if (tile.unroll > 1) {
        out.add(indent,
                "for (; q + " + text(tile.unroll) + " <= " + count + "; q += " + text(tile.unroll) + ") {");
        for (int u = 0; u < tile.unroll; ++u)
            add_step(out, tile, indent + 1, base + "q + " + text(u), "q + " + text(u));
        out.add(indent, "}");
    }
    out.add(indent, "for (; q < " + count + "; ++q) {");
    add_step(out, tile, indent + 1, base + "q", "q");
    out.add(indent, "}");
}

// All items of the group together bring one block of an operand; zeros beyond its edge. Neighbouring items
// read neighbouring elements.
void add_copies(Lines& out, const OpenclTile& tile) {
    if (tile.local_a) {
        out.add(2, "for (int t = me; t < ROWS * BLOCK; t += ITEMS) {");
        out.add(3, tile.transpose_a ? "const int i = t % ROWS, p = t / ROWS;"
                                    : "const int i = t / BLOCK, p = t % BLOCK;");
        out.add(3, "if (p < steps) near_a[p * ROWS + i] = first_row + i < m ? A[" +
                       a_index(tile.transpose_a, "(first_row + i)", "(start + p)") + "] : (T)(0);");
        out.add(2, "}");
    }
    if (tile.local_b) {
        out.add(2, "for (int t = me; t < COLUMNS * BLOCK; t += ITEMS) {");
        out.add(3, tile.transpose_b ? "const int j = t / BLOCK, p = t % BLOCK;"
                                    : "const int j = t % COLUMNS, p = t / COLUMNS;");
        out.add(3, "if (p < steps) near_b[p * COLUMNS + j] = first_column + j < n ? B[" +
                       b_index(tile.transpose_b, "(start + p)", "(first_column + j)") + "] : (T)(0);");
        out.add(2, "}");
    }
}

void add_places(Lines& out, const OpenclTile& tile) {
    const std::string down = tile.rows_first ? "0" : "1";
    const std::string across = tile.rows_first ? "1" : "0";
    out.add(1, "const int first_row = (int)get_group_id(" + down + ") * ROWS;");
    out.add(1, "const int first_column = (int)get_group_id(" + across + ") * COLUMNS;");
    out.add(1, "const int item_row = (int)get_local_id(0) / " + text(tile.group_columns) + ";");
    out.add(1, "const int item_column = (int)get_local_id(0) % " + text(tile.group_columns) + ";");
    out.add(1, "const int own_row = item_row * " + text(tile.item_rows) + ";");
    for (int r = 0; r < tile.item_rows; ++r)
        out.add(1, "const int i" + text(r) + " = min(first_row + own_row + " + text(r) + ", m - 1);");
    for (int v = 0; v < tile.item_vectors; ++v) {
        const std::string at =
            tile.interleave ? "(" + text(v * tile.group_columns) + " + item_column) * WIDTH"
                            : "(item_column * " + text(tile.item_vectors) + " + " + text(v) + ") * WIDTH";
        out.add(1, "const int l" + text(v) + " = " + at + ";");
        // Where B comes from global memory, a vector over the edge is moved inside.
        out.add(1, "const int j" + text(v) + " = " +
                       (tile.local_b ? "first_column + l" + text(v)
                                     : "min(first_column + l" + text(v) + ", n - WIDTH)") +
                       ";");
    }
}

// Stores by a loop over memory, so that its code is there once.
void add_stores(Lines& out, const OpenclTile& tile) {
    const int vectors = tile.item_vectors;
    out.add(1, "V sums[" + text(tile.item_rows * vectors) + "];");
    for (int r = 0; r < tile.item_rows; ++r) {
        for (int v = 0; v < vectors; ++v)
            out.add(1, "sums[" + text(r * vectors + v) + "] = " + accumulator(r, v) + ";");
    }
    std::string begins, columns;
    for (int v = 0; v < vectors; ++v) {
        begins += (v > 0 ? ", l" : "l") + text(v);
        columns += (v > 0 ? ", j" : "j") + text(v);
    }
    out.add(1, "const int begins[" + text(vectors) + "] = {" + begins + "};");
    out.add(1, "const int columns[" + text(vectors) + "] = {" + columns + "};");
    out.add(1, "for (int r = 0; r < " + text(tile.item_rows) + " && first_row + own_row + r < m; ++r) {");
    out.add(2, "__global T* row = C + c_at + (size_t)(first_row + own_row + r) * n;");
    out.add(2, "for (int v = 0; v < " + text(vectors) + "; ++v) {");
    out.add(3, "const int begin = first_column + begins[v], at = columns[v];");
    out.add(3, "V sum = alpha * sums[r * " + text(vectors) + " + v];");
    if (tile.vector == 1) {
        out.add(3, "if (begin >= n) continue;");
        out.add(3, "row[at] = beta != (T)(0) ? fma(beta, row[at], sum) : sum;");
    } else {
        const std::string width = text(tile.vector);
        out.add(3, "if (begin + WIDTH <= n) {");
        out.add(4, "if (beta != (T)(0)) sum = fma((V)(beta), vload" + width + "(0, row + at), sum);");
        out.add(4, "vstore" + width + "(sum, 0, row + at);");
        out.add(3, "} else {");
        out.add(4, "T lanes[WIDTH];");
        out.add(4, "vstore" + width + "(sum, 0, lanes);");
        out.add(4, "for (int l = 0; l < WIDTH; ++l) {");
        out.add(5, "const int j = at + l;");
        out.add(5,
                "if (j >= begin && j < n) row[j] = beta != (T)(0) ? fma(beta, row[j], lanes[l]) : lanes[l];");
        out.add(4, "}");
        out.add(3, "}");
    }
    out.add(2, "}");
    out.add(1, "}");
}

}  // namespace

double OpenclTile::local_bytes() const {
    const double across = (local_a ? rows() : 0) + (local_b ? columns() : 0);
    return across * k_block * static_cast<double>(size_of(dtype));
}

std::string opencl_source(const OpenclTile& tile) {
    Lines out;
    out.add(0, "typedef " + std::string(tile.dtype == DType::f64 ? "double" : "float") +
                   (tile.vector > 1 ? text(tile.vector) : "") + " V;");
    out.add(0, "#define WIDTH " + text(tile.vector));
    out.add(0, "#define ROWS " + text(tile.rows()));
    out.add(0, "#define COLUMNS " + text(tile.columns()));
    out.add(0, "#define ITEMS " + text(tile.items()));
    out.add(0, "#define BLOCK " + text(tile.k_block));
    out.add(0, "__kernel __attribute__((reqd_work_group_size(" + text(tile.items()) + ", 1, 1)))");
    out.add(0, std::string("void product") + kArguments + " {");
    if (tile.local_a) out.add(1, "__local T near_a[ROWS * BLOCK];");
    if (tile.local_b) out.add(1, "__local T near_b[COLUMNS * BLOCK];");
    add_places(out, tile);
    for (int r = 0; r < tile.item_rows; ++r) {
        for (int v = 0; v < tile.item_vectors; ++v) out.add(1, "V " + accumulator(r, v) + " = (V)(0);");
    }
    if (tile.local_a || tile.local_b) {
        out.add(1, "const int me = (int)get_local_id(0);");
        out.add(1, "for (int start = 0; start < k; start += BLOCK) {");
        out.add(2, "const int steps = min(BLOCK, k - start);");
        out.add(2, "if (start > 0) barrier(CLK_LOCAL_MEM_FENCE);");
        add_copies(out, tile);
        out.add(2, "barrier(CLK_LOCAL_MEM_FENCE);");
        add_steps(out, tile, 2, "start + ", "steps");
        out.add(1, "}");
    } else {
        add_steps(out, tile, 1, "", "k");
    }
    add_stores(out, tile);
    out.add(0, "}");
    return head(tile.dtype) + out.all();
}

std::string opencl_naive_source(DType dtype, bool transpose_a, bool transpose_b) {
    Lines out;
    out.add(0, std::string("__kernel void product") + kArguments + " {");
    out.add(1, "const int j = (int)get_global_id(0), i = (int)get_global_id(1);");
    out.add(1, "if (i >= m || j >= n) return;");
    out.add(1, "T sum = (T)(0);");
    out.add(1, "for (int p = 0; p < k; ++p) sum += A[" + a_index(transpose_a, "i", "p") + "] * B[" +
                   b_index(transpose_b, "p", "j") + "];");
    out.add(1, "__global T* to = C + c_at + (size_t)i * n + j;");
    out.add(1, "*to = beta != (T)(0) ? alpha * sum + beta * *to : alpha * sum;");
    out.add(0, "}");
    return head(dtype) + out.all();
}

}  // namespace rooftune::matmul
