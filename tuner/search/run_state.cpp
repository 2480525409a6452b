#include "tuner/search/run_state.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <set>
#include <string_view>

#include "tuner/base/si.h"
#include "tuner/measure/sampling.h"
#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

constexpr std::size_t kMarginSample = 20'000;
constexpr double kAlarmProbeSeconds = 0.6;
constexpr std::size_t kCutsLookedAt = 3'000;
constexpr std::size_t kMostReprobed = 12;

// One variant in so many may be measured again because its time was stolen: some hosts are never quiet.
constexpr int kEvaluationsASpell = 10;

bool undisturbed(const Record& record) {
    return std::any_of(record.slots.begin(), record.slots.end(), [](const Slot& s) { return !s.disturbed; });
}

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

double typical(const Record& record) {
    return record.slots.empty() ? fastest(record) : interval_of(record.slots).median / record.pace;
}

RunState::RunState(const SearchInput& input_, Evaluator& evaluator_, const SearchOptions& options_,
                   TuneObserver* observer_)
    : input(input_),
      evaluator(evaluator_, *input_.space),
      options(options_),
      observer(observer_),
      machine(input_.machine),
      calibration(input_.set_aside_factor),
      ranker(*input_.space, options_.seed),
      random(options_.seed),
      patience(options_.patience > 0 ? Patience{.unrewarded = options_.patience, .least = 0} : Patience{}),
      evaluated_below_(*input_.space),
      offer_(input_.offer) {
    // What is known of a value that a search is offered later must not be lost, nor what others recommend.
    for (const auto& [variant, record] : input.known) offer_.open_for(*input.space, variant);
    for (const Variant& variant : input.starts) offer_.open_for(*input.space, variant);
    set_offered();
    result.roof_now = 0.0;  // nobody has probed it yet
    meanwhile.topology = machine.topology;
    for (const Ceiling& fresh : input.fresh) note_given(fresh);
    rebuild();
    if (options.strategy) {
        landscape = std::make_unique<SpaceLandscape>(space());
        strategy = options.strategy->make(*landscape, options.seed);
    }
}

void RunState::set_offered() {
    offered_ = offer_.everything() ? nullptr : std::make_unique<const Space>(offer_.of(*input.space));
    if (options.patience <= 0) patience = usual_patience(space().count(PartialVariant{}));
}

void RunState::offer_more(int parameter) {
    offer_.extend(parameter);
    const std::unique_ptr<const Space> before = std::move(offered_);  // the tree still points to it
    set_offered();
    rebuild();
}

void RunState::rebuild() {
    candidates.clear();
    roofs = std::make_unique<Roofs>(machine);
    bound = std::make_unique<BoundModel>(*roofs, demoted);
    const double margin = run_margin(source(), kMarginSample, options.seed);
    tree = std::make_unique<BoundTree>(source(), margin);
    // Estimates have changed with the ceilings.
    calibration = Calibration(input.set_aside_factor);
    for (const auto& [variant, record] : ledger.records())
        calibration.observe(variant, typical(record), source().rank(variant));
    for (const auto& [variant, record] : ledger.records()) tree->take(variant);
}

void RunState::learn(const Ceiling& fresh) {
    merge(machine, fresh);
    // A machine that a file describes holds nothing in these minutes.
    if (options.reprobe) note_given(fresh);
}

void RunState::learn(const std::vector<Ceiling>& fresh) {
    bool rose = false;
    for (const Ceiling& now : fresh) {
        if (now.max <= 0.0) continue;
        for (const Ceiling& old : machine.ceilings) {
            if (old.resource == now.resource && old.when == now.when)
                rose = rose || (old.excludes && now.max > old.max);
        }
        learn(now);
    }
    // With more evidence a roof may be made or lowered, too.
    const Roofs now_known(machine);
    if (rose || now_known.unsaturated() != roofs->unsaturated() ||
        now_known.unsaturated_walks() != roofs->unsaturated_walks()) {
        trace(rose ? "ceiling rose" : "ceiling saturated");
        rebuild();
    }
}

