// Placing labels without overlaps: boxes already taken, and spreading a column of labels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// An upright rectangle in pixels; x grows to the right, y downwards.
struct Box {
    double left = 0.0, top = 0.0, width = 0.0, height = 0.0;

    bool overlaps(const Box& other) const;
    bool within(const Box& outer) const;
    bool holds(double x, double y) const;
};

/// Boxes that labels must not cover.
class Taken {
public:
    void add(const Box& box) { boxes_.push_back(box); }
    /// Number of boxes that this one would cover.
    int covered_by(const Box& box) const;

private:
    std::vector<Box> boxes_;
};

/// Positions near the wanted ones (ascending), at least `gap` apart and within [low, high]: the
/// least squared moves that keep the order. When they do not all fit, they are spaced evenly.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high);

/// Estimated width of text in a sans-serif font, on the wide side: no font can be asked.
double pixel_width(std::string_view text, double font_size);

/// The text, cut with "…" where it would be wider than `width` pixels; empty when nothing fits.
std::string cut_to_pixels(std::string_view text, double font_size, double width);

}  // namespace rooftune
