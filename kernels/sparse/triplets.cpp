#include "kernels/sparse/triplets.h"

#include <algorithm>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/sparse/parts.h"

namespace rooftune::sparse {
namespace {

constexpr std::int64_t kFewestEntriesAThread = 1 << 16;

// Each part reads all entries, so that more of them than this take their time from the memory.
std::int64_t most_parts() {
    constexpr std::int64_t kMost = 8;
    return std::min(kMost, usable_processors());
}

/// Calls place(row, col, value) for every entry of the full matrix in rows first … last−1, in the order of
/// the file. Each thread looks at all entries for those of its own rows: no counters are shared, and a row's
/// entries keep their order whoever places them.
template <typename Place>
void for_each_in_full(const Triplets& entries, Mirror mirror, std::int64_t first, std::int64_t last,
                      Place place) {
    const std::size_t count = entries.size();
    const auto from = static_cast<std::uint32_t>(first);
    const auto rows = static_cast<std::uint32_t>(last - first);
    const auto mine = [=](std::uint32_t row) { return row - from < rows; };
    const double sign = mirror == Mirror::negated ? -1.0 : 1.0;
    for (std::size_t k = 0; k < count; ++k) {
        const std::uint32_t row = entries.row(k);
        if (mine(row)) place(row, entries.col(k), entries.value(k));
        if (mirror == Mirror::none) continue;
        const std::uint32_t col = entries.col(k);
        if (row != col && mine(col)) place(col, row, sign * entries.value(k));
    }
}

bool strictly_ascending(const std::uint32_t* begin, const std::uint32_t* end) {
    return std::adjacent_find(begin, end, [](std::uint32_t a, std::uint32_t b) { return a >= b; }) == end;
}

/// Files sorted by column or by row arrive here in order already; only others pay for the sort.
std::optional<Duplicate> sort_rows(Csr& matrix, std::int64_t first, std::int64_t last) {
    std::vector<std::pair<std::uint32_t, double>> row_entries;
    for (std::int64_t row = first; row < last; ++row) {
        const auto begin = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(matrix.row_begin[static_cast<std::size_t>(row) + 1]);
        if (strictly_ascending(matrix.column.data() + begin, matrix.column.data() + end)) continue;
        row_entries.clear();
        for (std::size_t k = begin; k < end; ++k) row_entries.emplace_back(matrix.column[k], matrix.value[k]);
        std::sort(row_entries.begin(), row_entries.end(),
                  [](const auto& a, const auto& b) { return a.first < b.first; });
        for (std::size_t k = begin; k < end; ++k) {
            std::tie(matrix.column[k], matrix.value[k]) = row_entries[k - begin];
            if (k > begin && matrix.column[k] == matrix.column[k - 1]) {
                return Duplicate{static_cast<std::uint32_t>(row), matrix.column[k]};
            }
        }
    }
    return std::nullopt;
}

/// Rows 0 … rows in ranges with about as many stored entries each, one a processor.
std::vector<std::int64_t> ranges_of(const Csr& matrix) {
    const std::int64_t stored = matrix.row_begin.back();
    const std::int64_t parts = std::clamp<std::int64_t>(stored / kFewestEntriesAThread, 1, most_parts());
    std::vector<std::int64_t> cuts{0};
    for (std::int64_t part = 1; part < parts; ++part) {
        const auto at =
            std::lower_bound(matrix.row_begin.begin(), matrix.row_begin.end() - 1, stored / parts * part);
        cuts.push_back(std::max(cuts.back(), at - matrix.row_begin.begin()));
    }
    cuts.push_back(matrix.rows);
    return cuts;
}

}  // namespace

std::int64_t stored_in_full(const Triplets& entries, Mirror mirror) {
    auto stored = static_cast<std::int64_t>(entries.size());
    if (mirror == Mirror::none) return stored;
    for (std::size_t k = 0; k < entries.size(); ++k) stored += entries.row(k) != entries.col(k);
    return stored;
}

Csr assemble(const Triplets& entries, std::int64_t rows, std::int64_t cols, Mirror mirror,
             std::optional<Duplicate>& duplicate) {
    duplicate.reset();
    Csr matrix;
    matrix.rows = rows;
    matrix.cols = cols;
    auto& begin = matrix.row_begin;
    begin.assign(static_cast<std::size_t>(rows) + 1, 0);
    std::vector<std::int64_t> cuts{0, rows};
    const std::int64_t parts = static_cast<std::int64_t>(entries.size()) / kFewestEntriesAThread;
    if (const std::int64_t most = std::min({parts, most_parts(), rows}); most > 1) {
        cuts.clear();
        for (std::int64_t part = 0; part <= most; ++part) cuts.push_back(rows * part / most);
    }
    for_parts(cuts, [&](std::size_t, std::int64_t first, std::int64_t last) {
        for_each_in_full(entries, mirror, first, last,
                         [&](std::uint32_t row, std::uint32_t, double) { ++begin[std::size_t{row} + 1]; });
    });
    for (std::size_t r = 1; r < begin.size(); ++r) begin[r] += begin[r - 1];
    const auto stored = static_cast<std::size_t>(begin.back());
    matrix.column.resize(stored);
    matrix.value.resize(stored);
    std::mutex found;
    for_parts(ranges_of(matrix), [&](std::size_t, std::int64_t first, std::int64_t last) {
        // Where the next entry of each of these rows goes.
        std::vector<std::int64_t> next(begin.begin() + first, begin.begin() + last);
        for_each_in_full(
            entries, mirror, first, last, [&](std::uint32_t row, std::uint32_t col, double value) {
                const auto at = static_cast<std::size_t>(next[row - static_cast<std::size_t>(first)]++);
                matrix.column[at] = col;
                matrix.value[at] = value;
            });
        const std::optional<Duplicate> twice = sort_rows(matrix, first, last);
        const std::lock_guard lock(found);
        if (twice && (!duplicate || twice->row < duplicate->row)) duplicate = twice;
    });
    return matrix;
}

}  // namespace rooftune::sparse
