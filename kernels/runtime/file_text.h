// A whole file as text, where it is no error that it cannot be read: what the system tells of itself below
// /proc and /sys, and what was written by the way.
#pragma once

#include <optional>
#include <string>

namespace rooftune {

/// What is in the file; nothing where it is not there or its device fails. (An iterator over a stream's
/// buffer would throw then what no user understands.)
std::optional<std::string> file_text(const std::string& path);

}  // namespace rooftune
