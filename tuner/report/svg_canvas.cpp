#include "tuner/report/svg_canvas.h"

#include <fmt/format.h>

#include <cmath>
#include <utility>

#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

std::string number(double value) {
    if (!std::isfinite(value)) value = 0.0;
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

constexpr std::string_view kFonts =
    "system-ui, -apple-system, 'Segoe UI', 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif";

}  // namespace

std::string xml_escaped(std::string_view text) {
    std::string out;
    for (const char c : printable(text)) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            case '\'':
                out += "&#39;";
                break;
            default:
                out += c;
        }
    }
    return out;
}

SvgCanvas::SvgCanvas(double width, double height, std::string_view title, std::string_view description) {
    out_ = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    out_ += fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "role=\"img\" "
        "aria-labelledby=\"rooftune-title rooftune-description\" font-family=\"{2}\" "
        "style=\"max-width:100%;height:auto\">\n",
        number(width), number(height), kFonts);
    out_ +=
        fmt::format("<title id=\"rooftune-title\">{}</title>\n<desc id=\"rooftune-description\">{}</desc>\n",
                    xml_escaped(title), xml_escaped(description));
    // A background of its own: the page behind may be light or dark.
    rectangle(0, 0, width, height, "fill=\"#ffffff\"");
}

void SvgCanvas::element(std::string_view start, std::string_view name, std::string_view tooltip) {
    out_ += start;
    if (tooltip.empty()) {
        out_ += "/>\n";
    } else {
        out_ += fmt::format("><title>{}</title></{}>\n", xml_escaped(tooltip), name);
    }
}

void SvgCanvas::line(double x1, double y1, double x2, double y2, std::string_view style,
                     std::string_view tooltip) {
    element(fmt::format("<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" {}", number(x1), number(y1),
                        number(x2), number(y2), style),
            "line", tooltip);
}

void SvgCanvas::rectangle(double x, double y, double width, double height, std::string_view style) {
    element(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", number(x), number(y),
                        number(width), number(height), style),
            "rect", {});
}

void SvgCanvas::circle(double x, double y, double radius, std::string_view style, std::string_view tooltip) {
    element(
        fmt::format("<circle cx=\"{}\" cy=\"{}\" r=\"{}\" {}", number(x), number(y), number(radius), style),
        "circle", tooltip);
}

void SvgCanvas::path(double x, double y, std::string_view data, std::string_view style,
                     std::string_view tooltip) {
    element(
        fmt::format("<path transform=\"translate({} {})\" d=\"{}\" {}", number(x), number(y), data, style),
        "path", tooltip);
}

void SvgCanvas::text(double x, double y, std::string_view content, Anchor anchor, std::string_view style,
                     double angle, std::string_view tooltip) {
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" {}", number(x), number(y),
                        kAnchors[static_cast<int>(anchor)], style);
    if (angle != 0.0)
        out_ += fmt::format(" transform=\"rotate({} {} {})\"", number(-angle), number(x), number(y));
    out_ += ">";
    if (!tooltip.empty()) out_ += fmt::format("<title>{}</title>", xml_escaped(tooltip));
    out_ += xml_escaped(content) + "</text>\n";
}

void SvgCanvas::open_group(std::string_view attributes) {
    out_ += fmt::format("<g {}>\n", attributes);
}
void SvgCanvas::close_group() {
    out_ += "</g>\n";
}

std::string SvgCanvas::finish() && {
    return std::move(out_) + "</svg>\n";
}

}  // namespace rooftune
