#include "tuner/engine/tune.h"

#include <atomic>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>

#include "kernels/registry.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/prepare_jobs.h"
#include "tuner/engine/worker_program.h"

namespace rooftune {
namespace {

std::atomic_flag tuning;

// Workers, interrupts and SIGCHLD are the whole process's.
class OnlyTune {
public:
    OnlyTune() {
        if (tuning.test_and_set())
            throw InputError(
                "tune() was called while another tune runs in this process; call one after the other");
    }
    ~OnlyTune() { tuning.clear(); }
    OnlyTune(const OnlyTune&) = delete;
    OnlyTune& operator=(const OnlyTune&) = delete;
};

// The program's observer. What it throws may not pass through a tune, which would leave its run open in the
// store: it stops the tune, and is thrown on when that has ended.
class SafeObserver final : public TuneObserver {
public:
    explicit SafeObserver(TuneObserver* to) : to_(to) {}
    void progress(const TuneProgress& progress) override {
        ask([&] { to_->progress(progress); });
    }
    void notice(const std::string& text) override {
        ask([&] { to_->notice(text); });
    }
    bool stop() override {
        if (!stopped_) ask([&] { stopped_ = to_->stop(); });
        return stopped_;
    }
    void ended() override {
        ask([&] { to_->ended(); });
    }
    std::exception_ptr thrown() const { return thrown_; }

private:
    template <class Question>
    void ask(Question question) {
        if (!to_ || thrown_) return;
        try {
            question();
        } catch (...) {
            thrown_ = std::current_exception();
            stopped_ = true;
        }
    }

    TuneObserver* to_;
    bool stopped_ = false;
    std::exception_ptr thrown_;
};

TuneResult tune_one(Job job, const TuneOptions& options, TuneObserver& observer) {
    std::vector<Job> jobs{std::move(job)};
    PreparedJobs prepared =
        prepare_jobs(jobs, options, true, [&](const std::string& text) { observer.notice(text); });
    if (prepared.machine) return tune_job(jobs.front(), options, *prepared.machine, &observer);
    TuneResult stopped;
    stopped.family = jobs.front().family->name();
    stopped.problem = jobs.front().problem;
    stopped.title = jobs.front().loaded->title();
    stopped.certificate.stopped_by = "interrupted";
    return stopped;
}

}  // namespace

std::optional<int> serve_worker(int argc, char** argv) {
    return serve_worker(argc, argv, built_in_families());
}

TuneResult tune(const TuneProblem& problem, const TuneOptions& options, TuneObserver* observer) {
    if (options.worker.empty() && !can_be_worker())
        throw EnvironmentError(
            "tune() was called in a program that cannot be its own worker; call serve_worker(argc, argv) at "
            "the beginning of main(), or name an installed rooftune in TuneOptions::worker");
    const OnlyTune only;
    const Registry registry = built_in_families();
    Job job;
    job.family = &family_named(registry, problem.family);
    job.problem = problem.keys;
    job.budget = problem.budget;
    job.budget_given = true;
    for (const std::string& rule : problem.where) job.constraints.push_back({rule, "where"});
    SafeObserver safe(observer);
    const StopRequest stop([&] { return safe.stop(); });
    try {
        TuneResult result = tune_one(std::move(job), options, safe);
        if (!safe.thrown()) return result;
    } catch (const std::filesystem::filesystem_error& error) {
        throw EnvironmentError(error.what());
    } catch (const std::bad_alloc&) {
        throw EnvironmentError("not enough memory; try a smaller problem or fewer threads");
    }
    std::rethrow_exception(safe.thrown());
}

}  // namespace rooftune
