// What the machine gives between the turns of a rotation. A shared host gives other rates in one minute than
// in the next: two processors of a virtual machine share a core or a memory link for half a minute, and then
// each has one of its own. A rate and a time say something about each other only if they are taken together.
#pragma once

#include <vector>

#include "models/machine.h"
#include "models/work.h"
#include "tuner/formats/record.h"

namespace rooftune {

/// Ceilings of `machine` to probe beside a variant of this work, so that a model of these alone has all the
/// second tier's terms: of each mix of walks the fastest ways at the variant's footprint (or the next smaller
/// one that was walked) on its threads, of those with loads besides the ones with the most that it has, and
/// the fastest ways to compute. Walks that only write are left out where the variant writes little, and none
/// can then say anything about writing. None for a device, whose probes would need a queue of their own, nor
/// for cold caches, which a walk in turn would not meet.
std::vector<Ceiling> ceilings_beside(const Machine& machine, const Work& work, const Traits& traits);

/// Of an interval.
enum class Part { low, median, high };

/// A machine of those ceilings with the rates r of the rounds in terms of a variant's times t in the same
/// rounds: median(r·t) over the median time of all its slots, or with an end of the interval of r·t in place
/// of its median. An amount over such a rate, compared with that time, is then the median of the rounds' own
/// comparisons. Rounds in which a rate is 0 or the slot was disturbed do not count for it; a ceiling with
/// fewer than 6 that do is left out.
Machine rates_beside(const std::vector<Ceiling>& ceilings, const std::vector<std::vector<double>>& rates,
                     const std::vector<Slot>& slots, Part part = Part::median);

}  // namespace rooftune
