// What the write-ahead log of an SQLite file looks like from outside
// (https://www.sqlite.org/fileformat2.html, section 4): does it end where a commit ends?
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Whether the log ends within a commit: the process was killed during that one, or the log was cut. A log
/// that ends with a commit, or has frames of its earlier use behind it, does not. SQLite itself drops such an
/// end without a word. A text without a byte is no log.
bool ends_within_commit(std::string_view log);

/// The same of a file's log; false when it has none. To be asked before SQLite opens the file.
bool log_ends_within_commit(const std::string& database);

}  // namespace rooftune
