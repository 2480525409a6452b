#include "tuner/measure/racing.h"

#include <algorithm>

namespace rooftune {

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
    return fastest > (clean >= 3 ? 1.08 : 1.25) * incumbent_high;
}

}  // namespace rooftune
