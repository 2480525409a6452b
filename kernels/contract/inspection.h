// What a family says of a problem's structure before anything is tuned, for `rooftune inspect`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace rooftune {

/// What a fact's number is.
enum class FactKind { count, number, share };

struct InspectedFact {
    std::string key;   ///< for programs: "mean_row"
    std::string name;  ///< for people: "entries in a row, mean"
    double value = 0.0;
    FactKind kind = FactKind::count;
    bool at_least = false;  ///< counting ended there
};

/// Where the entries of a matrix lie: how many in each of height × width cells of about equal size.
struct Density {
    std::int64_t rows = 0, cols = 0;     ///< of the matrix
    int height = 0, width = 0;           ///< at most rows and cols, and 0 where these are
    std::vector<std::uint64_t> count{};  ///< height · width, row by row

    std::uint64_t at(int y, int x) const {
        return count[static_cast<std::size_t>(y) * static_cast<std::size_t>(width) +
                     static_cast<std::size_t>(x)];
    }
    /// First row of a cell's row, and with y = height one past the last.
    std::int64_t row_of(int y) const { return rows * y / height; }
    std::int64_t col_of(int x) const { return cols * x / width; }
    /// Places of the matrix in a cell.
    double places(int y, int x) const {
        return static_cast<double>(row_of(y + 1) - row_of(y)) *
               static_cast<double>(col_of(x + 1) - col_of(x));
    }
};

struct Inspection {
    std::vector<InspectedFact> facts{};
    std::optional<Density> density{};
    /// Names of the space's parameters that decide how the data are stored, the first of its branching order;
    /// empty: one way for all variants.
    std::vector<std::string> storage{};
};

}  // namespace rooftune
