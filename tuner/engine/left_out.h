// A problem left out of its set: the variant that it would get from the nearest other problem, measured
// against the winner that it has.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tuner/formats/tuned_set.h"
#include "tuner/measure/evaluator.h"

namespace rooftune {

/// A variant that is fixed up first where it does not exist here. `best_seconds`: the winner's time, from
/// which is estimated how long a few rounds take. nullopt when that is more than `seconds_left`, or when the
/// measuring failed by no fault of the variant's. `nearest` and `distance` of the answer are the caller's to
/// fill in.
std::optional<LeftOut> measure_left_out(Evaluator& evaluator, const Space& space, const Variant& best,
                                        double best_seconds,
                                        const std::map<std::string, std::string>& neighbours_best,
                                        double seconds_left);

}  // namespace rooftune
