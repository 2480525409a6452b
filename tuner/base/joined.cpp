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

}  // namespace rooftune
