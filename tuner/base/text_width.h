// Text as a terminal shows it: widths in columns rather than bytes, cutting and wrapping by them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace rooftune {

/// Columns that UTF-8 text takes on a terminal: combining marks none, East Asian wide characters and
/// emoji two, everything else one. A byte that is not UTF-8 counts as one column.
int display_width(std::string_view text);

/// At most `columns` columns of the text; what was cut is shown by "…". Empty for columns <= 0.
std::string cut_to_width(std::string_view text, int columns);

/// The text without control characters (a file's name may hold any): each becomes one space.
std::string printable(std::string_view text);

/// Text for a Markdown page in which no name or message becomes markup of HTML.
std::string markdown_safe(std::string_view text);

/// Breaks at spaces so that no line is wider than `columns` where words allow it. Never between a
/// number and the word behind it ("88 %", "2 threads").
std::string wrap(std::string_view text, int columns = 88);

/// A numbered Markdown list item, "1. …", wrapped to 88 columns with its later lines indented; ends with a
/// newline.
std::string numbered_item(std::size_t number, std::string_view text);

/// A Markdown list item, "- …", wrapped with its later lines indented; ends with a newline.
std::string list_item(std::string_view text, int columns = 88);

}  // namespace rooftune
