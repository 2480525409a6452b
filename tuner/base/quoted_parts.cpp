#include "tuner/base/quoted_parts.h"

namespace rooftune {
namespace {

bool is_quote(char c) {
    return c == '"' || c == '\'';
}

bool separates(char c) {
    return c == ',' || c == '|' || c == '=';
}

// The place behind the quoted value that begins here; the same place where none does.
std::size_t behind_quoted(std::string_view text, std::size_t at) {
    if (!is_quote(text[at]) || (at > 0 && !separates(text[at - 1]))) return at;
    const std::size_t close = text.find(text[at], at + 1);
    if (close == std::string_view::npos) return at;
    return close + 1 == text.size() || separates(text[close + 1]) ? close + 1 : at;
}

}  // namespace

std::vector<std::string> quoted_parts(std::string_view text, char separator) {
    std::vector<std::string> parts;
    if (text.empty()) return parts;
    std::size_t from = 0, at = 0;
    while (at < text.size()) {
        const std::size_t behind = behind_quoted(text, at);
        if (behind > at) {
            at = behind;
            continue;
        }
        if (text[at] == separator) {
            parts.emplace_back(text.substr(from, at - from));
            from = at + 1;
        }
        ++at;
    }
    parts.emplace_back(text.substr(from));
    return parts;
}

std::string unquoted(const std::string& part) {
    const bool quoted =
        part.size() > 1 && is_quote(part.front()) && part.find(part.front(), 1) == part.size() - 1;
    return quoted ? part.substr(1, part.size() - 2) : part;
}

}  // namespace rooftune
