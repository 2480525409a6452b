// A landscape by a list of its points: for spaces that were recorded whole.
#pragma once

#include "tuner/search/strategies/landscape.h"

namespace rooftune {

class ListedLandscape final : public Landscape {
public:
    /// `values[p]` is how many values parameter p has. Throws std::invalid_argument: no point, one twice, one
    /// with another number of coordinates or with a coordinate outside −1 … values[p] − 1.
    ListedLandscape(std::vector<int> values, std::vector<std::vector<int>> points);

    std::size_t size() const override { return points_.size(); }
    const std::vector<int>& values() const override { return values_; }
    std::vector<int> at(std::size_t point) const override { return points_[point]; }
    std::optional<std::size_t> find(const std::vector<int>& coordinates) const override;
    /// Worked out when first asked for, so not for two threads at once.
    std::vector<std::size_t> neighbours(std::size_t point) const override;
    std::size_t draw(std::mt19937_64& random) const override;

private:
    std::optional<std::size_t> follow(const std::vector<int>& wanted, std::size_t exact) const;
    std::optional<std::size_t> changed(const std::vector<int>& own, const std::vector<int>& wanted,
                                       std::size_t parameter) const;

    std::vector<int> values_;
    std::vector<std::vector<int>> points_;
    std::vector<std::size_t> sorted_;  ///< ordinals by coordinates, the first parameter first
    mutable std::vector<std::optional<std::vector<std::size_t>>> neighbours_;  ///< a hundred runs ask again
};

}  // namespace rooftune
