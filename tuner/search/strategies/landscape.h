// What a strategy sees of a space: points with integer coordinates, some combinations of which do not exist.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <random>
#include <vector>

namespace rooftune {

/// Valid points, each a value index for each parameter.
class Landscape {
public:
    /// `values[p]` is how many values parameter p has. Points must be distinct and inside. At least one.
    Landscape(std::vector<int> values, std::vector<std::vector<int>> points);

    std::size_t size() const { return points_.size(); }
    const std::vector<int>& values() const { return values_; }
    const std::vector<int>& at(std::size_t point) const { return points_[point]; }
    std::optional<std::size_t> find(const std::vector<int>& coordinates) const;

    /// Points that differ in one parameter, by any number of steps.
    const std::vector<std::size_t>& neighbours(std::size_t point) const { return neighbours_[point]; }

    std::size_t draw(std::mt19937_64& random) const;

private:
    std::vector<int> values_;
    std::vector<std::vector<int>> points_;
    std::map<std::vector<int>, std::size_t> index_;
    std::vector<std::vector<std::size_t>> neighbours_;
};

}  // namespace rooftune
