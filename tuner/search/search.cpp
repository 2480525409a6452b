#include "tuner/search/search.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "tuner/measure/statistics.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/growth.h"
#include "tuner/search/measured_ahead.h"
#include "tuner/search/run_state.h"
#include "tuner/search/second_look.h"
#include "tuner/search/second_opinion.h"
#include "tuner/search/strategies/draws.h"

namespace rooftune {
namespace {

// Open variants that the certificate classifies one by one at the end; what is beyond counts as unmeasured.
constexpr std::size_t kClassified = 1'000'000;

// Shares of a time budget: finals take theirs, the audit what its variants are expected to cost (one slot
// each where a search spends up to eight), the search the rest but never less than half.
constexpr double kFinalsShare = 0.15;
constexpr int kPreparedInFinals = 24;  // variants, over all processes
constexpr double kLeastSearchShare = 0.5;
// Of a mean evaluation, one slot alone; conversions dominate both. Draws of the sampled limit are raced like
// any candidate.
constexpr double kAuditCost = 0.7, kSampledCost = 1.0;

void measure_references(RunState& run) {
    // The default first: beside it a slow textbook loop is raced out, and measured in the finals.
    // Those that the user's cuts leave out are references all the same: the finals measure them.
    for (const Variant& variant : {run.input.fallback, run.input.naive}) {
        if (!run.space().valid(variant)) continue;
        if (run.ledger.evaluated(variant) || run.evaluator.interrupted()) continue;
        // Where the default alone has taken the search's time, a slow textbook loop is measured once: the
        // finals do so in any case.
        if (variant == run.input.naive && run.ledger.incumbent() && run.out_of_time(kLeastSearchShare))
            continue;
        EvaluationRequest request = run.race("reference");
        if (run.input.look_ahead > 0 && variant != run.input.naive && run.space().valid(run.input.naive) &&
            !run.ledger.evaluated(run.input.naive))
            request.next = {run.input.naive};
        run.evaluate(variant, request);
    }
    // What the store knows is not measured again, except the best of it: today's clock may differ. Before
    // others' winners, so that Ctrl-C among those leaves what was best.
    Ledger known;
    for (const auto& [variant, record] : run.input.known) known.add_known(variant, record);
    const std::vector<Variant> best = known.best(1);
    if (!best.empty() && !run.evaluator.interrupted()) {
        run.evaluate(best.front(), {.role = "incumbent", .incumbent_high = 0.0, .slots = 8});
    }
    for (const Variant& variant : run.input.starts) {
        if (run.ledger.evaluated(variant) || run.evaluator.interrupted()) continue;
        // Guesses are no use to a tune whose time the default alone has taken.
        if (variant != run.input.kept && run.ledger.incumbent() && run.out_of_time(kLeastSearchShare))
            continue;
        run.evaluate(variant, run.race("start"));
    }
}

// How often each value of each parameter was evaluated.
std::vector<std::vector<int>> tries_of(const RunState& run) {
    const Space& space = run.space();
    std::vector<std::vector<int>> tries;
    for (const Parameter& p : space.parameters()) tries.emplace_back(p.values.size(), 0);
    const auto count = [&](const Variant& variant) {
        for (int p = 0; p < space.size(); ++p) {
            if (variant.fixed(p)) ++tries[static_cast<std::size_t>(p)][static_cast<std::size_t>(variant[p])];
        }
    };
    for (const auto& [variant, record] : run.ledger.records()) count(variant);
    for (const Experience& e : run.input.experience) count(e.variant);
    return tries;
}

// The ranker learns which values are good from the variants that have them. A value that no open variant
// with it has shown a few times is a blind spot: on one matrix the best block shape was never tried before
// patience ran out. Every other evaluation closes one, by the most promising of some variants that have it.
constexpr int kTriesOfAValue = 3;

// Asking the ranker costs microseconds a variant. Asked about are the variants near the best so far, where
// the next best nearly always is, and a fair sample of the others.
constexpr std::size_t kNearOf = 4;
constexpr int kNear = 2;  // parameters that differ
constexpr std::size_t kAsked = 1'000;
constexpr std::size_t kBlindAsked = 48;

// A tune of half a minute times a dozen variants of a matrix larger than the caches. Where no more than so
// many fit, closing all blind spots would take them all, and a second opinion on three times is noise: the
// estimate chooses, and a blind spot has every fourth turn, for the best of a thousand who have it.
constexpr double kFew = 48.0;
// Times from which a forest is grown.
constexpr std::size_t kOpinionFrom = 12;

bool few_fit(RunState& run) {
    if (run.options.seconds > 0.0) {
        const double took = run.elapsed();
        return run.evaluations > 0 && kLeastSearchShare * run.options.seconds * run.evaluations < kFew * took;
    }
    return run.options.evaluations > 0 && run.options.evaluations < kFew;
}

// One in so many evaluations is of a variant that is set aside, drawn uniformly.
constexpr int kAsideEvery = 12;

struct Choice {
    std::optional<Variant> variant;
    bool blind_spots = false;     ///< some value of an open variant has had too few tries
    std::vector<Variant> next{};  ///< the most promising besides it
};

// Up to `count` of them with the least keys, without `chosen`.
std::vector<Variant> most_promising(const std::vector<const Node*>& nodes, const std::vector<double>& keys,
                                    std::size_t count, const std::optional<Variant>& chosen) {
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::size_t some = std::min(order.size(), count + 1);
    std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(some), order.end(),
                      [&](std::size_t a, std::size_t b) { return keys[a] < keys[b]; });
    std::vector<Variant> found;
    for (std::size_t i = 0; i < some && found.size() < count; ++i) {
        if (nodes[order[i]]->partial != chosen) found.push_back(nodes[order[i]]->partial);
    }
    return found;
}

struct Best {
    std::optional<Variant> variant;
    double key = std::numeric_limits<double>::infinity();
    void offer(const Variant& v, double k) {
        if (k < key) {
            key = k;
            variant = v;
        }
    }
};

// A winner that one change would make faster is the worst mistake, and cheap to rule out. Towards its end a
// search tries such changes every other time: two of twenty replays on matmul's space had ended beside a
// variant that was 4 % faster and that nobody had asked for. But not changes that look hopeless: near the end
// all the others have been tried.
constexpr double kPromising = 1.15;  // of the incumbent's upper end

bool is_polishing(const RunState& run) {
    const int last = run.patience.least > 0 ? run.patience.unrewarded : (run.patience.unrewarded + 1) / 2;
    return run.patience_left() <= last && run.evaluations % 2 == 0;
}

// The next variant: the best estimate among those not set aside, else among those set aside.
Choice choose(RunState& run, double high) {
    const Space& space = run.space();
    const std::vector<std::vector<int>> tries = tries_of(run);
    const bool few = few_fit(run);
    const int enough = few ? 1 : kTriesOfAValue;
    const auto least_tries = [&](const Variant& variant) {
        int least = enough;
        for (std::size_t p = 0; p < tries.size(); ++p) {
            const int at = static_cast<int>(p);
            if (variant.fixed(at)) least = std::min(least, tries[p][static_cast<std::size_t>(variant[at])]);
        }
        return least;
    };
    const auto keys_of = [&](const std::vector<const Node*>& some) {
        std::vector<const Variant*> variants;
        for (const Node* node : some) variants.push_back(&node->partial);
        std::vector<double> keys = run.ranker.optimistic(variants);
        for (std::size_t i = 0; i < some.size(); ++i) keys[i] += std::log(std::max(some[i]->rank, 1e-12));
        return keys;
    };
    const std::vector<Node>& nodes =
        run.candidates.list(*run.tree, run.ledger, high, run.evaluations, run.random);
    // Without bounds nothing is ruled out.
    const double expected = std::isfinite(high) ? run.ledger.paced_high() : high;
    std::vector<const Node*> open, aside, blind;
    int blindest = enough;
    // What a helper is at is taken when it is there: to choose it is to wait.
    const auto others = std::count_if(nodes.begin(), nodes.end(), [&](const Node& node) {
        return !run.evaluator.is_under_way(node.partial);
    });
    for (const Node& node : nodes) {
        if (others > 0 && run.evaluator.is_under_way(node.partial)) continue;
        if (set_aside(*run.tree, node.partial, node.rank, expected)) {
            aside.push_back(&node);
            continue;
        }
        open.push_back(&node);
        const int least = least_tries(node.partial);
        if (least < blindest) {
            blindest = least;
            blind.clear();
        }
        if (least < enough && least == blindest) blind.push_back(&node);
    }
    // What was set aside is looked at while there is time to believe it: a time that the estimate did not
    // expect lowers the factor of its kind, which opens the kind at once.
    if (!aside.empty() && !open.empty() && run.evaluations % kAsideEvery == kAsideEvery - 1)
        return {aside[below(run.random, aside.size())]->partial, true};
    const std::vector<const Node*>& asked = open.empty() ? aside : open;
    const std::vector<Variant> parents = run.ledger.best(kNearOf);
    // Every other polishing evaluation is the rival's.
    const std::optional<Variant> other_side =
        run.evaluations % 4 == 2 ? rival(space, run.ledger) : std::nullopt;
    const Variant* middle = other_side ? &*other_side : parents.empty() ? nullptr : &parents.front();
    std::vector<const Node*> ranked;
    std::vector<char> is_beside;  // of those
    const std::size_t some = few ? asked.size() : kAsked;
    for (const Node* node : asked) {
        int apart = kNear + 1;
        for (const Variant& v : parents) apart = std::min(apart, differences(space, node->partial, v, apart));
        const bool one_off = middle && differences(space, node->partial, *middle, 2) == 1;
        if (apart > kNear && !one_off && below(run.random, asked.size()) >= some) continue;
        ranked.push_back(node);
        is_beside.push_back(one_off);
    }
    Best best, beside;
    const std::vector<double> keys = keys_of(ranked);
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        best.offer(ranked[i]->partial, keys[i]);
        if (is_beside[i]) beside.offer(ranked[i]->partial, keys[i]);
    }
    const bool promising = beside.variant && beside.key < std::log(kPromising * run.ledger.paced_high());
    if (promising && is_polishing(run)) {
        best = beside;
    } else if (run.evaluations % 2 == 0 && (!few || run.ledger.records().size() >= kOpinionFrom)) {
        if (const auto other = second_opinion(run, asked, parents)) best.variant = other;
    }
    if (!best.variant && !asked.empty()) best.offer(asked.front()->partial, 0.0);
    const std::size_t blind_asked = std::min(blind.size(), few ? kAsked : kBlindAsked);
    for (std::size_t i = 0; i < blind_asked; ++i)
        std::swap(blind[i], blind[i + below(run.random, blind.size() - i)]);
    blind.resize(blind_asked);
    Best blind_best;
    const std::vector<double> blind_keys = keys_of(blind);
    for (std::size_t i = 0; i < blind.size(); ++i) blind_best.offer(blind[i]->partial, blind_keys[i]);
    Choice choice;
    choice.blind_spots = blind_best.variant.has_value();
    const bool blind_turn = few ? run.evaluations % 4 == 1 : run.evaluations % 2 == 1;
    choice.variant = choice.blind_spots && blind_turn ? blind_best.variant : best.variant;
    if (const int ahead = run.input.look_ahead; ahead > 0) {
        choice.next = most_promising(ranked, keys, static_cast<std::size_t>(ahead), choice.variant);
        // The other kind has its turn after this one.
        if (blind_best.variant && blind_best.variant != choice.variant)
            choice.next.insert(choice.next.begin(), *blind_best.variant);
    }
    return choice;
}

