// What is wrong with an SVG document: its tags, its figures, its texts.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.h"
#include "tests/unit/chart/svg_bounds.h"
#include "tuner/chart/roofline_svg.h"

namespace rooftune::test {

/// What is wrong with a document as XML, in the small: tags unbalanced, attributes without quotes, a
/// bare '&' or '<'. Empty when nothing is.
inline std::string xml_fault(const std::string& text) {
    std::vector<std::string> open;
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == '&') {
            const std::size_t end = text.find(';', i);
            if (end == std::string::npos || end - i > 6) return "bare '&' at " + std::to_string(i);
        }
        if (text[i] == '>') return "bare '>' at " + std::to_string(i);
        if (text[i] != '<') {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        bool quoted = false;
        for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
            if (text[end] == '"') quoted = !quoted;
            if (text[end] == '<') return "'<' within a tag at " + std::to_string(end);
        }
        if (end >= text.size()) return "a tag without end at " + std::to_string(i);
        const std::string tag = text.substr(i + 1, end - i - 1);
        i = end + 1;
        if (tag.starts_with("?")) continue;
        if (tag.starts_with("/")) {
            if (open.empty() || open.back() != tag.substr(1)) return "unexpected end tag " + tag;
            open.pop_back();
        } else if (!tag.ends_with("/")) {
            open.push_back(tag.substr(0, tag.find(' ')));
        }
    }
    return open.empty() ? "" : "not closed: " + open.back();
}

inline std::size_t occurrences(const std::string& text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
        ++count;
    return count;
}

inline void check_sound(const std::string& svg) {
    CHECK(xml_fault(svg).empty());
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf\"") == std::string::npos);
    CHECK(occurrences(svg, "role=\"img\"") == 1);
    CHECK(occurrences(svg, "<desc ") == 1);
    CHECK(first_outside(svg) == "");
}

/// Pairs of texts that overlap, and texts that leave the page or stand across the frame of the plot.
inline std::vector<std::string> layout_faults(const std::vector<DrawnText>& texts, const Box& page,
                                              const Box& area) {
    std::vector<std::string> faults;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const Box& around = texts[i].box.around();
        if (!around.within(page)) faults.push_back("leaves the page: " + texts[i].content);
        if (around.overlaps(area) && !around.within(area))
            faults.push_back("crosses the frame: " + texts[i].content);
        for (std::size_t j = 0; j < i; ++j) {
            if (texts[i].box.overlaps(texts[j].box))
                faults.push_back("overlap: " + texts[j].content + " | " + texts[i].content);
        }
    }
    return faults;
}

}  // namespace rooftune::test