void RunState::note_given(const Ceiling& fresh) {
    if (fresh.median <= 0.0) return;
    Ceiling held = fresh;
    held.max = held.p95 = fresh.median;
    // It is not asked what more the machine could give; but half of what walks beside a busy process do with
    // loads besides is not what they hold.
    if (held.resource != Resource::joint) held.undisturbed = -1;
    held.top.clear();
    merge(meanwhile, held);
}

int RunState::patience_left() const {
    const int to_least = patience.least - static_cast<int>(ledger.records().size());
    return std::max(patience.unrewarded - without_improvement, to_least);
}

int RunState::evaluations_left() const {
    if (options.bounds_only) return 0;
    if (options.evaluations <= 0) return std::numeric_limits<int>::max();
    return std::max(0, options.evaluations - evaluations);
}

int RunState::batches() const {
    constexpr SamplingRules kUsual;
    const bool is_batch = ledger.incumbent() && ledger.incumbent()->seconds.median >= kUsual.batch_seconds;
    return is_batch ? 1 : kUsual.batches;
}

EvaluationRequest RunState::race(const char* role) const {
    // What is so much slower than the incumbent is told so by one repetition or two.
    constexpr double kHopeless = 1.6;
    EvaluationRequest request{.role = role};
    if (!ledger.incumbent()) return request;
    request.incumbent_high = ledger.high();
    request.batches = batches();
    request.companion = ledger.incumbent()->variant;
    // But a repetition that is shorter than a batch is never judged by itself: it may have been a cold one.
    request.abandon_above = std::max(SamplingRules().batch_seconds, kHopeless * ledger.paced_high() * pace_);
    return request;
}

bool RunState::note_pace(const EvaluationRequest& request, Record& record) {
    std::vector<double> seconds;
    for (std::size_t i = 0; i < std::min(record.slots.size(), record.companion.size()); ++i) {
        const Slot& slot = record.companion[i];
        if (is_time(slot.seconds) && !slot.disturbed && !record.slots[i].disturbed)
            seconds.push_back(slot.seconds);
    }
    const std::optional<Incumbent>& companion = ledger.incumbent();
    if (seconds.empty() || !companion || companion->variant != request.companion) return false;
    record.pace = median(seconds) / companion->paced();
    if (!record.elsewhere) pace_ = record.pace;
    return true;
}

const Record& RunState::evaluate(const Variant& variant, const EvaluationRequest& request) {
    static const Record none;
    if (evaluations_left() == 0) return none;
    Record measured = evaluator.evaluate(variant, request);
    // Cut short by the user: nothing is known of the variant, and nothing is blamed on it.
    if (evaluator.interrupted() && measured.outcome == Outcome::environment) return none;
    return take(variant, request, std::move(measured));
}

const Record& RunState::take(const Variant& variant, const EvaluationRequest& request, Record record) {
    static const Record none;
    const bool is_paced = note_pace(request, record);
    if (record.elsewhere) {
        // What leads is timed where the others were; of the rest its ratio is enough, in this machine's time.
        // Judged as the ledger would: a median that was divided by the pace twice let most of what a slower
        // machine had measured look faster, and be measured twice.
        const bool timed = record.outcome == Outcome::measured || record.outcome == Outcome::raced_out;
        if (timed && (!is_paced || ledger.would_lead(variant, record))) return evaluate(variant, request);
        for (std::vector<Slot>* slots : {&record.slots, &record.companion}) {
            for (Slot& slot : *slots) slot.seconds /= record.pace;
        }
        record.pace = 1.0;
    }
    ++evaluations;
    if (!record.elsewhere) ++measured_here;
    trace_evaluation(request.role, variant, record);
    if (!record.elsewhere) measure_in_peace(variant, request, record);
    const bool alarm = beats_bound(variant, record);
    if (alarm) {
        const std::optional<Record> again = timed_again(variant, record);
        if (!again) return none;
        record = *again;
    }
    tree->take(variant);
    timed_beside[variant] = record.companion.empty() ? std::nullopt : request.companion;
    const bool improved = ledger.add(variant, record);
    without_improvement = improved ? 0 : without_improvement + 1;
    const double seconds = typical(record);
    if (std::isfinite(seconds)) {
        const double estimate = source().rank(variant);
        ranker.observe(variant, std::log(std::max(1e-12, estimate)), std::log(seconds));
        calibration.observe(variant, seconds, estimate);
    }
    note_convergence();
    if (alarm) correct_bound(variant, record);
    show_progress();
    return ledger.records().at(variant);
}

