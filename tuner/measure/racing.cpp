#include "tuner/measure/racing.h"

#include <algorithm>

namespace rooftune {
namespace {

double limit_after(int clean) {
    return clean >= 3 ? 1.08 : 1.25;
}

// What disturbs both is no longer in the ratio. What one process is dealt still is, which the finals see.
double limit_after_pairs(int clean) {
    return clean >= 3 ? 1.05 : 1.2;
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
    int clean = 0;
    double fastest = 0.0, other = 0.0;
    for (std::size_t i = 0; i < std::min(slots.size(), companion.size()); ++i) {
        if (slots[i].disturbed || companion[i].disturbed) continue;
        fastest = clean == 0 ? slots[i].seconds : std::min(fastest, slots[i].seconds);
        other = clean == 0 ? companion[i].seconds : std::min(other, companion[i].seconds);
        ++clean;
    }
    return clean > 0 && other > 0.0 && fastest > limit_after_pairs(clean) * other;
}

bool screened_out(const Slot& slot, const Slot& companion) {
    // More than after a slot of several batches (1.2): one batch on a noisy host is a fifth too slow at times.
    constexpr double kFarBehind = 1.35;
    if (slot.disturbed || companion.disturbed || companion.seconds <= 0.0) return false;
    return slot.seconds > kFarBehind * companion.seconds;
}

}  // namespace rooftune
