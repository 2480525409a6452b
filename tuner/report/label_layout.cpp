#include "tuner/report/label_layout.h"

#include <algorithm>

#include "tuner/report/text_width.h"

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

int Taken::covered_by(const Box& box) const {
    return static_cast<int>(
        std::count_if(boxes_.begin(), boxes_.end(), [&](const Box& other) { return other.overlaps(box); }));
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

double pixel_width(std::string_view text, double font_size) {
    // Shares of the font's size as in DejaVu Sans, the widest of the fonts that are asked for.
    double width = 0.0;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if ((byte & 0xC0u) == 0x80u) continue;  // within a character
        if (byte >= 0xE3u) {
            width += 1.0;  // East Asian and beyond
        } else if (std::string_view(" ,.:;|!'ijlI()[]tfr-/").find(c) != std::string_view::npos) {
            width += 0.4;
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
    for (int columns = display_width(text) - 1; columns > 1; --columns) {
        std::string cut = cut_to_width(text, columns);
        if (pixel_width(cut, font_size) <= width) return cut;
    }
    return "";
}

}  // namespace rooftune
