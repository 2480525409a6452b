// What a strategy sees of a space: points with integer coordinates, some combinations of which do not exist.
// A space may be far too large for memory, so that points are ordinals and everything about them is asked
// for.
#pragma once

#include <cstddef>
#include <optional>
#include <random>
#include <vector>

namespace rooftune {

/// Valid points, numbered from 0 to size() − 1. A point has a coordinate for each parameter: the index of its
/// value, or −1 where the parameter does not exist under the others' values. At least one point.
class Landscape {
public:
    virtual ~Landscape() = default;

    virtual std::size_t size() const = 0;
    /// How many values each parameter has.
    virtual const std::vector<int>& values() const = 0;
    virtual std::vector<int> at(std::size_t point) const = 0;
    virtual std::optional<std::size_t> find(const std::vector<int>& coordinates) const = 0;

    /// Points that differ in one parameter, by any number of steps, and in those that exist because of it.
    virtual std::vector<std::size_t> neighbours(std::size_t point) const = 0;

    /// Every point as likely as the others.
    virtual std::size_t draw(std::mt19937_64& random) const = 0;
};

}  // namespace rooftune
