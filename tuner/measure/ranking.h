// Who of several arms is the fastest, and who cannot be told apart from it. Pure arithmetic on the rows of a
// comparison.
#pragma once

#include <cstddef>
#include <vector>

#include "tuner/measure/rounds.h"

namespace rooftune::track {

/// A ratio of times with its interval; NaN where it is not known.
struct TimesOver {
    double ratio = kNotKnown, low = kNotKnown, high = kNotKnown;
};

struct RankedArm {
    std::size_t arm = 0;    ///< its number: 0 is the baseline
    double value = 0.0;     ///< median of its times; 0: none
    TimesOver base{};       ///< over the baseline, as the verdict has it; of the baseline itself nothing
    TimesOver fastest{};    ///< over the fastest; of the fastest itself nothing
    bool separated = true;  ///< proven slower than the fastest, as its interval over it is written; true of
                            ///< what gave no time, which is not ranked
    bool ranked = false;    ///< it has a time in every round
};

/// The fastest first, by the median over rounds of the ratio to the baseline, because neighbours in time
/// share what the machine did; then those that gave no time. The fastest is chosen by the data, so that its
/// intervals have to hold for every pair that might have been chosen: `pairs` is how many there are in all
/// that is compared together.
std::vector<RankedArm> ranking_of(const SeveralCompared& several, int pairs);

/// Pairs among so many arms.
constexpr int pairs_of(int arms) {
    return arms * (arms - 1) / 2;
}

}  // namespace rooftune::track
