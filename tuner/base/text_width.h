// Text as a terminal shows it: widths in columns rather than bytes, cutting and wrapping by them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

inline constexpr int kProse = 88;  ///< columns of lines that read well

/// Columns of prose on this page: kProse, or what the page has.
int prose_width();

/// Columns that UTF-8 text takes on a terminal: combining marks none, East Asian wide characters and
/// emoji two, everything else one. A byte that is not UTF-8 counts as one column.
int display_width(std::string_view text);

/// At most `columns` columns of the text; what was cut is shown by "…". Empty for columns <= 0.
std::string cut_to_width(std::string_view text, int columns);

/// The text without control characters (a file's name may hold any): each becomes one space.
std::string printable(std::string_view text);

/// The same line by line: ends of lines stay.
std::string printable_lines(std::string_view text);

/// Text for a Markdown page in which no name or message becomes markup of HTML, a link or an image.
std::string markdown_safe(std::string_view text);

/// Breaks at spaces so that no line is wider than `columns` where words allow it. Never between a
/// number and the word behind it ("88 %", "2 threads", not "8 (of 9)"), nor within backquotes: a command is
/// copied whole. A word of assignments ("kc=512,loop=m") that is wider than a line goes on behind a comma.
std::string wrap(std::string_view text, int columns = prose_width());

/// Lines no wider than `columns` (1 at least), whatever the words: broken at spaces as wrap() does, else
/// behind a comma or semicolon, else behind a number, else behind another mark, else anywhere. One empty line
/// for an empty text.
std::vector<std::string> fold(std::string_view text, int columns);

/// Columns of the widest piece that wrap() keeps together.
int widest_chunk(std::string_view text);

/// A numbered Markdown list item, "1. …", wrapped with its later lines indented; ends with a newline.
std::string numbered_item(std::size_t number, std::string_view text, int columns = prose_width());

/// A Markdown list item, "- …", wrapped with its later lines indented; ends with a newline.
std::string list_item(std::string_view text, int columns = prose_width());

}  // namespace rooftune
