// The winners of like problems on trial against a problem's own: what each search found by chance is tried by
// all of them.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>

#include "tuner/formats/tune_result.h"
#include "tuner/measure/evaluator.h"

namespace rooftune {

struct Exchange {
    int tried = 0;  ///< variants measured beside the winner
    /// The one that is faster than the winner by more than noise: its place among `offers`, and the ratio of
    /// its time to the winner's.
    struct Better {
        std::size_t offer = 0;
        Variant variant;
        TimeInterval ratio;
    };
    std::optional<Better> better;
};

/// `best`: the problem's winner, `best_seconds` its time; `offers`: others' winners, by names and values, as
/// they are in this space (a value that does not exist is the nearest that does); `known`: what the problem's
/// own search has measured or ruled out, which is not tried again. Nothing is tried where it is expected to
/// take more than `seconds_left`; where preparing an offer takes longer than expected (a large matrix is
/// converted), those still to come are left out.
Exchange measure_exchange(Evaluator& evaluator, const Space& space, const Variant& best, double best_seconds,
                          std::span<const std::map<std::string, std::string>> offers,
                          const std::set<Variant>& known, double seconds_left);

}  // namespace rooftune