void RunState::measure_in_peace(const Variant& variant, const EvaluationRequest& request, Record& record) {
    if (record.outcome != Outcome::measured || undisturbed(record)) return;
    if (evaluations_left() == 0 || spells_ > evaluations / kEvaluationsASpell) return;
    // What takes a good part of the budget is not taken twice: so long a time is hardly ever undisturbed.
    constexpr double kMostOfBudget = 0.2;
    double took = record.prepare_seconds;
    for (const Slot& slot : record.slots) took += slot.seconds * slot.repetitions;
    if (options.seconds > 0.0 && took > kMostOfBudget * options.seconds) return;
    ++spells_;
    Record again = evaluator.evaluate(variant, request);
    if (again.outcome == Outcome::environment) return;
    note_pace(request, again);
    ++evaluations;
    trace_evaluation("again " + request.role, variant, again);
    // In a spell that lasts, the better of two bad times is nearer to the truth.
    if (is_failure(again.outcome) || undisturbed(again) || fastest(again) < fastest(record)) record = again;
}

bool RunState::beats_bound(const Variant& variant, const Record& record) const {
    const bool timed = record.outcome == Outcome::measured || record.outcome == Outcome::raced_out;
    return timed && fastest(record) < (1.0 - tree->margin()) * source().lower(variant);
}

std::optional<Record> RunState::timed_again(const Variant& variant, const Record& record) {
    const std::string role = "alarm";
    trace(role + " " + input.space->to_text(variant) + " " + microseconds(fastest(record)));
    EvaluationRequest request = race(role.c_str());
    request.incumbent_high = request.abandon_above = 0.0;
    request.companion.reset();  // it would be raced by it
    Record again = evaluator.evaluate(variant, request);
    again.pace = record.pace;
    if (evaluator.interrupted() && again.outcome == Outcome::environment) return std::nullopt;
    ++evaluations;
    trace_evaluation(role, variant, again);
    if (!beats_bound(variant, again)) trace("alarm not confirmed");
    return again;
}

void RunState::check_bound(const Variant& variant, const Record& record) {
    if (!beats_bound(variant, record)) return;
    const std::optional<Record> again = timed_again(variant, record);
    if (!again) return;
    if (is_failure(again->outcome)) ledger.add_known(variant, *again);
    correct_bound(variant, *again);
}

// A ceiling whose bound was beaten is suspected first: nothing that was seen of it before counts as evidence,
// and it is probed until it is saturated again. Whether it was probed at all.
bool RunState::distrust(std::size_t index) {
    constexpr int kTries = 3;
    const Ceiling before = machine.ceilings[index];
    if (before.undisturbed >= 0) {
        machine.ceilings[index].undisturbed = 0;
        machine.ceilings[index].top.clear();
    }
    bool probed = false;
    for (int i = 0; i < kTries && (!probed || !machine.ceilings[index].saturated()); ++i) {
        for (const Ceiling& fresh : evaluator.reprobe({before}, kAlarmProbeSeconds)) {
            if (fresh.max <= 0.0) continue;
            learn(fresh);
            probed = true;
        }
        if (!probed) break;
    }
    return probed;
}

