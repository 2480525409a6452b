// Drawing variants below partial ones.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "models/space.h"

namespace rooftune {

/// `count` different variants, each set of so many below the prefixes as likely as any other, in random
/// order; all of them when there are no more than that. The prefixes must not overlap. By counting: spaces of
/// any size take the same time, as long as their rules state what they look at (space_count.h).
std::vector<Variant> sample_below(const Space& space, const std::vector<PartialVariant>& prefixes,
                                  std::size_t count, std::mt19937_64& random);

/// Uniform integer below n (0 for n = 0); the same on every platform, unlike std::uniform_int_distribution.
std::uint64_t below(std::mt19937_64& random, std::uint64_t n);

}  // namespace rooftune