double finals_seconds(const SearchOptions& options) {
    constexpr double kWithoutBudget = 8.0;
    const double share = options.seconds > 0.0 ? kFinalsShare * options.seconds : kWithoutBudget;
    return options.finals_seconds > 0.0 ? std::min(share, options.finals_seconds) : share;
}

// What is left, where that is less than half of the first ones' time.
double second_finals_seconds(RunState& run) {
    constexpr double kLeast = 0.1;
    const double usual = 0.5 * finals_seconds(run.options);
    if (run.options.seconds <= 0.0) return usual;
    return std::clamp(run.options.seconds - run.elapsed() - run.beyond_turns, kLeast * usual, usual);
}

double search_share(RunState& run) {
    if (run.options.seconds <= 0.0 || run.evaluations == 0) return 1.0;
    const double evaluation = run.elapsed() / std::max(1, run.measured_here);  // the audit's are, too
    const int audited = run.options.bounds ? run.options.audit : 0;
    const int sampled = audited / 2;
    const double evaluations = kSampledCost * sampled + kAuditCost * (audited - sampled + kPreparedInFinals);
    const double again = evaluations * evaluation / run.options.seconds;
    // Where a repetition takes long, so do the eight rounds that finals have at least.
    const double finals = std::max(kFinalsShare, least_finals_seconds(run) / run.options.seconds);
    return std::max(kLeastSearchShare, 1.0 - finals - again);
}

