// What a command answers, on standard output.
#pragma once

#include <string>

namespace rooftune {

/// Writes the text as it is (JSON, CSV, drawings, Markdown): throws EnvironmentError where it could not be
/// written. Where nobody reads any more, the rest of all output is dropped in silence.
void print(const std::string& text);

/// The same of a text for people, within the width of the page (fit_page()).
void print_page(const std::string& text);

}  // namespace rooftune
