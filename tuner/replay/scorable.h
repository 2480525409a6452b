// Whether the community's score says anything about a space: where it does not, strategies get none, with the
// reason and what to do instead.
#pragma once

#include <string>

#include "tuner/replay/score.h"
#include "tuner/search/strategies/memory.h"

namespace rooftune {

/// Evaluations of random sampling that the budget must hold. Every strategy here begins with kDesign draws at
/// random, so in a budget of no more all of them are random sampling, and
/// what their scores tell is the method's rounding: on recorded spaces whose budget is 3 to 9 evaluations,
/// random, genetic and surrogate had one score to the last digit, which was between -0.43 and 0.80
/// (results/score_peer.md). Half as many again leaves each a third of the budget for its own decisions. Times
/// that are spread evenly give 39, whatever the size of the space.
inline constexpr double kLeastBudget = 1.5 * static_cast<double>(kDesign);

/// How far from 0 random sampling may score on a space, by the method's own arithmetic on 100 runs. Recorded
/// spaces that were measured whole stay within 0.08. Where most configurations fail, say, the method takes
/// random sampling for faster than it is: the zero of the scale lies elsewhere, and by how much, no reader of
/// a score can know.
inline constexpr double kZeroWithin = 0.2;

/// A sentence or two: why there is no score, and what to do instead. Empty: scores mean what they say. Draws
/// its random runs from a seed of its own, so that the answer is the space's and not the call's.
std::string why_no_score(const RecordedSpace& space, const RandomBaseline& baseline);

/// What random sampling scores on the space, over `runs` runs.
double score_of_random(const RecordedSpace& space, const RandomBaseline& baseline, int runs = 100);

}  // namespace rooftune
