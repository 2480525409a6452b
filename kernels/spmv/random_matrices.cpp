#include "kernels/spmv/random_matrices.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernels/sparse/hash.h"
#include "kernels/sparse/row_builder.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {
namespace {

/// Random numbers of one row: a counter through a hash, so that rows need no common state.
class Stream {
public:
    Stream(std::uint64_t seed, std::uint64_t number) : key_(mixed(seed, number)) {}
    std::uint64_t next() { return mixed(key_ + count_++); }
    /// Uniform in [0, below): the upper half of the product; its bias is below 2^-32 here.
    std::uint32_t next(std::int64_t below) {
        __extension__ using Wide = unsigned __int128;
        return static_cast<std::uint32_t>((Wide{next()} * static_cast<std::uint64_t>(below)) >> 64);
    }

private:
    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

/// `wanted` distinct columns below `cols`, ascending.
void draw_columns(Stream stream, std::int64_t cols, std::int64_t wanted, std::uint32_t* columns) {
    if (wanted > cols / 4) {
        // Knuth's algorithm S (The Art of Computer Programming, 3.4.2): take each column with the
        // probability (still wanted) / (still to come).
        std::int64_t taken = 0;
        for (std::int64_t col = 0; taken < wanted; ++col) {
            if (unit_interval(stream.next()) * static_cast<double>(cols - col) <
                static_cast<double>(wanted - taken)) {
                columns[taken++] = static_cast<std::uint32_t>(col);
            }
        }
        return;
    }
    // Sparse rows repeat a column seldom: draw, drop the repeated ones, draw those anew.
    std::uint32_t* end = columns;
    while (end < columns + wanted) {
        std::generate(end, columns + wanted, [&] { return stream.next(cols); });
        std::sort(columns, columns + wanted);
        end = std::unique(columns, columns + wanted);
    }
}

/// One drawn edge: at each level the quadrant by 16 random bits.
std::pair<std::uint32_t, std::uint32_t> rmat_edge(int scale, std::uint64_t seed, std::uint64_t number) {
    constexpr std::uint32_t kFirst = 37356;            // 0.57 · 2^16
    constexpr std::uint32_t kSecond = kFirst + 12452;  // + 0.19
    constexpr std::uint32_t kThird = kSecond + 12452;  // + 0.19
    Stream stream(seed, number);
    std::uint32_t row = 0;
    std::uint32_t col = 0;
    std::uint64_t bits = 0;
    for (int level = 0; level < scale; ++level) {
        if (level % 4 == 0) bits = stream.next();
        const auto draw = static_cast<std::uint32_t>(bits & 0xffff);
        bits >>= 16;
        const bool right = (draw >= kFirst && draw < kSecond) || draw >= kThird;
        const bool below = draw >= kSecond;
        row = 2 * row + (below ? 1 : 0);
        col = 2 * col + (right ? 1 : 0);
    }
    return {row, col};
}

}  // namespace

double banded_stored(double n, double band) {
    return n * (2.0 * band + 1.0) - band * (band + 1.0);
}

Csr banded(std::int64_t n, std::int64_t band, std::uint64_t seed) {
    const auto first = [&](std::int64_t row) { return std::max<std::int64_t>(0, row - band); };
    const auto last = [&](std::int64_t row) { return std::min(n - 1, row + band); };
    return build_rows(
        n, n, [&](std::int64_t row) { return last(row) - first(row) + 1; },
        [&](std::int64_t row, std::uint32_t* column, double* value) {
            for (std::int64_t col = first(row); col <= last(row); ++col) {
                *column++ = static_cast<std::uint32_t>(col);
                *value++ =
                    place_value(seed, static_cast<std::uint64_t>(row), static_cast<std::uint64_t>(col));
            }
        });
}

Csr uniform_random(std::int64_t rows, std::int64_t cols, std::int64_t per_row, std::uint64_t seed) {
    return build_rows(
        rows, cols, [&](std::int64_t) { return per_row; },
        [&](std::int64_t row, std::uint32_t* column, double* value) {
            const auto number = static_cast<std::uint64_t>(row);
            draw_columns(Stream(seed, number), cols, per_row, column);
            for (std::int64_t k = 0; k < per_row; ++k) value[k] = place_value(seed, number, column[k]);
        });
}

Csr rmat(int scale, std::int64_t edge_factor, std::uint64_t seed) {
    const std::int64_t n = std::int64_t{1} << scale;
    const std::int64_t edges = edge_factor * n;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edge(static_cast<std::size_t>(edges));
    for_ranges(edges, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t e = first; e < last; ++e) {
            edge[static_cast<std::size_t>(e)] = rmat_edge(scale, seed, static_cast<std::uint64_t>(e));
        }
    });

    // Columns by row, then each row sorted and freed of repetitions in its place.
    std::vector<std::int64_t> begin(static_cast<std::size_t>(n) + 2, 0);
    for (const auto& [row, col] : edge) ++begin[std::size_t{row} + 2];
    for (std::size_t r = 2; r < begin.size(); ++r) begin[r] += begin[r - 1];
    std::vector<std::uint32_t> columns(static_cast<std::size_t>(edges));
    for (const auto& [row, col] : edge)
        columns[static_cast<std::size_t>(begin[std::size_t{row} + 1]++)] = col;
    std::vector<std::pair<std::uint32_t, std::uint32_t>>().swap(edge);
    std::vector<std::int64_t> distinct(static_cast<std::size_t>(n));
    for_ranges(n, [&](std::int64_t first, std::int64_t last) {
        for (auto row = static_cast<std::size_t>(first); row < static_cast<std::size_t>(last); ++row) {
            const auto row_first = columns.begin() + begin[row];
            const auto row_last = columns.begin() + begin[row + 1];
            std::sort(row_first, row_last);
            distinct[row] = std::unique(row_first, row_last) - row_first;
        }
    });
    return build_rows(
        n, n, [&](std::int64_t row) { return distinct[static_cast<std::size_t>(row)]; },
        [&](std::int64_t row, std::uint32_t* column, double* value) {
            const auto at = static_cast<std::size_t>(row);
            for (std::int64_t k = 0; k < distinct[at]; ++k) {
                column[k] = columns[static_cast<std::size_t>(begin[at] + k)];
                value[k] = place_value(seed, static_cast<std::uint64_t>(row), column[k]);
            }
        });
}

}  // namespace rooftune::spmv
