// A cache that was never closed: cut behind its last whole entry, then closed.
#include <string>

#include "tuner/replay/formats.h"

namespace rooftune::formats {
namespace {

struct Scan {
    std::string open;           ///< brackets that are open at the end, outermost first
    std::size_t whole = 0;      ///< behind the last entry of the cache that is whole; 0: there is none
    std::string open_at_whole;  ///< brackets that are open there
};

Scan scan(std::string_view text) {
    Scan s;
    bool quoted = false, escaped = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (quoted) {
            if (!escaped && c == '"') quoted = false;
            escaped = !escaped && c == '\\';
            continue;
        }
        if (c == '"') quoted = true;
        if (c == '{' || c == '[') s.open += c;
        if ((c == '}' || c == ']') && !s.open.empty()) {
            s.open.pop_back();
            // An entry of the cache: an object within an object within the document.
            if (c == '}' && s.open == "{{") {
                s.whole = i + 1;
                s.open_at_whole = s.open;
            }
        }
    }
    return s;
}

}  // namespace

Json parse_recorded(std::string_view text, const std::string& file, bool* cut_short) {
    const Scan s = scan(text);
    if (s.open.empty() || s.whole == 0 || text.find("\"cache\"") == std::string_view::npos)
        return parse_json(text, file);
    if (cut_short != nullptr) *cut_short = true;
    return parse_json(std::string(text.substr(0, s.whole)) + "}}", file);
}

}  // namespace rooftune::formats
