// Programs by name, as execvp finds them.
#pragma once

#include <string>

namespace rooftune {

/// Whether a path is a file that this process may execute.
bool is_program_file(const std::string& path);

/// Path of the first program of this name in the folders of $PATH (without it in /usr/local/bin, /usr/bin and
/// /bin; an empty folder is the current one); a name with a slash is a path itself. Empty when there is none.
std::string find_program(const std::string& name);

}  // namespace rooftune
