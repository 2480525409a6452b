// Placing labels without overlaps: their boxes, upright or slanted, and spreading a column of labels.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// An upright rectangle in pixels; x grows to the right, y downwards.
struct Box {
    double left = 0.0, top = 0.0, width = 0.0, height = 0.0;

    constexpr double right() const { return left + width; }
    constexpr double bottom() const { return top + height; }

    bool overlaps(const Box& other) const;
    bool within(const Box& outer) const;
    bool holds(double x, double y) const;
    /// Larger by this much on every side.
    Box grown(double by) const;
};

struct PixelPoint {
    double x = 0.0, y = 0.0;
};

/// A rectangle turned about its centre.
class SlantedBox {
public:
    SlantedBox(const Box& box);  // NOLINT: an upright box is a slanted one
    /// A box of this size whose centre stands at (x, y), turned anticlockwise.
    SlantedBox(double x, double y, double width, double height, double degrees);

    const std::array<PixelPoint, 4>& corners() const { return corners_; }
    /// Upright box around it.
    const Box& around() const { return around_; }
    /// Whether they share more than an edge: no line parts them (the separating axis theorem).
    bool overlaps(const SlantedBox& other) const;

private:
    std::array<PixelPoint, 4> corners_;
    Box around_;
};

/// Whether the segment from a to b passes through the box.
bool crosses(const Box& box, PixelPoint a, PixelPoint b);

/// Boxes that labels must not cover.
class Taken {
public:
    void add(const SlantedBox& box) { boxes_.push_back(box); }
    /// Number of boxes that this one would cover.
    int covered_by(const SlantedBox& box) const;

private:
    std::vector<SlantedBox> boxes_;
};

/// Positions near the wanted ones (ascending), at least `gap` apart and within [low, high]: the
/// least squared moves that keep the order. When they do not all fit, they are spaced evenly.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

/// Estimated width of text in a sans-serif font, on the wide side: no font can be asked.
double pixel_width(std::string_view text, double font_size);

/// The text, cut with "…" where it would be wider than `width` pixels; empty when nothing fits.
std::string cut_to_pixels(std::string_view text, double font_size, double width);

}  // namespace rooftune
