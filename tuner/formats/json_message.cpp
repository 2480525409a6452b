#include "tuner/formats/json_message.h"

#include "kernels/runtime/error.h"
#include "tuner/base/text_width.h"

namespace rooftune {

std::string pointer_token(std::string_view key) {
    std::string text;
    for (const char c : key) {
        if (c == '~')
            text += "~0";
        else if (c == '/')
            text += "~1";
        else
            text += c;
    }
    return text;
}

std::string shortened(std::string_view text) {
    constexpr std::size_t kMost = 60;
    if (text.size() <= kMost) return std::string(text);
    std::size_t end = kMost;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80)
        --end;  // not inside a character
    return std::string(text.substr(0, end)) + "…";
}

void json_fault(const std::string& file, const std::string& pointer, const std::string& what) {
    // Keys and values are the file's: they may hold line ends and what a terminal acts on.
    throw InputError(file + ": at " + (pointer.empty() ? "the top" : printable(pointer)) + ": " +
                     printable(what));
}

}  // namespace rooftune
