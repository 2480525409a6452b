#include "tuner/measure/racing.h"

#include <algorithm>
#include <vector>

#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

double limit_after(int clean) {
    return clean >= 3 ? 1.08 : 1.25;
}

}  // namespace

bool raced_out(std::span<const Slot> slots, double incumbent_high) {
    if (incumbent_high <= 0.0) return false;
    int clean = 0;
    double fastest = 0.0;
    for (const Slot& slot : slots) {
        if (slot.disturbed) continue;
        fastest = clean == 0 ? slot.seconds : std::min(fastest, slot.seconds);
        ++clean;
    }
    if (clean == 0) return false;
    return fastest > limit_after(clean) * incumbent_high;
}

bool raced_out(std::span<const Slot> slots, std::span<const Slot> companion) {
    // What disturbs both is no longer in the ratio. What one process is dealt still is, which the finals see;
    // and a machine that changes its pace within a pair, so that no single pair decides.
    constexpr double kAfterTwo = 1.2, kAfterThree = 1.05;
    std::vector<double> ratios;
    for (std::size_t i = 0; i < std::min(slots.size(), companion.size()); ++i) {
        if (slots[i].disturbed || companion[i].disturbed || companion[i].seconds <= 0.0) continue;
        ratios.push_back(slots[i].seconds / companion[i].seconds);
    }
    if (ratios.size() < 2) return false;
    if (*std::min_element(ratios.begin(), ratios.end()) > kAfterTwo) return true;
    return ratios.size() >= 3 && median(ratios) > kAfterThree;
}

bool looks_far_behind(const Slot& slot, const Slot& companion) {
    constexpr double kFarBehind = 1.35;
    if (slot.disturbed || companion.disturbed || companion.seconds <= 0.0) return false;
    return slot.seconds > kFarBehind * companion.seconds;
}

}  // namespace rooftune
