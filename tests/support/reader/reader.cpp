#include "tests/support/reader/reader.h"

#include <algorithm>

namespace rooftune::test {
namespace {

using nlohmann::json;

bool digit(char c) {
    return c >= '0' && c <= '9';
}

bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool has_digit(const std::string& text) {
    return std::any_of(text.begin(), text.end(), digit);
}

struct Span {
    std::size_t from = 0, to = 0;
};

// Digits, and points with a digit behind them; what a letter precedes is a name.
std::vector<Span> numbers_in(const std::string& text) {
    std::vector<Span> out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!digit(text[i])) continue;
        std::size_t end = i;
        while (end < text.size() &&
               (digit(text[end]) || (text[end] == '.' && end + 1 < text.size() && digit(text[end + 1]))))
            ++end;
        if (i == 0 || !letter(text[i - 1])) out.push_back({i, end});
        i = end;
    }
    return out;
}

// Not in the middle of another number.
bool stands_alone(const std::string& text, std::size_t from, std::size_t to) {
    const bool before =
        from > 0 && digit(text[from]) &&
        (digit(text[from - 1]) || (text[from - 1] == '.' && from > 1 && digit(text[from - 2])));
    const bool behind = to < text.size() && digit(text[to - 1]) &&
                        (digit(text[to]) || (text[to] == '.' && to + 1 < text.size() && digit(text[to + 1])));
    return !before && !behind;
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : " | ") + part;
    return text;
}

bool same_row(const std::vector<std::string>& expected, const std::vector<std::string>& cells) {
    for (std::size_t i = 0; i < std::max(expected.size(), cells.size()); ++i) {
        const std::string want = i < expected.size() ? expected[i] : "";
        const std::string have = i < cells.size() ? cells[i] : "";
        if (want != "*" && want != have) return false;
    }
    return true;
}

}  // namespace

void Reading::add(const Reading& other) {
    sentences += other.sentences;
    held += other.held;
    excused += other.excused;
    untrue += other.untrue;
    uncovered += other.uncovered;
    for (const auto& [name, times] : other.said) said[name] += times;
}

void Reader::claim(const std::string& name, const std::string& phrase, const Truths& truths) {
    claims_.push_back({name, std::regex(phrase), truths});
}

void Reader::claim(const std::string& name, const std::string& phrase, const std::string& truth) {
    claim(name, phrase, Truths{{truth}});
}

void Reader::table(const std::string& name, const std::vector<std::string>& columns, const Truths& rows) {
    tables_.push_back({name, columns, rows});
}

void Reader::cells(const std::string& name, const std::string& header,
                   const std::vector<std::string>& truths) {
    cells_.push_back({name, std::regex(header), truths});
}

void Reader::words(const std::string& text) {
    if (!has_digit(text)) return;
    words_.push_back(text);
    // What is said of it is read sentence by sentence.
    const std::vector<Statement> sentences = statements(text);
    if (sentences.size() < 2) return;
    for (const Statement& s : sentences) {
        if (has_digit(s.text)) words_.push_back(s.text);
    }
}

void Reader::words_of(const json& document) {
    if (document.is_string()) {
        const std::string text = document;
        // A lone number is no name: it would cover whatever happens to be equal.
        if (text.find_first_not_of("0123456789. ") != std::string::npos) {
            words(text);
            // Reasons begin with a small letter, where they are sentences with a capital one.
            if (text[0] >= 'a' && text[0] <= 'z')
                words(std::string(1, static_cast<char>(text[0] - 'a' + 'A')) + text.substr(1));
        }
    }
    if (document.is_object()) {
        for (const auto& [key, value] : document.items()) {
            if (value.is_string()) words(key + "=" + value.get<std::string>());
        }
    }
    if (document.is_structured()) {
        for (const json& part : document) words_of(part);
    }
}

void Reader::excuse(const std::string& phrase, const std::string&) {
    excuses_.emplace_back(phrase);
}

bool Reader::read_whole_row(const Statement& s, std::vector<Cover>& covered, Reading& reading) const {
    for (const TableClaim& table : tables_) {
        if (s.columns != table.columns) continue;
        if (s.cells == s.columns) {
            std::fill(covered.begin(), covered.end(), Cover::held);
            return true;
        }
        ++reading.said[table.name];
        const auto found = std::find_if(table.rows.begin(), table.rows.end(),
                                        [&](const auto& row) { return same_row(row, s.cells); });
        if (found == table.rows.end()) {
            std::string near;
            for (const std::vector<std::string>& row : table.rows) {
                if (!s.cells.empty() && !row.empty() && row.front() == s.cells.front()) near = joined(row);
            }
            reading.untrue += table.name + ": no such row: " + joined(s.cells) +
                              (near.empty() ? "" : "\n    but: " + near) + "\n";
            return true;
        }
        // Those that nothing is expected of stay open.
        for (std::size_t i = 0; i < s.cells.size(); ++i) {
            if (i < found->size() && (*found)[i] != "*") cover_cell(s, i, covered);
        }
        return true;
    }
    return false;
}

void Reader::read_row(const Statement& s, std::vector<Cover>& covered, Reading& reading) const {
    if (read_whole_row(s, covered, reading) || s.cells == s.columns) return;
    for (std::size_t i = 0; i < std::min(s.cells.size(), s.columns.size()); ++i) {
        for (const CellClaim& claim : cells_) {
            if (!std::regex_search(s.columns[i], claim.header)) continue;
            ++reading.said[claim.name];
            cover_cell(s, i, covered);
            if (std::find(claim.truths.begin(), claim.truths.end(), s.cells[i]) == claim.truths.end())
                reading.untrue += claim.name + ": no such cell: " + s.cells[i] + "\n    in: " + s.text + "\n";
            break;
        }
    }
}

