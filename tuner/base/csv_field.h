// Cells of comma-separated values.
#pragma once

#include <string>

namespace rooftune {

/// RFC 4180: quoted where a separator, quote or line break is inside, quotes doubled. What a spreadsheet
/// could run or fetch something by gets an apostrophe before it, by which spreadsheets know a text.
std::string csv_field(const std::string& text);

/// Every digit; "nan" for what is no number.
std::string csv_field(double value);

}  // namespace rooftune
