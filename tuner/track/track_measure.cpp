#include "tuner/track/track_measure.h"
#include "tuner/engine/worker_program.h"

#include <fmt/format.h>

#include <filesystem>

#include "kernels/runtime/error.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/binding_ceiling.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/worker_evaluator.h"
#include "tuner/store/machine_lock.h"

namespace rooftune {
namespace {

using track::Entry;

// What a process is dealt (pages, addresses) is noise between processes.
constexpr int kProcesses = 3;
constexpr int kRounds = 40;  // of each, at most
constexpr double kProbeSeconds = 0.2;

CommonOptions entry_options(const TuneResult& tuned, CommonOptions common) {
    if (common.threads == 0 && common.cpus.empty()) common.threads = tuned.threads;
    if (tuned.backend == "opencl") {
        common.threads = 0;  // compute units are the device's
        if (common.device.empty()) common.device = tuned.device;
        chosen_device(common, chosen_cpus(common));
    }
    return common;
}

Entry described_entry(const ConfigFile& file, const Setting& s, const std::string& here) {
    const TuneResult& tuned = file.config.result;
    Entry e;
    e.at = utc_now();
    e.machine = here;
    e.family = tuned.family;
    e.title = s.problem->title();
    e.digest = tuned.digest;
    e.dtype = tuned.dtype;
    e.backend = tuned.backend;
    e.state = tuned.state;
    e.threads = s.target.threads;
    e.config = std::filesystem::absolute(file.path).lexically_normal().string();
    e.environment = track::environment_now(here);
    e.build = e.environment.build;
    e.flops = s.problem->flops_nominal();
    return e;
}

// Slots of the variant in fresh processes, and what the ceilings gave in each after it; the record of a
// failure, if one failed.
struct Measured {
    std::vector<Slot> slots;
    std::vector<std::vector<double>> rates;
    int processes = 0;
    std::optional<Record> failure;
};

Measured take(WorkerEvaluator& evaluator, const Variant& variant, const std::vector<Ceiling>& watched,
              double seconds, MeasuringScreen& screen) {
    Measured m;
    m.rates.resize(watched.size());
    // First alone, in full: how a variant fails is known only where it is the one that was asked about.
    screen.stage("its answer");
    const Record trial = evaluator.evaluate(variant, {.role = "track"});
    if (is_failure(trial.outcome)) {
        m.failure = trial;
        return m;
    }
    for (int i = 0; i < kProcesses && !interrupted(); ++i) {
        screen.stage(fmt::format("process {} of {}", i + 1, kProcesses));
        const Record record = evaluator.rotate({variant}, kRounds, seconds / kProcesses, "track").front();
        if (is_failure(record.outcome)) {
            m.failure = record;
            if (record.outcome != Outcome::environment || interrupted()) break;
            const Record again = evaluator.evaluate(variant, {.role = "track"});
            if (is_failure(again.outcome)) m.failure = again;
            break;
        }
        m.slots.insert(m.slots.end(), record.slots.begin(), record.slots.end());
        ++m.processes;
        const std::vector<Ceiling> fresh = evaluator.reprobe(watched, kProbeSeconds);
        for (std::size_t c = 0; c < fresh.size() && c < watched.size(); ++c) {
            if (fresh[c].max > 0.0) m.rates[c].push_back(fresh[c].max);
        }
    }
    return m;
}

}  // namespace

std::optional<Entry> measure_entry(const ConfigFile& file, const CommonOptions& given, double seconds,
                                   const std::string& here, const Registry& registry,
                                   MeasuringScreen& screen) {
    const Notice notice = screen.notices();
    const TuneResult& tuned = file.config.result;
    const CommonOptions common = entry_options(tuned, given);
    const Job job = job_of(tuned, registry);
    const MachineModel machine = machine_model(common, chosen_cpus(common), notice);
    if (interrupted()) return std::nullopt;
    const Setting s = make_setting(job, common, {}, machine.machine);
    if (s.problem->digest() != tuned.digest) {
        throw InputError(file.path + ": the problem " + s.problem->title() +
                         " is not the one that was tuned (its content changed); tune it again");
    }
    std::string why;
    const auto variant = s.space->from_map(tuned.best, why);
    if (!variant) throw InputError(file.path + ": its variant does not exist here: " + why);
    if (!applies_to(file.config, machine.machine.id))
        notice(file.path + " was tuned on another machine (" + tuned.machine_name + ")");
    Entry e = described_entry(file, s, here);
    e.machine_name = machine.machine.name;
    e.variant = s.space->to_map(*variant);
    const Machine view = machine_of(machine.machine, s.target.device.id);
    const Demoted demoted = demoted_terms(tuned);
    const std::vector<Ceiling> watched = watched_ceilings(s, view, *variant, demoted);
    const SharedProblem shared(s);
    WorkerEvaluator evaluator(*s.space, kThisProgram, worker_setup(s, job), shared.descriptor(), common.seed);
    const MachineLock lock([] { return !interrupted(); });
    if (!lock.held()) return std::nullopt;
    screen.measures();
    const Measured m = take(evaluator, *variant, watched, seconds, screen);
    if (interrupted()) return std::nullopt;
    const RoofBeside roof = roof_beside(s, view, watched, m.rates, demoted);
    e.processes = m.processes;
    e.problem_roof_seconds = roof.seconds;
    e.roof_now_seconds = roof.now;
    if (m.failure) {
        if (m.failure->outcome == Outcome::environment)
            throw EnvironmentError(e.title + " cannot be measured: " + m.failure->detail);
        e.outcome = to_text(m.failure->outcome);
        e.detail = m.failure->detail;
        return e;
    }
    e.seconds = interval_of(m.slots);
    e.roof_now_seconds = roof_now_for(roof, e.seconds.median);
    if (e.roof_now_seconds < roof.now)
        notice(e.title +
               ": the kernel was faster than the ceilings probed beside it allow, so something disturbed the "
               "probes; its fraction is of the highest rates ever");
    if (track::is_implausible(e)) {
        e.outcome = "invalid";
        e.detail =
            "it was faster than the bound says is possible, which no kernel can be: the bound is under "
            "suspicion, "
            "tune the problem again";
    }
    return e;
}

}  // namespace rooftune
