// How a product is cut: threads over rows and columns, rows into strips of tiles. Engine and work
// model share it, so that what is counted is what is done.
#pragma once

#include <cstdint>

namespace rooftune::matmul {

struct Range {
    std::int64_t begin = 0, end = 0;
    std::int64_t size() const { return end - begin; }
};

/// Part `index` of `parts` nearly equal ones.
constexpr Range part(std::int64_t total, std::int64_t parts, std::int64_t index) {
    return {total * index / parts, total * (index + 1) / parts};
}

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

/// Which loop the threads share: rows of C, its columns, or both.
enum class Loop { rows, columns, both };

/// Threads over rows × threads over columns.
struct Grid {
    int rows = 1, columns = 1;
};

/// `both`: the factors nearest to each other, more of them over rows.
constexpr Grid grid_of(Loop loop, int threads) {
    if (loop == Loop::rows) return {threads, 1};
    if (loop == Loop::columns) return {1, threads};
    int columns = 1;
    for (int c = 1; c * c <= threads; ++c) {
        if (threads % c == 0) columns = c;
    }
    return {threads / columns, columns};
}

/// Rows of C of a thread: even parts.
constexpr Range rows_of(std::int64_t m, const Grid& grid, int index) {
    return part(m, grid.rows, index);
}

/// Columns of C of a thread: whole strips of nr, as even as they can be.
constexpr Range columns_of(std::int64_t n, std::int64_t nr, const Grid& grid, int index) {
    const Range strips = part(ceil_div(n, nr), grid.columns, index);
    return {strips.begin * nr, strips.end * nr < n ? strips.end * nr : n};
}

}  // namespace rooftune::matmul
