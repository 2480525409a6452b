// The files that are one store.
#pragma once

#include <string>
#include <system_error>

namespace rooftune {

/// Throws InputError where there is no such store, or where its folder is a file: `hint` says what makes one,
/// "`rooftune tune` makes one, or name its folder with --results".
void check_store_exists(const std::string& path, const std::string& hint);

/// Removes a database and what SQLite keeps beside it. Throws std::filesystem::filesystem_error.
void remove_with_log(const std::string& path);
/// The same of each file that can be removed; `error` is the last reason why one could not.
void remove_with_log(const std::string& path, std::error_code& error);

}  // namespace rooftune
