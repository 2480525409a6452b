// What decides which format is the fastest, in numbers that a person can look at: sizes, rows, how far
// entries are from the diagonal, symmetry, values, blocks, and how often an element of x is used.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <unordered_set>

#include "kernels/spmv/formats.h"
#include "kernels/spmv/problem.h"

namespace rooftune::spmv {
namespace {

/// Beyond so many a dictionary of values saves nothing: its indices have 16 bits.
constexpr std::size_t kMostValues = 65536;

constexpr std::array<BlockShape, 5> kShapes{{{2, 2}, {3, 3}, {4, 4}, {6, 6}, {8, 8}}};

double over(double part, double whole) {
    return whole > 0.0 ? part / whole : 0.0;
}

class Facts {
public:
    void count(std::string key, std::string name, double value, bool at_least = false) {
        all_.push_back({std::move(key), std::move(name), value, FactKind::count, at_least});
    }
    void number(std::string key, std::string name, double value) {
        all_.push_back({std::move(key), std::move(name), value, FactKind::number, false});
    }
    void share(std::string key, std::string name, double value) {
        all_.push_back({std::move(key), std::move(name), value, FactKind::share, false});
    }
    std::vector<InspectedFact> take() { return std::move(all_); }

private:
    std::vector<InspectedFact> all_;
};

using Known = std::map<std::string, double>;

std::int64_t median_row(const CsrView& a) {
    if (a.rows == 0) return 0;
    std::vector<std::int32_t> lengths(static_cast<std::size_t>(a.rows));  // of less than 2³¹ entries
    for (std::int64_t row = 0; row < a.rows; ++row)
        lengths[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(a.row_length(row));
    const auto middle = lengths.begin() + (a.rows - 1) / 2;
    std::nth_element(lengths.begin(), middle, lengths.end());
    return *middle;
}

void add_rows(Facts& facts, const CsrView& a, Known& known) {
    facts.number("mean_row", "entries in a row, mean", known["mean_row"]);
    facts.count("median_row", "entries in a row, median", static_cast<double>(median_row(a)));
    facts.count("shortest_row", "entries in the shortest row", known["shortest_row"]);
    facts.count("longest_row", "entries in the longest row", known["longest_row"]);
    facts.share("longest_row_share", "share of the entries that are in the longest row",
                over(known["longest_row"], known["stored"]));
    facts.number("row_variation", "deviation of the rows' lengths over their mean",
                 over(known["row_deviation"], known["mean_row"]));
    facts.count("empty_rows", "empty rows", known["empty_rows"]);
}

void add_places(Facts& facts, const CsrView& a, Known& known) {
    std::int64_t diagonal = 0;
    double distance = 0.0;
    for (std::int64_t row = 0; row < a.rows; ++row) {
        const auto begin = static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(row) + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            const std::int64_t away = std::abs(static_cast<std::int64_t>(a.column[i]) - row);
            distance += static_cast<double>(away);
            diagonal += away == 0;
        }
    }
    facts.count("empty_columns", "empty columns", known["cols"] - known["touched_columns"]);
    facts.count("bandwidth", "places from the diagonal, farthest", known["bandwidth"]);
    facts.number("mean_distance", "places from the diagonal, mean", over(distance, known["stored"]));
    facts.count("diagonal_entries", "entries on the diagonal", static_cast<double>(diagonal));
    facts.number("mean_run", "entries side by side, mean", mean_run(a));
    facts.number("column_uses", "uses of an element of x, mean",
                 over(known["stored"], known["touched_columns"]));
}

// Of the entries beside the diagonal, those whose mirror image is stored, and those whose mirror image has
// their value.
void add_symmetry(Facts& facts, const CsrView& a) {
    if (a.rows != a.cols) return;
    std::int64_t beside = 0, mirrored = 0, equal = 0;
    for (std::int64_t row = 0; row < a.rows; ++row) {
        const std::int64_t begin = a.row_begin[static_cast<std::size_t>(row)];
        const std::int64_t end = a.row_begin[static_cast<std::size_t>(row) + 1];
        for (std::int64_t i = begin; i < end; ++i) {
            const std::uint32_t column = a.column[static_cast<std::size_t>(i)];
            if (column == row) continue;
            ++beside;
            const auto first = a.column.begin() + a.row_begin[column];
            const auto last = a.column.begin() + a.row_begin[column + std::size_t{1}];
            const auto mirror = std::lower_bound(first, last, static_cast<std::uint32_t>(row));
            if (mirror == last || *mirror != row) continue;
            ++mirrored;
            equal += a.value[static_cast<std::size_t>(mirror - a.column.begin())] ==
                     a.value[static_cast<std::size_t>(i)];
        }
    }
    // A diagonal matrix is its own mirror image.
    const auto of = [&](std::int64_t part) {
        return beside == 0 ? 1.0 : static_cast<double>(part) / static_cast<double>(beside);
    };
    facts.share("mirrored", "share of those beside the diagonal with a mirror image", of(mirrored));
    facts.share("symmetric", "share of those with one of the same value", of(equal));
}

void add_values(Facts& facts, const CsrView& a, Known& known) {
    facts.count("explicit_zeros", "zeros among the entries", known["explicit_zeros"]);
    std::unordered_set<std::uint64_t> distinct;
    for (const double value : a.value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof bits);
        distinct.insert(bits);
        if (distinct.size() >= kMostValues) break;
    }
    facts.count("distinct_values", "distinct values", static_cast<double>(distinct.size()),
                distinct.size() >= kMostValues);
}

// Values that blocks of a shape would store, for each entry: each block column of a group of rows once.
double fill_of(const CsrView& a, BlockShape shape) {
    std::vector<std::int32_t> last(static_cast<std::size_t>(a.cols / shape.cols + 1), -1);
    std::int64_t blocks = 0;
    for (std::int64_t row = 0; row < a.rows; ++row) {
        const auto group = static_cast<std::int32_t>(row / shape.rows);
        const auto begin = static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(row) + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            std::int32_t& seen = last[a.column[i] / static_cast<std::uint32_t>(shape.cols)];
            blocks += seen != group;
            seen = group;
        }
    }
    return over(static_cast<double>(blocks) * shape.rows * shape.cols, static_cast<double>(a.stored()));
}

