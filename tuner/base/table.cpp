#include "tuner/base/table.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

std::string cell_text(std::string_view content) {
    std::string out;
    for (const char c : content) {
        if (c == '|') out += '\\';
        out += c;
    }
    return out;
}

std::string padded(const std::string& text, int width, Align align) {
    const auto blanks = std::string(static_cast<std::size_t>(std::max(0, width - display_width(text))), ' ');
    return align == Align::right ? blanks + text : text + blanks;
}

}  // namespace

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
    for (Column& column : columns_) column.header = printable(column.header);
}

void Table::add(std::vector<TableCell> cells) {
    if (cells.size() > columns_.size()) throw std::invalid_argument("Table::add: more cells than columns");
    cells.resize(columns_.size());
    for (TableCell& cell : cells) cell.text = printable(cell.text);
    rows_.push_back(std::move(cells));
}

std::string Table::to_text() const {
    std::vector<std::string> head;
    for (const Column& column : columns_) head.push_back(cell_text(column.header));
    std::vector<std::vector<std::string>> body;
    for (const auto& row : rows_) {
        body.emplace_back();
        for (const TableCell& cell : row) body.back().push_back(cell_text(cell.text));
    }
    // Three columns at least: Markdown's alignment row needs a dash beside its colon.
    std::vector<int> width(columns_.size(), 3);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        width[c] = std::max(width[c], display_width(head[c]));
        for (const auto& row : body) width[c] = std::max(width[c], display_width(row[c]));
    }

    std::string out = "|";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        out += ' ' + padded(head[c], width[c], columns_[c].align) + " |";
    }
    out += "\n|";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::string dashes(static_cast<std::size_t>(width[c]) + 1, '-');
        out += columns_[c].align == Align::right ? dashes + ":|" : dashes + "-|";
    }
    out += '\n';
    for (const auto& row : body) {
        out += '|';
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            out += ' ' + padded(row[c], width[c], columns_[c].align) + " |";
        }
        out += '\n';
    }
    return out;
}

}  // namespace rooftune
