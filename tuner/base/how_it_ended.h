// The end of a child process in words.
#pragma once

#include <string>

namespace rooftune {

/// "signal: Segmentation fault" or "ended with status 3", of a status as waitpid has it.
std::string how_it_ended(int status);

}  // namespace rooftune
