// Lines that are made elsewhere (help, labelled figures), within the width of the page.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Help as the parser writes it (what is explained, two blanks or more, the explanation), with every line
/// within `columns`: explanations go on below themselves, or indented where there is little room beside.
std::string fit_lines(std::string_view text, int columns);

}  // namespace rooftune
