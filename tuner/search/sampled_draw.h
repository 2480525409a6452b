// Whom the sampled limit draws: of the variants that nothing rules out and nobody timed, and of those that
// were raced out, some with chance alone to choose them, so that what is true of the drawn says how many of
// the others could matter.
//
// Why stratifying keeps the limit on the safe side. The variants are sorted by predicted time and cut into as
// many strata of equal size as there are draws; each stratum gives one, uniformly and independently of the
// others. Where a border falls within a variant, it belongs to both strata by its parts, so that each variant
// is expected to be drawn n/N times to the last digit: no rounding of allocations favours anyone. (One random
// start with equal steps would do that too, but then all draws hang together, and a list with a period, as
// products of parameters have, could hide one stratum in five from all of them.) With p_i the share of faster
// variants in stratum i, the hits are a sum of independent trials of chances p_i, whose mean is the share p.
//
// - No hit: ∏(1 − p_i) ≤ (1 − p)^n, by the inequality of arithmetic and geometric means. So the risk that
// none
//   is drawn is at most what 1 − 0.05^(1/n) is made from.
// - k hits or fewer: at most as likely as with n trials of chance p, for k ≤ np − 1 (Hoeffding, On the
//   distribution of the number of successes in independent trials, 1956, theorem 4). The Clopper-Pearson
//   limit misses p only where Binomial(n, p) has at most k with 5 % or less. For p < 1 − 1/n it has more than
//   np at most with three quarters (Greenberg and Mohri, Tight lower bound on the probability of a binomial
//   exceeding its expectation, 2014), so that k < ⌊np⌋ and the theorem holds; for larger p it holds for k ≤ n
//   − 2, and a limit after n − 1 hits is taken to be 1.
//
// Groups that are each drawn so, independently of each other, are together independent trials with the mean p
// again: a budget that ends early may leave whole groups out. But not those that it ended within: whether it
// does depends on what they found, because a hit costs a rotation and moves the deadline. With nothing
// counted of such a group, groups of ten and three evaluations a hit, the limit missed the share in 7.3 % of
// the runs with the worst budget. So the hits of a group that was cut short count, as if nothing else of it
// had been drawn: with that, or with every group finished, it is 5 % with all budgets and shares (worked out
// exactly, over groups of 7 to 10). Finished they are not, because a budget is kept to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

#include "models/space.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// What a variant has to be faster by to matter: a share of its own time.
inline constexpr double kMeaningful = 0.03;

/// A variant and what orders it among the others: any number that grows with the time it is expected to take.
struct Predicted {
    Variant variant;
    double key = 0.0;
};

/// How many are drawn of each.
struct SampleSizes {
    std::size_t unmeasured = 0, raced_out = 0;
};

/// Of `count` draws: a quarter of the raced out, rounded up, the rest of the unmeasured, and more of the one
/// where there are too few of the other; less than `count` where both are too few.
SampleSizes sample_sizes(std::size_t count, std::uint64_t unmeasured, std::uint64_t raced_out);

struct SampleDraw {
    Variant variant;
    bool raced_out = false;
};
using SampleGroup = std::vector<SampleDraw>;

/// The draws, `sizes` of each population in all, in groups of about ten that each have their part of both and
/// may be left out from the end on. A population no larger than its size is drawn whole, each variant once;
/// otherwise a variant may be drawn more than once, and counts as often.
std::vector<SampleGroup> draw_sample(std::vector<Predicted> unmeasured, std::vector<Predicted> raced_out,
                                     const SampleSizes& sizes, std::mt19937_64& random);

/// What a group that was cut short counts as: its hits and what gave no time, each as a draw.
SampledReport cut_short(SampledReport counted);

/// The limits of a report whose draws are counted: of each class, and of both together the mean of the
/// classes' limits by their sizes, each with 97.5 % confidence unless the other is known whole.
void set_limits(SampledReport& report);

}  // namespace rooftune
