#include "tuner/chart/svg_canvas.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

std::string number(double value) {
    if (!std::isfinite(value)) value = 0.0;
    std::string text = fmt::format("{:.1f}", value);
    if (text.ends_with(".0")) text.resize(text.size() - 2);
    return text == "-0" ? "0" : text;
}

constexpr std::string_view kFonts = "system-ui, sans-serif";

std::string size_attributes(double width, double height) {
    return fmt::format(
        "width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" font-family=\"{2}\" "
        "style=\"max-width:100%;height:auto\"",
        number(width), number(height), kFonts);
}

// Of its own: the page behind may be of any colour.
std::string background(double width, double height) {
    return fmt::format("<rect width=\"{}\" height=\"{}\" class=\"page\"/>\n", number(width), number(height));
}

// Bold letters are as wide as those of a larger size.
double size_of_width(const TextStyle& style) {
    constexpr double kBold = 1.07;
    return style.bold ? kBold * style.size : style.size;
}

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

SlantedBox text_box(double x, double y, std::string_view content, Anchor anchor, const TextStyle& style,
                    double angle) {
    const double width = pixel_width(content, size_of_width(style));
    // From the anchor, which stands on the baseline, to the middle of the text.
    const double along = anchor == Anchor::start ? 0.5 * width : anchor == Anchor::end ? -0.5 * width : 0.0;
    const double across = 0.3 * style.size;  // half of the way from descenders to ascenders
    const double radians = angle * std::numbers::pi / 180.0;
    const double c = std::cos(radians), s = std::sin(radians);
    return {x + along * c - across * s, y - along * s - across * c, width, style.size, angle};
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

void SvgCanvas::rectangle(double x, double y, double width, double height, std::string_view style,
                          std::string_view tooltip) {
    element(fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" {}", number(x), number(y),
                        number(width), number(height), style),
            "rect", tooltip);
}

void SvgCanvas::polyline(const std::vector<PixelPoint>& points, bool closed, std::string_view style,
                         std::string_view tooltip) {
    std::string list;
    for (const PixelPoint& p : points) list += (list.empty() ? "" : " ") + number(p.x) + "," + number(p.y);
    const std::string_view name = closed ? "polygon" : "polyline";
    element(fmt::format("<{} points=\"{}\" {}", name, list, style), name, tooltip);
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

void SvgCanvas::text(double x, double y, std::string_view content, Anchor anchor, const TextStyle& style,
                     double angle, std::string_view tooltip) {
    if (content.empty()) return;
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    out_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\" font-size=\"{}\"", number(x), number(y),
                        kAnchors[static_cast<int>(anchor)], number(style.size));
    if (!style.look.empty()) out_ += fmt::format(" class=\"{}\"", style.look);
    if (style.bold) out_ += " font-weight=\"600\"";
    if (angle != 0.0)
        out_ += fmt::format(" transform=\"rotate({} {} {})\"", number(-angle), number(x), number(y));
    out_ += ">";
    if (!tooltip.empty()) out_ += fmt::format("<title>{}</title>", xml_escaped(tooltip));
    out_ += xml_escaped(content) + "</text>\n";
    texts_.push_back({printable(content), text_box(x, y, printable(content), anchor, style, angle)});
}

void SvgCanvas::text_within(double room, double x, double y, std::string_view content, Anchor anchor,
                            const TextStyle& style, std::string_view tooltip) {
    text(x, y, cut_to_pixels(content, size_of_width(style), room), anchor, style, 0.0, tooltip);
}

void SvgCanvas::open_group(std::string_view attributes) {
    out_ += fmt::format("<g {}>\n", attributes);
}
void SvgCanvas::close_group() {
    out_ += "</g>\n";
}

std::string SvgCanvas::finish(double width, double height, std::string_view title,
                              std::string_view description, std::string_view css) const {
    const std::string begin = fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rooftune\" {} role=\"img\" "
        "aria-labelledby=\"rooftune-title rooftune-description\">\n"
        "<title id=\"rooftune-title\">{}</title>\n<desc id=\"rooftune-description\">{}</desc>\n"
        "<style>{}</style>\n",
        size_attributes(width, height), xml_escaped(title), xml_escaped(description), css);
    return begin + background(width, height) + out_ + "</svg>\n";
}

std::string SvgCanvas::embedded(double width, double height, std::string_view title,
                                std::string_view description, std::string_view id) const {
    // No title element: browsers would show it as a tooltip over the whole drawing.
    const std::string begin = fmt::format(
        "<svg id=\"{0}\" class=\"rooftune\" {1} role=\"group\" aria-label=\"{2}\" "
        "aria-describedby=\"{0}-description\">\n<desc id=\"{0}-description\">{3}</desc>\n",
        id, size_attributes(width, height), xml_escaped(title), xml_escaped(description));
    return begin + background(width, height) + out_ + "</svg>\n";
}

}  // namespace rooftune
