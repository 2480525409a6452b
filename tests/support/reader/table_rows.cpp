#include "tests/support/reader/table_rows.h"

#include <algorithm>

namespace rooftune::test {
namespace {

// A star behind anything else is one that the table has ("1.02× *").
bool is_open(const std::string& want) {
    return want == "*" || want.ends_with(": *");
}

bool same_cell(const std::string& want, const std::string& have) {
    return is_open(want) ? have.starts_with(want.substr(0, want.size() - 1)) : want == have;
}

// Those that say the least come last, so that they take what is left.
std::size_t open_cells(const Row& row) {
    return static_cast<std::size_t>(std::count_if(row.begin(), row.end(), is_open));
}

}  // namespace

bool same_row(const Row& expected, const Row& cells) {
    for (std::size_t i = 0; i < std::max(expected.size(), cells.size()); ++i) {
        if (!same_cell(i < expected.size() ? expected[i] : "", i < cells.size() ? cells[i] : ""))
            return false;
    }
    return true;
}

std::vector<int> matched_rows(const std::vector<Row>& expected, const std::vector<Row>& rows) {
    std::vector<int> found(rows.size(), -1), order(expected.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) {
        return open_cells(expected[static_cast<std::size_t>(a)]) <
               open_cells(expected[static_cast<std::size_t>(b)]);
    });
    for (const int number : order) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (found[i] >= 0 || !same_row(expected[static_cast<std::size_t>(number)], rows[i])) continue;
            found[i] = number;
            break;
        }
    }
    return found;
}

std::string joined_cells(const Row& cells) {
    std::string text;
    for (const std::string& cell : cells) text += (text.empty() ? "" : " | ") + cell;
    return text;
}

}  // namespace rooftune::test
