#include "tuner/base/joined.h"

namespace rooftune {

std::string joined(const std::vector<std::string>& parts, std::string_view last, std::string_view between) {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) text += i + 1 == parts.size() ? last : between;
        text += parts[i];
    }
    return text;
}

std::string sentence(std::string text) {
    if (text.empty()) return text;
    if (text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
    return text + (text.ends_with('.') ? "" : ".");
}

}  // namespace rooftune
