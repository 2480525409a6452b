#include "tuner/external/bench.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iterator>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/error.h"
#include "tuner/base/si.h"
#include "tuner/external/answers.h"
#include "tuner/external/arrays.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/left_running.h"
#include "tuner/external/reference_run.h"
#include "tuner/external/variant_build.h"

namespace rooftune::external {
namespace {

CpuMask mask_of(const std::vector<int>& cpus, std::size_t first, std::size_t count) {
    const auto at = [&](std::size_t place) {
        return cpus.begin() + static_cast<std::ptrdiff_t>(std::min(cpus.size(), place));
    };
    return CpuMask({at(first), at(first + count)});
}

// Where the calling thread may run; threads that it makes inherit it.
void run_on(const std::vector<int>& cpus, int threads) {
    mask_of(cpus, 0, static_cast<std::size_t>(threads)).give_to();
}

// Whether the user has told the OpenMP runtime that waiting threads are to spin for as long as they wait.
bool spins_as_told() {
    for (const char* name : {"GOMP_SPINCOUNT", "KMP_BLOCKTIME"}) {
        if (std::getenv(name)) return true;
    }
    const char* const policy = std::getenv("OMP_WAIT_POLICY");
    const char* const library = std::getenv("KMP_LIBRARY");
    return (policy && (*policy == 'a' || *policy == 'A')) ||
           (library && (*library == 't' || *library == 'T'));
}

// "it leaves 2 threads running when its call is over"
std::string leaves(int threads) {
    return "leaves " + format_plural(threads, "thread") +
           " running when its call is over, which take processors from whatever is measured next; join them "
           "before it returns, or let them sleep";
}

// What a kernel may write into a file, as its standard error is one: beyond it the system ends the process,
// and no memory is lost to a loop that prints.
void limit_what_is_printed() {
    constexpr rlim_t kMost = rlim_t{256} << 20;
    rlimit limit{};
    if (getrlimit(RLIMIT_FSIZE, &limit) != 0 || limit.rlim_cur < kMost) return;
    limit.rlim_cur = kMost;
    setrlimit(RLIMIT_FSIZE, &limit);
}

class ExternalBench;

class ExternalPrepared final : public Prepared {
public:
    ExternalPrepared(ExternalBench& bench, std::shared_ptr<Loaded> loaded, std::vector<double> numbers,
                     int threads, std::vector<std::pair<std::string, std::string>> environment,
                     std::vector<pid_t> before)
        : bench_(bench),
          loaded_(std::move(loaded)),
          numbers_(std::move(numbers)),
          threads_(threads),
          environment_(std::move(environment)),
          before_(std::move(before)),
          paused_at_(tasks()) {}
    ~ExternalPrepared() override;

    void run() override;
    void reset(std::uint64_t seed) override;
    std::vector<double> output() const override;
    bool guards_intact() const override;
    void come_to_rest() override;
    void flush() override;

    /// Environment, processors and OpenMP as this variant has them.
    void take_over();
    /// Another one is about to run.
    void pause() { paused_at_ = tasks(); }

private:
    void settle();
    void call(int thread) const;

    ExternalBench& bench_;
    std::shared_ptr<Loaded> loaded_;
    std::vector<double> numbers_;
    int threads_;
    std::vector<std::pair<std::string, std::string>> environment_;
    std::vector<pid_t> before_;     ///< threads that are not its own
    std::vector<pid_t> paused_at_;  ///< all threads when its turn was last over
    bool settled_ = false;          ///< its threads are where they are to stay
};

class ExternalBench final : public Bench {
public:
    ExternalBench(const Instance& instance, const Space& space, const Target& target)
        : instance_(instance), space_(space), target_(target) {}

    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        begin(team);
        const int threads = threads_of(instance_, space_, variant, target_.threads);
        team.check_has(threads);
        // Compilers, and the OpenMP runtime, which looks where it may run when it is loaded, have all.
        run_on(team.cpus(), team.size());
        if (active_) active_->pause();
        active_ = nullptr;
        load_reference();
        std::vector<pid_t> before = tasks();
        const std::shared_ptr<Loaded> loaded = load(compilation_of(instance_, space_, variant));
        std::vector<std::pair<std::string, std::string>> environment;
        for (const DeclaredParameter& p : instance_.declaration.parameters) {
            if (p.kind != ParameterKind::environment) continue;
            const std::string* value = value_of(instance_.declaration, p, space_, variant);
            environment.emplace_back(p.name.text, value ? *value : "");
        }
        return std::make_unique<ExternalPrepared>(*this, loaded, numbers_of(instance_, space_, variant),
                                                  threads, std::move(environment), std::move(before));
    }

