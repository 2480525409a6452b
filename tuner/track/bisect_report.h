// What `rooftune track bisect` found, and what each of its comparisons meant.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/measure/verdict.h"
#include "tuner/track/bisection.h"
#include "tuner/track/git.h"

namespace rooftune::track {

inline constexpr std::string_view kBisectSchema = "rooftune/track-bisect/1";

/// One commit that was asked about.
struct BisectStep {
    Commit commit;
    Answer answer = Answer::skip;
    std::optional<Judgement> judgement;  ///< against GOOD; empty where there was nothing to compare
    std::string why;                     ///< of a commit that was skipped
};

enum class BisectEnd {
    found,          ///< the first bad commit, slower than its parent in a comparison of the two
    unconfirmed,    ///< the first that is slower than GOOD, but not slower than its parent by the threshold
    range,          ///< commits that cannot be told apart, because others were skipped
    not_regressed,  ///< BAD is proven not to be slower than GOOD here
    not_measured,   ///< GOOD and BAD could not be compared, or what came of it decides nothing
    interrupted,
};

struct BisectReport {
    std::string machine;  ///< fingerprint
    std::string program;  ///< the command
    Commit good, bad;
    int commits = 0;                 ///< behind GOOD, BAD among them
    Judgement whole;                 ///< of BAD against GOOD
    std::vector<BisectStep> steps;   ///< in order
    std::vector<Commit> candidates;  ///< among which the first bad one is
    std::optional<Judgement> own;    ///< of the culprit against its parent
    BisectEnd end = BisectEnd::interrupted;
};

/// What a comparison with GOOD says of a commit: REGRESSED is bad, UNCHANGED and IMPROVED are good, the
/// others say nothing.
Answer answer_of(Verdict verdict);

/// How the search ends before it begins, by what BAD is against GOOD: proven not to be slower, or not known;
/// nothing where it is slower.
std::optional<BisectEnd> end_before(Verdict whole);

/// 0 found, 3 not measured, 130 interrupted, else 1.
int exit_status(const BisectReport& report);

Json to_json(const BisectReport& report);

}  // namespace rooftune::track
