// A reader who believes no number: whatever an output says is held against the JSON of the same run. A number
// that nothing covers is a fault too, so that a new sentence has to be thought about.
#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/reader/statements.h"

namespace rooftune::test {

/// What the reading of texts gave; numbers are runs of digits with the points in them that no letter precedes
/// (f64, L2 and x86 are names).
struct Reading {
    std::size_t sentences = 0;        ///< with a number in them, rows of tables included
    std::size_t held = 0;             ///< numbers that were held against the JSON
    std::size_t excused = 0;          ///< numbers that cannot be
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

    /// A table with these columns has exactly these rows, in any order; "*" is a cell that others cover.
    void table(const std::string& name, const std::vector<std::string>& columns, const Truths& rows);

    /// Of tables that none of those is, a cell below a header with this phrase is one of the truths.
    void cells(const std::string& name, const std::string& header, const std::vector<std::string>& truths);

    /// This very text wherever it stands: a title, the name of a variant, a file.
    void words(const std::string& text);
    /// All texts with a number in them that the JSON holds, and key=value of each member that is a text.
    void words_of(const nlohmann::json& document);

    /// What the phrase catches cannot be held against the JSON; `because` says why.
    void excuse(const std::string& phrase, const std::string& because);

    Reading read(const std::string& text) const;

    /// Sentences in which a number that is held may be any other and nobody notices: alters one digit of each
    /// of at most `most` numbers, spread over the text, to every other digit. Empty for a good judge.
    std::string blind_spots(const std::string& text, std::size_t most) const;

private:
    struct Claim {
        std::string name;
        std::regex phrase;
        Truths truths;
    };
    struct TableClaim {
        std::string name;
        std::vector<std::string> columns;
        Truths rows;
    };
    struct CellClaim {
        std::string name;
        std::regex header;
        std::vector<std::string> truths;
    };
    enum class Cover : char { none, held, excused };

    std::vector<Cover> cover(const Statement& statement, Reading& reading) const;
    void read_row(const Statement& statement, std::vector<Cover>& covered, Reading& reading) const;
    bool read_whole_row(const Statement& statement, std::vector<Cover>& covered, Reading& reading) const;
    static void cover_cell(const Statement& statement, std::size_t cell, std::vector<Cover>& covered);
    void read_statement(const Statement& statement, Reading& reading) const;

    std::vector<Claim> claims_;
    std::vector<TableClaim> tables_;
    std::vector<CellClaim> cells_;
    std::vector<std::string> words_;
    std::vector<std::regex> excuses_;
};

}  // namespace rooftune::test
