#include "tuner/verify/verify_config.h"

#include <algorithm>
#include <utility>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/interrupt.h"
#include "tuner/chart/phrases.h"
#include "tuner/engine/tune_job.h"
#include "tuner/verify/static_checks.h"
#include "tuner/verify/verify_measure.h"

namespace rooftune {
namespace {

using verify::Check;
using verify::Claim;
using verify::Environment;
using verify::Verified;

bool all_ok(const std::vector<Check>& checks) {
    return std::all_of(checks.begin(), checks.end(),
                       [](const Check& c) { return c.status == verify::Status::ok; });
}

// As it was tuned, unless the user says how many threads.
CommonFlags options_for(const Claim& claim, CommonFlags common) {
    if (claim.tuned.backend == "opencl") {
        common.threads = 0;  // compute units are the device's
        if (common.device.empty()) common.device = claim.tuned.device;
    } else if (common.threads == 0) {
        common.threads = claim.tuned.threads;
    }
    return common;
}

Job job_of(const Claim& claim, const Registry& registry) {
    Job job;
    job.family = registry.find(claim.tuned.family);
    job.problem = claim.tuned.problem;
    job.state = claim.tuned.state;
    job.backend = claim.tuned.backend;
    return job;
}

Environment machine_facts(const Claim& claim, const CommonFlags& common, const Machine& machine) {
    Environment here;
    here.machine_id = machine.id;
    here.widths = usable_widths();
    here.processors = static_cast<int>(chosen_cpus(common).size());
    here.compiler = compiler_name();
    here.kernels_build = kernels_build();
    if (claim.tuned.backend != "opencl") return here;
    try {
        const CommonFlags of_claim = options_for(claim, common);
        chosen_device(of_claim, chosen_cpus(of_claim));
    } catch (const InputError& error) {
        here.no_device = error.what();
    } catch (const EnvironmentError& error) {
        here.no_device = error.what();
    }
    return here;
}

// Loads the problem and derives its space, as far as that goes. What stands in the way is in `here`.
std::optional<Setting> setting_of(const Claim& claim, Job& job, const CommonOptions& common,
                                  const Machine& machine, const Registry& registry, Environment& here) {
    const TuneResult& tuned = claim.tuned;
    if (!job.family) {
        try {
            family_named(registry, tuned.family);
        } catch (const InputError& error) {
            here.no_family = error.what();
        }
        return std::nullopt;
    }
    try {
        job.loaded = job.family->problem(job.problem);
    } catch (const InputError& error) {
        here.no_problem = error.what();
        return std::nullopt;
    }
    here.digest = job.loaded->digest();
    std::optional<Setting> s;
    try {
        s = make_setting(job, common, {}, machine);
    } catch (const InputError& error) {
        here.no_variant = error.what();
        return std::nullopt;
    }
    here.space_version = s->space->version();
    // Of another problem or another space it would be another variant.
    if (*here.space_version != tuned.space_version || *here.digest != tuned.digest) return s;
    std::string why;
    here.no_variant = s->space->from_map(tuned.best, why) ? "" : why;
    return s;
}

}  // namespace

std::optional<Verified> verify_config(const Claim& claim, const CommonFlags& given, const VerifyRules& rules,
                                      const Machine& machine, const Registry& registry,
                                      MeasuringScreen& screen) {
    const Notice notice = screen.notices();
    Environment here = machine_facts(claim, given, machine);
    const std::string variant = variant_phrase(claim.tuned.family, claim.tuned.best);
    const auto conclude = [&](std::optional<verify::Measured> measured) {
        std::vector<Check> checks = static_checks(claim, here);
        const std::vector<Check> more =
            measured ? measured_checks(claim, *measured) : verify::unmeasured_checks();
        checks.insert(checks.end(), more.begin(), more.end());
        return verify::verified(claim, variant, std::move(checks), std::move(measured));
    };
    // On another machine nothing is loaded, which may take long, for an answer that is known.
    if (!all_ok(key_checks(claim, here))) return conclude(std::nullopt);
    const CommonFlags common = options_for(claim, given);
    Job job = job_of(claim, registry);
    std::optional<Setting> s = setting_of(claim, job, common, machine, registry, here);
    if (rules.quick || !may_measure(static_checks(claim, here))) return conclude(std::nullopt);
    if (interrupted()) return std::nullopt;
    const std::vector<int> cpus = chosen_cpus(common);
    MachineModel model = machine_model(common, cpus, notice);
    if (claim.tuned.backend == "opencl") know_device(model, cpus, chosen_device(common, cpus), notice);
    if (interrupted()) return std::nullopt;
    std::optional<verify::Measured> measured = measure_claim(claim, *s, job, model, common, rules, screen);
    if (!measured) return std::nullopt;
    return conclude(std::move(measured));
}

}  // namespace rooftune
