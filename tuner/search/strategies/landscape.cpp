#include "tuner/search/strategies/landscape.h"

#include <stdexcept>
#include <utility>

namespace rooftune {

Landscape::Landscape(std::vector<int> values, std::vector<std::vector<int>> points)
    : values_(std::move(values)), points_(std::move(points)) {
    if (points_.empty()) throw std::invalid_argument("a landscape without points");
    for (std::size_t i = 0; i < points_.size(); ++i) {
        if (points_[i].size() != values_.size())
            throw std::invalid_argument("a point with another number of parameters");
        for (std::size_t p = 0; p < values_.size(); ++p) {
            if (points_[i][p] < 0 || points_[i][p] >= values_[p])
                throw std::invalid_argument("a point outside its parameters");
        }
        if (!index_.emplace(points_[i], i).second) throw std::invalid_argument("the same point twice");
    }
    // Once for all runs over a landscape: a hundred of them ask for the same.
    neighbours_.resize(points_.size());
    for (std::size_t i = 0; i < points_.size(); ++i) {
        std::vector<int> coordinates = points_[i];
        for (std::size_t p = 0; p < values_.size(); ++p) {
            const int own = coordinates[p];
            for (int v = 0; v < values_[p]; ++v) {
                coordinates[p] = v;
                if (v == own) continue;
                if (const auto at = find(coordinates)) neighbours_[i].push_back(*at);
            }
            coordinates[p] = own;
        }
    }
}

std::optional<std::size_t> Landscape::find(const std::vector<int>& coordinates) const {
    const auto at = index_.find(coordinates);
    if (at == index_.end()) return std::nullopt;
    return at->second;
}

std::size_t Landscape::draw(std::mt19937_64& random) const {
    return std::uniform_int_distribution<std::size_t>(0, points_.size() - 1)(random);
}

}  // namespace rooftune
