#include "tuner/choose/features.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace rooftune {

std::vector<double> scales_of(std::span<const FeatureVector> problems) {
    if (problems.empty()) return {};
    std::vector<double> scales(problems.front().size(), 1.0);
    const auto n = static_cast<double>(problems.size());
    for (std::size_t f = 0; f < scales.size(); ++f) {
        double mean = 0.0, squares = 0.0;
        for (const FeatureVector& p : problems) mean += p[f] / n;
        for (const FeatureVector& p : problems) squares += (p[f] - mean) * (p[f] - mean) / n;
        scales[f] = std::max(1.0, std::sqrt(squares));
    }
    return scales;
}

double feature_distance(std::span<const double> a, std::span<const double> b,
                        std::span<const double> scales) {
    double sum = 0.0;
    for (std::size_t f = 0; f < scales.size(); ++f) {
        const double step = (a[f] - b[f]) / scales[f];
        sum += step * step;
    }
    return std::sqrt(sum);
}

std::vector<std::size_t> tuning_order(std::span<const FeatureVector> problems,
                                      std::span<const double> scales) {
    std::vector<std::size_t> order;
    if (problems.empty()) return order;
    std::size_t middle = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < problems.size(); ++i) {
        double sum = 0.0;
        for (const FeatureVector& other : problems) sum += feature_distance(problems[i], other, scales);
        if (sum < least) {
            least = sum;
            middle = i;
        }
    }
    // Prim's algorithm: the distance of each to the nearest that is already in the order.
    std::vector<double> away(problems.size(), std::numeric_limits<double>::infinity());
    std::vector<bool> done(problems.size(), false);
    for (std::size_t next = middle; order.size() < problems.size();) {
        order.push_back(next);
        done[next] = true;
        std::size_t nearest = next;
        for (std::size_t i = 0; i < problems.size(); ++i) {
            if (done[i]) continue;
            away[i] = std::min(away[i], feature_distance(problems[i], problems[next], scales));
            if (done[nearest] || away[i] < away[nearest]) nearest = i;
        }
        next = nearest;
    }
    return order;
}

std::vector<std::size_t> nearest_of(std::span<const double> point, std::span<const std::size_t> among,
                                    std::span<const FeatureVector> problems, std::span<const double> scales,
                                    std::size_t count) {
    std::vector<std::pair<double, std::size_t>> by_distance;
    for (const std::size_t i : among)
        by_distance.emplace_back(feature_distance(point, problems[i], scales), i);
    // A few of thousands, for each problem of a job.
    count = std::min(count, by_distance.size());
    std::partial_sort(by_distance.begin(), by_distance.begin() + static_cast<std::ptrdiff_t>(count),
                      by_distance.end());
    std::vector<std::size_t> nearest;
    for (std::size_t i = 0; i < count; ++i) nearest.push_back(by_distance[i].second);
    return nearest;
}

}  // namespace rooftune
