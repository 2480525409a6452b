// When a variant leaves early: a statistical claim, so it needs a slot free of disturbance.
#pragma once

#include <span>

#include "tuner/formats/record.h"

namespace rooftune {

/// True when the undisturbed slots so far say that the variant is no match for an incumbent whose
/// time is at most `incumbent_high` (seconds; 0 = no incumbent yet). After one slot the limit is
/// 1.25 × (measurement.md section 2); after three, when a shared disturbance is unlikely to have
/// lifted each minimum, 1.08 ×.
bool raced_out(std::span<const Slot> slots, double incumbent_high);

/// The same against slots of the incumbent that were taken in turn with these, by the ratios of the pairs of
/// which both were undisturbed: two that are all above 1.2, or three and more with a median above 1.05.
bool raced_out(std::span<const Slot> slots, std::span<const Slot> companion);

/// Whether one pair is reason to ask with another one if the variant is worth verifying: undisturbed, and
/// beyond 1.35 × the companion.
bool looks_far_behind(const Slot& slot, const Slot& companion);

}  // namespace rooftune