    const Oracle& oracle(std::uint64_t seed) override {
        return oracles_.at(seed, [&] { return make_oracle(seed); });
    }
    void oracle_ahead(std::uint64_t seed) override {
        oracles_.at(seed, [&] {
            arrays_->reset(seed, *team_);  // whose inputs are the reference's
            return make_oracle(seed);
        });
    }

    std::optional<Worst> compare(const Prepared&, std::uint64_t seed, Team& team) override {
        return worst_of(instance_, *arrays_, oracle(seed), team);
    }

    // Threads that a kernel or its runtime made stay when its call is over, where the call before let them: a
    // variant of one thread would have as many processors as the one before it. All but those of the team,
    // which are pinned, go where the caller may. Of OpenMP each gets a processor of its own once its threads
    // are there, as a program's would with OMP_PROC_BIND: the runtime may have been loaded before anybody
    // could say so.
    void move_threads(int threads, bool each_apart) {
        std::size_t place = 1;
        for (const pid_t task : tasks()) {
            if (std::binary_search(own_tasks_.begin(), own_tasks_.end(), task)) continue;
            const bool apart = each_apart && place < static_cast<std::size_t>(threads);
            const CpuMask mask = apart ? mask_of(team_->cpus(), place, 1)
                                       : mask_of(team_->cpus(), 0, static_cast<std::size_t>(threads));
            mask.give_to(task);
            ++place;
        }
    }

    /// Throws VariantError where threads that came after `before` stay at work.
    void check_at_rest(const std::shared_ptr<Loaded>& code, const std::vector<pid_t>& before) {
        if (const int running = left_running(code, before); running > 0)
            throw VariantError(VariantError::Kind::fault, "it " + leaves(running));
    }

    bool runs_on_team() const override { return by_thread_; }
    bool is_spoiled() const override { return spoiled_; }

    Arrays& arrays() { return *arrays_; }
    Team& team() { return *team_; }
    bool by_thread() const { return by_thread_; }
    ExternalPrepared* active() const { return active_; }
    void set_active(ExternalPrepared* prepared) { active_ = prepared; }

    std::vector<double> output() const { return output_of(instance_, *arrays_); }

private:
    static std::size_t team_size(const Team& team) { return static_cast<std::size_t>(team.size()); }

    // Where there are some, the process has to be replaced, and until then their code must stay where it is.
    int left_running(const std::shared_ptr<Loaded>& code, const std::vector<pid_t>& before) {
        if (code->has_openmp() && spins_as_told()) return 0;
        const int running = threads_left_running(before);
        if (running == 0) return 0;
        static std::vector<std::shared_ptr<Loaded>>& at_work = *new std::vector<std::shared_ptr<Loaded>>;
        at_work.push_back(code);
        spoiled_ = true;
        return running;
    }

    // What needs the team, which comes with the first variant.
    void begin(Team& team) {
        team_ = &team;
        if (arrays_) return;
        std::vector<pid_t> own(team_size(team));
        team.run(team.size(), [&](int t) { own[static_cast<std::size_t>(t)] = gettid(); });
        std::sort(own.begin(), own.end());
        own_tasks_ = std::move(own);
        limit_what_is_printed();
        by_thread_ = calls_by_thread(instance_.declaration);
        arrays_ = std::make_unique<Arrays>(instance_, team);
    }

    [[noreturn]] void accuse(const std::string& what) const { accuse_reference(instance_.declaration, what); }

    // An object that was cut short where it is kept (a disk that was full, a machine that stopped) is made
    // again.
    static std::shared_ptr<Loaded> load(const Compilation& what) {
        const std::string object = compiled(what);
        try {
            return std::make_shared<Loaded>(object);
        } catch (const VariantError&) {
            std::error_code ignored;
            std::filesystem::remove(object, ignored);
            return std::make_shared<Loaded>(compiled(what));
        }
    }

    // While a compiler may take its time, before anything runs that may hang.
    void load_reference() {
        if (reference_ || answers_are_given(instance_)) return;
        const Variant first = first_variant(instance_, space_);
        try {
            reference_ = load(reference_compilation(instance_, space_, first));
        } catch (const VariantError& error) {
            accuse(std::string("the reference cannot be compiled: ") + error.what());
        }
        reference_numbers_ = numbers_of(instance_, space_, first);
    }

