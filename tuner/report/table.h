// A small table that reads well on a terminal and is valid Markdown.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

enum class Align { left, right };

struct Column {
    std::string header;
    Align align = Align::left;
};

class Table {
public:
    explicit Table(std::vector<Column> columns);

    /// Short rows are filled with empty cells; throws std::invalid_argument on a row that is too long.
    void add(std::vector<std::string> cells);

    bool empty() const { return rows_.empty(); }

    /// Header, alignment row and rows, each ended by a newline, padded by display width. A '|' within
    /// a cell is escaped and control characters become spaces.
    std::string to_text() const;

private:
    std::vector<Column> columns_;
    std::vector<std::vector<std::string>> rows_;
};

}  // namespace rooftune
