#include "tuner/external/program_bench.h"

#include <fmt/format.h>
#include <signal.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "kernels/runtime/cpu_mask.h"
#include "kernels/runtime/error.h"
#include "tuner/base/adopted.h"
#include "tuner/base/execute.h"
#include "tuner/base/text_file.h"
#include "tuner/base/text_width.h"
#include "tuner/external/answer_mark.h"
#include "tuner/external/answers.h"
#include "tuner/external/compare_texts.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/program_builds.h"
#include "tuner/external/program_template.h"
#include "tuner/external/program_time.h"

namespace rooftune::external {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCompared = std::size_t{64} << 20;
constexpr double kUsualTolerance = 1e-6;
// Whoever asked for the run ends it, with this process: a limit of its own would be a second one.
constexpr double kNoLimit = 1e9;

std::string shown(const Instance& instance, const DeclaredNumber& n) {
    const double value = instance.numbers.at(n.name.text);
    return n.whole ? fmt::format("{:.0f}", value) : fmt::format("{}", value);
}

// The calling thread, and what it starts meanwhile, on the first processors of a team.
class OnProcessors {
public:
    OnProcessors(const std::vector<int>& cpus, int count) : before_(CpuMask::of_thread()) {
        const auto some = std::min(static_cast<std::ptrdiff_t>(cpus.size()), std::ptrdiff_t{count});
        CpuMask({cpus.begin(), cpus.begin() + some}).give_to();
    }
    ~OnProcessors() { before_.give_to(); }
    OnProcessors(const OnProcessors&) = delete;
    OnProcessors& operator=(const OnProcessors&) = delete;

private:
    CpuMask before_;
};

[[noreturn]] void accuse(const Execution& run, const std::string& program) {
    using End = Execution::End;
    const std::string printed = "; it printed: " + end_of_output(run.output);
    const std::string what = run.detail + (run.output.empty() ? "" : printed);
    switch (run.end) {
        case End::not_started:
            throw EnvironmentError(program + ": " + run.detail);
        case End::interrupted:
        case End::lost:
            throw EnvironmentError(run.detail);
        case End::signalled:
            throw VariantError(run.signal == SIGILL    ? VariantError::Kind::illegal
                               : run.signal == SIGKILL ? VariantError::Kind::memory
                                                       : VariantError::Kind::fault,
                               run.signal == SIGKILL
                                   ? "killed by the system, most likely for want of memory" + printed
                                   : what);
        case End::exited:
            throw VariantError(VariantError::Kind::wrong, what);
        case End::hung:
        case End::flooded:
            break;
    }
    throw VariantError(VariantError::Kind::fault, what);
}

class ProgramBench;

class PreparedProgram final : public Prepared {
public:
    PreparedProgram(ProgramBench& bench, ProgramCall call, int threads)
        : bench_(bench), call_(std::move(call)), threads_(threads) {}

    void run() override;
    // An answer that an earlier run left is none of this variant's.
    void reset(std::uint64_t) override;
    std::vector<double> output() const override { return {}; }
    bool guards_intact() const override { return true; }
    void flush() override {}
    std::optional<double> device_seconds() const override { return seconds_; }

    const ProgramCall& call() const { return call_; }

private:
    ProgramBench& bench_;
    ProgramCall call_;
    int threads_;
    double seconds_ = 0.0;  ///< of the last run, as `time` declares
};

class ProgramBench final : public Bench {
public:
    ProgramBench(const Instance& instance, const Space& space, const Target& target)
        : instance_(instance),
          space_(space),
          target_(target),
          builds_(instance.folder, instance.build_state) {
        const Declaration& d = instance.declaration;
        if (d.time) time_ = TimeSource(d, *d.time);
        tolerance_ = d.tolerance ? stated_tolerance(instance_) : kUsualTolerance;
        // What it had as children before is not to be ended with what programs leave running.
        sweeps_ = !has_children();
        if (sweeps_) adopt_what_is_left();
    }

