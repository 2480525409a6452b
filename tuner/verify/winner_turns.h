// The winner's turns, as far as they may be held against its kernel.
#pragma once

#include "tuner/formats/tune_result.h"
#include "tuner/measure/rounds.h"

namespace rooftune::verify {

/// A slow turn beside a process that took a processor away says nothing of the kernel. Stolen time and a slow
/// memory are another matter: what was probed beside the turns had as little of the machine.
struct WinnerTurns {
    TimeInterval seconds{};  ///< over the turns that no other process was beside, where enough are; else all
    int count = 0;           ///< turns; 0: none were taken
    int crowded = 0;         ///< of them those that other processes were beside
    bool enough = true;      ///< `seconds` is of the kernel alone
    /// The rival's time over the winner's, for a decision (statistics.h); 1 where nothing is known.
    double rival_ratio = 1.0;
};

WinnerTurns winner_turns(const track::Compared& compared);

}  // namespace rooftune::verify
