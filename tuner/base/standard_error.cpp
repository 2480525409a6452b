#include "tuner/base/standard_error.h"

#include <algorithm>
#include <cstdio>

#include "tuner/base/page_width.h"
#include "tuner/base/text_width.h"

namespace rooftune {

void tell(std::string_view text) {
    std::fputs(told(text, error_page_width()).c_str(), stderr);
}

std::string told(std::string_view text, int columns) {
    constexpr int kIndent = 2;
    const std::string all = "rooftune: " + std::string(text);
    std::string out;
    std::string_view rest = all;
    while (!rest.empty()) {
        // What another program said may have lines of its own.
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (display_width(line) <= columns) {
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
