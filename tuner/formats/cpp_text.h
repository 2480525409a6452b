// Any text as part of a C++ source that we write.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// A string literal. Three octal digits an escape, because a hexadecimal one would swallow what follows.
std::string cpp_literal(std::string_view text);

/// Text fit for a line comment: one line, no backslash (nor the trigraph for one) at whose end the
/// next line would vanish.
std::string cpp_comment(std::string_view text);

}  // namespace rooftune