    bool runs_on_team() const override { return false; }
    std::unique_ptr<Prepared> prepare(const Variant& variant, Team& team) override {
        team_ = &team;
        return prepared(variant);
    }

    // All seeds have one answer: a program is given none.
    const Oracle& oracle(std::uint64_t) override { return none_; }

    std::optional<Worst> compare(const Prepared& prepared, std::uint64_t, Team&) override {
        if (!is_compared()) return Worst{};
        const auto& program = dynamic_cast<const PreparedProgram&>(prepared);
        const std::string file = program.call().verify;
        const std::optional<std::string> found = answer_in(file);
        if (!found)
            throw VariantError(VariantError::Kind::wrong, "it wrote no file " + file + " to be compared");
        // Only where something is compared: the first variant may be a slow one.
        if (!expected_) expected_ = answer_of_first(program.call(), *found);
        const TextComparison compared = compare_texts(*expected_, *found, tolerance_);
        if (compared.error > 1.0)
            throw VariantError(VariantError::Kind::wrong, file + ", " + compared.described);
        Worst worst;
        worst.error = compared.error;
        return worst;
    }

    /// Makes the build of a variant the current one. Takes as long as a build where another one was.
    void build(const ProgramCall& call) const {
        if (call.build.empty()) return;
        const OnProcessors on(team_->cpus(), team_->size());
        builds_.use(call.build, call.programs);
    }

    /// One run, in seconds as `time` declares. Throws VariantError where it fails by itself.
    double run(const ProgramCall& call, int threads) {
        Execution run;
        {
            const OnProcessors on(team_->cpus(), threads);
            run = execute(call.command, kNoLimit,
                          {.folder = instance_.folder,
                           .variables = call.environment,
                           .own_group = false,
                           .watches = false});
        }
        if (sweeps_ && has_children()) end_all_children();
        if (!call.build.empty() && !builds_.is_current(call.build, call.programs))
            throw EnvironmentError("what was built in " + instance_.folder +
                                   " was changed by somebody else while it ran; leave it alone while it is "
                                   "measured, or tune in a folder of its own");
        if (run.end != Execution::End::exited || run.status != 0) accuse(run, call.command.front());
        if (time_.kind() == TimeSource::Kind::wall) return run.seconds;
        const PrintedTime printed = time_.printed_in(run.output);
        check_printed(printed, run.seconds);
        return printed.seconds;
    }

    /// An answer of an earlier run is none of this one's.
    void mark_answer(const std::string& file) {
        if (!file.empty()) mark_.mark((fs::path(instance_.folder) / file).string(), kMostCompared);
    }

private:
    bool is_compared() const {
        const std::optional<Text>& verify = instance_.declaration.verify;
        return verify && verify->text != kByExitStatus;
    }

    std::unique_ptr<PreparedProgram> prepared(const Variant& variant) {
        const int threads = threads_of(instance_, space_, variant, target_.threads);
        team_->check_has(threads);
        auto program = std::make_unique<PreparedProgram>(
            *this, program_call(instance_, space_, variant, threads), threads);
        build(program->call());
        return program;
    }

    std::optional<std::string> answer_in(const std::string& file) const {
        const fs::path path = fs::path(instance_.folder) / file;
        std::error_code error;
        if (!mark_.is_written(path.string())) return std::nullopt;
        if (fs::file_size(path, error) > kMostCompared || error)
            throw VariantError(
                VariantError::Kind::wrong,
                fmt::format("{} has more than {} MB, too many to be compared", file, kMostCompared >> 20));
        return read_text_file(path.string(), kMostCompared);
    }