// Racing dropped a variant that is faster than the winner: the others that it dropped are open again, those
// that looked fastest first. But not what the audit or the sample timed a minute ago, when the one that they
// lost to was slower than the winner is now, nor what is proven no faster than it.
void race_again(RunState& run) {
    std::vector<std::pair<double, Variant>> dropped;
    for (const auto& [variant, record] : run.ledger.records()) {
        const bool is_draw = record.role == "audit" || record.role == "sample";
        if (record.outcome != Outcome::raced_out || is_draw) continue;
        if (run.tree->excluded(run.source().lower(variant), run.ledger.high())) continue;
        dropped.emplace_back(typical(record), variant);
    }
    std::sort(dropped.begin(), dropped.end());
    run.stage = "search";
    for (const auto& [seconds, variant] : dropped) {
        if (run.evaluator.interrupted() || run.out_of_time(after_regret(run)) ||
            run.evaluations_left() <= kSecondFinals || run.without_improvement >= run.patience.unrewarded)
            return;
        const Record before = run.ledger.records().at(variant);
        if (run.evaluate(variant, run.race("again")).outcome == Outcome::environment)
            run.ledger.add_known(variant, before);
    }
}

// What the store knows may be thousands of times: the best teach where the best are, some others the rest.
void teach(RunState& run, std::vector<std::pair<double, Variant>> timed) {
    constexpr std::size_t kBest = 96, kOthers = 96;
    std::sort(timed.begin(), timed.end());
    keep_first_and_others(timed, kBest, kOthers, run.random);
    for (const auto& [seconds, variant] : timed)
        run.ranker.observe(variant, std::log(std::max(1e-12, run.source().rank(variant))), std::log(seconds));
}

