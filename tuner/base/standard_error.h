// What the program says beside its answer, on standard error.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Writes "rooftune: TEXT" at once, within the width of the page; its later lines are indented.
void tell(std::string_view text);

/// What tell() writes on a page of so many columns; ends with a newline.
std::string told(std::string_view text, int columns);

}  // namespace rooftune
