// Lines that are made elsewhere (help, labelled figures), within the width of the page.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Help as the parser writes it (what is explained, two blanks or more, the explanation), with every line
/// within `columns`: explanations go on below themselves, or indented where there is little room beside.
std::string fit_lines(std::string_view text, int columns);

/// A text whose lines were broken by hand for one width: a break that ends no sentence, heading or example is
/// none.
std::string without_soft_breaks(std::string_view text);

}  // namespace rooftune