// Whether a search that stopped because of what was proven would do so by the machine as it is known now.
bool still_holds(RunState& run, const std::string& stopped) {
    if (!run.options.bounds || !run.ledger.incumbent() || (stopped != "epsilon" && stopped != "exhausted"))
        return true;
    const double high = run.ledger.high();
    run.tree->expand(high, Candidates::kListed);
    const auto is_left = [&](const Node& node) { return !run.ledger.evaluated(node.partial); };
    const std::vector<Node>& pool = run.tree->pool(high);
    if (run.tree->exhausted() && std::none_of(pool.begin(), pool.end(), is_left)) return true;
    return stopped == "epsilon" && gap_of(high, lowest_open(run, high)) <= run.options.epsilon;
}

void finish(RunState& run) {
    SearchResult& result = run.result;
    CertificateReport& report = result.certificate;
    const bool paired =
        run.beside_of && run.ledger.incumbent() && run.ledger.incumbent()->variant == *run.beside_of;
    const Roofs given(paired ? run.beside : run.meanwhile);
    const Roofs given_low(run.beside_low), given_high(run.beside_high);
    const BoundModel rates(given, run.demoted), low(given_low, run.demoted), high(given_high, run.demoted);
    certify(*run.tree, run.ledger, kClassified, report,
            {.rates = &rates,
             .low = paired ? &low : nullptr,
             .high = paired ? &high : nullptr,
             .known = &run.input.known,
             .finalists = paired ? &run.beside_each : nullptr});
    run.stage = "end";
    run.note_convergence(true);
    report.margin = run.tree->margin();
    report.epsilon = run.options.epsilon;
    report.set_aside_factor =
        run.ledger.incumbent() ? run.calibration.factor(Calibration::kind_of(run.ledger.incumbent()->variant))
                               : 0.0;
    report.estimate = run.calibration.fit();
    result.problem_roof = Seconds(run.source().lower(PartialVariant{}));
    result.machine = run.machine;
    result.demoted = run.demoted;
    result.offer = run.offer();
    result.grown = growth_of(*run.input.space, run.input.offer, run.offer());
    for (const auto& [variant, record] : run.ledger.records()) {
        const double lower = run.source().lower(variant);
        result.observations.push_back({variant, record, lower});
        const double seconds = fastest(record);
        const bool right = record.outcome == Outcome::measured || record.outcome == Outcome::raced_out;
        if (right && seconds < lower) ++result.beat;
    }
    if (run.ledger.incumbent()) {
        result.best = run.ledger.incumbent()->variant;
        if (run.ratios_of != result.best) result.naive_ratio = result.default_ratio = {};
        result.seconds = run.ledger.incumbent()->seconds;
        result.bound = run.source().explain(*result.best);
        report.slice = slice_of(*run.tree, run.ledger, *result.best);
        result.edges = edges_of(run, *result.best);
        if (result.best_record.slots.empty()) result.best_record = run.ledger.records().at(*result.best);
    }
    std::vector<PartialVariant> cut;
    for (const Node& node : run.tree->cut()) cut.push_back(node.partial);
    constexpr std::size_t kExcludedShown = 200;
    for (const Variant& variant : sample_below(run.space(), cut, kExcludedShown, run.random)) {
        if (!run.ledger.evaluated(variant))
            result.excluded_sample.push_back({variant, run.source().lower(variant)});
    }
}

}  // namespace

