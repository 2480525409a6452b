#include "tuner/search/strategies/listed_landscape.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "tuner/search/enumerate/sampling.h"

namespace rooftune {

ListedLandscape::ListedLandscape(std::vector<int> values, std::vector<std::vector<int>> points)
    : values_(std::move(values)), points_(std::move(points)), sorted_(points_.size()) {
    if (points_.empty()) throw std::invalid_argument("a landscape without points");
    for (const std::vector<int>& point : points_) {
        if (point.size() != values_.size())
            throw std::invalid_argument("a point with another number of parameters");
        for (std::size_t p = 0; p < values_.size(); ++p) {
            if (point[p] < -1 || point[p] >= values_[p])
                throw std::invalid_argument("a point outside its parameters");
        }
    }
    std::iota(sorted_.begin(), sorted_.end(), std::size_t{0});
    std::sort(sorted_.begin(), sorted_.end(),
              [this](std::size_t a, std::size_t b) { return points_[a] < points_[b]; });
    for (std::size_t i = 1; i < sorted_.size(); ++i) {
        if (points_[sorted_[i - 1]] == points_[sorted_[i]])
            throw std::invalid_argument("the same point twice");
    }
    neighbours_.resize(points_.size());
}

std::optional<std::size_t> ListedLandscape::find(const std::vector<int>& coordinates) const {
    if (coordinates.size() != values_.size()) return std::nullopt;
    return follow(coordinates, coordinates.size());
}

std::vector<std::size_t> ListedLandscape::neighbours(std::size_t point) const {
    if (neighbours_[point]) return *neighbours_[point];
    std::vector<std::size_t>& around = neighbours_[point].emplace();
    const std::vector<int>& own = points_[point];
    std::vector<int> wanted = own;
    for (std::size_t p = 0; p < values_.size(); ++p) {
        for (int v = 0; v < values_[p]; ++v) {
            if (v == own[p]) continue;
            wanted[p] = v;
            if (const auto at = changed(own, wanted, p)) around.push_back(*at);
        }
        wanted[p] = own[p];
    }
    return around;
}

std::size_t ListedLandscape::draw(std::mt19937_64& random) const {
    return below(random, points_.size());
}

// From the first parameter on, the value that is nearest to the wanted one among the points left; the first
// `exact` parameters must have the wanted ones.
std::optional<std::size_t> ListedLandscape::follow(const std::vector<int>& wanted, std::size_t exact) const {
    auto from = sorted_.begin(), to = sorted_.end();
    for (std::size_t p = 0; p < wanted.size(); ++p) {
        const auto least = [&](int limit) {
            return std::partition_point(from, to, [&](std::size_t i) { return points_[i][p] < limit; });
        };
        int value = wanted[p];
        const auto above = least(value);
        if (above == to || points_[*above][p] != value) {
            if (p < exact) return std::nullopt;
            const bool lower = above != from && (above == to || value - points_[*std::prev(above)][p] <=
                                                                    points_[*above][p] - value);
            value = points_[lower ? *std::prev(above) : *above][p];
        }
        const auto first = least(value);
        to = least(value + 1);
        from = first;
    }
    return *from;
}

// The neighbour with the wanted value of one parameter: all others the same, but for those that exist in one
// of the two only.
std::optional<std::size_t> ListedLandscape::changed(const std::vector<int>& own,
                                                    const std::vector<int>& wanted,
                                                    std::size_t parameter) const {
    const auto at = follow(wanted, parameter + 1);
    if (!at) return std::nullopt;
    for (std::size_t p = parameter + 1; p < own.size(); ++p) {
        const int other = points_[*at][p];
        if (other != own[p] && (other < 0) == (own[p] < 0)) return std::nullopt;
    }
    return at;
}

}  // namespace rooftune
