// What a command answers, on standard output.
#pragma once

#include <string>

namespace rooftune {

/// Writes the text as it is (JSON, CSV, drawings, Markdown), whole or not at all: throws EnvironmentError
/// where it could not be written.
void print(const std::string& text);

/// The same of a text for people, within the width of the page (fit_page()).
void print_page(const std::string& text);

}  // namespace rooftune