std::string search_stage(RunState& run, double share_of_time, int evaluations) {
    if (run.strategy) {
        const double share = share_of_time < 1.0 ? share_of_time : search_share(run);
        return strategy_stage(run, share, evaluations);
    }
    run.stage = "search";
    // Where the references are slow, they exclude little, and listing the open variants of a large space
    // could take all memory: the variant of the least bound is measured before.
    bool dived = run.space().count(PartialVariant{}) <= Candidates::kListed;
    int reprobed = run.measured_here / kReprobeEvery;
    for (;;) {
        if (run.evaluator.interrupted()) return "interrupted";
        if (run.out_of_time(std::min(share_of_time, share_of_time < 1.0 ? share_of_time : search_share(run))))
            return "budget";
        if (run.options.evaluations > 0 && run.evaluations >= evaluations) return "budget";
        if (grow(run)) continue;
        const double high = run.options.bounds ? run.ledger.high() : std::numeric_limits<double>::infinity();
        run.tree->expand(high, dived ? Candidates::kListed : 1);
        if (!dived && !run.tree->pool(high).empty()) {
            const Variant least = run.tree->pool(high).front().partial;
            run.evaluate(least, run.race("search"));
            dived = true;
            continue;
        }
        if (run.tree->pool(high).empty() && run.tree->exhausted()) return "exhausted";
        if (run.options.bounds && run.ledger.incumbent() &&
            gap_of(run.ledger.high(), lowest_open(run, high)) <= run.options.epsilon) {
            return "epsilon";
        }
        if (take_measured_ahead(run, run.options.evaluations > 0 ? evaluations : 0)) continue;
        const Choice next = choose(run, high);
        if (!next.variant) return "exhausted";
        if (run.patience_left() <= 0 && !next.blind_spots) return "patience";
        EvaluationRequest request = run.race("search");
        request.next = next.next;
        run.evaluate(*next.variant, request);
        if (run.measured_here / kReprobeEvery > reprobed) run.reprobe_binding(kReprobeSeconds);
        reprobed = run.measured_here / kReprobeEvery;
    }
}

