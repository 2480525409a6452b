#include "tuner/chart/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/chart/plot_style.h"

namespace rooftune {

std::string path_within(const std::vector<PixelPoint>& points, double top, double bottom) {
    std::string data;
    bool open = false;
    const auto add = [&](PixelPoint p) {
        data += fmt::format("{}{:.1f} {:.1f}", open ? "L" : "M", p.x, p.y);
        open = true;
    };
    const auto inside = [&](PixelPoint p) { return p.y >= top && p.y <= bottom; };  // not for NaN
    for (std::size_t i = 0; i < points.size(); ++i) {
        const PixelPoint p = points[i], before = points[i > 0 ? i - 1 : 0];
        if (inside(p) != inside(before) && !std::isnan(p.y) && !std::isnan(before.y)) {
            const double edge = std::min(p.y, before.y) < top ? top : bottom;
            const double share = (edge - before.y) / (p.y - before.y);
            add({before.x + share * (p.x - before.x), edge});
        }
        if (inside(p)) add(p);
        open = open && inside(p);
    }
    return data;
}

std::vector<PixelPoint> steps_through(const std::vector<PixelPoint>& points) {
    std::vector<PixelPoint> corners;
    for (const PixelPoint& p : points) {
        if (!corners.empty()) corners.push_back({p.x, corners.back().y});
        corners.push_back(p);
    }
    return corners;
}

void draw_curve_names(SvgCanvas& canvas, const Box& area, const NameColumn& column,
                      std::vector<CurveName> names) {
    std::stable_sort(names.begin(), names.end(),
                     [](const CurveName& a, const CurveName& b) { return a.end < b.end; });
    std::vector<double> wanted;
    for (const CurveName& name : names) wanted.push_back(name.end);
    const std::vector<double> placed = spread(wanted, plot_style::kLineHeight + 2.0, area.top, area.bottom());
    const double sample = area.right() + column.leader, text = sample + column.sample + column.gap;
    for (std::size_t i = 0; i < names.size(); ++i) {
        canvas.line(area.right(), wanted[i], sample, placed[i], plot_style::kLeaderLine);
        if (!names[i].sample.empty())
            canvas.line(sample, placed[i], sample + column.sample, placed[i], names[i].sample);
        canvas.text_within(column.page_right - text, text, placed[i] + 0.35 * plot_style::kFont,
                           names[i].text, Anchor::start, {plot_style::kFont, names[i].look}, names[i].text);
    }
}

}  // namespace rooftune
