// Lists as users write them on the command line, of values that may have the separator themselves.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// The parts of a list between separators, as they stand, empty ones among them; none of an empty text. A
/// quote, " or ', that begins a value (at the start, or behind one of , | and =) keeps what stands up to the
/// next one of its kind, where the value ends with that: static,"dynamic,16" has two parts, it's,so too.
std::vector<std::string> quoted_parts(std::string_view text, char separator);

/// A part without the quotes around it.
std::string unquoted(const std::string& part);

}  // namespace rooftune
