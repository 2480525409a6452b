#include "tests/support/reader/reader.h"

#include <algorithm>

#include "tests/support/reader/numbers.h"
#include "tests/support/reader/table_rows.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

constexpr std::string_view kCut = "…";

template <typename Cover>
void mark(std::vector<Cover>& covered, std::size_t from, std::size_t length, Cover by) {
    std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(from), length, by);
}

// Where a cell stands in its row; npos where it has an escaped bar and stands there otherwise.
std::size_t place_of_cell(const Statement& s, std::size_t cell) {
    std::size_t at = 1;
    for (std::size_t i = 0; i < cell; ++i) at = s.text.find(s.cells[i], at) + s.cells[i].size() + 1;
    return s.text.find(s.cells[cell], at);
}

}  // namespace

void Reading::add(const Reading& other) {
    sentences += other.sentences;
    held += other.held;
    repeated += other.repeated;
    excused += other.excused;
    untrue += other.untrue;
    uncovered += other.uncovered;
    for (const auto& [name, times] : other.said) said[name] += times;
}

void Reader::claim(const std::string& name, const std::string& phrase, const Truths& truths) {
    claims_.push_back({name, Phrase(phrase), truths, subject_});
}

void Reader::claim(const std::string& name, const std::string& phrase, const std::string& truth) {
    claim(name, phrase, Truths{{truth}});
}

void Reader::table(const std::string& name, const std::vector<std::string>& columns, const Truths& rows) {
    table(name, columns, rows, rows.size());
}

void Reader::table(const std::string& name, const std::vector<std::string>& columns, const Truths& rows,
                   std::size_t least) {
    tables_.push_back({name, columns, rows, least, subject_});
}

void Reader::words(const std::string& text) {
    if (has_digit(text)) words_.add(text);
}

void Reader::words_of(const json& document) {
    const auto repeated = [&](const std::string& text) {
        if (!has_digit(text)) return;
        repeated_.add(text);
        // What is said of it is read sentence by sentence.
        const std::vector<Statement> sentences = statements(text);
        if (sentences.size() < 2) return;
        for (const Statement& s : sentences) {
            if (has_digit(s.text)) repeated_.add(s.text);
        }
    };
    if (document.is_string()) {
        const std::string text = document;
        // A lone number is no name: it would cover whatever happens to be equal.
        if (text.find_first_not_of("0123456789. ") != std::string::npos) {
            repeated(text);
            // Reasons begin with a small letter, where they are sentences with a capital one.
            if (text[0] >= 'a' && text[0] <= 'z')
                repeated(std::string(1, static_cast<char>(text[0] - 'a' + 'A')) + text.substr(1));
        }
    }
    if (document.is_object()) {
        for (const auto& [key, value] : document.items()) {
            if (value.is_string()) repeated(key + "=" + value.get<std::string>());
        }
    }
    if (document.is_structured()) {
        for (const json& part : document) words_of(part);
    }
}

void Reader::excuse(const std::string& phrase, const std::string&) {
    excuses_.push_back({Phrase(phrase), subject_});
}

void Reader::one_of_many(const std::string& phrase, const std::string&) {
    many_.emplace_back(phrase);
}

void Reader::about(const std::string& phrase, const std::function<void()>& claims) {
    const int before = subject_;
    subject_ = static_cast<int>(subjects_.size());
    subjects_.push_back({Phrase(phrase), before});
    claims();
    subject_ = before;
}

bool Reader::is_about(const Place& place, int subject) const {
    return subject == kAnywhere ||
           std::find(place.subjects.begin(), place.subjects.end(), subject) != place.subjects.end();
}

std::vector<int> Reader::subjects_of(const std::string& text, const std::vector<int>& before) const {
    const auto has = [](const std::vector<int>& all, int one) {
        return std::find(all.begin(), all.end(), one) != all.end();
    };
    std::vector<int> named;
    for (int i = 0; i < static_cast<int>(subjects_.size()); ++i) {
        const About& subject = subjects_[static_cast<std::size_t>(i)];
        const int of_whom = subject.subject;
        if (of_whom != kAnywhere && !has(before, of_whom) && !has(named, of_whom)) continue;
        if (!subject.phrase.is_in(text)) continue;
        for (int of = i; of != kAnywhere; of = subjects_[static_cast<std::size_t>(of)].subject) {
            if (!has(named, of)) named.push_back(of);
        }
    }
    return named.empty() ? before : named;
}

