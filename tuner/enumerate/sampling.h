// Drawing variants below partial ones.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "models/space.h"

namespace rooftune {

/// One variant below a prefix by choosing each parameter's value evenly among the valid ones. Not
/// uniform over variants, but cheap in spaces of any size. False when every try ran into a dead end.
bool random_walk(const Space& space, const PartialVariant& prefix, std::mt19937_64& random, Variant& out);

/// `count` different variants, uniform over all variants below the prefixes, in the order drawn;
/// all of them when there are no more than that. Enumerates up to `limit` variants and draws by
/// random walks beyond (then only about uniform).
std::vector<Variant> sample_below(const Space& space, const std::vector<PartialVariant>& prefixes,
                                  std::size_t count, std::mt19937_64& random, std::size_t limit = 2'000'000);

/// Uniform integer below n; the same on every platform, unlike std::uniform_int_distribution.
std::uint64_t below(std::mt19937_64& random, std::uint64_t n);

}  // namespace rooftune