    // What the first variant writes is taken for right. `found`: what `call` wrote.
    std::string answer_of_first(const ProgramCall& call, const std::string& found) {
        const Declaration& d = instance_.declaration;
        const std::string place = place_of(d.file, *d.verify) + " ";
        try {
            const Variant variant = first_variant(instance_, space_);
            const int threads = threads_of(instance_, space_, variant, target_.threads);
            const ProgramCall of_first = program_call(instance_, space_, variant, threads);
            const bool is_first = of_first.command == call.command && of_first.build == call.build &&
                                  of_first.environment == call.environment;
            const std::optional<std::string> answer = is_first ? found : answer_of(variant);
            if (!answer)
                throw EnvironmentError(place +
                                       "the first variant, with which others are compared, writes no "
                                       "file " +
                                       of_first.verify + " in " + instance_.folder);
            const std::string unfit = unfit_to_compare_with(*answer);
            if (!unfit.empty())
                throw EnvironmentError(place + "what the first variant leaves in " + of_first.verify +
                                       " is nothing to compare with: " + unfit);
            return *answer;
        } catch (const VariantError& error) {
            throw EnvironmentError(
                place + "the first variant, with which others are compared, fails: " + error.what());
        }
    }

    std::optional<std::string> answer_of(const Variant& variant) {
        const auto program = prepared(variant);
        program->reset(0);
        program->run();
        return answer_in(program->call().verify);
    }

    const Instance& instance_;
    const Space& space_;
    Target target_;
    ProgramBuilds builds_;
    TimeSource time_;
    double tolerance_ = kUsualTolerance;
    bool sweeps_ = false;   ///< what programs leave running
    Team* team_ = nullptr;  ///< of the last prepared variant
    AnswerMark mark_;
    std::optional<std::string> expected_;
    Oracle none_;
};

void PreparedProgram::run() {
    bench_.build(call_);
    seconds_ = bench_.run(call_, threads_);
}

void PreparedProgram::reset(std::uint64_t) {
    bench_.mark_answer(call_.verify);
}

}  // namespace

ProgramCall program_call(const Instance& instance, const Space& space, const Variant& variant, int threads) {
    const Declaration& d = instance.declaration;
    std::map<std::string, std::string> values;
    for (const DeclaredNumber& n : d.numbers) values[n.name.text] = shown(instance, n);
    ProgramCall call;
    for (const DeclaredParameter& p : d.parameters) {
        const std::string* value = value_of(d, p, space, variant);
        if (p.kind == ParameterKind::environment)
            call.environment.emplace_back(p.name.text, value ? *value : "");
        if (!value) continue;
        // A number of threads may have been written as `all`.
        values[p.name.text] = p.kind == ParameterKind::threads ? std::to_string(threads) : *value;
    }
    if (d.threads || d.thread_parameter())
        call.environment.emplace_back("OMP_NUM_THREADS", std::to_string(threads));
    const ValueOf value_of_name = [&](const std::string& name) -> const std::string* {
        const auto found = values.find(name);
        return found == values.end() ? nullptr : &found->second;
    };
    const std::vector<CommandTemplate::Filled> command =
        CommandTemplate(d, *d.command, "command").filled(value_of_name);
    for (const CommandTemplate::Filled& word : command) call.command.push_back(word.text);
    if (call.command.empty())
        throw VariantError(VariantError::Kind::fault, "its command has no words but those of an empty value");
    if (d.verify && d.verify->text != kByExitStatus) {
        const std::vector<std::string> words = CommandTemplate(d, *d.verify, "verify").words(value_of_name);
        if (!words.empty()) call.verify = words.front();
    }
    if (d.build) {
        const CommandTemplate build(d, *d.build, "build");
        call.build = build.words(value_of_name);
        for (const CommandTemplate::Filled& word : command) {
            // An answer is written by runs.
            if (word.text == call.verify) continue;
            const bool has_all = std::includes(word.names.begin(), word.names.end(), build.names().begin(),
                                               build.names().end());
            call.programs.push_back({word.text, !has_all});
        }
    }
    return call;
}

std::unique_ptr<Bench> make_program_bench(const Instance& instance, const Space& space,
                                          const Target& target) {
    return std::make_unique<ProgramBench>(instance, space, target);
}

}  // namespace rooftune::external
