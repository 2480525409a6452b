// What a strategy remembers: the points that were observed, what they took, the best of them, and which has
// not been seen yet. Its size grows with what was observed, never with the space.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <random>
#include <unordered_map>

#include "tuner/search/strategies/draws.h"

namespace rooftune {

/// Points that a strategy draws before it begins to learn: the same for all, so that they differ by what they
/// learn. Tried on records of our own families (two matrices, a stencil, a matrix product) and of one GPU
/// kernel (pnpoly): after 8 or 10 hill climbing, annealing and the surrogate went into traps more often.
inline constexpr std::size_t kDesign = 20;

inline constexpr double kFailed = std::numeric_limits<double>::infinity();

class Memory {
public:
    /// For points below `size`.
    Memory(std::size_t size, std::mt19937_64& random) : order_(size, random) {}

    /// The last value of a point counts. False: it was seen before.
    bool observe(std::size_t point, std::optional<double> value);

    bool seen(std::size_t point) const { return values_.contains(point); }
    /// kFailed for a point that failed or was not seen.
    double value(std::size_t point) const;
    std::size_t count() const { return values_.size(); }
    bool all() const { return values_.size() >= order_.size(); }

    /// The point with the least value; nullopt while none has worked.
    std::optional<std::size_t> best() const;
    double best_value() const { return best_value_; }

    /// A point not seen, another one each time until all had their turn; a seen one when there is no other.
    std::size_t any();

private:
    Permutation order_;
    std::unordered_map<std::size_t, double> values_;
    std::size_t next_ = 0, best_ = 0;
    double best_value_ = kFailed;
};

}  // namespace rooftune
