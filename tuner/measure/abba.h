// The order of the arms within a round. Two rounds are a block: the second runs the first backwards (A B … B
// A, or B A … A B), so that what drifts over a block falls on both sides of each pair. Which arm comes first
// is drawn anew for each block: a disturbance with a period of its own would otherwise always meet the same
// arm.
#pragma once

#include <cstdint>
#include <vector>

namespace rooftune::track {

enum class Arm {
    base,       ///< A
    candidate,  ///< B
    again,      ///< A′: the baseline once more
    control,    ///< C: a probe of the machine
};

/// Rounds count from 0. The same seed gives the same orders on every platform. A, B and A′ stand in every
/// order equally often; the control, where there is one, comes first or last, so that it stands between none
/// of them.
std::vector<Arm> order_of_round(std::uint64_t seed, int round, bool with_control);

}  // namespace rooftune::track