// Terms that claim more time than was needed, one ceiling after the other: a probe that reaches the rate
// clears it, and so does one that nobody could take undisturbed, because it makes no roof; where a saturated
// one stays behind, the work term is wrong.
void RunState::correct_bound(const Variant& variant, const Record& record) {
    if (!beats_bound(variant, record)) return;
    ++result.certificate.violations;
    constexpr int kRounds = 64;
    constexpr double kRise = 1.002;  // a rise within noise does not count as having reached anything
    std::set<std::size_t> distrusted;
    for (int round = 0; round < kRounds && beats_bound(variant, record); ++round) {
        const Bound why = source().explain(variant);
        const Term& term = why.terms[static_cast<std::size_t>(why.binding)];
        const TermKind kind = term.kind;
        // How many chains wait for each other is the window's to say, and a window that looks too small makes
        // the term as wrong as a rate that is too low.
        std::vector<std::size_t> suspects{static_cast<std::size_t>(term.ceiling)};
        const Roof window = source().bound->roofs().window();
        if (kind == TermKind::chain && window) suspects.push_back(static_cast<std::size_t>(window.ceiling));
        Ceiling ceiling = machine.ceilings[suspects.front()];
        bool probed = false, doubtful = false;
        double rise = 1.0;
        for (const std::size_t index : suspects) {
            const Ceiling before = machine.ceilings[index];
            probed = distrust(index) || probed;
            const double rose = machine.ceilings[index].max / before.max;
            const bool unsure = !machine.ceilings[index].saturated() && distrusted.insert(index).second;
            if (rose > rise || (unsure && rise < kRise)) ceiling = before;
            rise = std::max(rise, rose);
            doubtful = doubtful || unsure;
        }
        // What disturbs a probe takes a half of its rate or two thirds: no user's formula that asks for many
        // times what was ever seen is saved by that.
        constexpr double kBeyondAnyDisturbance = 4.0;
        const std::string declared = input.model->declared_at(variant, term);
        if (!declared.empty() && rise < kRise &&
            term.amount > kBeyondAnyDisturbance * term.rate * fastest(record))
            doubtful = false;
        if (rise < kRise && !doubtful) demoted.insert(kind);
        rebuild();
        char text[200];
        if (rise >= kRise) {
            std::snprintf(text, sizeof text,
                          "a measurement beat its bound; probed again, the ceiling '%s' rose by %.1f %%",
                          describe(ceiling).c_str(), 100.0 * (rise - 1.0));
            notice(text);
        } else if (doubtful) {
            notice("a measurement beat its bound, and the ceiling '" + describe(ceiling) +
                   "' could not be probed undisturbed: it makes no roof until it can");
        } else if (!declared.empty()) {
            const std::string_view unit = is_traffic(kind)          ? "B/s"
                                          : kind == TermKind::chain ? "steps/s"
                                                                    : "flop/s";
            const std::string accused = declared + " would need " +
                                        format_si(term.amount / fastest(record), unit) +
                                        ", and the most that was seen here is " + format_si(term.rate, unit);
            // One line may be behind several terms.
            if (std::none_of(result.accused.begin(), result.accused.end(),
                             [&](const std::string& known) { return known.starts_with(declared); }))
                result.accused.push_back(accused);
            notice("a measurement beat its bound, so that what is declared cannot be: " +
                   result.accused.back() + "; it no longer excludes in this run");
        } else if (probed) {
            notice("a measurement beat its bound and the probe did not reach its rate: the term '" +
                   std::string(to_text(kind)) + "' no longer excludes in this run; please report it with " +
                   input.space->to_text(variant));
        } else {
            notice("a measurement beat its bound and its ceiling could not be probed again: the term '" +
                   std::string(to_text(kind)) + "' no longer excludes in this run");
        }
    }
}

bool RunState::is_needed(const Ceiling& ceiling) const {
    const Traits traits = input.model->traits(PartialVariant{});
    if (ceiling.when.mix == Mix::gathers && input.model->traits(input.naive).gathers.value <= 0.0)
        return false;
    return !has_dtype(ceiling.resource) || ceiling.when.dtype == traits.dtype;
}

