// The words that strict reading of JSON uses in its messages.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// A key as a JSON pointer spells it (RFC 6901).
std::string pointer_token(std::string_view key);

/// At most 60 bytes of the text, so that a message stays one.
std::string shortened(std::string_view text);

/// Throws the InputError "FILE: at POINTER: WHAT"; the empty pointer is called the top.
[[noreturn]] void json_fault(const std::string& file, const std::string& pointer, const std::string& what);

}  // namespace rooftune
