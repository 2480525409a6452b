// Made-up spaces with random conditions and constraints, each of which looks at a few parameters and says so.
#pragma once

#include <random>

#include "models/space.h"

namespace rooftune::test {

/// A rule that answers by the values of some parameters alone, as if by chance: true for about `share` of 8.
inline Rule chance_rule(ParameterSet depends_on, std::uint64_t salt, unsigned share) {
    return [=](const PartialVariant& v) {
        std::uint64_t h = salt;
        for (int p = 0; p < kMaxParameters; ++p) {
            if (!depends_on.contains(p)) continue;
            h = (h ^ static_cast<std::uint64_t>(v[p] + 3)) * 0x9E3779B97F4A7C15;
            h ^= h >> 29;
        }
        return h % 8 < share;
    };
}

inline ParameterSet some_of(std::mt19937_64& random, int count) {
    ParameterSet set;
    for (int p = 0; p < count; ++p) {
        if (random() % 3 == 0) set.add(p);
    }
    return set;
}

/// `size` parameters of one to four values.
inline Space random_space(std::mt19937_64& random, int size) {
    Space space("random", 1);
    for (int p = 0; p < size; ++p) {
        std::vector<std::int64_t> values(1 + random() % 4);
        for (std::size_t v = 0; v < values.size(); ++v) values[v] = static_cast<std::int64_t>(v);
        Parameter parameter("p" + std::to_string(p), "", numbers(values));
        if (p > 0 && random() % 3 == 0) {
            const ParameterSet depends_on = some_of(random, p);
            parameter.when("by chance", depends_on, chance_rule(depends_on, random(), 5));
        }
        space.add(std::move(parameter));
    }
    for (int c = 0; c < size / 2; ++c) {
        const int last = static_cast<int>(random() % static_cast<std::uint64_t>(size));
        const ParameterSet depends_on = some_of(random, last) | ParameterSet{last};
        space.add(
            Constraint{"rule " + std::to_string(c), last, chance_rule(depends_on, random(), 6), depends_on});
    }
    return space;
}

}  // namespace rooftune::test
