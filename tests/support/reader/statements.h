// What a text says, piece by piece: sentences and the rows of its tables. Also of pages and drawings.
#pragma once

#include <string>
#include <vector>

namespace rooftune::test {

/// A sentence, or a row of a table ("| winner | 1.40 ms |"), which has cells beside.
struct Statement {
    std::string text;
    std::vector<std::string> columns{}, cells{};
};

/// Lines that were wrapped are one again, and runs of spaces one space.
std::vector<Statement> statements(const std::string& text);

/// The texts and titles of a drawing, an element a line.
std::string text_of_svg(const std::string& svg);

/// What a page shows: an element of a list, a paragraph or a row of a table a line, drawings as above.
std::string text_of_html(const std::string& html);

/// The texts of a group of a phrase as they can stand in a regular expression.
std::string quoted(const std::string& text);

}  // namespace rooftune::test