    // The reference runs on arrays of its own, but for those that nobody writes.
    Oracle make_oracle(std::uint64_t seed) {
        if (!answers_) answers_ = std::make_unique<Arrays>(instance_, *team_, arrays_.get());
        answers_->reset(seed, *team_);
        run_on(team_->cpus(), 1);
        if (active_) active_->pause();
        active_ = nullptr;
        if (answers_are_given(instance_)) {
            read_answers(instance_, *answers_);
            return oracle_of(instance_, *answers_, [&](const std::string& what) { accuse(what); });
        }
        reference_->use_threads(1);
        const std::vector<pid_t> before = tasks();
        run_reference(*this, instance_.declaration, [&] {
            try {
                reference_->entry()(answers_->pointers(), reference_numbers_.data(), 0, 1);
            } catch (const std::exception& error) {
                accuse(std::string("the reference throws an exception: ") + error.what());
            } catch (...) {
                accuse("the reference throws what is no std::exception");
            }
        });
        if (const int running = left_running(reference_, before); running > 0)
            accuse("the reference " + leaves(running));
        const bool inputs_intact = arrays_->intact(*team_);
        if (!answers_->intact(*team_) || !inputs_intact)
            accuse(
                "the reference writes outside of its arrays, or into one that is only read (`in`); mend it, "
                "or "
                "declare as `inout` what it writes");
        return oracle_of(instance_, *answers_, [&](const std::string& what) { accuse(what); });
    }

    const Instance& instance_;
    const Space& space_;
    Target target_;
    Team* team_ = nullptr;  ///< of the last prepared variant
    bool by_thread_ = false;
    std::vector<pid_t> own_tasks_;     ///< the team's
    std::unique_ptr<Arrays> arrays_;   ///< of all variants, one after the other
    std::unique_ptr<Arrays> answers_;  ///< of the reference
    std::shared_ptr<Loaded> reference_;
    std::vector<double> reference_numbers_;
    KeptOracles oracles_;
    bool spoiled_ = false;
    ExternalPrepared* active_ = nullptr;  ///< whose environment and processors this process has
};

ExternalPrepared::~ExternalPrepared() {
    if (bench_.active() == this) bench_.set_active(nullptr);
}

void ExternalPrepared::take_over() {
    if (bench_.active() == this) return;
    if (bench_.active()) bench_.active()->pause();
    // What has come since then is another's: a companion's team, say, which spins as the user told it to.
    std::vector<pid_t> of_others;
    const std::vector<pid_t> now = tasks();
    std::set_difference(now.begin(), now.end(), paused_at_.begin(), paused_at_.end(),
                        std::back_inserter(of_others));
    before_.insert(before_.end(), of_others.begin(), of_others.end());
    std::sort(before_.begin(), before_.end());
    for (const auto& [name, value] : environment_) setenv(name.c_str(), value.c_str(), 1);
    const int threads = bench_.by_thread() ? 1 : threads_;
    run_on(bench_.team().cpus(), threads);
    bench_.move_threads(threads, false);
    loaded_->use_threads(threads_);
    settled_ = false;
    bench_.set_active(this);
}

// Each thread of OpenMP on a processor, once they are there.
void ExternalPrepared::settle() {
    settled_ = true;
    if (threads_ == 1 || bench_.by_thread() || !loaded_->has_openmp()) return;
    bench_.move_threads(threads_, true);
    run_on(bench_.team().cpus(), 1);
}

// What a kernel throws is its own fault, and must be caught while its code is there.
void ExternalPrepared::call(int thread) const {
    try {
        loaded_->entry()(bench_.arrays().pointers(), numbers_.data(), thread, threads_);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw VariantError(VariantError::Kind::fault, std::string("it threw: ") + error.what());
    } catch (...) {
        throw VariantError(VariantError::Kind::fault, "it threw what is no std::exception");
    }
}

void ExternalPrepared::run() {
    take_over();
    if (bench_.by_thread()) return bench_.team().run(threads_, [&](int t) { call(t); });
    call(0);
    if (!settled_) settle();
}

void ExternalPrepared::reset(std::uint64_t seed) {
    bench_.arrays().reset(seed, bench_.team());
}

std::vector<double> ExternalPrepared::output() const {
    return bench_.output();
}

bool ExternalPrepared::guards_intact() const {
    return bench_.arrays().intact(bench_.team());
}

void ExternalPrepared::come_to_rest() {
    bench_.check_at_rest(loaded_, before_);
}

void ExternalPrepared::flush() {
    bench_.arrays().flush();
}

}  // namespace

std::unique_ptr<Bench> make_bench(const Instance& instance, const Space& space, const Target& target) {
    return std::make_unique<ExternalBench>(instance, space, target);
}

}  // namespace rooftune::external
