// `rooftune track bisect GOOD BAD --program P -- BUILD`: which commit made it slower? Builds in working trees
// of its own, and interleaved rounds of each build against GOOD's.
#include <memory>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tuner/base/command_words.h"
#include "tuner/base/execute.h"
#include "tuner/base/interrupt.h"
#include "tuner/base/standard_error.h"
#include "tuner/base/standard_output.h"
#include "tuner/ceilings/probe_machine.h"
#include "tuner/command/common_flags.h"
#include "tuner/command/notices.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/bisect_report.h"
#include "tuner/track/compare_programs.h"
#include "tuner/track/track_bisect_text.h"
#include "tuner/track/track_commands.h"

namespace rooftune {
namespace {

using track::Answer;
using track::BisectEnd;
using track::BisectReport;
using track::BisectStep;
using track::Judgement;
using track::Verdict;

struct BisectArguments {
    CommonFlags common;
    std::string good, bad, repository = ".", program, control = "compute";
    bool reads_time = false, clean = false;
    CompareRules rules;
    double delta = 0.0;  ///< 0: by the machine's history
    double build_limit = 3600.0;
    std::vector<std::string> build;
};

constexpr const char* kBaseTree = "good";
constexpr const char* kTriedTree = "tried";

track::Commit commit_named(const track::Git& git, const std::string& revision, const char* role) {
    const auto hash = git.resolve(revision);
    if (!hash)
        throw InputError(std::string(role) + " '" + revision +
                         "': the repository has no such commit; give a hash, a branch or a tag");
    return git.commit(*hash);
}

class Bisector {
public:
    Bisector(const BisectArguments& arguments, const track::Git& git)
        : a_(arguments), git_(&git), trees_(git) {
        report_.machine = new_machine().id;
        report_.program = a_.program;
        // One threshold for all, although each comparison adds to the noise that it follows.
        a_.rules.delta = delta_for(a_.common, a_.rules, report_.machine);
        report_.good = commit_named(git, a_.good, "GOOD");
        report_.bad = commit_named(git, a_.bad, "BAD");
        if (report_.good.hash == report_.bad.hash)
            throw InputError("GOOD and BAD are the same commit, " + report_.good.hash.substr(0, 12) +
                             "; give a commit from before the loss as GOOD and one that has it as BAD");
        if (!git.is_ancestor(report_.good.hash, report_.bad.hash))
            throw InputError(
                "GOOD is no ancestor of BAD, so that no commit between them can be to blame; give the "
                "older one first");
        hashes_ = git.between(report_.good.hash, report_.bad.hash);
        if (hashes_.empty()) throw EnvironmentError("git lists no commit between GOOD and BAD");
        report_.commits = static_cast<int>(hashes_.size());
    }

    BisectReport run() {
        bool ended = false;
        try {
            ended = start() && search() && conclude();
        } catch (const std::exception&) {
            // Ctrl-C ends git and builds halfway, which is no fault of theirs.
            if (!interrupted()) throw;
        }
        if (!ended && interrupted()) report_.end = BisectEnd::interrupted;
        return report_;
    }

private:
    void tell(const std::string& text) const { notices(a_.common.quiet)(text); }

    // Why the tree cannot be built; empty when it was.
    std::string built(const std::string& tree) const {
        const Execution run =
            execute(a_.build, a_.build_limit, {.folder = tree, .limit_flag = "--build-limit"});
        if (run.end == Execution::End::exited && run.status == 0) return "";
        return run.detail.empty() ? "the build did not end" : run.detail;
    }

    // Rounds of the trees' programs; a comparison that decides nothing is made once more.
    std::optional<Judgement> compared(const std::string& base, const std::string& candidate) {
        ProgramSet programs;
        for (const std::string& folder : {base, candidate})
            programs.arms.push_back({.text = a_.program, .flag = "--program", .folder = folder});
        programs.reads_time = a_.reads_time;
        programs.control = track::control_from(a_.control);
        CommonFlags common = a_.common;
        std::optional<Judgement> judgement;
        for (int attempt = 0; attempt < 2; ++attempt) {
            screen_.next(a_.program);
            const auto c = compare_programs(programs, common, a_.rules, report_.machine, screen_);
            screen_.clear();
            if (!c) return std::nullopt;
            judgement = c->comparisons.front().judgement;
            // One that failed before any round was judged will fail again.
            if (track::answer_of(judgement->verdict) != Answer::skip || judgement->rounds == 0) break;
            common.seed += 7919;
        }
        return judgement;
    }

    // GOOD and BAD: what the search stands on.
    bool start() {
        tell(bisect_plan(report_));
        base_ = trees_.at(kBaseTree, report_.good.hash, a_.clean);
        if (interrupted()) return false;
        const std::string why = built(base_);
        if (interrupted()) return false;
        if (!why.empty()) throw InputError("GOOD " + report_.good.hash + " cannot be built: " + why);
        const BisectStep step = ask(report_.commits - 1);
        if (interrupted()) return false;
        if (!step.judgement) throw InputError("BAD " + report_.bad.hash + " cannot be compared: " + step.why);
        report_.whole = *step.judgement;
        const auto end = track::end_before(report_.whole.verdict);
        if (end) report_.end = *end;
        return !end;
    }

