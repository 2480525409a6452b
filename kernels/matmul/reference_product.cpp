#include "kernels/matmul/reference_product.h"

#include <algorithm>

#include "kernels/runtime/cpu.h"

namespace rooftune::matmul {

/// Of the whole product: rows of a are `k` apart and those of the result `n`. The panels of b stand one after
/// the other, `depth` rows each, filled up with zeros.
struct ReferenceProduct::Block {
    const double* a;
    const double* panels;
    double* sums;
    std::size_t k, n, rows, columns, depth;
};

namespace {

using Block = ReferenceProduct::Block;

// Two vectors of six rows: as many sums as AVX2 has registers for, and enough for AVX-512.
constexpr std::size_t kRowsAtOnce = 6;
constexpr std::size_t kVectors = 2;
template <int kBytes>
constexpr std::size_t kColumnsAtOnce = kVectors* kBytes / sizeof(double);

// What stays in the caches: a block of b, of which one panel of kColumnsAtOnce columns after the other meets
// a block of rows of a.
constexpr std::size_t kDepthAtOnce = 256, kWidthAtOnce = 256, kHeightAtOnce = 48;

template <int kBytes, std::size_t kRows>
[[gnu::always_inline]] inline void add_rows(const Block& block, std::size_t row, std::size_t column) {
    typedef double Vector [[gnu::vector_size(kBytes)]];
    constexpr std::size_t kLanes = kBytes / sizeof(double);
    Vector sum[kRows][kVectors] = {};
    const double* const a = block.a + row * block.k;
    const Vector* b = reinterpret_cast<const Vector*>(block.panels + column * block.depth);
    for (std::size_t p = 0; p < block.depth; ++p, b += kVectors) {
#pragma GCC unroll 6
        for (std::size_t r = 0; r < kRows; ++r) {
            const double factor = a[r * block.k + p];
#pragma GCC unroll 2
            for (std::size_t v = 0; v < kVectors; ++v) sum[r][v] += factor * b[v];
        }
    }
    const std::size_t wide = std::min(kVectors * kLanes, block.columns - column);
    for (std::size_t r = 0; r < kRows; ++r) {
        double* const to = block.sums + (row + r) * block.n + column;
        for (std::size_t c = 0; c < wide; ++c) to[c] += sum[r][c / kLanes][c % kLanes];
    }
}

template <int kBytes>
[[gnu::always_inline]] inline void add_block(const Block& block) {
    for (std::size_t column = 0; column < block.columns; column += kColumnsAtOnce<kBytes>) {
        std::size_t row = 0;
        for (; row + kRowsAtOnce <= block.rows; row += kRowsAtOnce)
            add_rows<kBytes, kRowsAtOnce>(block, row, column);
        for (; row < block.rows; ++row) add_rows<kBytes, 1>(block, row, column);
    }
}

void add_block_128(const Block& block) {
    add_block<16>(block);
}
[[gnu::target("avx2,fma")]] void add_block_256(const Block& block) {
    add_block<32>(block);
}
[[gnu::target("avx512f,fma")]] void add_block_512(const Block& block) {
    add_block<64>(block);
}

ReferenceProduct::Kernel widest_kernel() {
    const std::vector<int> widths = usable_widths();
    const int widest = widths.empty() ? 128 : widths.back();
    if (widest >= 512) return {&add_block_512, kColumnsAtOnce<64>};
    if (widest >= 256) return {&add_block_256, kColumnsAtOnce<32>};
    return {&add_block_128, kColumnsAtOnce<16>};
}

constexpr std::size_t kRoom = kDepthAtOnce * kWidthAtOnce;  // elements of a caller's panels

}  // namespace

ReferenceProduct::ReferenceProduct(int callers)
    : kernel_(widest_kernel()),
      room_(static_cast<std::size_t>(callers) * kRoom * sizeof(double), Pages::small) {}

// In whole rows of b the references of 2560³ took 33 s, and a tune of a minute timed five variants. With rows
// of b in pieces and vectors of SSE2 they still were a third of a tune beside other processes, in which each
// process of the finals makes its own.
void ReferenceProduct::add(int caller, const std::vector<double>& a, const std::vector<double>& b,
                           std::size_t n, std::size_t k, const Range& rows, const Range& columns,
                           std::vector<double>& sums) const {
    double* const panels = room_.as<double>() + static_cast<std::size_t>(caller) * kRoom;
    const auto first_row = static_cast<std::size_t>(rows.begin),
               last_row = static_cast<std::size_t>(rows.end);
    const auto last_column = static_cast<std::size_t>(columns.end);
    for (auto j = static_cast<std::size_t>(columns.begin); j < last_column; j += kWidthAtOnce) {
        const std::size_t wide = std::min(kWidthAtOnce, last_column - j);
        for (std::size_t first = 0; first < k; first += kDepthAtOnce) {
            const std::size_t depth = std::min(kDepthAtOnce, k - first);
            double* to = panels;
            for (std::size_t column = 0; column < wide; column += kernel_.columns) {
                for (std::size_t p = 0; p < depth; ++p, to += kernel_.columns) {
                    for (std::size_t c = 0; c < kernel_.columns; ++c)
                        to[c] = column + c < wide ? b[(first + p) * n + j + column + c] : 0.0;
                }
            }
            for (std::size_t i = first_row; i < last_row; i += kHeightAtOnce) {
                kernel_.add({a.data() + i * k + first, panels, sums.data() + i * n + j, k, n,
                             std::min(kHeightAtOnce, last_row - i), wide, depth});
            }
        }
    }
}

}  // namespace rooftune::matmul
