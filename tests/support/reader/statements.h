// What a text says, piece by piece: sentences and the rows of its tables. Also of pages and drawings.
#pragma once

#include <string>
#include <vector>

namespace rooftune::test {

/// A sentence, or a row of a table ("| winner | 1.40 ms |"), which has cells beside. The first row of a table
/// has the names of its columns.
struct Statement {
    std::string text;
    std::vector<std::string> columns{}, cells{};
    int table = 0;  ///< a number that the rows of one table have; 0 of a sentence
};

/// Lines that were wrapped are one again, and runs of spaces one space.
std::vector<Statement> statements(const std::string& text);

/// The texts, titles and descriptions of a drawing, an element a line; before what stands at a line of the
/// grid "tick: ".
std::string text_of_svg(const std::string& svg);

/// What a page shows: an element of a list, a paragraph or a row of a table a line, drawings as above.
std::string text_of_html(const std::string& html);

/// The texts of a group of a phrase as they can stand in a regular expression.
std::string quoted(const std::string& text);

}  // namespace rooftune::test
