// State of one search, shared by its stages (search, alarm, finals, audit). Internal to this folder.
#pragma once

#include <algorithm>
#include <memory>
#include <random>

#include "tuner/measure/checked_evaluator.h"
#include "tuner/search/calibration.h"
#include "tuner/search/candidates.h"
#include "tuner/search/certificate.h"
#include "tuner/search/ranker.h"
#include "tuner/search/search.h"
#include "tuner/search/space_landscape.h"
#include "tuner/search/strategies/strategy.h"

namespace rooftune {

class RunState {
public:
    RunState(const SearchInput& input, Evaluator& evaluator, const SearchOptions& options,
             TuneObserver* observer);

    const SearchInput& input;
    CheckedEvaluator evaluator;
    const SearchOptions& options;
    TuneObserver* observer;

    Machine machine;
    /// The rates that the machine holds in these minutes: of what was probed for this run and during it, the
    /// highest that half of a probe's windows had.
    Machine meanwhile;
    /// What it gave between the turns of the finals, in terms of their winner's time (beside.h), with the
    /// ends of the intervals, and whose.
    Machine beside, beside_low, beside_high;
    std::optional<Variant> beside_of;
    /// The same in terms of the times of each that was in those finals.
    std::map<Variant, RatesOfTime> beside_each;
    bool audit_is_to_come = false;  ///< finals leave time for it then
    double first_finals = 0.0;      ///< seconds that they took, without further_finals
    double further_finals = 0.0;    ///< seconds of the processes that were added while it was open who wins
    /// Seconds that their first process took beyond the time for its turns: loading, preparing, probing.
    double beyond_turns = 0.0;
    std::optional<Variant> ratios_of;  ///< who won the finals that the ratios of the result are from
    Demoted demoted;
    std::unique_ptr<Roofs> roofs;
    std::unique_ptr<BoundModel> bound;
    std::unique_ptr<BoundTree> tree;
    Calibration calibration;
    Ranker ranker;
    Ledger ledger;
    Candidates candidates;
    std::unique_ptr<SpaceLandscape> landscape;  ///< with `strategy`, and null without it
    std::unique_ptr<Strategy> strategy;         ///< null: by bounds
    std::mt19937_64 random;
    SearchResult result;
    double started = 0.0;
    int evaluations = 0;    ///< in this run
    int measured_here = 0;  ///< of them, not by helpers
    /// Whom this run evaluated, and in turn with whom its last slots were taken; nobody: nothing.
    std::map<Variant, std::optional<Variant>> timed_beside;
    int without_improvement = 0;
    Patience patience;
    const char* stage = "search";

    /// The space as it is on offer now: what is searched, counted and certified. Indices are those of
    /// input.space.
    const Space& space() const { return offered_ ? *offered_ : *input.space; }
    const SpaceOffer& offer() const { return offer_; }
    /// One value more of a parameter, and a tree for what is on offer then.
    void offer_more(int parameter);

    /// New roofs, bound, margin and tree from machine and demoted terms; what was excluded under the
    /// old ones is open again.
    void rebuild();

    BoundSource source() const { return {&space(), input.model, bound.get(), &calibration}; }
    double elapsed() { return evaluator.now() - started; }
    bool out_of_time(double share) {
        return options.bounds_only || (options.seconds > 0.0 && elapsed() >= share * options.seconds);
    }
    /// Evaluations without improvement before patience ends the search; 0 or less: now.
    int patience_left() const;
    /// How many variants the budget still allows to measure.
    int evaluations_left() const;

    /// Evaluates one variant and records it everywhere. A time that beats its bound is taken a second time
    /// before anything is learnt from it, even where the budget ends; if it is confirmed, a ceiling rises or
    /// a term is demoted. Past the budget, and when interrupted, nothing is known of the variant: a record
    /// without slots that is nowhere recorded.
    const Record& evaluate(const Variant& variant, const EvaluationRequest& request);
    /// The same of what is measured already.
    const Record& take(const Variant& variant, const EvaluationRequest& request, Record record);

    /// Batches in a slot of those who race and meet in the finals: one where the incumbent's repetition is a
    /// batch by itself, because more rounds say more than more batches in each.
    int batches() const;

    /// A full measurement that the incumbent races, in turn with it.
    EvaluationRequest race(const char* role) const;
    /// The same, with what its stage takes next, of which a search that looks ahead tells.
    template <class Draws>
    EvaluationRequest race(const char* role, const Draws& draws, std::size_t at) const {
        EvaluationRequest request = race(role);
        const std::size_t end = std::min(draws.size(), at + 1 + static_cast<std::size_t>(input.look_ahead));
        for (std::size_t i = at + 1; i < end; ++i) {
            if (draws[i].variant != draws[at].variant) request.next.push_back(draws[i].variant);
        }
        return request;
    }

