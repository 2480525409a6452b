// The page's style sheet and script: report.css and report.js of this folder, put into the program when it is
// built (cmake/embed.cmake).
#pragma once

#include <string_view>

namespace rooftune::page {

std::string_view report_css();
std::string_view report_js();

}  // namespace rooftune::page
