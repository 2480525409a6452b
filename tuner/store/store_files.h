// The files that are one store.
#pragma once

#include <string>

namespace rooftune {

/// Removes a database and what SQLite keeps beside it. Throws std::filesystem::filesystem_error.
void remove_with_log(const std::string& path);

}  // namespace rooftune
