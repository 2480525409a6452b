#include "tuner/base/table.h"

#include <algorithm>
#include <limits>
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

// Markdown's alignment row needs a dash beside its colon.
constexpr int kLeast = 3;
constexpr int kComfortable = 24, kLeastText = 12;  // of texts; narrower ones read badly
constexpr int kWholeWord = 20;                     // a date and time: so much is never broken
constexpr int kLongWord = 32;                      // nor is this where the page has room for it

// Makes the widest columns narrower, none below its least, until all fit; false where that is not enough.
bool narrow(std::vector<int>& width, const std::vector<int>& least, int columns) {
    int total = 1;
    for (const int w : width) total += w + 3;
    while (total > columns) {
        std::size_t widest = width.size();
        for (std::size_t c = 0; c < width.size(); ++c) {
            if (width[c] > least[c] && (widest == width.size() || width[c] > width[widest])) widest = c;
        }
        if (widest == width.size()) return false;
        --width[widest];
        --total;
    }
    return true;
}

// Columns that a column's cells take once they are folded to `width`.
int folded_width(const std::string& header, const std::vector<std::vector<std::string>>& body, std::size_t c,
                 int width) {
    int used = 0;
    const auto count = [&](const std::string& cell) {
        for (const std::string& line : fold(cell, width)) used = std::max(used, display_width(line));
    };
    count(header);
    for (const auto& row : body) count(row[c]);
    return used;
}

// What the page has left, a column at a time to those that are narrower than their texts.
void give_to_texts(std::vector<int>& width, const std::vector<int>& wanted, int columns) {
    int total = 1;
    for (const int w : width) total += w + 3;
    for (bool given = true; given && total < columns;) {
        given = false;
        for (std::size_t c = 0; c < width.size() && total < columns; ++c) {
            if (width[c] >= wanted[c]) continue;
            ++width[c];
            ++total;
            given = true;
        }
    }
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

// Whether all columns stand side by side with no word broken and no text narrower than reads well.
bool Table::fits(int columns) const {
    int total = 1;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const bool is_text = columns_[c].align == Align::left;
        int width = std::max(kLeast, display_width(columns_[c].header)), chunk = 0;
        for (const auto& row : rows_) {
            width = std::max(width, display_width(cell_text(row[c].text)));
            chunk = std::max(chunk, widest_chunk(cell_text(row[c].text)));
        }
        total += 3 + (is_text ? std::min(width, std::max(kComfortable, chunk)) : width);
    }
    return total <= columns;
}

Table Table::without(std::size_t column) const {
    const auto at = static_cast<std::ptrdiff_t>(column);
    Table fewer(columns_);
    fewer.columns_.erase(fewer.columns_.begin() + at);
    for (std::vector<TableCell> row : rows_) {
        row.erase(row.begin() + at);
        fewer.rows_.push_back(std::move(row));
    }
    return fewer;
}

Table Table::for_page(int columns) const {
    Table table = *this;
    while (!table.fits(columns)) {
        const auto leaves = [](const Column& column) {
            return column.leaves > 0 ? column.leaves : std::numeric_limits<int>::max();
        };
        const auto least =
            std::min_element(table.columns_.begin(), table.columns_.end(),
                             [&](const Column& a, const Column& b) { return leaves(a) < leaves(b); });
        if (least == table.columns_.end() || least->leaves <= 0) break;
        table = table.without(static_cast<std::size_t>(least - table.columns_.begin()));
    }
    return table;
}

std::vector<std::string> Table::left_out(int columns) const {
    const Table shown = for_page(columns);
    std::vector<std::string> headers;
    for (const Column& column : columns_) {
        if (std::none_of(shown.columns_.begin(), shown.columns_.end(),
                         [&](const Column& other) { return other.header == column.header; }))
            headers.push_back(column.header);
    }
    return headers;
}

std::string Table::to_text(int columns) const {
    if (const Table fewer = for_page(columns); fewer.columns_.size() < columns_.size())
        return fewer.to_text(columns);
    using Cells = std::vector<std::string>;
    Cells head;
    for (const Column& column : columns_) head.push_back(cell_text(column.header));
    std::vector<Cells> body;
    for (const auto& row : rows_) {
        body.emplace_back();
        for (const TableCell& cell : row) body.back().push_back(cell_text(cell.text));
    }
    std::vector<int> width(columns_.size(), kLeast), comfortable = width, whole = width, least = width;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        int chunk = widest_chunk(head[c]);
        width[c] = std::max(width[c], display_width(head[c]));
        for (const Cells& row : body) {
            width[c] = std::max(width[c], display_width(row[c]));
            chunk = std::max(chunk, widest_chunk(row[c]));
        }
        const bool is_text = columns_[c].align == Align::left;
        const int word = chunk <= kLongWord ? chunk : 0;
        comfortable[c] = is_text ? std::min(width[c], std::max(kComfortable, word)) : width[c];
        whole[c] = is_text ? std::min(width[c], std::max(kLeastText, word)) : std::max(least[c], chunk);
        least[c] = is_text ? std::min(width[c], std::clamp(chunk, kLeastText, kWholeWord))
                           : std::max(least[c], chunk);
    }
    // Texts before numbers, and words before what is wider than any.
    const std::vector<int> natural = width;
    if (!narrow(width, comfortable, columns)) {
        std::vector<int> narrower = width;
        if (narrow(narrower, whole, columns)) {
            width = std::move(narrower);
        } else if (!narrow(width, least, columns)) {
            return as_list(columns);
        }
    }
    // A number that is folded needs no more than its pieces: what that leaves is for the texts.
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (columns_[c].align == Align::right && width[c] < natural[c])
            width[c] = std::max(least[c], folded_width(head[c], body, c, width[c]));
    }
    std::vector<int> wanted = width;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        if (columns_[c].align == Align::left) wanted[c] = natural[c];
    }
    give_to_texts(width, wanted, columns);

    std::string out;
    const auto add = [&](const Cells& cells) {
        std::vector<std::vector<std::string>> folded;
        std::size_t height = 1;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            folded.push_back(fold(cells[c], width[c]));
            height = std::max(height, folded.back().size());
        }
        for (std::size_t line = 0; line < height; ++line) {
            out += '|';
            for (std::size_t c = 0; c < cells.size(); ++c) {
                const std::string text = line < folded[c].size() ? folded[c][line] : "";
                out += ' ' + padded(text, width[c], columns_[c].align) + " |";
            }
            out += '\n';
        }
    };
    add(head);
    out += '|';
    for (std::size_t c = 0; c < columns_.size(); ++c) {
        const std::string dashes(static_cast<std::size_t>(width[c]) + 1, '-');
        out += columns_[c].align == Align::right ? dashes + ":|" : dashes + "-|";
    }
    out += '\n';
    for (const Cells& row : body) add(row);
    return out;
}

std::string Table::as_list(int columns) const {
    std::string out;
    for (const auto& row : rows_) {
        std::string mark = "- ";
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (row[c].text.empty()) continue;
            const std::string& header = columns_[c].header;
            const std::string text = (header.empty() ? "" : header + ": ") + row[c].text;
            for (const std::string& line : fold(text, columns - 4)) {
                out += mark + line + "\n";
                mark = "    ";
            }
            mark = "  ";
        }
    }
    return out;
}

}  // namespace rooftune
