#include "tuner/engine/tune_within.h"

#include <atomic>
#include <exception>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

#include "kernels/runtime/error.h"
#include "tuner/base/interrupt.h"
#include "tuner/engine/prepare_jobs.h"

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

TuneResult tune_within(Job job, const TuneOptions& options, TuneObserver* observer) {
    const OnlyTune only;
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
