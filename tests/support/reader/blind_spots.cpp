// The judge is judged: what it holds to be true must be wrong with another digit.
#include <algorithm>

#include "tests/support/reader/numbers.h"
#include "tests/support/reader/reader.h"
#include "tests/support/reader/table_rows.h"

namespace rooftune::test {

// A row is one of those that its own table has not shown elsewhere.
bool Reader::is_noticed(const Document& document, std::size_t at, std::size_t byte, char digit) const {
    Place place = document.places[at];
    Statement& s = place.statement;
    const bool is_header = s.table != 0 && s.cells == s.columns;
    s.text[byte] = digit;
    if (s.table != 0) s.cells = statements(s.text).front().cells;
    // With another header it is another table, of which nothing is known.
    if (is_header && place.table != nullptr) return s.cells != s.columns;
    if (place.table != nullptr) {
        std::vector<bool> elsewhere(place.table->rows.size());
        for (std::size_t i = 0; i < document.places.size(); ++i) {
            const Place& other = document.places[i];
            if (i != at && other.statement.table == s.table && other.row >= 0)
                elsewhere[static_cast<std::size_t>(other.row)] = true;
        }
        place.row = -1;
        for (std::size_t i = 0; i < elsewhere.size() && place.row < 0; ++i) {
            if (!elsewhere[i] && same_row(place.table->rows[i], s.cells)) place.row = static_cast<int>(i);
        }
    }
    Reading reading;
    read_place(place, document, reading);
    return !reading.clean();
}

std::string Reader::blind_spots(const std::string& text, std::size_t most) const {
    Reading unused;
    const Document document = document_of(text, unused);
    struct Spot {
        std::size_t place;
        Span number;
    };
    std::vector<Spot> spots;
    for (std::size_t i = 0; i < document.places.size(); ++i) {
        const Place& place = document.places[i];
        const std::string& words = place.statement.text;
        const std::vector<Span> numbers = numbers_in(words);
        if (numbers.empty()) continue;
        if (std::any_of(many_.begin(), many_.end(), [&](const Phrase& many) { return many.is_in(words); }))
            continue;
        const std::vector<Cover> covered = cover(place, document, unused);
        for (const Span& number : numbers) {
            const Cover by = covered[number.to - 1];
            if (by == Cover::held || by == Cover::repeated) spots.push_back({i, number});
        }
    }
    std::string blind;
    const std::size_t step = std::max<std::size_t>(1, spots.size() / std::max<std::size_t>(1, most));
    for (std::size_t i = 0; i < spots.size(); i += step) {
        const auto& [at, number] = spots[i];
        const std::string& words = document.places[at].statement.text;
        // Another digit of each, so that first and last ones have their turn.
        std::size_t byte = number.from + i / step % (number.to - number.from);
        if (words[byte] == '.') ++byte;
        std::string unnoticed;
        for (char digit = '0'; digit <= '9'; ++digit) {
            if (words[byte] != digit && !is_noticed(document, at, byte, digit)) unnoticed += digit;
        }
        if (!unnoticed.empty())
            blind += words.substr(number.from, number.to - number.from) + " with " + unnoticed + " for its " +
                     words[byte] + "  in: " + words + "\n";
    }
    return blind;
}

}  // namespace rooftune::test
