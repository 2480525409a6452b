#include "tuner/report/html_text.h"

#include <fmt/format.h>

#include "tuner/chart/svg_canvas.h"

namespace rooftune::page {

std::string html_escaped(std::string_view text) {
    return xml_escaped(text);  // XML's five are HTML's five
}

std::string inline_html(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = text.find('`');
        const std::size_t close = open == std::string_view::npos ? open : text.find('`', open + 1);
        if (close == std::string_view::npos) return out + html_escaped(text);
        out += html_escaped(text.substr(0, open));
        out += "<code>" + html_escaped(text.substr(open + 1, close - open - 1)) + "</code>";
        text.remove_prefix(close + 1);
    }
    return out;
}

std::string tag_attributes(const Tag& tag) {
    return fmt::format(" data-series=\"{}\" data-type=\"{}\"", tag.series, html_escaped(tag.type));
}

std::string two_widths(const std::function<std::string(double width, const char* which)>& draw) {
    constexpr double kWide = 1040.0, kNarrow = 480.0;
    return "<div class=\"drawing wide\">" + draw(kWide, "wide") + "</div>\n<div class=\"drawing narrow\">" +
           draw(kNarrow, "narrow") + "</div>\n";
}

}  // namespace rooftune::page
