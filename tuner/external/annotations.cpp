#include "tuner/external/annotations.h"

#include <string_view>

namespace rooftune::external {
namespace {

constexpr std::string_view kMark = "rooftune:";
constexpr std::string_view kBlanks = " \t\r";

// The part of a line from `begin` to `end` without blanks around it; nothing is added for an empty one.
void add(std::vector<Text>& found, std::string_view line, std::size_t begin, std::size_t end, int number) {
    begin = std::min(line.find_first_not_of(kBlanks, begin), line.size());
    if (begin >= end) return;
    const std::size_t last = line.find_last_not_of(kBlanks, end - 1);
    found.push_back({std::string(line.substr(begin, last + 1 - begin)), number, static_cast<int>(begin) + 1});
}

// Behind the mark, where a line is a comment that begins with it; npos where it is none.
std::size_t behind_mark(std::string_view line, std::string_view opening) {
    const std::size_t at = line.find_first_not_of(kBlanks);
    if (at == std::string_view::npos || !line.substr(at).starts_with(opening)) return std::string_view::npos;
    const std::size_t mark = line.find_first_not_of(kBlanks, at + opening.size());
    if (mark == std::string_view::npos || !line.substr(mark).starts_with(kMark))
        return std::string_view::npos;
    return mark + kMark.size();
}

}  // namespace

std::vector<Text> annotations_of(const std::string& source) {
    std::vector<Text> found;
    bool in_block = false;
    int number = 0;
    for (std::size_t from = 0; from < source.size();) {
        const std::size_t end = std::min(source.find('\n', from), source.size());
        const std::string_view line = std::string_view(source).substr(from, end - from);
        from = end + 1;
        ++number;
        std::size_t begin = 0;
        if (in_block) {
            // A star that leads the lines of a block is decoration.
            const std::size_t first = line.find_first_not_of(kBlanks);
            const bool starred =
                first != std::string_view::npos && line[first] == '*' && line.substr(first, 2) != "*/";
            begin = starred ? first + 1 : 0;
        } else if (const std::size_t at = behind_mark(line, "//"); at != std::string_view::npos) {
            add(found, line, at, line.size(), number);
            continue;
        } else if (const std::size_t block = behind_mark(line, "/*"); block != std::string_view::npos) {
            begin = block;
            in_block = true;
        } else {
            continue;
        }
        const std::size_t close = line.find("*/", begin);
        add(found, line, begin, std::min(close, line.size()), number);
        in_block = close == std::string_view::npos;
    }
    return found;
}

}  // namespace rooftune::external
