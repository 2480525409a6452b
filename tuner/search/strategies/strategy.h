// A strategy of search: it proposes points and is told what they took. It decides the order of measuring and
// nothing else: what is valid is the landscape's, what a value is worth is the driver's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tuner/search/strategies/landscape.h"

namespace rooftune {

class Strategy {
public:
    virtual ~Strategy() = default;
    /// A point of the landscape. It may have been observed before: the driver then answers from memory, and
    /// after too many of these in a row takes an unseen one in its place.
    virtual std::size_t propose() = 0;
    /// What the point took: more than zero, smaller is better, in any unit; nullopt: it failed. Also called
    /// for points that this strategy did not propose, and again for points observed before.
    virtual void observe(std::size_t point, std::optional<double> value) = 0;
};

struct StrategyKind {
    std::string_view name;
    std::string_view summary;
    /// The landscape outlives the strategy. Same seed, same answers: same proposals.
    std::function<std::unique_ptr<Strategy>(const Landscape&, std::uint64_t seed)> make;
};

/// What a strategy may be told of a time: nothing for one that is none (NaN, infinite, zero, negative).
std::optional<double> usable_time(std::optional<double> seconds);

/// All strategies, in the order in which they are shown.
const std::vector<StrategyKind>& strategy_kinds();
/// nullptr: there is none of that name.
const StrategyKind* find_strategy(std::string_view name);

}  // namespace rooftune
