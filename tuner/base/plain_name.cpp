#include "tuner/base/plain_name.h"

namespace rooftune {

std::string plain_name(std::string_view title) {
    std::string name;
    bool is_apart = false;
    for (const char c : title) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '-' || c == '.';
        if (plain && is_apart && !name.empty()) name += '_';
        if (plain) name += c;
        is_apart = !plain;
    }
    return name;
}

}  // namespace rooftune
