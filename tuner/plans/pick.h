// Which variant a plan takes for a problem.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "tuner/plans/choice.h"
#include "tuner/plans/tuned_inside.h"

namespace rooftune {

struct Picked {
    Target target;
    Space space;
    Variant variant;
    PlanChoice choice;
};

/// Of a result of the same family for another problem: in which way that is another, as in "with alpha 2",
/// where its winner serves the plan's problem as well; else empty.
using Difference = std::function<std::string(const TuneResult&)>;

/// The winner of this very problem, or of one that has its pattern (Problem::pattern_digest()), where it was
/// tuned on this machine for at most `threads` threads, for as many as possible; else that of a problem that
/// differs as the first of `differences` says, or the next; else what the nearest problem of a tuned set
/// gives within its reach; else this problem's winner on more threads (the least more), with the threads that
/// there are; else the family's default variant on `threads` threads. `state`: "warm" or "cold". Throws
/// InputError for another state.
Picked pick(const Tuned::Inside& tuned, const Family& family, const Problem& problem, int threads,
            const std::string& state, const std::vector<Difference>& differences = {});

}  // namespace rooftune