double RunState::reprobe_binding(double seconds) {
    if (!options.reprobe) return 1.0;
    std::vector<Ceiling> binding;
    const auto add = [&](const PartialVariant& partial) {
        const Bound b = source().explain(partial);
        if (b.binding < 0) return;
        const int index = b.terms[static_cast<std::size_t>(b.binding)].ceiling;
        const Ceiling& ceiling = machine.ceilings[static_cast<std::size_t>(index)];
        if (std::find(binding.begin(), binding.end(), ceiling) == binding.end()) binding.push_back(ceiling);
    };
    add(PartialVariant{});
    const bool bounded = !binding.empty();
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
    // What is not saturated makes no roof until it is.
    for (const int index : roofs->unsaturated()) {
        const Ceiling& ceiling = machine.ceilings[static_cast<std::size_t>(index)];
        if (binding.size() < kMostReprobed && is_needed(ceiling) &&
            std::find(binding.begin(), binding.end(), ceiling) == binding.end())
            binding.push_back(ceiling);
    }
    if (binding.empty()) return 1.0;
    const double stored = binding.front().max;  // of the problem's own bound, unless nothing binds it
    double now = stored;
    const std::vector<Ceiling> fresh = evaluator.reprobe(binding, seconds);
    if (bounded && !fresh.empty() && fresh.front().max > 0.0) now = fresh.front().max;
    learn(fresh);
    return std::min(1.0, now / stored);
}

double lowest_open(RunState& run, double high) {
    double lowest = std::numeric_limits<double>::infinity();
    const auto& pool = run.tree->pool(high);
    if (!pool.empty()) lowest = pool.front().lower;
    lowest = std::min(lowest, run.tree->least_waiting());
    lowest *= 1.0 - run.tree->margin();
    for (const auto& [variant, record] : run.ledger.records()) {
        if (stays_open(record.outcome))
            lowest = std::min(lowest, (1.0 - run.tree->margin()) * run.source().lower(variant));
    }
    return lowest;
}

void RunState::trace_evaluation(const std::string& role, const Variant& variant, const Record& record) {
    const double seconds = fastest(record);
    trace(role + " " + input.space->to_text(variant) + " " + std::string(to_text(record.outcome)) +
          (std::isfinite(seconds) ? " " + microseconds(seconds) : ""));
}

std::uint64_t RunState::excluded() {
    const std::vector<Variant>& known = ledger.in_order();
    for (; evaluated_counted_ < known.size(); ++evaluated_counted_)
        evaluated_below_.add(known[evaluated_counted_]);
    return excluded_count(*tree, evaluated_below_);
}

void RunState::note_convergence(bool always) {
    constexpr double kSameShare = 0.001;
    if (!ledger.incumbent() || std::string_view(stage) == "audit") return;
    const double best = ledger.incumbent()->seconds.median;
    const double excluded =
        static_cast<double>(this->excluded()) / static_cast<double>(space().count(PartialVariant{}));
    std::vector<ConvergencePoint>& convergence = result.convergence;
    const bool changed = convergence.empty() || best != convergence.back().best_seconds ||
                         std::abs(excluded - convergence.back().excluded) >= kSameShare;
    if (!changed && !always) return;
    if (!convergence.empty() && convergence.back().evaluations == evaluations) convergence.pop_back();
    convergence.push_back({evaluations, best, excluded});
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
    TuneProgress progress;
    progress.stage = stage;
    progress.flops_nominal = input.model->work(PartialVariant{}).flops_nominal.value;
    progress.space = space().count(PartialVariant{});
    progress.evaluated = static_cast<std::uint64_t>(evaluations);
    progress.elapsed_seconds = elapsed();
    progress.budget_seconds = options.seconds;
    progress.budget_evaluations = static_cast<std::uint64_t>(options.evaluations);
    if (ledger.incumbent()) progress.best_seconds = ledger.incumbent()->seconds.median;
    progress.excluded = excluded();
    const OutcomeCounts counts = ledger.counts();
    progress.measured = counts.measured;
    progress.raced_out = counts.raced_out;
    progress.failed = counts.failed;
    observer->progress(progress);
}

}  // namespace rooftune
