// The order of the arms within a round. Two rounds are a block: the second runs the first backwards (A B … B
// A, or B A … A B), so that what drifts over a block falls on both sides of each pair. Which arm comes first
// is drawn anew for each block: a disturbance with a period of its own would otherwise always meet the same
// arm.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace rooftune::track {

enum class Arm {
    base,       ///< A
    candidate,  ///< B
    again,      ///< A′: the baseline once more
    control,    ///< a probe of the machine
    // A comparison of more than two has the others behind these: see arm_at().
};

/// A comparison has at most so many arms, the second A and the control not counted.
inline constexpr std::size_t kMostArms = 16;

/// The arm of this number: 0 is the baseline, 1 the candidate, from 2 on those that a comparison of more than
/// two has besides. And the number of an arm that is neither the second A nor the control.
Arm arm_at(std::size_t number);
std::size_t number_of(Arm arm);

/// Rounds count from 0. The same seed gives the same orders on every platform. `arms` (2 to kMostArms) and A′
/// stand in every order equally often; the control, where there is one, comes first or last, so that it
/// stands between none of them.
std::vector<Arm> order_of_round(std::uint64_t seed, int round, bool with_control, std::size_t arms = 2);

}  // namespace rooftune::track
