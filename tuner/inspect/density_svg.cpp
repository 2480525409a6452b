#include "tuner/inspect/density_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/si.h"
#include "tuner/chart/plot_style.h"
#include "tuner/chart/svg_canvas.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kSide = 640.0;  ///< pixels of the longer side of the matrix
constexpr double kLeft = 90.0, kTop = 84.0, kRight = 150.0, kBottom = 36.0;
constexpr double kLeastWidth = 520.0;
constexpr int kDecades = 5;  ///< of the scale: a part in ten thousand, …, all

// 0 for a part in ten thousand of the places and less, 4 from a tenth on.
int decade_of(double share) {
    return std::clamp(static_cast<int>(std::floor(std::log10(share))) + kDecades, 0, kDecades - 1);
}

std::string shade(int decade) {
    return fmt::format("class=\"fill series1\" fill-opacity=\"{:.2f}\"", 0.2 + 0.2 * decade);
}

void draw_scale(SvgCanvas& canvas, double left, double top) {
    const TextStyle small{kSmall, "ink"};
    canvas.text(left, top, "places taken", Anchor::start, small);
    for (int decade = kDecades - 1; decade >= 0; --decade) {
        const double y = top + 12.0 + (kDecades - 1 - decade) * 20.0;
        canvas.rectangle(left, y, 16.0, 14.0, shade(decade));
        const double from = std::pow(10.0, decade - kDecades);
        canvas.text(left + 22.0, y + 11.0, decade == 0 ? "fewer" : "from " + format_percent(from),
                    Anchor::start, small);
    }
}

}  // namespace

std::string density_svg(const Density& density, const std::string& title) {
    SvgCanvas canvas;
    const double longer =
        static_cast<double>(std::max<std::int64_t>(1, std::max(density.rows, density.cols)));
    const double width = std::max(2.0, kSide * static_cast<double>(density.cols) / longer);
    const double height = std::max(2.0, kSide * static_cast<double>(density.rows) / longer);
    const double page = std::max(kLeastWidth, kLeft + width + kRight);
    canvas.text_within(page - kLeft - 16.0, kLeft, 28.0, title, Anchor::start, TextStyle{16.0, "ink", true});
    std::uint64_t entries = 0;
    for (const std::uint64_t count : density.count) entries += count;
    const std::string sizes =
        fmt::format("{} rows, {} columns, {} entries", format_count(static_cast<std::uint64_t>(density.rows)),
                    format_count(static_cast<std::uint64_t>(density.cols)), format_count(entries));
    canvas.text(kLeft, 48.0, sizes, Anchor::start, TextStyle{kFont, "faint"});
    const TextStyle small{kSmall, "faint"};
    canvas.text(kLeft, kTop - 8.0, "0", Anchor::start, small);
    canvas.text(kLeft - 8.0, kTop + 10.0, "0", Anchor::end, small);
    canvas.text(kLeft - 8.0, kTop + height, format_count(static_cast<std::uint64_t>(density.rows)),
                Anchor::end, small);
    if (width > 60.0)
        canvas.text(kLeft + width, kTop - 8.0, format_count(static_cast<std::uint64_t>(density.cols)),
                    Anchor::end, small);
    const double dx = density.width > 0 ? width / density.width : 0.0;
    const double dy = density.height > 0 ? height / density.height : 0.0;
    for (int y = 0; y < density.height; ++y) {
        // Neighbours of one shade are one rectangle: a band would be a hundred thousand elements otherwise.
        for (int x = 0; x < density.width;) {
            const std::uint64_t count = density.at(y, x);
            if (count == 0) {
                ++x;
                continue;
            }
            const auto decade_at = [&](int column) {
                return decade_of(static_cast<double>(density.at(y, column)) / density.places(y, column));
            };
            const int decade = decade_at(x);
            int end = x + 1;
            while (end < density.width && density.at(y, end) > 0 && decade_at(end) == decade) ++end;
            canvas.rectangle(kLeft + x * dx, kTop + y * dy, (end - x) * dx, dy, shade(decade));
            x = end;
        }
    }
    const double right = kLeft + width, bottom = kTop + height;
    canvas.line(kLeft, kTop, right, kTop, kEdgeLine);
    canvas.line(kLeft, bottom, right, bottom, kEdgeLine);
    canvas.line(kLeft, kTop, kLeft, bottom, kEdgeLine);
    canvas.line(right, kTop, right, bottom, kEdgeLine);
    draw_scale(canvas, right + 20.0, kTop + 10.0);
    return canvas.finish(page, std::max(bottom, kTop + 130.0) + kBottom, title,
                         "Where the entries lie: " + sizes + ".", css());
}

}  // namespace rooftune
