// SVG elements as text: coordinates to a tenth of a pixel, everything from outside escaped.
#pragma once

#include <string>
#include <string_view>

namespace rooftune {

/// Text for XML content and attributes; control characters become spaces.
std::string xml_escaped(std::string_view text);

enum class Anchor { start, middle, end };

class SvgCanvas {
public:
    /// An image with its own background, a title and a description for readers that do not see it.
    SvgCanvas(double width, double height, std::string_view title, std::string_view description);

    /// `style` is a list of presentation attributes, written as is. An empty tooltip gives none.
    void line(double x1, double y1, double x2, double y2, std::string_view style,
              std::string_view tooltip = {});
    void rectangle(double x, double y, double width, double height, std::string_view style);
    void circle(double x, double y, double radius, std::string_view style, std::string_view tooltip = {});
    /// `data` is a path in SVG's own notation, moved to (x, y).
    void path(double x, double y, std::string_view data, std::string_view style,
              std::string_view tooltip = {});
    /// `angle` in degrees, anticlockwise about (x, y).
    void text(double x, double y, std::string_view content, Anchor anchor, std::string_view style,
              double angle = 0.0, std::string_view tooltip = {});
    void open_group(std::string_view attributes);
    void close_group();

    /// The whole document.
    std::string finish() &&;

private:
    void element(std::string_view start, std::string_view name, std::string_view tooltip);
    std::string out_;
};

}  // namespace rooftune
