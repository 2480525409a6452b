// Random ways down a space's tree, for tests that cannot visit every variant.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "models/space.h"

namespace rooftune::test {

/// Extends `path`, whose last entry is where to start, to a variant: at each level a random child, another
/// one where that has no completion. False when there is no variant below.
inline bool descend(const Space& space, std::mt19937& random, std::vector<PartialVariant>& path) {
    if (space.complete(path.back())) return true;
    std::vector<PartialVariant> below;
    space.children(path.back(), below);
    for (std::size_t i = below.size(); i > 1; --i) std::swap(below[i - 1], below[random() % i]);
    for (const PartialVariant& child : below) {
        path.push_back(child);
        if (descend(space, random, path)) return true;
        path.pop_back();
    }
    return false;
}

/// Every variant where there are at most `all`, else `some` different ones from random descents (fewer
/// where these keep meeting each other). In the order of the space, so that neighbours share preparation.
inline std::vector<Variant> some_variants(const Space& space, std::size_t all, std::size_t some,
                                          unsigned seed) {
    std::vector<Variant> variants;
    space.each({}, [&](const Variant& v) {
        variants.push_back(v);
        return variants.size() <= all;
    });
    if (variants.size() <= all) return variants;
    variants.clear();
    std::mt19937 random(seed);
    for (std::size_t i = 0; i < some; ++i) {
        std::vector<PartialVariant> path(1);
        if (descend(space, random, path)) variants.push_back(path.back());
    }
    std::sort(variants.begin(), variants.end());
    variants.erase(std::unique(variants.begin(), variants.end()), variants.end());
    return variants;
}

}  // namespace rooftune::test
