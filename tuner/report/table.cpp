#include "tuner/report/table.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

std::string cell_text(std::string_view raw) {
    std::string out;
    for (const char c : printable(raw)) {
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
    for (Column& column : columns_) column.header = cell_text(column.header);
}

void Table::add(std::vector<std::string> cells) {
    if (cells.size() > columns_.size()) throw std::invalid_argument("Table::add: more cells than columns");
    cells.resize(columns_.size());
    for (std::string& cell : cells) cell = cell_text(cell);
    rows_.push_back(std::move(cells));
}

std::string Table::to_text() const {
    // Three columns at least: Markdown's alignment row needs a dash beside its colon.
    std::vector<int> width(columns_.size(), 3);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        width[c] = std::max(width[c], display_width(columns_[c].header));
        for (const auto& row : rows_) width[c] = std::max(width[c], display_width(row[c]));
    }

    std::string out = "|";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        out += ' ' + padded(columns_[c].header, width[c], columns_[c].align) + " |";
    }
    out += "\n|";
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::string dashes(static_cast<std::size_t>(width[c]) + 1, '-');
        out += columns_[c].align == Align::right ? dashes + ":|" : dashes + "-|";
    }
    out += '\n';
    for (const auto& row : rows_) {
        out += '|';
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            out += ' ' + padded(row[c], width[c], columns_[c].align) + " |";
        }
        out += '\n';
    }
    return out;
}

}  // namespace rooftune
