// The six classes, counted each on its own, and the gap.
#pragma once

#include <limits>
#include <map>

#include "tuner/formats/tune_result.h"
#include "tuner/search/enumerate/bound_tree.h"
#include "tuner/search/evaluated_below.h"
#include "tuner/search/ledger.h"

namespace rooftune {

/// Rates in terms of a variant's own time (beside.h), and that time.
struct RatesOfTime {
    Machine machine;
    double seconds = 0.0;
};

/// What the machine held while the run went on, for the second tier: no proof, since it may give more. On a
/// shared host it often does: two processors of a virtual machine were on one core in one minute, and each
/// had one of its own in the next, so that the highest rates of a run were those of other moments than its
/// times.
struct Meanwhile {
    const BoundModel* rates = nullptr;  ///< of this run's own probes; null or empty: none were made
    /// The ends of those rates' intervals, where they are of rounds that the winner was timed in; else null.
    const BoundModel* low = nullptr;
    const BoundModel* high = nullptr;
    /// Records of earlier runs, whose times are not of these minutes: not held against the rates.
    const std::map<Variant, Record>* known = nullptr;
    /// Where the rates are those between the turns of the finals: the finalists, each with them in terms of
    /// its own turns. Only these are held against them.
    const std::map<Variant, RatesOfTime>* finalists = nullptr;
    bool paired() const { return finalists != nullptr; }
};

/// The least that this machine's replacement allows over some variants, seconds
/// (BoundModel::with_replacement); infinity where there are none. At each end of the rates it may be that of
/// another variant.
struct LeastAllowed {
    static constexpr double kNone = std::numeric_limits<double>::infinity();
    double typical = kNone;                  ///< at the rates of meanwhile, where there are any
    double at_low = kNone, at_high = kNone;  ///< at the ends of their intervals; as `typical` without such
    bool by_rates = false;  ///< whether `typical` is by those rates, and not by the machine's
};

/// Variants that no evaluation touched, as the tree leaves them at the incumbent's high.
struct Judged {
    std::uint64_t excluded = 0, set_aside = 0, unmeasured = 0;
    double lowest = 0.0;  ///< least (1−μ)·T_lower over set aside and unmeasured; infinity when there are none
    LeastAllowed replacement;
    std::map<std::string, std::uint64_t> excluded_by;
};

/// Whether a variant is unlikely to beat `high`, by its ranking estimate (`rank`, seconds) as this run
/// calibrated it.
bool set_aside(const BoundTree& tree, const Variant& variant, double rank, double high);

/// Variants of the subtrees that are cut now, without those that were evaluated before: the excluded ones, as
/// the certificate counts them, at any moment of a run.
std::uint64_t excluded_count(const BoundTree& tree, const EvaluatedBelow& evaluated);

/// Expands what is left (up to `limit` open variants) and counts. Evaluated variants are subtracted
/// from the subtrees that hold them.
Judged judge_rest(BoundTree& tree, const Ledger& ledger, std::size_t limit, const Meanwhile& meanwhile = {});

/// Fills counts, gaps and branch-and-bound counters; the audit, margin, ε and stop reason are the caller's.
void certify(BoundTree& tree, const Ledger& ledger, std::size_t limit, CertificateReport& report,
             const Meanwhile& meanwhile = {});

/// max(0, high / lowest − 1). 0 when nothing is left (`lowest` infinite); infinity when there is no incumbent
/// (`high` infinite) or no ceiling bounds what is left (`lowest` 0).
double gap_of(double high, double lowest);

/// Counts the variants that share the winner's values of `simd` (`vector` on OpenCL) and `threads`, where the
/// space has these parameters, as the tree leaves them at the incumbent's high: after certify(). An empty
/// report where it has neither.
SliceReport slice_of(BoundTree& tree, const Ledger& ledger, const Variant& winner);

}  // namespace rooftune
