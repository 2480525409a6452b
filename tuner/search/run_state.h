// State of one search, shared by its stages (search, alarm, finals, audit). Internal to this folder.
#pragma once

#include <memory>
#include <random>

#include "tuner/search/candidates.h"
#include "tuner/search/certificate.h"
#include "tuner/search/ranker.h"
#include "tuner/search/search.h"

namespace rooftune {

class RunState {
public:
    RunState(const SearchInput& input, Evaluator& evaluator, const SearchOptions& options,
             SearchObserver* observer);

    const SearchInput& input;
    Evaluator& evaluator;
    const SearchOptions& options;
    SearchObserver* observer;

    Machine machine;
    Demoted demoted;
    std::unique_ptr<Roofs> roofs;
    std::unique_ptr<BoundModel> bound;
    std::unique_ptr<BoundTree> tree;
    Ranker ranker;
    Ledger ledger;
    Candidates candidates;
    std::mt19937_64 random;
    SearchResult result;
    double started = 0.0;
    int evaluations = 0;  ///< in this run
    int without_improvement = 0;
    const char* stage = "search";

    /// New roofs, bound, margin and tree from machine and demoted terms; what was excluded under the
    /// old ones is open again.
    void rebuild();

    BoundSource source() const { return {input.space, input.model, bound.get()}; }
    double elapsed() { return evaluator.now() - started; }
    bool out_of_time(double share) { return options.seconds > 0.0 && elapsed() >= share * options.seconds; }

    /// Evaluates one variant, records it everywhere, raises the alarm if it beats its bound.
    const Record& evaluate(const Variant& variant, const EvaluationRequest& request);

    /// Checks a timed variant against its bound; an alarm may raise a ceiling or demote a term.
    void check_bound(const Variant& variant, const Record& record);

    /// Re-probes the ceilings that bind the problem and the incumbent; rebuilds if one rose.
    /// Returns the fresh rate of the problem roof's binding ceiling over its stored maximum (1 when
    /// there is none).
    double reprobe_binding(double seconds);

    void trace(const std::string& line);
    void notice(const std::string& text);
    void show_progress();

private:
    bool judging_ = false;  // an alarm measures again; that measurement raises no alarm of its own
};

/// Measures until a stop rule holds; returns which: epsilon, budget, patience, exhausted or interrupted.
std::string search_stage(RunState& run, double share_of_time, int evaluations);
/// The best few, the default and the naive variant in rotation in a fresh process.
void finals_stage(RunState& run, double seconds);
/// Draws from excluded and set aside, half near the threshold; true when a regret changed the incumbent.
bool audit_stage(RunState& run, int count);

/// Fastest slot of a record; infinity when it has none.
double fastest(const Record& record);

}  // namespace rooftune
