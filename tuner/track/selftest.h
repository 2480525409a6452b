// What a machine can detect: comparisons whose right answer is known, because the slow-down was put in.
// Counts, limits and advice; the comparisons themselves are the caller's.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/measure/verdict.h"

namespace rooftune::track {

inline constexpr std::string_view kSelftestSchema = "rooftune/track-selftest/1";

/// What was put into B.
enum class Effect {
    none,       ///< B is A
    two_delta,  ///< twice the threshold
    tenth,      ///< 10 %
};
std::string_view to_text(Effect effect);
inline constexpr Effect kEffects[] = {Effect::none, Effect::two_delta, Effect::tenth};

/// Share of the work that is put in, a fraction.
double injected(Effect effect, double delta);

/// One comparison with a known answer.
struct Known {
    std::string control;  ///< "compute", "memory"
    Effect effect = Effect::none;
    Judgement judgement;
    int dropped = 0;  ///< disturbed rounds
};

/// How comparisons of one kind ended.
struct Tally {
    int n = 0;
    int regressed = 0, improved = 0, unchanged = 0, inconclusive = 0, invalid = 0;
};
Tally tally(const std::vector<Known>& all, Effect effect, std::string_view control = {});

enum class Ability {
    reliable,      ///< +10 % is seen, and the same is not flagged
    unreliable,    ///< it is not
    not_measured,  ///< nothing could be judged
};

struct SelftestReport {
    std::string machine;     ///< fingerprint
    double delta = 0.0;      ///< threshold, a fraction
    int asked = 0;           ///< comparisons of each kind and control that were meant to be made
    bool cut_short = false;  ///< by Ctrl-C or by the time limit
    double seconds = 0.0;    ///< it took
    std::vector<Known> comparisons;
};

/// A/A comparisons that were called REGRESSED or IMPROVED, and the upper 95 % limit of their share.
struct FalsePositives {
    int k = 0, n = 0;
    double limit = 1.0;
};
FalsePositives false_positives(const SelftestReport& report);

/// The least slow-down that a comparison here sees: what nine in ten of the comparisons that could be judged
/// would have seen. Nothing where none could be judged.
std::optional<double> detectable(const SelftestReport& report, std::string_view control = {});

/// +10 % is seen in nine of ten comparisons, and at most one in ten A/A comparisons is flagged.
Ability ability(const SelftestReport& report);

/// What to do about it, one sentence each; the first says whether the machine is fit.
std::vector<std::string> advice(const SelftestReport& report);

/// 0 reliable, 1 not, 3 where it could not be measured.
int exit_status(const SelftestReport& report);

Json to_json(const SelftestReport& report);

}  // namespace rooftune::track
