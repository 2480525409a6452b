#include "tuner/chart/label_layout.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "tuner/base/text_width.h"

namespace rooftune {

bool Box::overlaps(const Box& other) const {
    return left < other.left + other.width && other.left < left + width && top < other.top + other.height &&
           other.top < top + height;
}

bool Box::within(const Box& outer) const {
    return left >= outer.left && top >= outer.top && left + width <= outer.left + outer.width &&
           top + height <= outer.top + outer.height;
}

bool Box::holds(double x, double y) const {
    return x >= left && x <= left + width && y >= top && y <= top + height;
}

Box Box::grown(double by) const {
    return {left - by, top - by, width + 2.0 * by, height + 2.0 * by};
}

SlantedBox::SlantedBox(const Box& box)
    : SlantedBox(box.left + 0.5 * box.width, box.top + 0.5 * box.height, box.width, box.height, 0.0) {}

SlantedBox::SlantedBox(double x, double y, double width, double height, double degrees) {
    const double angle = degrees * std::numbers::pi / 180.0;
    const double c = std::cos(angle), s = std::sin(angle);
    constexpr std::array<PixelPoint, 4> kSigns{{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}}};
    double left = INFINITY, right = -INFINITY, top = INFINITY, bottom = -INFINITY;
    for (std::size_t i = 0; i < 4; ++i) {
        const double along = 0.5 * width * kSigns[i].x, across = 0.5 * height * kSigns[i].y;
        corners_[i] = {x + along * c + across * s, y - along * s + across * c};
        left = std::min(left, corners_[i].x);
        right = std::max(right, corners_[i].x);
        top = std::min(top, corners_[i].y);
        bottom = std::max(bottom, corners_[i].y);
    }
    around_ = {left, top, right - left, bottom - top};
}

bool SlantedBox::overlaps(const SlantedBox& other) const {
    if (!around_.overlaps(other.around_)) return false;
    constexpr double kTouch = 1e-6;  // an edge in common is no overlap
    const auto parted = [&](const PixelPoint& a, const PixelPoint& b) {
        const double nx = a.y - b.y, ny = b.x - a.x;
        const double length = std::hypot(nx, ny);
        if (length == 0.0) return false;
        const auto span = [&](const std::array<PixelPoint, 4>& corners) {
            double low = INFINITY, high = -INFINITY;
            for (const PixelPoint& p : corners) {
                const double at = (p.x * nx + p.y * ny) / length;
                low = std::min(low, at);
                high = std::max(high, at);
            }
            return std::pair(low, high);
        };
        const auto [low, high] = span(corners_);
        const auto [other_low, other_high] = span(other.corners_);
        return high <= other_low + kTouch || other_high <= low + kTouch;
    };
    return !parted(corners_[0], corners_[1]) && !parted(corners_[1], corners_[2]) &&
           !parted(other.corners_[0], other.corners_[1]) && !parted(other.corners_[1], other.corners_[2]);
}

bool crosses(const Box& box, PixelPoint a, PixelPoint b) {
    // Liang and Barsky: the part of the segment between each pair of the box's edges.
    double from = 0.0, to = 1.0;
    const auto clip = [&](double start, double step, double low, double high) {
        if (step == 0.0) return start >= low && start <= high;
        const double t1 = (low - start) / step, t2 = (high - start) / step;
        from = std::max(from, std::min(t1, t2));
        to = std::min(to, std::max(t1, t2));
        return from <= to;
    };
    return clip(a.x, b.x - a.x, box.left, box.left + box.width) &&
           clip(a.y, b.y - a.y, box.top, box.top + box.height);
}

int Taken::covered_by(const SlantedBox& box) const {
    return static_cast<int>(std::count_if(boxes_.begin(), boxes_.end(),
                                          [&](const SlantedBox& other) { return other.overlaps(box); }));
}

std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
    const std::size_t n = wanted.size();
    std::vector<double> placed(n);
    if (n == 0) return placed;
    if (static_cast<double>(n - 1) * gap > high - low) {
        for (std::size_t i = 0; i < n; ++i) {
            placed[i] = low + (high - low) * static_cast<double>(i) / static_cast<double>(n - 1);
        }
        return placed;
    }
    // With the gaps taken out the positions need only ascend: isotonic regression, which pools
    // neighbours that are out of order into their mean.
    struct Pool {
        double sum;
        std::size_t members;
        double mean() const { return sum / static_cast<double>(members); }
    };
    std::vector<Pool> pools;
    for (std::size_t i = 0; i < n; ++i) {
        pools.push_back({wanted[i] - gap * static_cast<double>(i), 1});
        while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
            const Pool last = pools.back();
            pools.pop_back();
            pools.back().sum += last.sum;
            pools.back().members += last.members;
        }
    }
    std::size_t i = 0;
    for (const Pool& pool : pools) {
        const double base = std::clamp(pool.mean(), low, high - gap * static_cast<double>(n - 1));
        for (std::size_t member = 0; member < pool.members; ++member, ++i) {
            placed[i] = base + gap * static_cast<double>(i);
        }
    }
    return placed;
}

// Shares of the font's size as in DejaVu Sans, the widest of the fonts that are asked for.
constexpr double kNarrowest = 0.4;

double pixel_width(std::string_view text, double font_size) {
    double width = 0.0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0u) == 0x80u) continue;  // within a character
        if (byte >= 0xE3u) {
            width += 1.0;  // East Asian and beyond
        } else if (std::string_view(" ,.:;|!'ijlI()[]tfr-/").find(c) != std::string_view::npos) {
            width += kNarrowest;
        } else if (std::string_view("mwMW%@").find(c) != std::string_view::npos) {
            width += 0.98;
        } else if (c >= 'A' && c <= 'Z') {
            width += 0.72;
        } else {
            width += byte < 0x80u ? 0.635 : 0.84;
        }
    }
    return width * font_size;
}

std::string cut_to_pixels(std::string_view text, double font_size, double width) {
    if (pixel_width(text, font_size) <= width) return std::string(text);
    // No column is narrower than the narrowest letter: a text without end is not tried from its end.
    const int most = static_cast<int>(width / (kNarrowest * font_size)) + 1;
    for (int columns = std::min(display_width(text) - 1, most); columns > 1; --columns) {
        std::string cut = cut_to_width(text, columns);
        if (pixel_width(cut, font_size) <= width) return cut;
    }
    return "";
}

}  // namespace rooftune
