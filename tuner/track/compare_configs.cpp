#include "tuner/track/compare_configs.h"

#include <algorithm>
#include <cmath>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/chart/phrases.h"
#include "tuner/engine/binding_ceiling.h"
#include "tuner/engine/tune_job.h"
#include "tuner/measure/noise_history.h"
#include "tuner/measure/order_interval.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/threshold.h"
#include "tuner/store/machine_lock.h"
#include "tuner/track/compare_arms.h"

namespace rooftune {
namespace {

using track::Comparison;
using track::ConfigPair;

Variant variant_of(const ConfigFile& file, const Space& space) {
    std::string why;
    const auto variant = space.from_map(file.config.result.best, why);
    if (!variant) throw InputError(file.path + ": its variant does not exist here: " + why);
    return *variant;
}

Comparison described(const ConfigPair& pair) {
    const TuneResult& base = pair.base.config.result;
    const TuneResult& candidate = pair.candidate.config.result;
    Comparison c;
    c.kernel = base.title;
    c.setting = track::name_of(base).setting;
    c.base = pair.base.path;
    c.candidate = pair.candidate.path;
    c.base_variant = variant_phrase(base.family, base.best);
    c.candidate_variant = variant_phrase(candidate.family, candidate.best);
    return c;
}

// What a config says of when it was tuned. Bounds of another machine's file were asked for, then as now: that
// says nothing of where it ran.
track::RunEnvironment environment_of(const TunedConfig& config, const Machine& bounds,
                                     const std::string& here) {
    track::RunEnvironment e;
    e.machine = config.result.machine_id == bounds.id ? here : config.result.machine_id;
    e.compiler = config.compiler;
    e.build = config.kernels_build;
    return e;
}

// The threads that both may use, unless the user says how many.
CommonFlags options_for(const ConfigPair& pair, CommonFlags common) {
    if (common.threads == 0 && common.cpus.empty())
        common.threads = std::max(pair.base.config.result.threads, pair.candidate.config.result.threads);
    if (pair.base.config.result.backend == "opencl") {
        common.threads = 0;  // compute units are the device's
        if (common.device.empty()) common.device = pair.base.config.result.device;
        chosen_device(common, chosen_cpus(common));
    }
    return common;
}

}  // namespace

double delta_for(const CommonOptions& common, const CompareRules& rules, const std::string& machine) {
    if (rules.delta) return *rules.delta;
    const std::string path = track::noise_file(results_folder(common), machine);
    return track::delta_of_history(track::read_noise(path, machine).differences());
}

void remember_noise(const CommonOptions& common, const std::string& machine, const Comparison& comparison,
                    const Notice& notice) {
    const track::Judgement& j = comparison.judgement;
    if (j.rounds < track::kLooks.front().rounds || !std::isfinite(j.again)) return;
    const auto forgotten = [&](const std::exception& error) {
        notice(std::string("the noise of this comparison is not remembered: ") + error.what());
    };
    try {
        track::add_noise(track::noise_file(results_folder(common), machine), machine,
                         {utc_now(), comparison.kernel, j.again});
    } catch (const EnvironmentError& error) {
        forgotten(error);
    } catch (const InputError& error) {
        // A file that cannot be read: with --delta nobody has asked for it before.
        forgotten(error);
    }
}

std::optional<Comparison> compare_configs(const ConfigPair& pair, const CommonFlags& given,
                                          const CompareRules& rules, const std::string& here,
                                          const Registry& registry, MeasuringScreen& screen) {
    const TuneResult& tuned = pair.base.config.result;
    const TuneResult& other = pair.candidate.config.result;
    const Notice notice = screen.notices();
    const CommonFlags common = options_for(pair, given);
    const Job job = job_of(tuned, registry);
    const MachineModel machine = machine_model(common, chosen_cpus(common), notice);
    if (interrupted()) return std::nullopt;
    const Setting s = make_setting(job, common, {}, machine.machine);
    if (s.problem->digest() != tuned.digest) {
        throw InputError(pair.base.path + ": the problem " + s.problem->title() +
                         " is not the one that was tuned (its content changed); tune it again");
    }
    const Variant base = variant_of(pair.base, *s.space);
    const Variant candidate = variant_of(pair.candidate, *s.space);
    for (const auto* file : {&pair.base, &pair.candidate}) {
        if (!applies_to(file->config, machine.machine.id))
            notice(file->path + " was tuned on another machine (" + file->config.result.machine_name + ")");
    }
    const Machine view = machine_of(machine.machine, s.target.device.id);
    Comparison result = described(pair);
    const bool recorded = !pair.base_environment.machine.empty();
    result.environment = track::environment_difference(
        recorded ? pair.base_environment : environment_of(pair.base.config, machine.machine, here),
        environment_of(pair.candidate.config, machine.machine, here), track::environment_now(here));
    result.environment->base_recorded = recorded;
    const double delta = delta_for(common, rules, here);
    if (std::max(tuned.seconds.median, other.seconds.median) > rules.limit) {
        result.judgement = track::invalid("one repetition took longer than --limit when it was tuned", delta);
        return result;
    }
    const SharedProblem shared(s);
    const MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    screen.measures();
    VariantArms arms(worker_setup(s, job), shared.descriptor(), s.space->to_map(base),
                     s.space->to_map(candidate), watched_ceilings(s, view, base, demoted_terms(tuned)),
                     rules.limit, common, screen);
    if (arms.has_control()) result.control = describe(arms.watched().front());
    const track::Compared compared = track::compare(arms, {common.seed, delta});
    if (compared.interrupted && compared.times.base.empty()) return std::nullopt;
    result.judgement = compared.judgement;
    result.dropped = compared.dropped;
    result.base_seconds = median(compared.times.base);
    result.candidate_seconds = median(compared.times.candidate);
    if (compared.times.base.empty()) return result;
    result.samples = {result.kernel + result.setting,
                      {{"A", result.base_variant, compared.times.base},
                       {"B", result.candidate_variant, compared.times.candidate},
                       {"A", "once more", compared.times.again}},
                      false};
    remember_noise(common, here, result, notice);
    const track::Roof roof = roof_beside(s, view, arms.watched(), arms.rates(), tuned, machine.machine.id);
    result.room = track::head_room(roof, result.base_seconds, result.candidate_seconds);
    result.judgement =
        track::plausible(result.judgement, roof, result.base_seconds, result.candidate_seconds);
    return result;
}

}  // namespace rooftune
