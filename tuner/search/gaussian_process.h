// A Gaussian process over the variants of a space: what was measured says something of every variant, the
// more the fewer parameters differ, and how much each parameter matters is learned (C. E. Rasmussen, C. K. I.
// Williams, Gaussian Processes for Machine Learning, 2006, chapters 2 and 5). Knobs of a kernel interact (an
// unroll that pays with one block shape costs with the next), which a sum of effects cannot say.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "models/space.h"

namespace rooftune {

class GaussianProcess {
public:
    struct Guess {
        double mean = 0.0;
        double deviation = 0.0;  ///< standard deviation of the mean
    };

    /// `space` must outlive the process.
    explicit GaussianProcess(const Space& space);

    /// One observation; its cost grows with the square of their number.
    void observe(const Variant& variant, double value);
    /// Replaces observation `at` (in the order of observing); the process is worked out anew when next asked.
    void replace(std::size_t at, const Variant& variant, double value);
    std::size_t size() const { return variants_.size(); }

    /// Learns how much each parameter matters from the observations `chosen`: one step towards the greatest
    /// likelihood. Its cost grows with the cube of their number.
    void learn(const std::vector<std::size_t>& chosen);

    /// `out` is as long as `variants`. Many at once are several times as fast as one by one, and the same.
    void guess(std::span<const Variant* const> variants, std::span<Guess> out) const;
    Guess guess(const Variant& variant) const;
    double mean(const Variant& variant) const;

private:
    struct Scales {
        std::vector<double> distance;  ///< by parameter
        double together = 0.25;        ///< variance of what all parameters do together
        double noise = 0.05 * 0.05;    ///< variance of two timings of one variant
    };
    // Distances of any two values of each parameter, ready to add.
    using Tables = std::vector<std::vector<double>>;

    // Variants that are asked about at once: each sum waits for its last addition, but not for those of
    // others. In pairs, which all processors have registers for: GCC 12 makes shuffles of a loop over eight
    // sums, and takes longer vectors apart.
    using Pair = double __attribute__((vector_size(2 * sizeof(double))));
    static constexpr std::size_t kLanes = 8;
    using Lanes = std::array<Pair, kLanes / 2>;

    Tables tables(const Scales& scales) const;
    double covariance(const Scales& scales, const Tables& tables, const Variant& a, const Variant& b) const;
    double log_likelihood(const Scales& scales, const std::vector<std::size_t>& chosen) const;
    void factor() const;
    void append(std::size_t row) const;
    // With every observation, into row_.
    void covariances(const Variant& variant) const;
    void guess_side_by_side(std::span<const Variant* const> variants, std::span<Guess> out) const;

    const Space* space_;
    Scales scales_;
    Tables tables_;
    std::vector<Variant> variants_;
    std::vector<double> values_;
    // The lower triangle of the Cholesky factor, row after row, of as many observations as `factored_`; and
    // the weights that a mean is made of.
    mutable std::vector<double> triangle_;
    mutable std::vector<double> forward_;
    mutable std::vector<double> weights_;
    mutable std::size_t factored_ = 0;
    mutable std::vector<double> row_;  // covariances of the variant that is asked about
    mutable std::vector<Lanes> rows_;  // the factor's rows of the variants that are asked about
};

}  // namespace rooftune
