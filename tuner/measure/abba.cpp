#include "tuner/measure/abba.h"

#include <algorithm>
#include <utility>

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

// The permutation of this number, in the order of dictionaries: digits to the bases 1, 2, 3, … choose among
// those that are left. One draw decides it all: 17! is far below 2^63.
std::vector<Arm> permuted(std::vector<Arm> left, std::uint64_t number) {
    std::uint64_t orders = 1;
    for (std::size_t i = 2; i <= left.size(); ++i) orders *= i;
    number %= orders;
    std::vector<Arm> order;
    while (!left.empty()) {
        orders /= left.size();
        const auto chosen = left.begin() + static_cast<std::ptrdiff_t>(number / orders);
        number %= orders;
        order.push_back(*chosen);
        left.erase(chosen);
    }
    return order;
}

}  // namespace

Arm arm_at(std::size_t number) {
    return static_cast<Arm>(number < 2 ? number : number + 2);
}

std::size_t number_of(Arm arm) {
    const auto place = static_cast<std::size_t>(arm);
    return place < 2 ? place : place - 2;
}

std::vector<Arm> order_of_round(std::uint64_t seed, int round, bool with_control, std::size_t arms) {
    std::vector<Arm> all = {Arm::base, Arm::candidate, Arm::again};
    for (std::size_t i = 2; i < arms; ++i) all.push_back(arm_at(i));
    const std::uint64_t draw = mixed(seed, static_cast<std::uint64_t>(round / 2));
    std::vector<Arm> order = permuted(std::move(all), draw >> 1);
    if (with_control) order.insert(draw & 1 ? order.begin() : order.end(), Arm::control);
    if (round % 2 == 1) std::reverse(order.begin(), order.end());
    return order;
}

}  // namespace rooftune::track