Patience usual_patience(std::uint64_t variants) {
    constexpr double kOfSpace = 0.0071, kFewest = 80.0, kMost = 250.0, kAfterLast = 0.4;
    const double least = std::clamp(kOfSpace * static_cast<double>(variants), kFewest, kMost);
    return {.unrewarded = static_cast<int>(kAfterLast * least), .least = static_cast<int>(least)};
}

SearchResult search(const SearchInput& input, Evaluator& evaluator, const SearchOptions& options,
                    TuneObserver* observer) {
    if (input.space->count(PartialVariant{}) == 0) throw std::invalid_argument("the space is empty");
    RunState run(input, evaluator, options, observer);
    run.started = evaluator.now();
    std::vector<std::pair<double, Variant>> timed;
    for (const auto& [variant, record] : input.known) {
        run.ledger.add_known(variant, record);
        run.tree->take(variant);
        const double seconds = typical(record);
        if (std::isfinite(seconds)) timed.emplace_back(seconds, variant);
    }
    teach(run, std::move(timed));
    for (const Experience& e : input.experience) {
        const double log_rank = std::log(std::max(1e-12, run.source().rank(e.variant)));
        run.ranker.observe(e.variant, log_rank, log_rank + e.log_ratio);
    }
    measure_references(run);
    if (options.exhaustive) {
        exhaustive_stage(run);
        run.result.certificate.stopped_by = evaluator.interrupted() ? "interrupted" : "exhausted";
        finish(run);
        return std::move(run.result);
    }

    // Of a budget in evaluations, audit and finals take at most half, so that small ones still search.
    const int audit = options.bounds ? options.audit : 0;
    const int finals = static_cast<int>(kFinalists) + 2;  // and default and naive
    const int again = audit > 0 ? kContest + kSecondFinals : 0;
    const int reserve = std::min(audit + finals + again, options.evaluations / 2);
    std::string stopped = search_stage(run, 1.0, options.evaluations - reserve);
    if (!evaluator.interrupted() && run.ledger.incumbent()) {
        run.stage = "finals";
        run.audit_is_to_come = options.bounds && options.audit > 0;
        finals_stage(run, finals_seconds(options));
        // What the finals saw of the machine may have opened again what was excluded before.
        if (!still_holds(run, stopped) && !evaluator.interrupted()) {
            run.without_improvement = 0;
            const int before = run.evaluations;
            stopped = search_stage(run, 1.0, options.evaluations - reserve);
            run.stage = "finals";
            if (run.evaluations > before && !evaluator.interrupted())
                finals_stage(run, 0.5 * finals_seconds(options));
        }
        run.stage = "audit";
        // Where nothing was excluded, nothing is audited.
        AuditEnd end;
        run.audit_is_to_come = false;
        if (options.bounds && !evaluator.interrupted()) end = audit_stage(run, options.audit);
        if (end.regretted && !evaluator.interrupted()) {
            // The class that the regret came from is open again: go on if anything of the budget is left.
            run.without_improvement = 0;
            if (end.raced_out_regretted) race_again(run);
            run.without_improvement = 0;
            const double until = after_regret(run);
            if (!run.out_of_time(until))
                stopped = search_stage(run, until, options.evaluations - kSecondFinals);
            run.stage = "finals";
            finals_stage(run, second_finals_seconds(run));
        }
    }
    // What the certificate will say is excluded, by the machine as it is now.
    if (!evaluator.interrupted() && run.ledger.incumbent()) {
        run.tree->expand(run.ledger.high(), kClassified);
        constexpr double kLastProbe = 0.03;  // of the budget, which the audit leaves
        run.reprobe_binding(options.seconds > 0.0 ? std::min(kReprobeSeconds, kLastProbe * options.seconds)
                                                  : kReprobeSeconds);
    }
    if (!still_holds(run, stopped))
        stopped = options.seconds > 0.0 || options.evaluations > 0 ? "budget" : "patience";
    if (evaluator.interrupted()) stopped = "interrupted";
    run.result.certificate.stopped_by = stopped;
    finish(run);
    return std::move(run.result);
}

}  // namespace rooftune
