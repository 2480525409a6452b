// SVG elements as text: coordinates to a tenth of a pixel, everything from outside escaped, and the box of
// every text kept, so that a test can ask whether any two overlap.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/chart/label_layout.h"

namespace rooftune {

/// Text for XML content and attributes; control characters become spaces.
std::string xml_escaped(std::string_view text);

enum class Anchor { start, middle, end };

/// How a text looks: its size in pixels, its classes in the style sheet ("ink halo"), and whether it is bold.
struct TextStyle {
    double size = 12.0;
    std::string_view look{};
    bool bold = false;
};

/// A text as it was drawn.
struct DrawnText {
    std::string content;
    SlantedBox box;
};

/// The box that a text takes, on the wide side; `angle` in degrees, anticlockwise about (x, y).
SlantedBox text_box(double x, double y, std::string_view content, Anchor anchor, const TextStyle& style,
                    double angle = 0.0);

class SvgCanvas {
public:
    /// `style` is a list of attributes, written as is. An empty tooltip gives none.
    void line(double x1, double y1, double x2, double y2, std::string_view style,
              std::string_view tooltip = {});
    void rectangle(double x, double y, double width, double height, std::string_view style,
                   std::string_view tooltip = {});
    void circle(double x, double y, double radius, std::string_view style, std::string_view tooltip = {});
    /// `data` is a path in SVG's own notation, moved to (x, y).
    void path(double x, double y, std::string_view data, std::string_view style,
              std::string_view tooltip = {});
    /// A line through the points; `closed` makes it an area.
    void polyline(const std::vector<PixelPoint>& points, bool closed, std::string_view style,
                  std::string_view tooltip = {});
    /// `angle` in degrees, anticlockwise about (x, y).
    void text(double x, double y, std::string_view content, Anchor anchor, const TextStyle& style,
              double angle = 0.0, std::string_view tooltip = {});
    /// A text that is cut with "…" where it would be wider than `room` pixels.
    void text_within(double room, double x, double y, std::string_view content, Anchor anchor,
                     const TextStyle& style, std::string_view tooltip = {});
    void open_group(std::string_view attributes);
    void close_group();

    /// Every text drawn so far, in order.
    const std::vector<DrawnText>& texts() const { return texts_; }

    /// The whole document: an image of this size with its own background, a title and a description for
    /// readers that do not see it, and a style sheet, whose rules should begin with ".rooftune", the class
    /// of the image.
    std::string finish(double width, double height, std::string_view title, std::string_view description,
                       std::string_view css) const;

    /// The same as an element of a page, which has the style sheet; `id` is unique there.
    std::string embedded(double width, double height, std::string_view title, std::string_view description,
                         std::string_view id) const;

private:
    void element(std::string_view start, std::string_view name, std::string_view tooltip);
    std::string out_;
    std::vector<DrawnText> texts_;
};

}  // namespace rooftune