    BisectStep ask(int number) {
        BisectStep step;
        step.commit = git_->commit(hashes_[static_cast<std::size_t>(number)]);
        const std::string tree = trees_.at(kTriedTree, step.commit.hash, a_.clean);
        if (interrupted()) return step;
        if (const std::string why = built(tree); !why.empty()) {
            step.why = "it cannot be built: " + why;
        } else {
            try {
                step.judgement = compared(base_, tree);
            } catch (const InputError& error) {
                // The program of this commit is not there, or prints no time.
                step.why = error.what();
            }
        }
        if (interrupted()) return step;
        if (step.judgement) {
            step.answer = track::answer_of(step.judgement->verdict);
            if (step.answer == Answer::skip) step.why = step.judgement->reason;
        }
        report_.steps.push_back(step);
        tell(bisect_step_text(step));
        return step;
    }

    bool search() {
        track::Bisection bisection(report_.commits);
        while (const auto next = bisection.next()) {
            keep_candidates(bisection);
            tell(bisect_progress(bisection.left(), bisection.steps_left()));
            const BisectStep step = ask(*next);
            if (interrupted()) return false;
            bisection.tell(*next, step.answer);
        }
        keep_candidates(bisection);
        for (track::Commit& commit : report_.candidates) commit = git_->commit(commit.hash);
        good_ = bisection.good();
        return true;
    }

    // By their hashes alone: git is asked about them once the search is over.
    void keep_candidates(const track::Bisection& bisection) {
        report_.candidates.clear();
        for (const int number : bisection.candidates())
            report_.candidates.push_back({hashes_[static_cast<std::size_t>(number)], "", "", ""});
    }

    // The culprit against its own parent: neighbours differ by one commit, and rounds that decide a search
    // are many enough for one to err.
    bool conclude() {
        if (report_.candidates.size() > 1) {
            report_.end = BisectEnd::range;
            return true;
        }
        if (good_ < 0) {
            report_.own = judgement_of(report_.candidates.front().hash);
        } else {
            tell("compares the commit with its parent");
            const std::string parent =
                trees_.at(kBaseTree, hashes_[static_cast<std::size_t>(good_)], a_.clean);
            const std::string tree = trees_.at(kTriedTree, report_.candidates.front().hash, a_.clean);
            const bool both =
                !interrupted() && built(parent).empty() && !interrupted() && built(tree).empty();
            if (both && !interrupted()) report_.own = compared(parent, tree);
            if (interrupted()) return false;
        }
        const bool confirmed = report_.own && report_.own->verdict == Verdict::regressed;
        report_.end = confirmed ? BisectEnd::found : BisectEnd::unconfirmed;
        return true;
    }

    std::optional<Judgement> judgement_of(const std::string& hash) const {
        for (const BisectStep& step : report_.steps) {
            if (step.commit.hash == hash) return step.judgement;
        }
        return std::nullopt;
    }

    BisectArguments a_;
    const track::Git* git_;
    track::Worktrees trees_;
    MeasuringScreen screen_{"comparing", "pair", 1, a_.common.quiet};
    BisectReport report_;
    std::vector<std::string> hashes_;
    std::string base_;
    int good_ = -1;
};

int bisect(BisectArguments a) {
    command_words(a.program, "--program");
    if (a.delta > 0.0) a.rules.delta = a.delta;
    const track::Git git(a.repository);
    if (!git.there())
        throw InputError(
            "--repo " + a.repository +
            ": is no checkout of a git repository, or git is not installed; name one with --repo");
    const BisectReport report = Bisector(a, git).run();
    if (a.common.json) {
        print(json_text(to_json(report)));
    } else {
        print_page(bisect_text(report));
    }
    return exit_status(report);
}

}  // namespace

void add_track_bisect(Command& track) {
    auto a = std::make_shared<BisectArguments>();
    Command app = track.command(
        "bisect",
        "Which commit made a program slower? Builds the commits between, compares each with GOOD's");
    app.footer(
        "Example:\n"
        "  rooftune track bisect v1.0 HEAD --program 'build/bench --n 9' -- make -C build bench\n"
        "BUILD runs, without a shell, in temporary working trees of the repository; its checkout is not "
        "touched. "
        "The\n"
        "program runs there as well. A commit that cannot be built, or whose comparison decides nothing, is "
        "skipped.\n"
        "Exit status: 0 found; 1 BAD is not slower here, or there is no single commit; 2 bad input; 3 cannot "
        "be told.");
    add_program_flags(app, a->common);
    app.option("good", a->good,
               "A commit that is fast enough, on BAD's line of first parents: hash, branch or tag")
        .required();
    app.option("bad", a->bad, "A later one that is slower").required();
    app.option("build", a->build, "Behind --: the command that builds a working tree, with its arguments")
        .required();
    app.option("--program", a->program,
               "The program with its arguments, as seen from a working tree; quotes keep blanks, no shell "
               "reads it")
        .required();
    app.flag(
        "--reads-time", a->reads_time,
        "The program's time is the last number that it prints, in any unit (default: it is timed whole)");
    app.option("--repo", a->repository, "Folder in the checkout").shows_default();
    app.flag("--clean", a->clean,
             "Build each commit from nothing (default: upon what the one before left behind)");
    app.option("--build-limit", a->build_limit, "Seconds that a build may take").positive().shows_default();
    app.option("--limit", a->rules.limit, "Seconds that one run of the program may take")
        .positive()
        .shows_default();
    add_delta(app, a->delta);
    app.option("--control", a->control,
               "What is watched beside the programs: the clock (compute), the memory, or nothing")
        .one_of({"compute", "memory", "none"})
        .shows_default();
    app.runs([a] { return bisect(*a); });
}

}  // namespace rooftune
