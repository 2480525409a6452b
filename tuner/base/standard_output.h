// What a command answers, on standard output.
#pragma once

#include <string>

namespace rooftune {

/// Writes the text, whole or not at all: throws EnvironmentError where it could not be written.
void print(const std::string& text);

}  // namespace rooftune
