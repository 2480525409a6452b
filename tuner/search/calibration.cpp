#include "tuner/search/calibration.h"

#include <algorithm>
#include <cmath>

namespace rooftune {

double set_aside_factor(std::vector<double> ratios) {
    constexpr std::size_t kEnough = 30;
    std::erase_if(ratios, [](double r) { return !(r > 0.0) || !std::isfinite(r); });
    if (ratios.size() < kEnough) return 1.0;
    std::sort(ratios.begin(), ratios.end());
    const auto rank =
        static_cast<std::size_t>(std::ceil(kWrongSetAside * static_cast<double>(ratios.size())));
    return std::min(1.0, ratios[std::max<std::size_t>(rank, 1) - 1]);
}

void Calibration::Sums::add(double log_ratio) {
    least = n == 0 ? log_ratio : std::min(least, log_ratio);
    ++n;
    sum += log_ratio;
    squares += log_ratio * log_ratio;
}

double Calibration::Sums::limit() const {
    const double count = n, mean = sum / count;
    const double variance = std::max(0.0, (squares - count * mean * mean) / (count - 1.0));
    // Student's t at 0.98 for n − 1 degrees of freedom, by the first terms of its expansion around the normal
    // quantile (Abramowitz and Stegun 26.7.5): within 1 % from 5 degrees on.
    constexpr double z = 2.0537;
    const double f = count - 1.0, z3 = z * z * z, z5 = z3 * z * z;
    const double t = z + (z3 + z) / (4.0 * f) + (5.0 * z5 + 16.0 * z3 + 3.0 * z) / (96.0 * f * f);
    return std::min(least, mean - t * std::sqrt(variance * (1.0 + 1.0 / count)));
}

void Calibration::observe(const Variant& variant, double seconds, double estimate) {
    const double ratio = seconds / estimate;
    if (!(seconds > 0.0) || !(estimate > 0.0) || !std::isfinite(ratio)) return;
    kinds_[kind_of(variant)].add(std::log(ratio));
    all_.add(std::log(ratio));
    ratios_.push_back(ratio);
}

double Calibration::factor(int kind) const {
    const auto own = kinds_.find(kind);
    const Sums& sums = own != kinds_.end() && own->second.n >= kFewest ? own->second : all_;
    if (sums.n < kFewest) return 0.0;
    return std::min(earlier_, std::exp(sums.limit()));
}

EstimateFit Calibration::fit() const {
    if (ratios_.empty()) return {};
    std::vector<double> sorted = ratios_;
    std::sort(sorted.begin(), sorted.end());
    const auto at = [&](double share) {
        return sorted[static_cast<std::size_t>(std::lround(share * static_cast<double>(sorted.size() - 1)))];
    };
    return {static_cast<int>(sorted.size()), at(0.5), at(0.1), at(0.9)};
}

}  // namespace rooftune
