// The judge of answers: element by element against the oracle's tolerance. A comparator that passes
// NaN, a sign error or a factor of two is worse than none, so tests plant each.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/contract/family.h"

namespace rooftune {

struct Correctness {
    bool right = false;
    double error = 0.0;  ///< largest |answer − expected| / tolerance; infinite for NaN or a wrong exact zero
    std::string detail;    ///< empty when right; else element, expected and found
    double seconds = 0.0;  ///< verify_answer(): the shortest of its runs, by the clock on the wall
};

/// Judges one output. Where the tolerance is 0 the answer must be exact.
Correctness judge(std::span<const double> answer, const Oracle& oracle);

/// Resets, runs and judges the prepared variant for each seed; guard zones are checked after each run.
/// After a right answer that took longer than `enough_above` seconds the other seeds are left out: so slow
/// a variant will not be kept (0: never).
Correctness verify_answer(Prepared& prepared, Bench& bench, Team& team, std::span<const std::uint64_t> seeds,
                          double enough_above = 0.0);

}  // namespace rooftune
