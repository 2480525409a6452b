#include "tests/support/address_streams.h"

#include <algorithm>

namespace rooftune::test {

Stream merged(const Run& run, std::mt19937* random) {
    Stream all;
    for (const std::vector<Stream>& threads : run.phases) {
        std::vector<std::size_t> at(threads.size(), 0);
        std::vector<std::size_t> alive;
        for (std::size_t t = 0; t < threads.size(); ++t) {
            if (!threads[t].empty()) alive.push_back(t);
        }
        while (!alive.empty()) {
            const std::size_t pick = random ? (*random)() % alive.size() : 0;
            const std::size_t t = alive[pick];
            const std::size_t left = threads[t].size() - at[t];
            const std::size_t count = random ? std::min<std::size_t>(left, 1 + (*random)() % 40) : left;
            const auto from = threads[t].begin() + static_cast<std::ptrdiff_t>(at[t]);
            all.insert(all.end(), from, from + static_cast<std::ptrdiff_t>(count));
            at[t] += count;
            if (at[t] == threads[t].size()) alive.erase(alive.begin() + static_cast<std::ptrdiff_t>(pick));
        }
    }
    return all;
}

}  // namespace rooftune::test
