// Orders variants that the bound cannot tell apart. A Bayesian linear regression of
// log(time / ranking estimate) on which value each parameter has, and on each value together with
// that of the first parameter (a kernel's format decides what the other knobs do). It learns from the
// run alone; it ranks and never excludes. Right for spaces whose knobs act nearly independently;
// richer models belong to strategies of their own.
#pragma once

#include <cstdint>
#include <vector>

#include "models/space.h"

namespace rooftune {

class Ranker {
public:
    /// The space must outlive the ranker.
    Ranker(const Space& space, std::uint64_t seed);

    /// `log_ratio` = ln(seconds / ranking estimate) of a timed variant.
    void observe(const Variant& variant, double log_ratio);

    struct Guess {
        double mean = 0.0;       ///< of the log ratio
        double deviation = 0.0;  ///< standard deviation of that mean
    };
    Guess guess(const Variant& variant) const;

    /// Lower confidence limit of the log ratio, with a seeded tie-break far below measuring noise.
    double optimistic(const Variant& variant) const;

private:
    void features(const Variant& variant, std::vector<int>& active) const;

    const Space* space_;
    std::uint64_t seed_;
    std::vector<int> own_;     // first feature of each parameter's values
    std::vector<int> paired_;  // first feature of each parameter's values with value 0 of parameter 0
    int size_ = 0;
    std::vector<double> covariance_;  // size × size
    std::vector<double> weighted_;    // Σ x·y / noise²
    std::vector<double> weights_;
};

}  // namespace rooftune
