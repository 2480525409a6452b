// A whole file as text.
#pragma once

#include <cstddef>
#include <string>

namespace rooftune {

/// What a document may have at most, unless its reader knows better.
inline constexpr std::size_t kMostDocumentBytes = std::size_t{256} << 20;

/// Reads a whole regular file. Throws InputError when it is missing, not a regular file, not
/// readable or larger than the limit; EnvironmentError when the device fails to deliver it.
std::string read_text_file(const std::string& path, std::size_t most_bytes = kMostDocumentBytes);

}  // namespace rooftune
