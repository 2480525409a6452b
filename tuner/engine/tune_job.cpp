#include "tuner/engine/tune_job.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "kernels/runtime/memory.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/clock.h"
#include "tuner/base/date.h"
#include "tuner/base/plain_name.h"
#include "tuner/base/si.h"
#include "tuner/ceilings/doubts.h"
#include "tuner/chart/roofline_svg.h"
#include "tuner/choose/closest_variant.h"
#include "tuner/engine/audited_ratios.h"
#include "tuner/engine/config_before.h"
#include "tuner/engine/evaluator_of.h"
#include "tuner/engine/left_out.h"
#include "tuner/engine/recording_evaluator.h"
#include "tuner/engine/result_builder.h"
#include "tuner/engine/roof_notice.h"
#include "tuner/engine/total_budget.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_header.h"
#include "tuner/search/calibration.h"
#include "tuner/store/store.h"

namespace rooftune {
namespace {

constexpr double kFootprintProbeSeconds = 2.0;
constexpr double kJointProbeSeconds = 1.2;
constexpr double kToSaturate = 0.5;  // of the time before, at most
constexpr double kRankingProbeSeconds = 0.3;
// Whoever gives a tune less time than this does not want to wait for its probes as long as for it: they get
// their share.
constexpr double kBudgetOfFullProbes = 20.0;
constexpr double kLeastShareOfProbes = 0.25;
// Of what binds, where another problem of the job has just probed the rest.
constexpr double kBindingProbeSeconds = 0.25;
// Share of a budget that is kept for leaving the problem out.
constexpr double kLeftOutShare = 0.03;
// Of a budget, for what follows a search's time: its last evaluation, the certificate, the answer and its
// files. A tune of a stencil of 64^3 ended up to 0.7 s behind it on two cores.
constexpr double kClosingSeconds = 0.8, kMostToClose = 0.1;
constexpr double kLeftOutSeconds = 10.0;  // where the budget is not one of time
constexpr int kLeftOutEvaluations = 3;

// Tells that a tune is over, however it ends.
class Ending {
public:
    explicit Ending(TuneObserver* to) : to_(to) {}
    ~Ending() {
        if (to_) to_->ended();
    }
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;

private:
    TuneObserver* to_;
};

// What the store knows of this job, the last record of each variant. Records of one slot (audits,
// races) are samples like any other: their variant is not measured again.
std::map<Variant, Record> known_records(Store& store, JobId job, const Space& space,
                                        const std::vector<std::string>& banned_elsewhere) {
    std::map<Variant, Record> known;
    std::string why;
    for (const StoredRecord& stored : store.records(job)) {
        if (stored.record.outcome == Outcome::environment) continue;
        const auto variant = space.from_map(stored.record.variant, why);
        if (!variant) continue;
        // A full interval is not replaced by a later sample.
        const auto old = known.find(*variant);
        if (old != known.end() && old->second.outcome == Outcome::measured &&
            stored.record.outcome == Outcome::raced_out) {
            continue;
        }
        known[*variant] = stored.record;
    }
    const std::vector<std::string> banned = store.quarantined(job);
    std::set<std::string> quarantine(banned.begin(), banned.end());
    quarantine.insert(banned_elsewhere.begin(), banned_elsewhere.end());
    if (!quarantine.empty()) {
        space.each(PartialVariant{}, [&](const Variant& variant) {
            if (quarantine.contains(space.to_text(variant))) {
                Record record;
                record.variant = space.to_map(variant);
                record.outcome = Outcome::crashed;
                record.detail = "quarantined: the whole run died twice while it ran";
                known[variant] = record;
            }
            return true;
        });
    }
    return known;
}

// What a tune uses, said before it begins: a mask or a missing processor must not go unnoticed.
std::string resources_text(const Setting& s) {
    std::string text = s.problem->title() + ": ";
    if (s.target.backend == Backend::opencl) {
        return text + "on OpenCL device " + s.target.device.name + ", " +
               std::to_string(s.target.device.compute_units) + " compute units";
    }
    text += s.cpus.size() == 1 ? "on processor " : "on processors ";
    for (std::size_t i = 0; i < s.cpus.size(); ++i) text += (i ? "," : "") + std::to_string(s.cpus[i]);
    text += s.target.width_bits.empty()
                ? " with scalar code only"
                : " with vectors of up to " + std::to_string(s.target.width_bits.back()) + " bits";
    if (std::getenv("ROOFTUNE_MAX_WIDTH")) text += " (limited by ROOFTUNE_MAX_WIDTH)";
    return text;
}

std::string file_stem(const Setting& s, const JobKey& key) {
    std::string title = s.problem->title();
    const std::string family(s.family->name());
    if (!title.starts_with(family + " ")) title = family + " " + title;  // a product's says it itself
    std::string stem = plain_name(title);
    if (s.state == State::cold) stem += "_cold";
    if (s.target.backend == Backend::opencl) stem += "_opencl";
    return stem + "_" + key.hash().substr(0, 8);
}

void merge_all(Machine& machine, const std::vector<Ceiling>& probed) {
    for (const Ceiling& fresh : probed) {
        if (fresh.max > 0.0) merge(machine, fresh);
    }
}

// Those of the ceilings that would make a roof and are not saturated.
std::vector<Ceiling> unsaturated_of(const Machine& machine, const std::vector<Ceiling>& ceilings) {
    const Roofs roofs(machine);
    std::vector<int> indices = roofs.unsaturated();
    indices.insert(indices.end(), roofs.unsaturated_walks().begin(), roofs.unsaturated_walks().end());
    std::vector<Ceiling> found;
    for (const int index : indices) {
        const Ceiling& c = machine.ceilings[static_cast<std::size_t>(index)];
        const bool wanted = std::any_of(ceilings.begin(), ceilings.end(), [&](const Ceiling& w) {
            return w.resource == c.resource && w.when == c.when;
        });
        if (wanted) found.push_back(c);
    }
    return found;
}

// What this problem's bounds need is probed before its tune: clock and share of a shared cache drift. Of what
// another problem of the same job has probed a moment ago only those that bind are probed again.
// What was probed, and what the job's other problems probed a moment ago.
std::vector<Ceiling> probe_own_ceilings(const Setting& s, Evaluator& evaluator, Machine& machine,
                                        RecentProbes* recent, double share) {
    std::vector<Ceiling> wanted = own_ceilings(s, machine.topology);
    double seconds = share * kFootprintProbeSeconds;
    if (recent) {
        const auto all = static_cast<double>(std::max<std::size_t>(1, wanted.size()));
        wanted = recent->missing(wanted, evaluator.now());
        const Roofs roofs(machine);
        const BoundModel bound(roofs);
        const BoundSource source{s.space.get(), s.model.get(), &bound};
        seconds = std::max(kBindingProbeSeconds, seconds * static_cast<double>(wanted.size()) / all);
        for (const PartialVariant& partial : {PartialVariant{}, s.fallback, s.naive}) {
            const Bound b = source.explain(partial);
            if (b.binding < 0) continue;
            const Ceiling& c =
                machine
                    .ceilings[static_cast<std::size_t>(b.terms[static_cast<std::size_t>(b.binding)].ceiling)];
            const bool there = std::any_of(wanted.begin(), wanted.end(), [&](const Ceiling& w) {
                return w.resource == c.resource && w.when == c.when;
            });
            if (!there) wanted.push_back(c);
        }
    }
    std::vector<Ceiling> probed = evaluator.reprobe(wanted, seconds);
    merge_all(machine, probed);
    // What would make a roof and is not saturated gets more windows: until it is, its roof is a looser one.
    const std::vector<Ceiling> doubtful = unsaturated_of(machine, wanted);
    if (!doubtful.empty()) {
        const std::vector<Ceiling> again = evaluator.reprobe(doubtful, kToSaturate * seconds);
        merge_all(machine, again);
        probed.insert(probed.end(), again.begin(), again.end());
    }
    std::vector<Ceiling> joint = joint_ceilings(s, machine.topology);
    if (recent) joint = recent->missing(joint, evaluator.now());
    if (!joint.empty()) {
        const std::vector<Ceiling> besides = evaluator.reprobe(joint, share * kJointProbeSeconds);
        merge_all(machine, besides);
        probed.insert(probed.end(), besides.begin(), besides.end());
    }
    if (!recent) return probed;
    recent->add(probed, evaluator.now());
    return recent->probes(evaluator.now());
}

// What the user's cuts leave too little of is no guess any more.
void add_guesses(const Setting& s, SearchInput& input) {
    constexpr int kMostChanged = 3;
    for (const auto& values : s.family->first_guesses(*s.problem, s.target)) {
        const auto guess = closest_variant(*s.space, values);
        if (guess && guess->changed <= kMostChanged) input.starts.push_back(guess->variant);
    }
}

}  // namespace

std::string output_folder(const CommonOptions& options) {
    return options.out.empty() ? (std::filesystem::path(results_folder(options)) / "tuned").string()
                               : std::filesystem::absolute(options.out).string();
}

void write_result_files(TuneResult& result, const Machine& machine, const std::string& folder,
                        const std::string& stem) {
    namespace fs = std::filesystem;
    make_folder(folder);
    result.plot_file = (fs::path(folder) / (stem + ".svg")).string();
    std::error_code ignored;
    const bool all_failed =
        result.certificate.failed > 0 && result.certificate.measured + result.certificate.raced_out == 0;
    if (result.best.empty() && !all_failed && fs::exists(fs::path(folder) / (stem + ".json"), ignored)) {
        result.plot_file.clear();  // an earlier run has a winner, and drew it
        return;
    }
    if (!result.best.empty()) {
        result.config_file = (fs::path(folder) / (stem + ".json")).string();
        result.header_file = (fs::path(folder) / (stem + ".h")).string();
        const TunedConfig config = tuned_config_of(result, compiler_name(), kernels_build());
        write_tuned_config(result.config_file, config);
        write_atomically(result.header_file, tuned_header(config, stem));
    }
    write_atomically(result.plot_file, roofline_svg({result}, machine));
}

TuneResult tune_job(const Job& job, const TuneOptions& options, MachineModel& machine, TuneObserver* observer,
                    Companions* companions) {
    const Ending ending(observer);
    const double entered = monotonic_seconds();
    Setting s = make_setting(job, options.common, options.only, machine.machine);
    const Machine view = machine_of(machine.machine, s.target.device.id);
    const std::string results = results_folder(options.common);
    const std::string out = output_folder(options.common);
    make_folder(results);
    make_folder(out);
    check_writable(out);  // a full disk is found before the time is spent
    Store store((std::filesystem::path(results) / "rooftune.db").string());
    const std::uint64_t variants = s.offer.of(*s.space).count(PartialVariant{});
    if (observer) {
        for (const std::string& text : store.notices()) observer->notice(text);
        observer->notice(resources_text(s));
        if (!s.references_left_out.empty()) observer->notice(s.references_left_out);
    }

    const JobKey key = key_of(s, machine.machine);
    const JobId id = store.job(key);
    if (options.fresh) store.supersede(id);
    const RunId run = store.start_run(id);

    const SharedProblem shared(s);
    const std::unique_ptr<Evaluator> measuring = evaluator_of(s, job, options, shared);
    RecordingEvaluator evaluator(*measuring, store, id, run, *s.space);
    if (companions) companions->stem = file_stem(s, key);
    if (companions && companions->tap) evaluator.told_to(*companions->tap, key);

    SearchInput input;
    if (job.family->compile_seconds() > 0.0) {
        const int processors = static_cast<int>(s.cpus.size());
        evaluator.build_by([&s, &job, processors](const std::vector<Variant>& next) {
            job.family->build_ahead(*s.problem, *s.space, next, processors);
        });
        input.look_ahead = processors - 1;
        // A program is built where it runs, and a device's compiler may have to begin again.
        input.builds_are_kept =
            s.target.backend == Backend::cpu && job.family->rebuild_seconds(*s.problem) <= 0.0;
    }
    input.space = s.space.get();
    input.offer = s.offer;
    input.model = s.model.get();
    input.machine = view;
    input.naive = s.naive;
    input.fallback = s.fallback;
    input.known =
        known_records(store, id, *s.space, companions ? companions->banned : std::vector<std::string>{});
    input.set_aside_factor = set_aside_factor(audited_ratios(store, key));
    if (machine.measured) {
        // Clock and share of a shared cache drift: what this problem needs is probed before its tune.
        const double share = job.budget.seconds > 0.0 ? std::clamp(job.budget.seconds / kBudgetOfFullProbes,
                                                                   kLeastShareOfProbes, 1.0)
                                                      : 1.0;
        input.fresh =
            probe_own_ceilings(s, evaluator, input.machine, companions ? companions->probes : nullptr, share);
        const std::vector<Ceiling> ranking = ranking_ceilings(s, view, utc_now());
        if (!ranking.empty())
            merge_all(input.machine, evaluator.reprobe(ranking, share * kRankingProbeSeconds));
    }
    if (observer) {
        const std::string text =
            roof_notice(input.machine, s.target, s.problem->dtype(), s.model->work(PartialVariant{}),
                        s.model->traits(PartialVariant{}).narrowest_bits);
        if (!text.empty()) observer->notice(text);
    }
    const double taught = companions ? teach(companions->neighbours, input) : 0.0;
    // Other strategies begin where they would, and an exhaustive run needs no guess.
    if (!options.exhaustive && options.strategy == kByBounds) add_guesses(s, input);
    if (companions) {
        for (const auto& values : companions->starts) {
            if (const auto start = closest_variant(*s.space, values)) input.starts.push_back(start->variant);
        }
    }
    // What a config has on this machine is replaced by what is faster beside it, and by nothing else.
    const auto before = config_before((std::filesystem::path(out) / (file_stem(s, key) + ".json")).string(),
                                      s.problem->digest(), key.machine_id);
    const auto kept = before ? winner_before(*before, *s.space) : std::nullopt;
    if (kept) {
        // Measured again, whatever the store has of other minutes.
        input.known.erase(*kept);
        input.starts.insert(input.starts.begin(), *kept);
        input.kept = kept;
    }
    SearchOptions search_options;
    search_options.epsilon = options.epsilon;
    search_options.patience = options.patience;
    if (options.patience == 0 && companions && !companions->neighbours.empty())
        search_options.patience = taught_patience(variants);
    search_options.seconds = job.budget.seconds;
    search_options.evaluations = job.budget.evaluations;
    search_options.bounds_only = job.budget.bounds_only && !options.exhaustive;
    search_options.audit = options.audit;
    search_options.finals_seconds = options.finals_seconds;
    search_options.seed = options.common.seed;
    search_options.bounds = !options.no_bounds;
    search_options.exhaustive = options.exhaustive;
    if (options.strategy != kByBounds) search_options.strategy = find_strategy(options.strategy);
    search_options.reprobe = machine.measured;
    if (options.exhaustive) search_options.seconds = search_options.evaluations = 0;

    const double start = evaluator.now();
    const double setup =
        job.loading_seconds + std::max(0.0, monotonic_seconds() - entered - evaluator.waited());
    const double before_search = std::min(setup, kMostOfBudgetBefore * search_options.seconds);
    search_options.seconds -= before_search;
    const double closing = std::min(kClosingSeconds, kMostToClose * search_options.seconds);
    search_options.seconds -= closing;

    const bool leaves_out = companions && !companions->neighbours.empty();
    const bool affordable =
        search_options.evaluations == 0 || search_options.evaluations >= 8 * kLeftOutEvaluations;
    if (leaves_out) {
        search_options.seconds *= 1.0 - kLeftOutShare;
        if (search_options.evaluations > 0 && affordable) search_options.evaluations -= kLeftOutEvaluations;
    }
    std::optional<AssistedEvaluator> assisted;
    // A kernel that is built here is not there on other nodes.
    if (companions && companions->helpers && companions->most_helpers > 0 &&
        job.family->compile_seconds() <= 0.0) {
        if (companions->on_space) companions->on_space(*s.space);
        assisted.emplace(evaluator, *companions->helpers);
        input.look_ahead =
            kAskedAtOnce * companions->most_helpers + 1;  // as many as they may have, and its own
    }
    const SearchResult found =
        search(input, assisted ? static_cast<Evaluator&>(*assisted) : evaluator, search_options, observer);
    assisted.reset();
    remember(machine, found.machine);
    const Space offered = found.offer.of(*s.space);
    TuneResult result =
        build_result({s.family, s.problem.get(), &offered, s.model.get(), s.state, s.target.threads,
                      s.target.backend, s.target.device.name, s.naive, s.fallback},
                     found);
    result.strategy = options.exhaustive ? "exhaustive" : options.strategy;
    result.no_bounds = options.no_bounds;
    result.resumed = static_cast<int>(input.known.size());
    if (companions && found.best) {
        companions->warm_start = warm_start_of(found, input, taught);
        const double left = !affordable ? 0.0
                            : job.budget.seconds > 0.0
                                ? job.budget.seconds - before_search - closing - (evaluator.now() - start)
                                : kLeftOutSeconds;
        if (leaves_out && !evaluator.interrupted())
            companions->left_out = measure_left_out(evaluator, *s.space, *found.best, found.seconds.median,
                                                    companions->neighbours.front()->best, left);
    }
    result.elapsed_seconds = evaluator.now() - start;
    result.budget_seconds = options.exhaustive ? 0.0 : job.budget.seconds;
    result.setup_seconds = setup;
    result.waited_seconds = evaluator.waited();
    if (companions && companions->before) {
        // One tune of one job: what its first part measured came from no earlier run.
        result.elapsed_seconds += companions->before->elapsed_seconds;
        result.budget_seconds = companions->before->budget_seconds;
        result.finals_seconds += companions->before->finals_seconds;
        result.setup_seconds += companions->before->setup_seconds;
        result.waited_seconds += companions->before->waited_seconds;
        result.resumed = companions->before->resumed;
    }
    Machine behind = found.machine;
    std::erase_if(behind.ceilings, [&](const Ceiling& c) {
        return c.resource == Resource::compute && c.when.dtype != s.problem->dtype();
    });
    result.model_doubts = probe_doubts(behind);
    const bool stopped = result.certificate.stopped_by == "interrupted";
    const auto again =
        std::find_if(found.observations.begin(), found.observations.end(), [&](const Observation& o) {
            return kept && o.variant == *kept && o.record.outcome != Outcome::environment;
        });
    // A set names the configs of its own run, but for one that was cut short.
    const bool undecided = kept && !companions && is_undecided(*before, result);
    const bool judged =
        !undecided && (!kept || again != found.observations.end() || (companions && !stopped));
    if (observer && before) {
        const std::string text =
            !kept       ? "the tuned config had a winner that is not among the variants of this run"
            : undecided ? "the tuned config stays: beside the new winner its own took " +
                              format_ratio_interval(result.runner_up_ratio.median, result.runner_up_ratio.low,
                                                    result.runner_up_ratio.high) +
                              " of the time, which decides nothing"
            : again != found.observations.end() ? what_became_of(*before, result, again->record)
            : judged ? std::string("the tuned config's winner was not measured in this run")
                     : "the tuned config stays: its winner was not measured in this run";
        if (!text.empty()) observer->notice(s.problem->title() + ": " + text);
    }
    // Without finals a winner may be any variant: better than none, but not than one that has been judged.
    const bool writes = judged && !(companions && companions->before && stopped);
    result.config_before =
        fate_of(before, writes && !result.best.empty(), companions ? companions->before : nullptr);
    if (writes) write_result_files(result, machine.machine, out, file_stem(s, key));
    store.finish_run(run, json_text(to_json(result)));
    if (!options.trace.empty()) {
        std::string text;
        for (const std::string& line : found.trace) text += line + "\n";
        write_atomically(options.trace, text);
    }
    return result;
}

}  // namespace rooftune
