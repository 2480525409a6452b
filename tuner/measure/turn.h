// One measured turn, as those see it who take arms in rotation (a comparison, a ladder).
#pragma once

#include <string>

namespace rooftune {

struct Turn {
    double seconds = 0.0;
    bool disturbed = false;  ///< stolen time or a preemption fell into it
    std::string failure{};   ///< why there is no time; empty: there is one
    double step = 0.0;       ///< seconds that the clock behind `seconds` steps by; 0: not known
    bool crowded = false;    ///< other processes had processors that it waited for
};

/// A turn without a time.
inline Turn failed_turn(std::string why) {
    return {0.0, false, std::move(why), 0.0, false};
}

}  // namespace rooftune
