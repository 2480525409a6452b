// The folder of presets, job files and schemas that comes with the program, where it is missing.
#pragma once

#include <string>

namespace rooftune {

/// What is to be said where that folder is not there: which was looked for, and what helps. Empty where it
/// is.
std::string missing_configs();

}  // namespace rooftune
