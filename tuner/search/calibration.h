// How far the estimate that sets aside may be trusted: by what earlier audits saw of it, and by what this run
// has timed. An estimate that takes gathers for misses ranks one format three times too slow and another as
// it is, so each kind of variant has a factor of its own.
#pragma once

#include <map>
#include <vector>

#include "models/space.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// Of a hundred variants that are set aside this many may be faster than their estimate allows.
inline constexpr double kWrongSetAside = 0.02;

/// The factor, at most 1, that earlier audits allow: the quantile kWrongSetAside of `ratios`, time over
/// estimate of audited variants, by the nearest rank. 1 with fewer than thirty: one of them would decide.
double set_aside_factor(std::vector<double> ratios);

/// The estimate of one problem, calibrated while its variants are timed.
class Calibration {
public:
    /// Of so few times nothing is set aside at all.
    static constexpr int kFewest = 6;

    /// `earlier`: what audits of earlier runs allow, at most 1.
    explicit Calibration(double earlier = 1.0) : earlier_(earlier) {}

    /// The kind of a variant: its value of the space's first parameter, which says how it computes (the
    /// format, the method, the width).
    static int kind_of(const Variant& variant) { return variant[0]; }

    /// A time, and what was estimated, both in seconds; others than positive ones say nothing.
    void observe(const Variant& variant, double seconds, double estimate);

    /// What the estimate of a variant of this kind is multiplied with before it sets aside: at most 1 and at
    /// most what earlier audits allow. The lower limit that the next log ratio of the kind exceeds with 1 −
    /// kWrongSetAside, were they normal (mean − t·s·√(1 + 1/n)), and never above the least ratio seen. A kind
    /// with fewer than kFewest times is judged by all kinds together, and 0, which sets nothing aside, where
    /// those are as few.
    double factor(int kind) const;

    EstimateFit fit() const;

private:
    /// Sums of the logarithms of ratios.
    struct Sums {
        int n = 0;
        double sum = 0.0, squares = 0.0, least = 0.0;
        void add(double log_ratio);
        double limit() const;
    };

    double earlier_;
    std::map<int, Sums> kinds_;
    Sums all_;
    std::vector<double> ratios_;
};

}  // namespace rooftune