Density density_of(const CsrView& a, int cells) {
    Density density;
    density.rows = a.rows;
    density.cols = a.cols;
    if (a.rows == 0 || a.cols == 0) return density;
    // Cells are about square where the matrix is long.
    const auto longer = static_cast<double>(std::max(a.rows, a.cols));
    const auto side = [&](std::int64_t length) {
        const double share = static_cast<double>(length) / longer * cells;
        return static_cast<int>(
            std::min<std::int64_t>(length, std::max<std::int64_t>(1, std::llround(share))));
    };
    density.height = side(a.rows);
    density.width = side(a.cols);
    density.count.assign(static_cast<std::size_t>(density.height) * static_cast<std::size_t>(density.width),
                         0);
    // The cell of a place is the last that begins at it or before.
    const auto cell_of = [](std::int64_t at, std::int64_t length, int count) {
        return static_cast<int>(((at + 1) * count - 1) / length);
    };
    for (std::int64_t row = 0; row < a.rows; ++row) {
        const std::size_t from = static_cast<std::size_t>(cell_of(row, a.rows, density.height)) *
                                 static_cast<std::size_t>(density.width);
        const auto begin = static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(row)]);
        const auto end = static_cast<std::size_t>(a.row_begin[static_cast<std::size_t>(row) + 1]);
        for (std::size_t i = begin; i < end; ++i)
            ++density.count[from + static_cast<std::size_t>(cell_of(a.column[i], a.cols, density.width))];
    }
    return density;
}

}  // namespace

Inspection SpmvProblem::inspect(int cells) const {
    const CsrView& a = matrix();
    Known known;
    for (const auto& [name, value] : this->facts()) known[name] = value;
    Facts facts;
    facts.count("rows", "rows", known["rows"]);
    facts.count("cols", "columns", known["cols"]);
    facts.count("stored", "entries", known["stored"]);
    add_rows(facts, a, known);
    add_places(facts, a, known);
    add_symmetry(facts, a);
    add_values(facts, a, known);
    for (const BlockShape shape : kShapes) {
        const std::string text = to_text(shape);
        facts.number("fill_" + text, "values stored for an entry in blocks of " + text, fill_of(a, shape));
    }
    return {facts.take(), density_of(a, cells), {"format", "block", "chunk", "sigma", "index"}};
}

}  // namespace rooftune::spmv
