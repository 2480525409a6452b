#include "tuner/engine/tune_set.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <new>
#include <optional>

#include "kernels/runtime/error.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/look_back.h"
#include "tuner/engine/warm_start.h"
#include "tuner/formats/tuned_set_header.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

class SetRun {
public:
    SetRun(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
           MachineModel& machine, const SetObserver& observer)
        : options_(options),
          machine_(machine),
          observer_(observer),
          plan_(list, sketches, options.audit, options.patience, observer.notice),
          file_(set_file(list, options)),
          results_(list.jobs.size()),
          warm_starts_(list.jobs.size()) {}

    SetOutcome run() {
        while (!interrupted()) {
            const std::optional<SetTask> task = plan_.next();
            if (!task) break;
            if (task->kind == SetTask::Kind::tune) {
                tune(*task);
            } else {
                const std::size_t place = task->place;
                plan_.done(*task, look_back(*task, options_, machine_.machine, winner_of(*results_[place]),
                                            warm_starts_[place].tried));
            }
            write();
        }
        if (interrupted()) plan_.stop();
        write();
        SetOutcome outcome;
        outcome.set = set();
        outcome.file = file_.string();
        for (std::optional<TuneResult>& result : results_) {
            if (result) outcome.results.push_back(std::move(*result));
        }
        outcome.all_work = outcome.set.untuned.empty();
        if (outcome.results.empty() && environment_) throw EnvironmentError(*environment_);
        return outcome;
    }

private:
    void tune(const SetTask& task) {
        Companions companions;
        companions.probes = &probes_;
        companions.before = task.goes_on ? &*results_[task.place] : nullptr;
        for (const std::size_t place : task.near) companions.neighbours.push_back(&warm_starts_[place]);
        const TuneOptions options = options_of(task, options_);
        std::optional<TuneResult> result;
        SetTaskEnd end;
        try {
            result = tune_job(task.job, options, machine_, observer_.tune, &companions);
        } catch (const InputError& error) {
            end.why = error.what();
        } catch (const EnvironmentError& error) {
            end.why = error.what();
            environment_ = error.what();
        } catch (const std::bad_alloc&) {
            end.why = kNoMemory;
        }
        end.result = result ? &*result : nullptr;
        end.before = companions.before;
        end.left_out = companions.left_out;
        if (result && is_told(task, *result) && observer_.result) observer_.result(*result);
        if (!plan_.done(task, end)) return;
        results_[task.place] = std::move(result);
        warm_starts_[task.place] = std::move(companions.warm_start);
    }

    TunedSet set() const {
        TunedSet set = plan_.set();
        set.machine_id = machine_.machine.id;
        set.machine_name = machine_.machine.name;
        return set;
    }

    void write() {
        const bool failed = std::any_of(results_.begin(), results_.end(),
                                        [](const auto& r) { return r && r->certificate.failed > 0; });
        write_set(file_, set(), failed);
    }

    const TuneOptions& options_;
    MachineModel& machine_;
    const SetObserver& observer_;
    SetPlan plan_;
    RecentProbes probes_;
    fs::path file_;
    std::vector<std::optional<TuneResult>> results_;
    std::vector<WarmStart> warm_starts_;
    std::optional<std::string> environment_;
};

}  // namespace

TuneOptions options_of(const SetTask& task, TuneOptions options) {
    options.audit = task.audit;
    options.patience = task.patience;
    if (task.finals_seconds > 0.0) options.finals_seconds = task.finals_seconds;
    if (task.goes_on) options.fresh = false;
    return options;
}

bool is_told(const SetTask& task, const TuneResult& result) {
    return !task.goes_on || result.certificate.stopped_by != "interrupted";
}

fs::path set_file(const JobList& list, const TuneOptions& options) {
    return fs::path(output_folder(options.common)) / (list.name + ".json");
}

void write_set(const fs::path& file, TunedSet set, bool anything_failed) {
    set.created = utc_now();
    // A run that measured nothing leaves what an earlier one found.
    std::error_code ignored;
    if (set.groups.empty() && !anything_failed && fs::exists(file, ignored)) return;
    write_tuned_set(file.string(), set);
    write_atomically(fs::path(file).replace_extension(".h").string(),
                     tuned_set_header(set, file.stem().string()));
}

ProblemSketch sketch_of(const Job& job, const Problem& problem, const CommonOptions& options) {
    ProblemSketch sketch;
    for (const auto& [name, value] : problem.features()) {
        sketch.names.push_back(name);
        sketch.features.push_back(std::isfinite(value) ? value : 0.0);
    }
    sketch.digest = problem.digest();
    const std::string state = job.state.empty() ? options.state : job.state;
    for (const std::string& part : {std::string(job.family->name()), std::string(to_text(problem.dtype())),
                                    std::string(to_text(backend_of(job, options))), state})
        sketch.group += part + "\n";
    for (const std::string& name : sketch.names) sketch.group += name + "\n";
    return sketch;
}

SetOutcome tune_set(const JobList& list, const std::vector<ProblemSketch>& sketches,
                    const TuneOptions& options, MachineModel& machine, const SetObserver& observer) {
    make_folder(output_folder(options.common));
    return SetRun(list, sketches, options, machine, observer).run();
}

}  // namespace rooftune
