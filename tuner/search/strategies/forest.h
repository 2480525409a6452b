// A random forest that predicts a number from the coordinates of a point (L. Breiman, Machine Learning 45
// (2001)): regression trees, each grown to single values on a sample drawn with replacement. Where they
// differ, the forest does not know. Coordinates are small integers, so that a split is found by counting.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace rooftune {

struct Prediction {
    double mean = 0.0, variance = 0.0;  ///< over the trees
};

/// Expected improvement upon zero of something normally distributed, where less is better (D. R. Jones,
/// M. Schonlau, W. J. Welch, Journal of Global Optimization 13 (1998), equation 15).
double expected_improvement(const Prediction& prediction);

class Forest {
public:
    /// One value for each point; coordinates are −1 or more. At least one point.
    Forest(const std::vector<std::vector<int>>& points, const std::vector<double>& values,
           std::mt19937_64& random);

    Prediction at(const std::vector<int>& point) const;

private:
    struct Node {
        int parameter = -1;  ///< −1: a leaf
        int limit = 0;       ///< coordinates up to this go to `child`, others to the one after it
        std::uint32_t child = 0;
        double mean = 0.0;
    };
    struct Split;
    class Grower;

    std::vector<Node> nodes_;
    std::vector<std::uint32_t> roots_;
};

}  // namespace rooftune
