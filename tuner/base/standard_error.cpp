#include "tuner/base/standard_error.h"

#include <algorithm>
#include <cstdio>

#include "tuner/base/page_width.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

// The name of a file, or what stood where a number was expected, may be as long as a book: its beginning and
// its end tell which it is.
std::string without_endless_words(std::string_view text) {
    constexpr std::size_t kLongest = 1000, kBegin = 200, kEnd = 100;
    std::string out;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
        const std::string_view word = text.substr(0, end);
        if (word.size() > kLongest) {
            // Cut by columns, never within a character.
            std::size_t last = word.size() - kEnd;
            while ((static_cast<unsigned char>(word[last]) & 0xC0U) == 0x80U && last + 1 < word.size())
                ++last;
            out.append(cut_to_width(word.substr(0, kLongest), static_cast<int>(kBegin)))
                .append(word.substr(last));
        } else {
            out.append(word);
        }
        if (end < text.size()) out += text[end];
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return out;
}

}  // namespace

void tell(std::string_view text) {
    std::fputs(told(text, error_page_width()).c_str(), stderr);
}

std::string told(std::string_view text, int columns) {
    constexpr int kIndent = 2;
    // What stood in a file must not act on the terminal.
    const std::string all = "rooftune: " + without_endless_words(printable_lines(text));
    std::string out;
    std::string_view rest = all;
    while (!rest.empty()) {
        // What another program said may have lines of its own.
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        // Indented, so that nothing it says begins a line as ours do.
        const int indent = out.empty() || line.starts_with(' ') ? 0 : kIndent;
        out.append(static_cast<std::size_t>(indent), ' ');
        if (display_width(line) <= columns - indent) {
            out += std::string(line) + "\n";
            continue;
        }
        for (const char c : wrap(line, columns - kIndent)) {
            out += c;
            if (c == '\n') out.append(kIndent, ' ');
        }
        out += '\n';
    }
    return out;
}

}  // namespace rooftune