Reader::Document Reader::document_of(const std::string& text, Reading& reading) const {
    Document document;
    std::vector<int> subjects;
    for (Statement& s : statements(text)) {
        subjects = subjects_of(s.text, subjects);
        if (!s.text.ends_with(kCut)) document.whole.push_back(s.text);
        document.places.push_back({std::move(s), subjects});
    }
    match_tables(document, reading);
    return document;
}

void Reader::match_tables(Document& document, Reading& reading) const {
    std::vector<Place>& places = document.places;
    for (std::size_t first = 0, end = 0; first < places.size(); first = end) {
        const int number = places[first].statement.table;
        for (end = first + 1; end < places.size() && places[end].statement.table == number; ++end) {
        }
        if (number == 0) continue;
        const auto claim = std::find_if(tables_.begin(), tables_.end(), [&](const TableClaim& t) {
            return t.columns == places[first].statement.columns && is_about(places[first], t.subject);
        });
        if (claim == tables_.end()) continue;
        std::vector<Row> rows;
        for (std::size_t i = first; i < end; ++i) {
            places[i].table = &*claim;
            if (i > first) rows.push_back(places[i].statement.cells);
        }
        ++reading.said[claim->name];
        std::vector<bool> shown(claim->rows.size());
        const std::vector<int> found = matched_rows(claim->rows, rows);
        std::size_t count = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            places[first + 1 + i].row = found[i];
            if (found[i] < 0) continue;
            shown[static_cast<std::size_t>(found[i])] = true;
            ++count;
        }
        if (count >= claim->least) continue;
        reading.untrue += claim->name + ": " + std::to_string(claim->least - count) + " rows are missing\n";
        int told = 0;
        for (std::size_t i = 0; i < shown.size(); ++i) {
            if (!shown[i] && told++ < 3)
                reading.untrue += "    not there: " + joined_cells(claim->rows[i]) + "\n";
        }
    }
}

void Reader::cover_words(const Statement& s, std::vector<Cover>& covered) const {
    repeated_.find(s.text,
                   [&](std::size_t at, std::size_t length) { mark(covered, at, length, Cover::repeated); });
    words_.find(s.text, [&](std::size_t at, std::size_t length) { mark(covered, at, length, Cover::held); });
}

void Reader::cover_claims(const Place& place, std::vector<Cover>& covered, Reading& reading) const {
    const Statement& s = place.statement;
    for (const Claim& claim : claims_) {
        if (!is_about(place, claim.subject)) continue;
        for (std::sregex_iterator it = claim.phrase.begin(s.text), end; it != end; ++it) {
            ++reading.said[claim.name];
            std::vector<std::string> groups;
            for (std::size_t i = 1; i < it->size(); ++i) {
                groups.push_back((*it)[i]);
                if ((*it)[i].matched)
                    mark(covered, static_cast<std::size_t>(it->position(i)), groups.back().size(),
                         Cover::held);
            }
            if (std::find(claim.truths.begin(), claim.truths.end(), groups) != claim.truths.end()) continue;
            std::string truths;
            for (const auto& truth : claim.truths)
                truths += (truths.empty() ? "" : "; or ") + joined_cells(truth);
            reading.untrue += claim.name + ": says " + joined_cells(groups) + ", but is " + truths +
                              "\n    in: " + s.text + "\n";
        }
    }
}

// A text that was cut for want of room is the beginning of one that stands there whole, and is read there, or
// of one that the JSON has.
void Reader::cover_cut(const Statement& s, const Document& document, std::vector<Cover>& covered) const {
    if (!s.text.ends_with(kCut)) return;
    const std::string begun = s.text.substr(0, s.text.size() - kCut.size());
    const auto begins = [&](const std::string& text) { return text.starts_with(begun); };
    if (std::any_of(document.whole.begin(), document.whole.end(), begins) || words_.any_begins(begun) ||
        repeated_.any_begins(begun))
        mark(covered, 0, begun.size(), Cover::repeated);
}

