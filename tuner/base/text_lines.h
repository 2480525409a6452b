// An imported file as lines, and a line as cells: with the position of each, because every complaint
// names line and column. (The CSV readers that Debian has keep no columns, and these files mix tables
// with the profiled program's own output.)
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/base/position.h"

namespace rooftune {

struct Line {
    int number = 1;  ///< from 1
    std::string_view text;
};

/// What no table of a profiler has, and what would fill the memory with empty lines.
inline constexpr std::size_t kMostLines = 20'000'000;

/// Lines without their ends (LF or CRLF); a byte order mark at the start is skipped. Throws InputError, with
/// the file's name, for more than kMostLines.
std::vector<Line> lines_of(const std::string& file, std::string_view text);

struct Cell {
    std::string text;  ///< quotes taken off, doubled ones halved
    Position at;
    bool quoted = false;
};

/// Cells of one line of comma-separated values. Throws InputError at a quote that is not closed or that
/// something other than a comma follows.
std::vector<Cell> cells_of(const std::string& file, const Line& line);

/// A whole regular file as text, unpacked where its name ends in .gz. Throws InputError when it cannot be
/// read or is larger than `most` bytes.
std::string read_import(const std::string& path, std::size_t most = std::size_t{1} << 30);

}  // namespace rooftune