void Reader::cover_cell(const Statement& s, std::size_t cell, std::vector<Cover>& covered) {
    std::size_t at = 1;
    for (std::size_t i = 0; i < cell; ++i) at = s.text.find(s.cells[i], at) + s.cells[i].size() + 1;
    at = s.text.find(s.cells[cell], at);
    // A cell with an escaped bar stands otherwise in the row.
    if (at == std::string::npos) return;
    std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(at), s.cells[cell].size(), Cover::held);
}

std::vector<Reader::Cover> Reader::cover(const Statement& s, Reading& reading) const {
    std::vector<Cover> covered(s.text.size(), Cover::none);
    // An excuse comes last and wins: what it covers may be any other number, and nobody would notice.
    const auto mark = [&](std::size_t from, std::size_t length, Cover by) {
        std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(from), length, by);
    };
    if (!s.cells.empty()) {
        read_row(s, covered, reading);
        const auto numbers = numbers_in(s.text);
        if (std::all_of(numbers.begin(), numbers.end(), [&](const Span& n) {
                return covered[n.from] == Cover::held && covered[n.to - 1] == Cover::held;
            }))
            return covered;
    }
    for (const std::string& text : words_) {
        for (std::size_t at = 0; (at = s.text.find(text, at)) != std::string::npos; at += text.size()) {
            if (stands_alone(s.text, at, at + text.size())) mark(at, text.size(), Cover::held);
        }
    }
    for (const Claim& claim : claims_) {
        for (std::sregex_iterator it(s.text.begin(), s.text.end(), claim.phrase), end; it != end; ++it) {
            ++reading.said[claim.name];
            std::vector<std::string> groups;
            for (std::size_t i = 1; i < it->size(); ++i) {
                groups.push_back((*it)[i]);
                if ((*it)[i].matched)
                    mark(static_cast<std::size_t>(it->position(i)), groups.back().size(), Cover::held);
            }
            if (std::find(claim.truths.begin(), claim.truths.end(), groups) != claim.truths.end()) continue;
            std::string truths;
            for (const auto& truth : claim.truths) truths += (truths.empty() ? "" : "; or ") + joined(truth);
            reading.untrue +=
                claim.name + ": says " + joined(groups) + ", but is " + truths + "\n    in: " + s.text + "\n";
        }
    }
    for (const std::regex& excuse : excuses_) {
        for (std::sregex_iterator it(s.text.begin(), s.text.end(), excuse), end; it != end; ++it)
            mark(static_cast<std::size_t>(it->position()), static_cast<std::size_t>(it->length()),
                 Cover::excused);
    }
    return covered;
}

void Reader::read_statement(const Statement& s, Reading& reading) const {
    const std::vector<Span> numbers = numbers_in(s.text);
    if (numbers.empty()) return;
    ++reading.sentences;
    const std::vector<Cover> covered = cover(s, reading);
    std::string open;
    for (const Span& number : numbers) {
        const auto first = covered.begin() + static_cast<std::ptrdiff_t>(number.from);
        const auto last = covered.begin() + static_cast<std::ptrdiff_t>(number.to);
        if (std::find(first, last, Cover::none) != last) {
            open += (open.empty() ? "" : ", ") + s.text.substr(number.from, number.to - number.from);
        } else if (std::find(first, last, Cover::excused) != last) {
            ++reading.excused;
        } else {
            ++reading.held;
        }
    }
    if (!open.empty()) reading.uncovered += open + "  in: " + s.text + "\n";
}

Reading Reader::read(const std::string& text) const {
    Reading reading;
    for (const Statement& s : statements(text)) read_statement(s, reading);
    return reading;
}

std::string Reader::blind_spots(const std::string& text, std::size_t most) const {
    struct Spot {
        Statement statement;
        Span number;
    };
    std::vector<Spot> spots;
    for (const Statement& s : statements(text)) {
        Reading unused;
        const std::vector<Cover> covered = cover(s, unused);
        for (const Span& number : numbers_in(s.text)) {
            if (covered[number.to - 1] == Cover::held) spots.push_back({s, number});
        }
    }
    std::string blind;
    const std::size_t step = std::max<std::size_t>(1, spots.size() / std::max<std::size_t>(1, most));
    for (std::size_t i = 0; i < spots.size(); i += step) {
        const std::size_t at = spots[i].number.to - 1;
        bool noticed = false;
        for (char other = '0'; other <= '9' && !noticed; ++other) {
            Statement altered = spots[i].statement;
            if (altered.text[at] == other) continue;
            altered.text[at] = other;
            if (!altered.cells.empty()) {
                const std::vector<std::string> columns = altered.columns;
                altered = statements(altered.text).front();
                altered.columns = columns;
            }
            Reading reading;
            read_statement(altered, reading);
            noticed = !reading.clean();
        }
        if (!noticed)
            blind += spots[i].statement.text.substr(spots[i].number.from,
                                                    spots[i].number.to - spots[i].number.from) +
                     "  in: " + spots[i].statement.text + "\n";
    }
    return blind;
}

}  // namespace rooftune::test
