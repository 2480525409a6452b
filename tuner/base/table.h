// A small table that reads well on a terminal and is valid Markdown.
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/base/page_width.h"

namespace rooftune {

enum class Align { left, right };

struct Column {
    std::string header;
    Align align = Align::left;
    /// Where the page is too narrow for all columns, those with such a number are left out, the least number
    /// first. 0: it stays.
    int leaves = 0;
};

/// A cell: its text, and the number that it stands for where a reader may sort by it ("1.40 ms" is 0.0014).
struct TableCell {
    std::string text{};
    double key = std::numeric_limits<double>::quiet_NaN();

    TableCell() = default;
    TableCell(std::string content) : text(std::move(content)) {}  // NOLINT: a text is a cell
    TableCell(const char* content) : text(content) {}             // NOLINT
    TableCell(std::string content, double number) : text(std::move(content)), key(number) {}
};

class Table {
public:
    explicit Table(std::vector<Column> columns);

    /// Short rows are filled with empty cells; throws std::invalid_argument on a row that is too long.
    void add(std::vector<TableCell> cells);

    bool empty() const { return rows_.empty(); }

    /// As they were added, without control characters.
    const std::vector<Column>& columns() const { return columns_; }
    const std::vector<std::vector<TableCell>>& rows() const { return rows_; }

    /// Header, alignment row and rows, each ended by a newline, padded by display width. A '|' within
    /// a cell is escaped and control characters become spaces. Where that is wider than `columns`, the widest
    /// cells go on in further rows (numbers only where a space is), and where that does not do either each
    /// row becomes a list of its cells. What is to be read as Markdown by a program takes kWidestPage.
    /// Before any of that, columns that may be left out are.
    std::string to_text(int columns = page_width()) const;

    /// The headers of the columns that to_text() leaves out.
    std::vector<std::string> left_out(int columns = page_width()) const;

private:
    std::string as_list(int columns) const;
    bool fits(int columns) const;
    Table without(std::size_t column) const;
    Table for_page(int columns) const;

    std::vector<Column> columns_;
    std::vector<std::vector<TableCell>> rows_;
};

}  // namespace rooftune
