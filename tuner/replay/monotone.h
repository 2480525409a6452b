// Curves that never turn: a cubic through rising points, and the falling line that is nearest to a cloud of
// points. What the community's score smooths with.
#pragma once

#include <cstddef>
#include <vector>

namespace rooftune {

/// The piecewise cubic through (x, y) that is monotone wherever the points are: slopes by the weighted
/// harmonic mean of F. N. Fritsch and J. Butland, "A method for constructing local monotone piecewise cubic
/// interpolants", SIAM J. Sci. Stat. Comput. 5 (1984); at the ends by three points, limited so that the curve
/// does not turn. `x` ascends strictly; two points at least. Outside them the last piece goes on.
class MonotoneCubic {
public:
    MonotoneCubic(std::vector<double> x, std::vector<double> y);
    double at(double x) const;

private:
    std::vector<double> x_, y_, slope_;
};

/// Least squares among functions that never rise, by pooling neighbours that violate that (M. Ayer and
/// others, "An empirical distribution function for sampling with incomplete information", Ann. Math. Stat. 26
/// (1955)).
class FallingFit {
public:
    /// The next point to the right: `weight` observations at x, whose values add up to `sum`.
    void add(double x, double sum, double weight);
    bool empty() const { return blocks_.empty(); }
    /// Adds the fit at each of `xs`, which ascend, to `total`: level over a block, straight between two,
    /// level beyond the first and the last. Not for an empty fit.
    void add_to(const std::vector<double>& xs, std::vector<double>& total) const;

private:
    struct Block {
        double from, to, sum, weight;
        double level() const { return sum / weight; }
    };
    std::vector<Block> blocks_;
};

}  // namespace rooftune
