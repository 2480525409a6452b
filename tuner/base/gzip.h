// Compressed files.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// The text as a gzip file without name and date: the same text gives the same bytes. Throws EnvironmentError
/// when there is no memory for it.
std::string gzipped(std::string_view text);

}  // namespace rooftune