void Reader::cover_cells(const Place& place, std::vector<Cover>& covered) {
    const Statement& s = place.statement;
    const Row& row = place.table->rows[static_cast<std::size_t>(place.row)];
    for (std::size_t i = 0; i < std::min(s.cells.size(), row.size()); ++i) {
        const std::size_t at = place_of_cell(s, i);
        if (at == std::string::npos || row[i] == "*") continue;
        mark(covered, at, row[i].ends_with(": *") ? row[i].size() - 1 : s.cells[i].size(), Cover::held);
    }
}

void Reader::tell_wrong_row(const Place& place, Reading& reading) {
    const std::vector<std::string>& cells = place.statement.cells;
    bool twice = false;
    std::string near;
    for (const Row& row : place.table->rows) {
        twice = twice || same_row(row, cells);
        if (!cells.empty() && !row.empty() && row.front() == cells.front()) near = joined_cells(row);
    }
    reading.untrue += place.table->name + (twice ? ": stands there once too often: " : ": no such row: ") +
                      joined_cells(cells) + (near.empty() || twice ? "" : "\n    but: " + near) + "\n";
}

std::vector<Reader::Cover> Reader::cover(const Place& place, const Document& document,
                                         Reading& reading) const {
    const Statement& s = place.statement;
    std::vector<Cover> covered(s.text.size(), Cover::none);
    if (place.table != nullptr) {
        if (s.cells == s.columns || place.row < 0) {
            if (s.cells != s.columns) tell_wrong_row(place, reading);
            std::fill(covered.begin(), covered.end(), Cover::held);
            return covered;
        }
        cover_cells(place, covered);
        const auto numbers = numbers_in(s.text);
        if (std::all_of(numbers.begin(), numbers.end(), [&](const Span& n) {
                return covered[n.from] == Cover::held && covered[n.to - 1] == Cover::held;
            }))
            return covered;
    }
    cover_words(s, covered);
    cover_claims(place, covered, reading);
    cover_cut(s, document, covered);
    // An excuse wins over claims: what it covers may be any other number, and nobody would notice.
    for (const About& excuse : excuses_) {
        if (!is_about(place, excuse.subject)) continue;
        for (std::sregex_iterator it = excuse.phrase.begin(s.text), end; it != end; ++it)
            mark(covered, static_cast<std::size_t>(it->position()), static_cast<std::size_t>(it->length()),
                 Cover::excused);
    }
    if (place.table != nullptr) cover_cells(place, covered);
    return covered;
}

void Reader::read_place(const Place& place, const Document& document, Reading& reading) const {
    const Statement& s = place.statement;
    const std::vector<Span> numbers = numbers_in(s.text);
    // A row without a number may be one that should not be there.
    if (numbers.empty() && (place.table == nullptr || place.row >= 0 || s.cells == s.columns)) return;
    if (!numbers.empty()) ++reading.sentences;
    const std::vector<Cover> covered = cover(place, document, reading);
    std::string open;
    for (const Span& number : numbers) {
        const auto first = covered.begin() + static_cast<std::ptrdiff_t>(number.from);
        const auto last = covered.begin() + static_cast<std::ptrdiff_t>(number.to);
        const auto has = [&](Cover by) { return std::find(first, last, by) != last; };
        if (has(Cover::none)) {
            open += (open.empty() ? "" : ", ") + s.text.substr(number.from, number.to - number.from);
        } else if (has(Cover::excused)) {
            ++reading.excused;
        } else if (has(Cover::repeated)) {
            ++reading.repeated;
        } else {
            ++reading.held;
        }
    }
    if (!open.empty()) reading.uncovered += open + "  in: " + s.text + "\n";
}

Reading Reader::read(const std::string& text) const {
    Reading reading;
    const Document document = document_of(text, reading);
    for (const Place& place : document.places) read_place(place, document, reading);
    return reading;
}

}  // namespace rooftune::test
