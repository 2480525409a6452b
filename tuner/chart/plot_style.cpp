#include "tuner/chart/plot_style.h"

#include <fmt/format.h>

#include <array>

namespace rooftune::plot_style {
namespace {

// Every colour stands at 3:1 or more against its background, text colours at 4.5:1.
constexpr std::string_view kCss = R"(
.rooftune .page{fill:#ffffff}
.rooftune .ink{fill:#1f2933}
.rooftune .faint{fill:#52606d}
.rooftune .grid{stroke:#e4e7eb}
.rooftune .frame{stroke:#7b8794;fill:none}
.rooftune .halo{stroke:#ffffff;stroke-width:3.5;stroke-linejoin:round;paint-order:stroke}
.rooftune .rim{stroke:#ffffff;stroke-width:1}
.rooftune .fill{fill:currentColor}
.rooftune .stroke{stroke:currentColor;fill:none}
.rooftune .zone-memory{fill:#2f7fbf;fill-opacity:.07}
.rooftune .zone-both{fill:#8a9a2a;fill-opacity:.10}
.rooftune .zone-compute{fill:#c46a1b;fill-opacity:.08}
.rooftune .series0{color:#0072b2}
.rooftune .series1{color:#c04f00}
.rooftune .series2{color:#007f5c}
.rooftune .series3{color:#a8457f}
.rooftune .series4{color:#8a6d00}
.rooftune .series5{color:#5b4aa0}
.rooftune .type0{color:#27323d}
.rooftune .type1{color:#8d4f1f}
.rooftune .type2{color:#6b3fa0}
.rooftune .type3{color:#9c2f55}
.rooftune .type4{color:#2d6a4f}
.rooftune .type5{color:#6a6116}
.rooftune .bandwidth{color:#245f94}
.rooftune .grey{color:#687480}
@media screen and (prefers-color-scheme:dark){
.rooftune .page{fill:#15191e}
.rooftune .ink{fill:#e8ecf0}
.rooftune .faint{fill:#a9b4c0}
.rooftune .grid{stroke:#2a3038}
.rooftune .frame{stroke:#7b8794}
.rooftune .halo{stroke:#15191e}
.rooftune .rim{stroke:#15191e}
.rooftune .zone-memory{fill:#5aa9e6;fill-opacity:.10}
.rooftune .zone-both{fill:#c5d44a;fill-opacity:.10}
.rooftune .zone-compute{fill:#f0a05a;fill-opacity:.10}
.rooftune .series0{color:#5ab4f0}
.rooftune .series1{color:#ff8c42}
.rooftune .series2{color:#3ecf9f}
.rooftune .series3{color:#e79ac6}
.rooftune .series4{color:#e0c040}
.rooftune .series5{color:#b3a4f5}
.rooftune .type0{color:#dfe5ea}
.rooftune .type1{color:#e0a06a}
.rooftune .type2{color:#c3a1f0}
.rooftune .type3{color:#f08fb0}
.rooftune .type4{color:#7fd0a8}
.rooftune .type5{color:#d6cb6a}
.rooftune .bandwidth{color:#86bdec}
.rooftune .grey{color:#98a4b0}
}
)";

constexpr std::array<std::string_view, 6> kHues{"series0", "series1", "series2",
                                                "series3", "series4", "series5"};

struct TypeStyle {
    std::string_view type, hue, dash;
};

constexpr std::array<TypeStyle, 9> kTypes{{{"f64", "type0", ""},
                                           {"f32", "type1", "10 4"},
                                           {"bf16", "type2", "7 3 2 3"},
                                           {"f16", "type3", "3 3"},
                                           {"int8", "type4", "12 3 2 3 2 3"},
                                           {"f8", "type5", "5 5"},
                                           {"int16", "type1", "1 4"},
                                           {"int32", "type2", "1 4"},
                                           {"int64", "type3", "1 4"}}};

const TypeStyle& style_of(std::string_view type) {
    for (const TypeStyle& style : kTypes) {
        if (style.type == type) return style;
    }
    return kTypes.front();
}

}  // namespace

std::string_view css() {
    return kCss;
}

std::string_view series_hue(std::size_t n) {
    return kHues[n % kHues.size()];
}

std::string_view series_dash(std::size_t n) {
    constexpr std::array<std::string_view, 4> kDashes{"", "7 4", "2 3", "9 3 2 3"};
    return kDashes[(n / kHues.size()) % kDashes.size()];
}

std::string_view series_sign(std::size_t n) {
    // A diamond, a bar, a cross.
    constexpr std::array<std::string_view, 4> kSigns{"", "M0-3.2 3.2 0 0 3.2-3.2 0Z",
                                                     "M-3.6-1.1H3.6V1.1H-3.6Z",
                                                     "M-1-3.6H1V-1H3.6V1H1V3.6H-1V1H-3.6V-1H-1Z"};
    return kSigns[(n / kHues.size()) % kSigns.size()];
}

std::string_view type_hue(std::string_view type) {
    return style_of(type).hue;
}
std::string_view type_dash(std::string_view type) {
    return style_of(type).dash;
}

std::string stroke(std::string_view hue, double width, std::string_view dashes) {
    std::string style = fmt::format("class=\"{} stroke\" stroke-width=\"{}\"", hue, width);
    if (!dashes.empty()) style += fmt::format(" stroke-dasharray=\"{}\"", dashes);
    return style;
}

std::string filled(std::string_view hue) {
    return fmt::format("class=\"{} fill\"", hue);
}

std::string text_in(std::string_view hue) {
    return fmt::format("{} fill", hue);
}

}  // namespace rooftune::plot_style
