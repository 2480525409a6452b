// A report as Markdown, for a pull request or a wiki: the same words and tables without drawings.
#pragma once

#include <string>

#include "tuner/report/document.h"

namespace rooftune::page {

/// Ends with a newline. A '<' of a title or a path is written so that no renderer takes it for HTML.
std::string markdown_of(const Document& document);

}  // namespace rooftune::page
