#include "tuner/measure/abba.h"

#include <algorithm>
#include <array>

namespace rooftune::track {
namespace {

// A well-mixed number of a seed and a counter (SplitMix64; Steele, Lea and Flood 2014): a block's draw needs
// no state.
std::uint64_t mixed(std::uint64_t seed, std::uint64_t counter) {
    std::uint64_t z = seed + (counter + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

constexpr std::array<std::array<Arm, 3>, 6> kOrders{{{Arm::base, Arm::candidate, Arm::again},
                                                     {Arm::base, Arm::again, Arm::candidate},
                                                     {Arm::candidate, Arm::base, Arm::again},
                                                     {Arm::candidate, Arm::again, Arm::base},
                                                     {Arm::again, Arm::base, Arm::candidate},
                                                     {Arm::again, Arm::candidate, Arm::base}}};

}  // namespace

std::vector<Arm> order_of_round(std::uint64_t seed, int round, bool with_control) {
    const std::uint64_t draw = mixed(seed, static_cast<std::uint64_t>(round / 2));
    const std::array<Arm, 3>& drawn = kOrders[(draw >> 1) % kOrders.size()];
    std::vector<Arm> order(drawn.begin(), drawn.end());
    if (with_control) order.insert(draw & 1 ? order.begin() : order.end(), Arm::control);
    if (round % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace rooftune::track
