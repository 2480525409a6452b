// A report as one HTML file that needs nothing else: style sheet and script are in it, and it loads nothing.
#pragma once

#include <string>

#include "tuner/report/document.h"

namespace rooftune::page {

/// The page. Without its script it is complete and readable; the script adds sorting, copying, filters and
/// what a mark of the plot tells.
std::string html_of(const Document& document);

}  // namespace rooftune::page