    /// The same check for a time that is recorded already. A variant that fails when it is timed again is
    /// recorded as a failure.
    void check_bound(const Variant& variant, const Record& record);

    /// Re-probes the ceilings that bind the problem and the incumbent; rebuilds if one rose.
    /// Returns the fresh rate of the problem roof's binding ceiling over its stored maximum (1 when
    /// there is none).
    double reprobe_binding(double seconds);

    /// Adds where the search stands to the result's convergence, if anything changed since the last point;
    /// `always` even then. Nothing before there is an incumbent, nor of the audit, which tries what was ruled
    /// out.
    void note_convergence(bool always = false);
    /// A fresh probe, merged into the machine and into what it gives meanwhile.
    void learn(const Ceiling& fresh);
    /// The same of several. Rebuilds where a roof rose, or where more evidence makes one.
    void learn(const std::vector<Ceiling>& fresh);
    /// Variants that are excluded now, as the certificate counts them.
    std::uint64_t excluded();

    void trace(const std::string& line);
    void notice(const std::string& text);
    void show_progress();

private:
    void set_offered();
    void note_given(const Ceiling& fresh);
    // A variant all of whose slots were disturbed gets one more chance: a spell of stolen time would make it
    // slow for the rest of the run.
    void measure_in_peace(const Variant& variant, const EvaluationRequest& request, Record& record);
    bool beats_bound(const Variant& variant, const Record& record) const;
    // Measures again; nothing when it was interrupted.
    std::optional<Record> timed_again(const Variant& variant, const Record& record);
    void correct_bound(const Variant& variant, const Record& record);
    bool distrust(std::size_t index);
    // Whether this problem's bounds could rest on it.
    bool is_needed(const Ceiling& ceiling) const;
    void trace_evaluation(const std::string& role, const Variant& variant, const Record& record);
    // How slow the machine was while this was timed, by its companion.
    /// False where its companion says nothing of the pace.
    bool note_pace(const EvaluationRequest& request, Record& record);

    EvaluatedBelow evaluated_below_;
    std::size_t evaluated_counted_ = 0;  // in it, of the ledger's
    SpaceOffer offer_;
    std::unique_ptr<const Space> offered_;  // null: all of input.space is on offer
    int spells_ = 0;
    double pace_ = 1.0;  // when it was last seen
};

inline constexpr int kReprobeEvery = 20;  ///< evaluations
/// In the finals, beside the default and the naive variant. Eight noisy slots order the best of a plateau
/// badly: in replays of a stencil, on records older than those in results/, 17 of 20 searches with ten
/// finalists ended within 1 % of its best, and 14 with four.
inline constexpr std::size_t kFinalists = 10;
inline constexpr double kReprobeSeconds = 0.25;

/// The least that anything not evaluated could take, with the margin off: over what waits in the tree, what
/// is open in the pool and what the environment failed. Seconds; infinity when nothing is left.
double lowest_open(RunState& run, double high);

/// The same with a strategy's proposals in place of the ranking.
std::string strategy_stage(RunState& run, double share_of_time, int evaluations);

/// Measures until a stop rule holds; returns which: epsilon, budget, patience, exhausted or interrupted.
std::string search_stage(RunState& run, double share_of_time, int evaluations);
/// Every variant, then the best of them in rotation, then finals.
void exhaustive_stage(RunState& run);
/// The best few, the default and the naive variant in rotation in a fresh process. Of the best as many as the
/// budget has time for.
void finals_stage(RunState& run, double seconds);
/// Seconds that finals take at least, by what the search has measured: of the winner so far, the default and
/// the naive variant, SearchInput::kept and one more.
double least_finals_seconds(const RunState& run);
/// What an audit changed: whether somebody else is the incumbent now, and whether somebody who had been raced
/// out was.
struct AuditEnd {
    bool regretted = false;
    bool raced_out_regretted = false;
};
/// Draws `count` or fewer: half from what the search left open or raced out, uniformly, for the sampled
/// limit; half, or what those leave, from excluded and set aside, half of these near the threshold.
AuditEnd audit_stage(RunState& run, int count);
/// The share of the budget after which the second finals are due: they take about half as long as the first
/// did.
double after_regret(const RunState& run);
/// The share of the budget after which nothing that was ruled out is measured any more: what looks faster
/// then could not meet the winner, and in finals the default and the naive variant, in time.
double last_contest(const RunState& run);
/// What is left to those of a budget in evaluations: winner, default and naive.
inline constexpr int kSecondFinals = 3;

/// Fastest slot of a record; infinity when it has none.
double fastest(const Record& record);

/// What a record says of its variant beside others: the median of its slots, infinity when it has none. The
/// fastest of eight slots flatters a variant against one that was raced out by its first. At a pace of 1.
double typical(const Record& record);

}  // namespace rooftune
