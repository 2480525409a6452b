#include "tuner/enumerate/sampling.h"

#include <algorithm>
#include <set>

namespace rooftune {

std::uint64_t below(std::mt19937_64& random, std::uint64_t n) {
    return n == 0 ? 0 : random() % n;
}

bool random_walk(const Space& space, const PartialVariant& prefix, std::mt19937_64& random, Variant& out) {
    constexpr int kTries = 64;
    std::vector<PartialVariant> children;
    for (int attempt = 0; attempt < kTries; ++attempt) {
        PartialVariant at = prefix;
        while (!space.complete(at)) {
            space.children(at, children);
            if (children.empty()) break;
            at = children[below(random, children.size())];
        }
        if (space.complete(at)) {
            out = at;
            return true;
        }
    }
    return false;
}

std::vector<Variant> sample_below(const Space& space, const std::vector<PartialVariant>& prefixes,
                                  std::size_t count, std::mt19937_64& random, std::size_t limit) {
    // Reservoir sampling: one pass, uniform without knowing the number beforehand.
    std::vector<Variant> reservoir;
    std::uint64_t seen = 0;
    bool all = true;
    for (const PartialVariant& prefix : prefixes) {
        all = all && space.each(prefix, [&](const Variant& variant) {
            ++seen;
            if (reservoir.size() < count) {
                reservoir.push_back(variant);
            } else if (const std::uint64_t at = below(random, seen); at < count) {
                reservoir[at] = variant;
            }
            return seen < limit;
        });
        if (!all) break;
    }
    if (all) {
        for (std::size_t i = reservoir.size(); i > 1; --i)
            std::swap(reservoir[i - 1], reservoir[below(random, i)]);
        return reservoir;
    }
    std::set<Variant> distinct;
    std::vector<Variant> drawn;
    for (std::size_t tries = 0; drawn.size() < count && tries < 20 * count; ++tries) {
        Variant variant;
        const PartialVariant& prefix = prefixes[below(random, prefixes.size())];
        if (random_walk(space, prefix, random, variant) && distinct.insert(variant).second)
            drawn.push_back(variant);
    }
    return drawn;
}

}  // namespace rooftune
