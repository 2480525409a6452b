#include "tuner/search/run_state.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace rooftune {
namespace {

constexpr std::size_t kMarginSample = 20'000;
constexpr double kAlarmProbeSeconds = 0.6;
constexpr std::size_t kCutsLookedAt = 3'000;
constexpr std::size_t kMostReprobed = 12;

std::string microseconds(double seconds) {
    char text[40];
    std::snprintf(text, sizeof text, "%.4g µs", 1e6 * seconds);
    return text;
}

}  // namespace

double fastest(const Record& record) {
    double least = std::numeric_limits<double>::infinity();
    for (const Slot& slot : record.slots) least = std::min(least, slot.seconds);
    return least;
}

RunState::RunState(const SearchInput& input_, Evaluator& evaluator_, const SearchOptions& options_,
                   SearchObserver* observer_)
    : input(input_),
      evaluator(evaluator_),
      options(options_),
      observer(observer_),
      machine(input_.machine),
      ranker(*input_.space, options_.seed),
      random(options_.seed) {
    rebuild();
}

void RunState::rebuild() {
    candidates.clear();
    roofs = std::make_unique<Roofs>(machine);
    bound = std::make_unique<BoundModel>(*roofs, demoted);
    const double margin = run_margin(source(), kMarginSample, options.seed);
    tree = std::make_unique<BoundTree>(source(), margin);
    for (const auto& [variant, record] : ledger.records()) tree->take(variant);
}

const Record& RunState::evaluate(const Variant& variant, const EvaluationRequest& request) {
    const Record record = evaluator.evaluate(variant, request);
    if (evaluator.interrupted() && record.outcome == Outcome::environment) {
        // Cut short by the user: nothing is known of the variant, and nothing is blamed on it.
        static const Record none;
        return none;
    }
    ++evaluations;
    tree->take(variant);
    const bool improved = ledger.add(variant, record);
    without_improvement = improved ? 0 : without_improvement + 1;
    const double seconds = fastest(record);
    if (std::isfinite(seconds))
        ranker.observe(variant, std::log(seconds / std::max(1e-12, source().rank(variant))));
    trace(request.role + " " + input.space->to_text(variant) + " " + std::string(to_text(record.outcome)) +
          (std::isfinite(seconds) ? " " + microseconds(seconds) : ""));
    if (record.outcome == Outcome::measured || record.outcome == Outcome::raced_out)
        check_bound(variant, record);
    show_progress();
    return ledger.records().at(variant);
}

void RunState::check_bound(const Variant& variant, const Record& record) {
    if (judging_) return;
    const double seconds = fastest(record);
    const auto beats = [&](double time) { return time < (1.0 - tree->margin()) * source().lower(variant); };
    if (!beats(seconds)) return;

    judging_ = true;
    trace("alarm " + input.space->to_text(variant) + " " + microseconds(seconds));
    EvaluationRequest again{.role = "alarm", .incumbent_high = 0.0, .slots = 8};
    const Record confirmed = evaluate(variant, again);
    judging_ = false;
    const double confirmed_seconds = fastest(confirmed);
    if (confirmed.outcome != Outcome::measured || !beats(confirmed_seconds)) {
        trace("alarm not confirmed");
        return;
    }
    ++result.certificate.violations;
    // Terms that claim more time than was needed, one ceiling after the other: a probe that reaches the
    // rate clears it; where the probe stays behind, the work term is wrong.
    constexpr int kRounds = 64;
    constexpr double kRise = 1.002;  // a rise within noise does not count as having reached anything
    for (int round = 0; round < kRounds && beats(confirmed_seconds); ++round) {
        const Bound why = source().explain(variant);
        const Term& term = why.terms[static_cast<std::size_t>(why.binding)];
        const TermKind kind = term.kind;
        const auto index = static_cast<std::size_t>(term.ceiling);
        const Ceiling ceiling = machine.ceilings[index];
        for (const Ceiling& fresh : evaluator.reprobe({ceiling}, kAlarmProbeSeconds)) {
            if (fresh.max > 0.0) merge(machine, fresh);
        }
        const double rise = machine.ceilings[index].max / ceiling.max;
        if (rise < kRise) demoted.insert(kind);
        rebuild();
        char text[200];
        if (rise >= kRise) {
            std::snprintf(text, sizeof text,
                          "a measurement beat its bound; probed again, the ceiling '%s' rose by %.1f %%",
                          describe(ceiling).c_str(), 100.0 * (rise - 1.0));
            notice(text);
        } else {
            notice("a measurement beat its bound and the probe did not reach its rate: the term '" +
                   std::string(to_text(kind)) + "' no longer excludes; please report it with " +
                   input.space->to_text(variant));
        }
    }
}

double RunState::reprobe_binding(double seconds) {
    if (!options.reprobe) return 1.0;
    std::vector<Ceiling> binding;
    int problem_ceiling = -1;
    const auto add = [&](const PartialVariant& partial) {
        const Bound b = source().explain(partial);
        if (b.binding < 0) return;
        const int index = b.terms[static_cast<std::size_t>(b.binding)].ceiling;
        if (problem_ceiling < 0) problem_ceiling = index;
        const Ceiling& ceiling = machine.ceilings[static_cast<std::size_t>(index)];
        if (std::find(binding.begin(), binding.end(), ceiling) == binding.end()) binding.push_back(ceiling);
    };
    add(PartialVariant{});
    if (ledger.incumbent()) add(ledger.incumbent()->variant);
    // A ceiling that excludes must not be older than what it excludes by: those behind the cuts, the nearest
    // to the threshold first.
    std::vector<const Node*> cuts;
    for (const Node& node : tree->cut()) cuts.push_back(&node);
    const std::size_t looked_at = std::min(cuts.size(), kCutsLookedAt);
    std::partial_sort(cuts.begin(), cuts.begin() + static_cast<std::ptrdiff_t>(looked_at), cuts.end(),
                      [](const Node* a, const Node* b) {
                          return a->lower != b->lower ? a->lower < b->lower : a->partial < b->partial;
                      });
    for (std::size_t i = 0; i < looked_at && binding.size() < kMostReprobed; ++i) add(cuts[i]->partial);
    if (binding.empty()) return 1.0;
    const double stored = machine.ceilings[static_cast<std::size_t>(problem_ceiling)].max;
    double now = stored;
    bool rose = false;
    const std::vector<Ceiling> fresh = evaluator.reprobe(binding, seconds);
    for (std::size_t i = 0; i < fresh.size(); ++i) {
        if (fresh[i].max <= 0.0) continue;
        if (i == 0) now = fresh[i].max;
        for (const Ceiling& old : machine.ceilings) {
            if (old.resource == fresh[i].resource && old.when == fresh[i].when)
                rose = rose || fresh[i].max > old.max;
        }
        merge(machine, fresh[i]);
    }
    if (rose) {
        trace("ceiling rose");
        rebuild();
    }
    return std::min(1.0, now / stored);
}

void RunState::trace(const std::string& line) {
    result.trace.push_back(line);
}

void RunState::notice(const std::string& text) {
    trace("notice " + text);
    if (observer) observer->notice(text);
}

void RunState::show_progress() {
    if (!observer) return;
    SearchProgress progress;
    progress.stage = stage;
    progress.evaluated = evaluations;
    progress.elapsed = elapsed();
    if (ledger.incumbent()) progress.best_seconds = ledger.incumbent()->seconds.median;
    for (const Node& node : tree->cut()) progress.excluded += node.variants;
    observer->progress(progress);
}

}  // namespace rooftune
