// Files by their folder, and whether two names are one file.
#pragma once

#include <string>
#include <vector>

namespace rooftune {

/// What a folder has whose name ends in .json, in order of the names, as FOLDER/NAME; nothing where there is
/// no such folder. Throws EnvironmentError with folder and reason where it cannot be listed to its end.
std::vector<std::string> json_files(const std::string& folder);

/// The same text for every name of one file, be it relative, absolute or through symbolic links.
std::string file_identity(const std::string& path);

/// The path itself where there is something, else the nearest folder above it that is there: where making it
/// would begin, so on the same disk.
std::string nearest_there(const std::string& path);

}  // namespace rooftune
