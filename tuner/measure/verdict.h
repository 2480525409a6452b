// Regressed, improved or unchanged: what rounds of a baseline A, a candidate B, a second A and a control
// probe say. Pure arithmetic: the same code judges real rounds and synthetic ones.
//
// With m = ln(1 + delta) and the interval [L, U] of ln(t_B / t_A): L > m is REGRESSED, U < -m IMPROVED, an
// interval within (-m, m) UNCHANGED, which is then proven and not only "nothing found". Anything else needs
// more rounds, and after the last it is INCONCLUSIVE. A comparison whose own checks fail is INVALID: A
// against itself differs by more than delta, or the control says that the machine changed.
//
// The first look that settles a comparison is its last, also where others go on in the same rounds: what the
// intervals promise holds for every look, and a proof is not taken back because a stranger needs more rounds.
#pragma once

#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/measure/order_interval.h"

namespace rooftune::track {

enum class Verdict { regressed, improved, unchanged, inconclusive, invalid };

/// "REGRESSED", …
std::string_view to_text(Verdict verdict);

/// The same where the arms are values of a parameter, none of which is the older: "SLOWER" and "FASTER" than
/// the first in the place of REGRESSED and IMPROVED.
std::string_view to_text(Verdict verdict, bool swept);

/// Seconds, one a round, in the order of the rounds. Rows are of one length, but for the control's, which is
/// empty where there is none.
struct RoundTimes {
    std::vector<double> base, candidate, again, control;
};

inline constexpr double kNotKnown = std::numeric_limits<double>::quiet_NaN();

struct Judgement {
    Verdict verdict = Verdict::inconclusive;
    bool settled = false;  ///< no further round would be asked for, and none changes it
    double ratio = kNotKnown, low = kNotKnown, high = kNotKnown;  ///< time of B over A, with its interval
    double detectable = kNotKnown;     ///< the least slow-down that this noise would have shown, a fraction
    double delta = 0.0;                ///< threshold, a fraction
    double again = kNotKnown;          ///< how far the second A was from the first, a fraction
    double control_drift = kNotKnown;  ///< between the halves, a fraction; NaN without a control
    int rounds = 0;                    ///< that were judged
    double autocorrelation = 0.0;      ///< of neighbouring rounds
    bool paired = false;               ///< two rounds made a replicate, because neighbours correlated
    bool stopped = false;              ///< the user stopped it before it was settled
    std::string reason;                ///< in words, without the verdict's name
};

/// Judges the rounds so far. Meant for the looks of order_interval.h: between them the rounds beyond the last
/// look are left out. `delta` is a positive fraction. Impossible times (NaN, infinite, zero, negative) are
/// INVALID at once; the other checks only once no round is left to mend them. Of several
/// comparisons `looks` are looks_for() as many, and `candidate` is what the reason calls the candidate.
Judgement judge(const RoundTimes& times, double delta, std::span<const Look> looks = kLooks,
                std::string_view candidate = "B");

/// INVALID for this reason, whatever the times say.
Judgement invalid(std::string reason, double delta);

}  // namespace rooftune::track
