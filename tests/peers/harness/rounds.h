// Interleaved rounds: every arm has one turn a round, and every other round runs backwards (ABBA), so
// that a drift of the machine falls on both sides of each pair.
#pragma once

#include <functional>
#include <vector>

#include "tuner/formats/record.h"

namespace rooftune::peers {

struct RoundRules {
    int least = 12;         ///< rounds, whatever the time
    int most = 60;          ///< rounds
    double seconds = 20.0;  ///< no further round begins after this, once there are enough
};

/// The order of arms 0 … arms−1 in a round.
std::vector<int> order_of_round(int round, int arms);

/// One row an arm, one slot a round; all rows have the same length. `turn(arm)` measures, `now()` is a
/// monotonic clock in seconds, `stop()` is asked before each turn: a round that it cuts short is dropped.
std::vector<std::vector<Slot>> rotate(int arms, const RoundRules& rules, const std::function<Slot(int)>& turn,
                                      const std::function<double()>& now, const std::function<bool()>& stop);

}  // namespace rooftune::peers
