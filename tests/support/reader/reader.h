// A reader who believes no number: whatever an output says is held against the JSON of the same run. A number
// that nothing covers is a fault too, so that a new sentence has to be thought about.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/reader/phrase.h"
#include "tests/support/reader/statements.h"
#include "tests/support/reader/word_list.h"

namespace rooftune::test {

/// What the reading of texts gave, in numbers (numbers.h).
struct Reading {
    std::size_t sentences = 0;        ///< with a number in them, rows of tables included
    std::size_t held = 0;             ///< numbers that were held against values of the JSON
    std::size_t repeated = 0;         ///< numbers in texts that the JSON has word for word
    std::size_t excused = 0;          ///< numbers that cannot be held against it
    std::string untrue;               ///< what the JSON says otherwise, a line each
    std::string uncovered;            ///< sentences with a number that nothing covers, a line each
    std::map<std::string, int> said;  ///< how often each claim was made

    bool clean() const { return untrue.empty() && uncovered.empty(); }
    void add(const Reading& other);
};

class Reader {
public:
    using Truths = std::vector<std::vector<std::string>>;

    /// Where a sentence has the phrase (ECMAScript), its groups are one of the truths. Only what the groups
    /// catch is covered, so a fixed "95 %" stands in a group as well.
    void claim(const std::string& name, const std::string& phrase, const Truths& truths);
    void claim(const std::string& name, const std::string& phrase, const std::string& truth);

    /// A table with these columns has these rows and no others, in any order, each once. "*" is a cell that
    /// others cover, and "tuned: *" one of which they cover the rest. `least`: so many of them at the least,
    /// where a page has no room for all.
    void table(const std::string& name, const std::vector<std::string>& columns, const Truths& rows);
    void table(const std::string& name, const std::vector<std::string>& columns, const Truths& rows,
               std::size_t least);

    /// This very text wherever it stands, made of values of the JSON: the name of a variant, a file.
    void words(const std::string& text);
    /// All texts with a number in them that the JSON holds, and key=value of each member that is a text. They
    /// count as repeated, not as held: who wrote the text wrote the document.
    void words_of(const nlohmann::json& document);

    /// What the phrase catches cannot be held against the JSON; `because` says why. An excuse wins over
    /// claims.
    void excuse(const std::string& phrase, const std::string& because);

    /// What is claimed within `claims` is said of one subject: from a statement that has the phrase, and
    /// with it, up to a statement that has the phrase of another subject. Subjects may have subjects of their
    /// own, whose phrases count only within theirs.
    void about(const std::string& phrase, const std::function<void()>& claims);

    /// Where a statement has the phrase, another digit may be true as well; `because` says why.
    void one_of_many(const std::string& phrase, const std::string& because);

    Reading read(const std::string& text) const;

    /// Sentences in which a number that is held or repeated may be another and nobody notices: one digit of
    /// each of at most `most` numbers, spread over the text, is altered to each of the nine others. Empty
    /// for a good judge.
    std::string blind_spots(const std::string& text, std::size_t most) const;

private:
    static constexpr int kAnywhere = -1;

    struct Claim {
        std::string name;
        Phrase phrase;
        Truths truths;
        int subject;
    };
    struct TableClaim {
        std::string name;
        std::vector<std::string> columns;
        Truths rows;
        std::size_t least;
        int subject;
    };
    /// An excuse about a subject, or a subject of another.
    struct About {
        Phrase phrase;
        int subject;
    };
    enum class Cover : char { none, held, repeated, excused };

    /// A statement with what stands around it.
    struct Place {
        Statement statement;
        std::vector<int> subjects;          ///< it is about these
        const TableClaim* table = nullptr;  ///< whose row it is
        int row = -1;                       ///< of that table's truths; -1: the header, or none
    };
    /// A text with what is known of all of it.
    struct Document {
        std::vector<Place> places;
        std::vector<std::string> whole;  ///< its texts that are not cut
    };

    Document document_of(const std::string& text, Reading& reading) const;
    std::vector<int> subjects_of(const std::string& text, const std::vector<int>& before) const;
    void match_tables(Document& document, Reading& reading) const;
    bool is_about(const Place& place, int subject) const;
    std::vector<Cover> cover(const Place& place, const Document& document, Reading& reading) const;
    static void cover_cells(const Place& place, std::vector<Cover>& covered);
    static void tell_wrong_row(const Place& place, Reading& reading);
    void cover_words(const Statement& statement, std::vector<Cover>& covered) const;
    void cover_claims(const Place& place, std::vector<Cover>& covered, Reading& reading) const;
    void cover_cut(const Statement& statement, const Document& document, std::vector<Cover>& covered) const;
    void read_place(const Place& place, const Document& document, Reading& reading) const;
    bool is_noticed(const Document& document, std::size_t at, std::size_t byte, char digit) const;

    std::vector<Claim> claims_;
    std::vector<TableClaim> tables_;
    WordList words_, repeated_;
    std::vector<About> subjects_, excuses_;
    std::vector<Phrase> many_;
    int subject_ = kAnywhere;
};

}  // namespace rooftune::test
