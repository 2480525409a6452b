// What a comparison means on the roofline. In the ratio of B to A the roof cancels; how much of the
// attainable was lost, and whether the kernel or the roof moved since the baseline was tuned, needs the roof.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "tuner/measure/verdict.h"

namespace rooftune::track {

/// A roof as least seconds of the problem: what is attainable under the ceilings.
struct Roof {
    double seconds = 0.0;  ///< under the highest rates ever measured
    double now = 0.0;      ///< under the binding ceiling as probed beside the rounds
    double then = 0.0;     ///< the same beside the baseline's tune; 0: not known
};

/// What moved since the baseline was tuned.
enum class Moved {
    kernel,
    roof,
    both,
    neither,
    unknown,  ///< the comparison did not decide
};
std::string_view to_text(Moved moved);

struct HeadRoom {
    double base = 0.0, candidate = 0.0;  ///< fractions of what is attainable now
    double lost = 0.0;                   ///< base − candidate; negative where it was gained
    double roof_change = kNotKnown;      ///< of the attainable speed since the baseline's tune, a fraction
};

/// Nothing without a roof or without a time. Seconds are the medians of the arms.
std::optional<HeadRoom> head_room(const Roof& roof, double base_seconds, double candidate_seconds);

/// A roof that is not known did not move as far as anybody knows. From 5 % on it counts as moved, as the
/// control does.
Moved moved_by(Verdict verdict, const std::optional<HeadRoom>& room);

/// INVALID where an arm was faster than the roof allows, 3 % beyond it: then not the kernel is suspect, but
/// the bound. Against the highest rates, because a slow second of the probe proves nothing. Else as it was.
Judgement plausible(Judgement judgement, const Roof& roof, double base_seconds, double candidate_seconds);

}  // namespace rooftune::track
