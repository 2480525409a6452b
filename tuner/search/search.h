// The default search: branch and bound over partial variants keyed by T_lower; variants that the
// bound leaves open are measured in the order of a ranking estimate that learns from the run. It
// measures the default and, where there is time, the naive variant first, so that everything which
// provably cannot beat them is never expanded; keeps re-probing the ceilings that bind; ends with
// finals in a fresh process and an audit of what it excluded. The certificate says what it proved.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "models/machine.h"
#include "models/space_offer.h"
#include "tuner/formats/tune_result.h"
#include "tuner/measure/evaluator.h"
#include "tuner/search/enumerate/bound_tree.h"
#include "tuner/search/strategies/strategy.h"
#include "tuner/search/tune_observer.h"

namespace rooftune {

struct SearchOptions {
    double epsilon = 0.03;
    int patience = 0;       ///< Patience::unrewarded, without a least; 0: usual_patience()
    double seconds = 60.0;  ///< budget with finals and audit; 0 = no limit
    int evaluations = 0;    ///< budget in evaluations with finals and audit; 0 = no limit
    /// Variants to measure at the end: half or more of what was excluded or set aside, up to half drawn from
    /// what was left unmeasured or raced out, for the sampled limit.
    int audit = 60;
    std::uint64_t seed = 1;
    bool bounds = true;        ///< false: exclude nothing
    bool bounds_only = false;  ///< a budget of 0: measure nothing, whatever the budgets above say
    bool exhaustive = false;   ///< measure every variant, excluded ones too (tests of the certificate)
    bool reprobe = true;       ///< re-probe binding ceilings during the run
    /// At most for the finals, which take eight rounds whatever it says; 0: their share of the budget.
    double finals_seconds = 0.0;
    /// Decides what is measured next; null: bounds and the ranking that learns from the run.
    const StrategyKind* strategy = nullptr;
};

/// What a like problem's run found of a variant that this space has too.
struct Experience {
    Variant variant;
    double log_ratio = 0.0;  ///< ln(seconds / ranking estimate), both of the other problem
};

/// When a search ends that finds nothing better and cannot prove that there is nothing.
struct Patience {
    int unrewarded = 0;  ///< evaluations since the last improvement beyond noise
    int least = 0;       ///< variants evaluated, known ones of the store included
};

/// The patience of a search where nobody says otherwise. It looks at 0.7 % of the space at least, but at 80
/// variants and not at more than 250, and goes on for 0.4 of that after its last improvement. With audit and
/// finals that is 1 % of a space of 20 000 to 27 000 variants.
///
/// Patience alone, 0.9 times the root of the space's size, came before: a search that was early at a local
/// optimum gave up first, and one that kept improving went on longest, the wrong way round. In replays of
/// the four spaces in results/ (as first recorded), 40 seeds each, 4 of 160 ended more than 3 % from the best
/// with 1.05 roots as the least, and 2 with 1.2.
Patience usual_patience(std::uint64_t variants);

struct SearchInput {
    const Space* space = nullptr;  ///< whole: with the values that are held back at first
    const WorkModel* model = nullptr;
    /// What is on offer at first. What `known` and `starts` have joins it; a search by bounds extends it
    /// while its best sits on an edge, and strategies and an exhaustive search never.
    SpaceOffer offer;
    Machine machine;
    /// What was probed of it just before the run, merged into it already: the rates of these minutes, for the
    /// second tier.
    std::vector<Ceiling> fresh;
    /// The references. One that is not valid in the space is measured in the finals and is never the winner.
    Variant naive;
    Variant fallback;                 ///< the default variant
    std::map<Variant, Record> known;  ///< from the store: not measured again
    double set_aside_factor = 1.0;    ///< of the family's earlier audits (calibration.h)
    std::vector<Variant>
        starts;  ///< measured after naive and default: the kept one, neighbours' winners, guesses
    /// One of those that a new winner is to replace: it meets that one in the finals, whatever time is left.
    std::optional<Variant> kept;
    /// Teaches the ranker before anything is measured, and counts as tries of the values that it has.
    std::vector<Experience> experience;
    int look_ahead = 0;  ///< variants that a request names as the next ones (EvaluationRequest::next)
    /// What takes long when a variant is prepared is compiling it, and the finals find that done.
    bool builds_are_kept = false;
};

/// A measurement against its bound.
struct Observation {
    Variant variant;
    Record record;
    double lower = 0.0;  ///< T_lower under the machine at the end of the run, seconds
};

/// The second best of the finals.
struct RunnerUp {
    Variant variant;
    TimeInterval ratio;    ///< its time over the winner's, in the rotation
    Variant winner;        ///< of these finals
    TimeInterval seconds;  ///< its own time in them
};

struct SearchResult {
    std::optional<Variant> best;
    Record best_record;  ///< of the finals
    TimeInterval seconds;
    /// Times over the best's, in its own finals; none (no slots) where it was in none, because an audit found
    /// it and nothing was left to measure others beside it.
    TimeInterval naive_ratio, default_ratio;
    /// Their own times in the last finals that they were in; 0 where there were none.
    TimeInterval naive_seconds, default_seconds;
    double finals_took = 0.0;  ///< seconds of all finals
    std::optional<RunnerUp> runner_up;
    Bound bound;                    ///< of the best
    Seconds problem_roof{0.0};      ///< T_lower of the empty partial variant
    double roof_now = 1.0;          ///< binding ceiling as probed at the end, over its maximum; 0: not probed
    CertificateReport certificate;  ///< of the space as it was on offer in the end
    SpaceOffer offer;
    std::vector<GrowthReport> grown;  ///< between the first offer and that
    std::vector<EdgeReport> edges;    ///< of the best
    int beat = 0;                     ///< verified measurements below their unpadded bound
    Machine machine;                  ///< with what re-probing raised
    std::set<TermKind> demoted;
    std::vector<std::string> accused;  ///< declarations of a user that a measurement showed to be wrong
    std::vector<Observation> observations;
    std::vector<Node> excluded_sample;  ///< some excluded variants with their bounds, for the plot
    std::vector<std::string> trace;     ///< one line a decision; the same for the same seed and times
    /// Of search and finals, where something changed, and the end.
    std::vector<ConvergencePoint> convergence;
};

/// `observer` may be null. Throws std::invalid_argument when the space is empty. A budget in evaluations is
/// kept to, whatever the stage, but for confirming a surprise: a time that beats its bound is taken twice,
/// and so is one that the audit regrets.
SearchResult search(const SearchInput& input, Evaluator& evaluator, const SearchOptions& options,
                    TuneObserver* observer);

}  // namespace rooftune
