#include "tuner/search/enumerate/sampling.h"

#include <algorithm>
#include <unordered_map>

#include "models/space_count.h"

namespace rooftune {

std::uint64_t below(std::mt19937_64& random, std::uint64_t n) {
    if (n == 0) return 0;
    // The last numbers of the generator's range would make the first remainders likelier.
    const std::uint64_t whole = n * (SpaceCount::kMost / n);
    std::uint64_t drawn = random();
    while (drawn >= whole) drawn = random();
    return drawn % n;
}

std::vector<Variant> sample_below(const Space& space, const std::vector<PartialVariant>& prefixes,
                                  std::size_t count, std::mt19937_64& random) {
    // The variants below the prefixes are numbered one prefix after the other; ends[i] is where i's end.
    std::vector<std::uint64_t> ends;
    ends.reserve(prefixes.size());
    std::uint64_t all = 0;
    for (const PartialVariant& prefix : prefixes) {
        const std::uint64_t here = space.count(prefix);
        all = here > SpaceCount::kMost - all ? SpaceCount::kMost : all + here;
        ends.push_back(all);
    }
    // The first steps of a shuffle of all numbers, of which only those moved are written down.
    std::unordered_map<std::uint64_t, std::uint64_t> moved;
    const auto at = [&](std::uint64_t position) {
        const auto found = moved.find(position);
        return found == moved.end() ? position : found->second;
    };
    std::vector<Variant> drawn;
    const std::uint64_t wanted = std::min<std::uint64_t>(count, all);
    drawn.reserve(static_cast<std::size_t>(wanted));
    for (std::uint64_t i = 0; i < wanted; ++i) {
        const std::uint64_t j = i + below(random, all - i);
        const std::uint64_t number = at(j);
        moved[j] = at(i);
        const auto end = std::upper_bound(ends.begin(), ends.end(), number);
        const auto which = static_cast<std::size_t>(end - ends.begin());
        const std::uint64_t first = which == 0 ? 0 : ends[which - 1];
        drawn.push_back(space.counts().nth(prefixes[which], number - first));
    }
    return drawn;
}

}  // namespace rooftune
