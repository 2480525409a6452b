// When a variant leaves early: a statistical claim, so it needs slots free of disturbance, or many that were
// disturbed alike.
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
/// which both were undisturbed: two that are all above 1.2, or three and more with a median above 1.05. Or by
/// two in a row above 4, whatever disturbed them: on a device whose driver has threads of its own every slot
/// counts as disturbed, and a kernel that takes a hundred times as long is one all the same. `alike`: both
/// have as many threads, so that whoever takes a processor away slows both by as much, unless it comes or
/// goes between the two turns. Then disturbed pairs count as well: two that are all above 2.2, three
/// above 1.2, four in which it lost with a median above 1.08, five with one above 1.12, or eight with one
/// above 1.06; and of repetitions of 50 ms and more three above 1.5, four above 1.2, five lost with a median
/// above 1.08, six with one above 1.12, or eight with one above 1.08.
bool raced_out(std::span<const Slot> slots, std::span<const Slot> companion, bool alike = false);

/// Whether one pair is reason to ask with another one if the variant is worth verifying: undisturbed, and
/// beyond 1.35 × the companion; or whatever disturbed them beyond 4 ×, and beyond 1.5 × where both are
/// `alike`.
bool looks_far_behind(const Slot& slot, const Slot& companion, bool alike = false);

/// Whether one pair is enough: a repetition of half a second or more, beyond 8 × the companion. What disturbs
/// rarely comes to that for so long (a processor quota takes 0.1 s at a time), and a second pair costs what
/// several other variants do.
bool is_hopeless(const Slot& slot, const Slot& companion);

/// Times as long as the fastest, beyond which a few turns tell enough.
inline constexpr double kFarSlower = 8.0;

/// Whether a variant of a rotation takes so many times (8) as long as the fastest of it that more turns would
/// only cost time: by the least of at least `turns` slots against the least median of those with as many; or
/// by one of half a second against the least median of those with two. Slots that are no times do not count;
/// disturbed ones do.
bool is_far_slower(std::span<const Record> rotation, std::size_t variant, int turns);

}  // namespace rooftune
