// Lines that are made elsewhere (help, labelled figures, prose), within the width of the page.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Help as the parser writes it (what is explained, two blanks or more, the explanation), with every line
/// within `columns`: explanations go on below themselves, or indented where there is little room beside.
std::string fit_lines(std::string_view text, int columns);

/// The answer of a command, with every line within `columns` where its words allow it: lines go on below
/// their own beginning, labelled ones as in fit_lines(). What is to be copied stays whole: words (a path),
/// what is in backquotes, a command on a line of its own. So do rows of tables, which Table fits.
std::string fit_page(std::string_view text, int columns);

/// A text whose lines were broken by hand for one width: a break that ends no sentence, heading or example is
/// none.
std::string without_soft_breaks(std::string_view text);

}  // namespace rooftune
