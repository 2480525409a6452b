#include "models/spmv_traffic.h"

#include <algorithm>
#include <cmath>

namespace rooftune {
namespace {

double of_y(const SpmvShape& s) {
    return s.element * (s.allocates_y ? 2.0 : 1.0);
}

}  // namespace

double csr_bytes(const SpmvShape& s) {
    return s.element + s.index + s.alpha * s.element + (4.0 + of_y(s)) / s.nonzeros_a_row;
}

double sell_bytes(const SpmvShape& s, double beta) {
    return (s.element + s.index) / beta + s.alpha * s.element + of_y(s) / s.nonzeros_a_row;
}

double bcsr_bytes(const SpmvShape& s, int rows, int cols, double fill) {
    return fill * (s.element + s.index / (rows * cols)) + s.alpha * s.element +
           (4.0 / rows + of_y(s)) / s.nonzeros_a_row;
}

void ReuseGaps::again(std::int64_t gap) {
    ++again_;
    const int bucket = static_cast<int>(4.0 * std::log2(static_cast<double>(std::max<std::int64_t>(1, gap))));
    ++gaps_[static_cast<std::size_t>(std::min(bucket, kBuckets - 1))];
}

ReuseCurve::ReuseCurve(const ReuseGaps& gaps)
    : uses_(static_cast<double>(gaps.first_ + gaps.again_)), lines_(static_cast<double>(gaps.first_)) {
    if (uses_ == 0.0) return;
    const double step = std::exp2(0.25);
    Point p{1.0, uses_, 1.0};
    points_.push_back(p);
    for (const std::int64_t count : gaps.gaps_) {
        p.touched += p.further / uses_ * p.gap * (step - 1.0);
        p.further -= static_cast<double>(count);
        p.gap *= step;
        points_.push_back(p);
    }
}

double ReuseCurve::misses(Bytes capacity, Bytes line, double others) const {
    if (points_.empty()) return 0.0;
    // What comes by between two uses so far apart.
    const auto bytes = [&](const Point& p) { return p.gap * others + p.touched * line.value; };
    const auto after = std::partition_point(points_.begin(), points_.end(),
                                            [&](const Point& p) { return bytes(p) <= capacity.value; });
    if (after == points_.begin()) return uses_;
    if (after == points_.end()) return lines_;
    const Point& before = after[-1];
    const double part = (capacity.value - bytes(before)) / (bytes(*after) - bytes(before));
    return before.further + part * (after->further - before.further);
}

}  // namespace rooftune
