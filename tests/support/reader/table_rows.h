// Rows of a table against those that should be there.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace rooftune::test {

using Row = std::vector<std::string>;

/// Whether the cells are those of `expected`, in which "*" is any, and "tuned: *" any that begins so.
bool same_row(const Row& expected, const Row& cells);

/// For each row the number of the expected one that it is, each given out once; -1: none is left that it
/// could be.
std::vector<int> matched_rows(const std::vector<Row>& expected, const std::vector<Row>& rows);

/// "winner | 1.40 ms"
std::string joined_cells(const Row& cells);

}  // namespace rooftune::test
