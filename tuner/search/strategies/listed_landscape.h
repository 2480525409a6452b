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
    std::vector<std::size_t> neighbours(std::size_t point) const override { return neighbours_[point]; }
    std::size_t draw(std::mt19937_64& random) const override;

private:
    std::optional<std::size_t> follow(const std::vector<int>& wanted, std::size_t exact) const;
    std::optional<std::size_t> changed(std::size_t point, std::size_t parameter, int value) const;

    std::vector<int> values_;
    std::vector<std::vector<int>> points_;
    std::vector<std::size_t> sorted_;  ///< ordinals by coordinates, the first parameter first
    std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace rooftune
