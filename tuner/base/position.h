// Where in an imported file something stands, and messages that say so.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Line and column, both from 1; a column counts bytes.
struct Position {
    int line = 1;
    int column = 1;
};

/// Throws InputError "FILE:LINE:COLUMN: WHAT".
[[noreturn]] void fail(const std::string& file, Position at, const std::string& what);

}  // namespace rooftune
