#include "tuner/formats/cpp_text.h"

#include <fmt/format.h>

namespace rooftune {

std::string cpp_literal(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\' || c == '?')  // "??/" and its kin were once trigraphs
            out += {'\\', c};
        else if (byte < 0x20 || byte >= 0x7f)
            out += fmt::format("\\{:03o}", byte);
        else
            out += c;
    }
    return out + "\"";
}

std::string cpp_comment(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        out += (byte < 0x20 || byte == 0x7f || c == '\\' || c == '?') ? ' ' : c;
    }
    return out;
}

}  // namespace rooftune
