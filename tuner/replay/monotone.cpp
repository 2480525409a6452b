#include "tuner/replay/monotone.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rooftune {
namespace {

bool same_sign(double a, double b) {
    return (a > 0.0 && b > 0.0) || (a < 0.0 && b < 0.0);
}

// Slope at an end, from the chord of the piece there and that of the next.
double end_slope(double width, double next_width, double chord, double next_chord) {
    const double slope = ((2.0 * width + next_width) * chord - width * next_chord) / (width + next_width);
    if (!same_sign(slope, chord)) return 0.0;
    if (!same_sign(chord, next_chord) && std::abs(slope) > 3.0 * std::abs(chord)) return 3.0 * chord;
    return slope;
}

}  // namespace

MonotoneCubic::MonotoneCubic(std::vector<double> x, std::vector<double> y)
    : x_(std::move(x)), y_(std::move(y)), slope_(x_.size()) {
    const std::size_t pieces = x_.size() - 1;
    std::vector<double> width(pieces), chord(pieces);
    for (std::size_t i = 0; i < pieces; ++i) {
        width[i] = x_[i + 1] - x_[i];
        chord[i] = (y_[i + 1] - y_[i]) / width[i];
    }
    if (pieces == 1) {
        slope_[0] = slope_[1] = chord[0];
        return;
    }
    for (std::size_t i = 1; i < pieces; ++i) {
        if (!same_sign(chord[i - 1], chord[i])) continue;  // level: the points turn here, or are level
        const double before = 2.0 * width[i] + width[i - 1], after = width[i] + 2.0 * width[i - 1];
        slope_[i] = (before + after) / (before / chord[i - 1] + after / chord[i]);
    }
    slope_[0] = end_slope(width[0], width[1], chord[0], chord[1]);
    slope_[pieces] = end_slope(width[pieces - 1], width[pieces - 2], chord[pieces - 1], chord[pieces - 2]);
}

double MonotoneCubic::at(double x) const {
    const auto right = std::upper_bound(x_.begin() + 1, x_.end() - 1, x);
    const auto i = static_cast<std::size_t>(right - x_.begin()) - 1;
    const double width = x_[i + 1] - x_[i];
    const double t = (x - x_[i]) / width, u = 1.0 - t;
    return u * u * ((1.0 + 2.0 * t) * y_[i] + t * width * slope_[i]) +
           t * t * ((1.0 + 2.0 * u) * y_[i + 1] - u * width * slope_[i + 1]);
}

void FallingFit::add(double x, double sum, double weight) {
    blocks_.push_back({x, x, sum, weight});
    while (blocks_.size() > 1) {
        const Block& last = blocks_.back();
        Block& before = blocks_[blocks_.size() - 2];
        if (last.level() < before.level()) break;
        before.to = last.to;
        before.sum += last.sum;
        before.weight += last.weight;
        blocks_.pop_back();
    }
}

void FallingFit::add_to(const std::vector<double>& xs, std::vector<double>& total) const {
    std::size_t b = 0;
    for (std::size_t i = 0; i < xs.size(); ++i) {
        // The last block that begins at xs[i] or to the left of it; the first where there is none.
        while (b + 1 < blocks_.size() && blocks_[b + 1].from <= xs[i]) ++b;
        const Block& here = blocks_[b];
        if (xs[i] <= here.to || b + 1 == blocks_.size()) {
            total[i] += here.level();
            continue;
        }
        const Block& next = blocks_[b + 1];
        const double part = (xs[i] - here.to) / (next.from - here.to);
        total[i] += (1.0 - part) * here.level() + part * next.level();
    }
}

}  // namespace rooftune
