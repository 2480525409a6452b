#include "tuner/engine/tune_set.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <memory>
#include <new>
#include <optional>
#include <set>

#include "kernels/runtime/error.h"
#include "kernels/runtime/kernels_build.h"
#include "tuner/base/atomic_file.h"
#include "tuner/base/date.h"
#include "tuner/base/interrupt.h"
#include "tuner/chart/phrases.h"
#include "tuner/choose/rule.h"
#include "tuner/engine/late_problem.h"
#include "tuner/engine/total_budget.h"
#include "tuner/engine/trial.h"
#include "tuner/engine/warm_start.h"
#include "tuner/formats/tuned_set_header.h"

namespace rooftune {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNeighbours = 4;
// What the finals of a problem that was taught take: less than the forty rounds of a problem of its own, more
// than the eight that an interval needs. The finals are then half of what a taught problem costs.
constexpr double kTaughtFinals = 1.0;  // seconds
// Whose winners a problem tries once all are tuned.
constexpr std::size_t kExchanged = 8;
// Evaluations without improvement after which a search that goes on from another's winner ends: what is near
// the old winner it knows.
constexpr int kPatienceAgain = 20;
// The audit of a group is shared by its problems, but a certificate with less is none.
constexpr int kLeastAudit = 3;

int shared_audit(int audit, std::size_t problems) {
    const int n = static_cast<int>(problems);
    return std::min(audit, std::max(kLeastAudit, (audit + n - 1) / n));
}

TunedProblem tuned_problem(const TuneResult& r, const FeatureVector& features) {
    TunedProblem p;
    p.problem = r.problem;
    p.title = r.title;
    p.digest = r.digest;
    p.features = features;
    p.best = r.best;
    p.fallback = r.fallback;
    p.seconds = r.seconds;
    p.stopped_by = r.certificate.stopped_by;
    p.gap = r.certificate.gap;
    p.audited = r.certificate.audit.measured;
    p.violations = r.certificate.audit.violations;
    p.regrets = r.certificate.audit.regrets;
    p.config = fs::path(r.config_file).filename().string();
    return p;
}

class SetRun {
public:
    SetRun(const JobList& list, const std::vector<ProblemSketch>& sketches, const TuneOptions& options,
           MachineModel& machine, const SetObserver& observer)
        : list_(list),
          sketches_(sketches),
          options_(options),
          machine_(machine),
          observer_(observer),
          total_(list.total_budget, list.jobs.size()),
          results_(list.jobs.size()) {
        const fs::path folder = output_folder(options.common);
        outcome_.file = (folder / (list.name + ".json")).string();
        header_ = (folder / (list.name + ".h")).string();
        TunedSet& set = outcome_.set;
        set.machine_id = machine.machine.id;
        set.machine_name = machine.machine.name;
        set.compiler = compiler_name();
        set.kernels_build = kernels_build();
    }

    SetOutcome run() {
        for (const std::vector<std::size_t>& places : groups()) {
            if (interrupted()) break;
            tune_group(places);
        }
        outcome_.set.complete = !interrupted();
        write();
        for (std::optional<TuneResult>& result : results_) {
            if (result) outcome_.results.push_back(std::move(*result));
        }
        outcome_.all_work = outcome_.set.untuned.empty();
        if (outcome_.results.empty() && environment_) throw EnvironmentError(*environment_);
        return std::move(outcome_);
    }

private:
    // What of a tuned problem is not in the file.
    struct Sibling {
        std::size_t place;  ///< in the job
        WarmStart warm_start;
        double seconds_left;                       ///< of its budget
        std::map<std::string, std::string> tried;  ///< the neighbour's winner that it was left out with
        double loading = 0.0;                      ///< seconds that it took to be loaded once more
    };

    std::unique_ptr<LateProblem> late_problem(Sibling& sibling) {
        auto late = std::make_unique<LateProblem>(list_.jobs[sibling.place], options_, machine_.machine,
                                                  sibling.seconds_left, [this, &sibling](double seconds) {
                                                      total_.spend(seconds);
                                                      sibling.seconds_left -= seconds;
                                                  });
        sibling.loading = late->loading_seconds();
        return late;
    }

    // Places in the job, by group, in the order in which the groups come first.
    std::vector<std::vector<std::size_t>> groups() const {
        std::vector<std::string> names;
        std::vector<std::vector<std::size_t>> groups;
        for (std::size_t i = 0; i < sketches_.size(); ++i) {
            const auto at = std::find(names.begin(), names.end(), sketches_[i].group);
            if (at == names.end()) {
                names.push_back(sketches_[i].group);
                groups.push_back({i});
            } else {
                groups[static_cast<std::size_t>(at - names.begin())].push_back(i);
            }
        }
        return groups;
    }

    void tune_group(const std::vector<std::size_t>& places) {
        std::vector<FeatureVector> features;
        for (const std::size_t place : places) features.push_back(sketches_[place].features);
        TunedGroup group;
        group.features = sketches_[places.front()].names;
        group.scales = scales_of(features);
        outcome_.set.groups.push_back(group);
        std::vector<Sibling> siblings;
        for (const std::size_t at : tuning_order(features, group.scales)) {
            if (interrupted()) break;
            tune_one(places[at], places.size(), siblings);
            total_.next();
        }
        if (outcome_.set.groups.back().problems.empty()) {
            outcome_.set.groups.pop_back();
            return;
        }
        look_back(siblings);
    }

    void tune_one(std::size_t place, std::size_t group_size, std::vector<Sibling>& siblings) {
        TunedGroup& group = outcome_.set.groups.back();
        Job job = list_.jobs[place];
        if (total_.used_up()) {
            fail(job, "the job's total budget was used up before its turn");
            return;
        }
        job.budget = total_.share(job);
        Tuned tuned = tune(job, place, group_size, neighbours(group, sketches_[place].features, std::nullopt),
                           siblings, nullptr);
        if (!tuned.why.empty()) fail(job, tuned.why);
        if (!tuned.result) return;
        if (tuned.problem) {
            const TuneResult& r = *tuned.result;
            if (group.problems.empty()) {
                group.family = r.family;
                group.space_version = r.space_version;
                group.dtype = r.dtype;
                group.backend = r.backend;
                group.device = r.device;
                group.state = r.state;
                group.threads = r.threads;
            }
            group.problems.push_back(std::move(*tuned.problem));
            siblings.push_back(std::move(tuned.sibling));
            group.reach = reach_of(group.problems);
            write();
        }
        results_[place] = std::move(tuned.result);
    }

    // What became of a problem.
    struct Tuned {
        std::optional<TuneResult> result;
        std::optional<TunedProblem> problem;  ///< empty: no winner, or cut short
        Sibling sibling;
        std::string why;  ///< there is no winner
    };

    // `near`: its neighbours by place in the group. `before`: the result of the search that goes on.
    Tuned tune(const Job& job, std::size_t place, std::size_t group_size,
               const std::vector<std::size_t>& near, const std::vector<Sibling>& siblings,
               const TuneResult* before) {
        const TunedGroup& group = outcome_.set.groups.back();
        Companions companions;
        companions.probes = &probes_;
        companions.before = before;
        for (const std::size_t i : near) companions.neighbours.push_back(&siblings[i].warm_start);
        TuneOptions options = options_;
        options.audit = shared_audit(options.audit, group_size);
        if (before) {
            options.fresh = false;
            if (options.patience == 0) options.patience = kPatienceAgain;
        }
        if (!near.empty()) options.finals_seconds = kTaughtFinals;
        Tuned tuned;
        try {
            tuned.result = tune_job(job, options, machine_, observer_.tune, &companions);
        } catch (const InputError& error) {
            tuned.why = error.what();
        } catch (const EnvironmentError& error) {
            tuned.why = error.what();
            environment_ = error.what();
        } catch (const std::bad_alloc&) {
            tuned.why = "not enough memory; try a smaller problem or fewer threads";
        }
        if (!tuned.result) return tuned;
        const TuneResult& result = *tuned.result;
        const double took = spent_of_budget(result) - (before ? spent_of_budget(*before) : 0.0);
        total_.spend(result, before);
        const bool cut_short = result.certificate.stopped_by == "interrupted";
        if (cut_short && before) return tuned;
        if (observer_.result) observer_.result(result);
        // A winner without finals is kept in its own config, but others should not follow it.
        if (cut_short) return tuned;
        if (result.best.empty()) {
            tuned.why = no_winner_phrase(result.certificate);
            return tuned;
        }
        const FeatureVector& features = sketches_[place].features;
        tuned.problem = tuned_problem(result, features);
        tuned.sibling = {place,
                         std::move(companions.warm_start),
                         job.budget.seconds > 0.0 ? job.budget.seconds - took : kUnlimited,
                         {},
                         0.0};
        if (companions.left_out) {
            const TunedProblem& nearest = group.problems[near.front()];
            tuned.problem->left_out = placed(*companions.left_out, near.front(), features, result);
            tuned.sibling.tried = nearest.best;
        }
        return tuned;
    }

    LeftOut placed(LeftOut left_out, std::size_t nearest, const FeatureVector& features,
                   const TuneResult& result) const {
        const TunedGroup& group = outcome_.set.groups.back();
        left_out.nearest = static_cast<int>(nearest);
        left_out.distance = feature_distance(features, group.problems[nearest].features, group.scales);
        left_out.default_ratio = result.default_ratio.median;
        return left_out;
    }

    std::vector<std::size_t> neighbours(const TunedGroup& group, const FeatureVector& features,
                                        std::optional<std::size_t> other_than,
                                        std::size_t how_many = kNeighbours) const {
        std::vector<FeatureVector> known;
        std::vector<std::size_t> others;
        for (const TunedProblem& p : group.problems) {
            if (known.size() != other_than) others.push_back(known.size());
            known.push_back(p.features);
        }
        return nearest_of(features, others, known, group.scales, how_many);
    }

    // Each was left out when its turn came, against the nearest before it, and started from the winners of
    // those before it. Those that came later it has not seen: it tries their winners, and where a nearer one
    // was among them it is left out again, within what is left of its budget. Twice over, because a problem
    // whose neighbours turn out to know better gets another winner, and may be a neighbour itself.
    void look_back(std::vector<Sibling>& siblings) {
        TunedGroup& group = outcome_.set.groups.back();
        constexpr int kPasses = 2;
        for (int pass = 0; pass < kPasses; ++pass) {
            for (std::size_t i = 0; i < group.problems.size() && !interrupted() && !total_.used_up(); ++i) {
                try {
                    look_back_at(i, siblings, pass == 0);
                } catch (const EnvironmentError& error) {
                    not_looked_back(group.problems[i], error.what());
                } catch (const InputError& error) {
                    not_looked_back(group.problems[i], error.what());
                } catch (const std::bad_alloc&) {
                    not_looked_back(group.problems[i], "not enough memory");
                }
            }
        }
        group.reach = reach_of(group.problems);
        write();
    }

    void not_looked_back(const TunedProblem& p, const std::string& why) {
        observer_.notice(p.title + " keeps its winner and was not compared with those of the others: " + why);
    }

    void look_back_at(std::size_t i, std::vector<Sibling>& siblings, bool may_go_on) {
        TunedProblem& p = outcome_.set.groups.back().problems[i];
        const TuneResult& result = *results_[siblings[i].place];
        std::unique_ptr<LateProblem> late;
        if (may_go_on && goes_on(i, siblings)) {
            if (const auto from = better_of_others(i, siblings, late)) {
                late.reset();
                return tune_again(i, siblings, *from);
            }
        }
        const std::optional<std::size_t> nearest = left_out_of(i, siblings);
        // Loading it for nothing would take other problems' time.
        const bool has_time = late || siblings[i].seconds_left > siblings[i].loading;
        if (nearest && has_time && !interrupted()) {
            const auto& best = outcome_.set.groups.back().problems[*nearest].best;
            if (!late) late = late_problem(siblings[i]);
            if (const auto found = late->left_out(result, best)) {
                p.left_out = placed(*found, *nearest, p.features, result);
                siblings[i].tried = best;
            }
        }
        late.reset();
        if (may_go_on && beaten(p)) tune_again(i, siblings, static_cast<std::size_t>(p.left_out->nearest));
    }

    // The problem's nearest, when it has not been left out with that one's winner.
    std::optional<std::size_t> left_out_of(std::size_t i, const std::vector<Sibling>& siblings) const {
        const TunedGroup& group = outcome_.set.groups.back();
        const TunedProblem& p = group.problems[i];
        const std::optional<std::size_t> nearest = nearest_problem(group, p.features, i);
        if (!nearest) return std::nullopt;
        const bool done = p.left_out && p.left_out->nearest == static_cast<int>(*nearest) &&
                          siblings[i].tried == group.problems[*nearest].best;
        return done ? std::nullopt : nearest;
    }

    // The neighbour's variant is faster than the winner, beyond noise.
    static bool beaten(const TunedProblem& p) {
        return p.left_out && p.left_out->works && p.left_out->ratio.slots > 0 && p.left_out->ratio.high < 1.0;
    }

    // Whether there is a budget for a search to go on with: evaluations and a total are counted, and spent by
    // now.
    bool goes_on(std::size_t i, const std::vector<Sibling>& siblings) const {
        if (interrupted()) return false;
        const Job& job = list_.jobs[siblings[i].place];
        if (job.budget.evaluations > 0 || list_.total_budget) return false;
        return job.budget.seconds <= 0.0 || siblings[i].seconds_left >= kLeastAgain;
    }

    // The other problem whose winner is faster here than the problem's own.
    std::optional<std::size_t> better_of_others(std::size_t i, std::vector<Sibling>& siblings,
                                                std::unique_ptr<LateProblem>& late) {
        const TunedGroup& group = outcome_.set.groups.back();
        const std::vector<std::size_t> others = neighbours(group, group.problems[i].features, i, kExchanged);
        const std::set<std::map<std::string, std::string>>& known = siblings[i].warm_start.tried;
        std::vector<std::map<std::string, std::string>> offers;
        for (const std::size_t other : others) offers.push_back(group.problems[other].best);
        // A large matrix takes seconds to load: not for what the search knows already.
        if (std::all_of(offers.begin(), offers.end(), [&](const auto& best) { return known.contains(best); }))
            return std::nullopt;
        if (!late) late = late_problem(siblings[i]);
        const Exchange exchange = late->exchange(*results_[siblings[i].place], offers, known, kLeastAgain);
        if (!exchange.better) return std::nullopt;
        return others[exchange.better->offer];
    }

    // The search goes on where it ended, with what its neighbours know now, `from` among them.
    void tune_again(std::size_t i, std::vector<Sibling>& siblings, std::size_t from) {
        if (interrupted()) return;
        TunedGroup& group = outcome_.set.groups.back();
        const std::string better = group.problems[i].title + ": the winner of " + group.problems[from].title +
                                   " is faster than its own; ";
        if (!goes_on(i, siblings)) {
            observer_.notice(better + "its budget leaves nothing for a search from there");
            return;
        }
        const std::size_t place = siblings[i].place;
        Job job = list_.jobs[place];
        if (job.budget.seconds > 0.0) job.budget.seconds = siblings[i].seconds_left;
        observer_.notice(better + "its search goes on from there");
        std::vector<std::size_t> near = neighbours(group, group.problems[i].features, i);
        if (std::find(near.begin(), near.end(), from) == near.end()) near.push_back(from);
        Tuned tuned = tune(job, place, group.problems.size(), near, siblings, &*results_[place]);
        if (!tuned.problem) {
            siblings[i].seconds_left = 0.0;  // of which a search that failed leaves no account
            if (!tuned.why.empty()) observer_.notice(better + "its search could not go on: " + tuned.why);
            return;
        }
        // Both parts were audited; a regret of the first is one still.
        const TunedProblem& first = group.problems[i];
        tuned.problem->audited += first.audited;
        tuned.problem->violations += first.violations;
        tuned.problem->regrets += first.regrets;
        group.problems[i] = std::move(*tuned.problem);
        siblings[i] = std::move(tuned.sibling);
        results_[place] = std::move(tuned.result);
        write();
    }

    void fail(const Job& job, const std::string& why) {
        outcome_.set.untuned.push_back({std::string(job.family->name()), job.problem, why});
        std::string problem;
        for (const auto& [key, value] : job.problem)
            problem += (problem.empty() ? "" : ",") + key + "=" + value;
        observer_.notice(std::string(job.family->name()) + " " + problem + " has no winner: " + why);
    }

    void write() {
        TunedSet& set = outcome_.set;
        set.created = utc_now();
        // A group is open before its first problem is done.
        TunedSet closed = set;
        std::erase_if(closed.groups, [](const TunedGroup& g) { return g.problems.empty(); });
        // A run that measured nothing leaves what an earlier one found.
        std::error_code ignored;
        const bool failed = std::any_of(results_.begin(), results_.end(),
                                        [](const auto& r) { return r && r->certificate.failed > 0; });
        if (closed.groups.empty() && !failed && fs::exists(outcome_.file, ignored)) return;
        write_tuned_set(outcome_.file, closed);
        write_atomically(header_, tuned_set_header(closed, list_.name));
    }

    // Seconds for leaving out, where a problem has no budget in time.
    static constexpr double kUnlimited = 60.0;
    // Seconds below which a search is not worth going on with.
    static constexpr double kLeastAgain = 2.0;

    const JobList& list_;
    const std::vector<ProblemSketch>& sketches_;
    const TuneOptions& options_;
    MachineModel& machine_;
    const SetObserver& observer_;
    TotalBudget total_;
    RecentProbes probes_;
    std::vector<std::optional<TuneResult>> results_;
    std::optional<std::string> environment_;
    std::string header_;
    SetOutcome outcome_;
};

}  // namespace

ProblemSketch sketch_of(const Job& job, const Problem& problem, const CommonOptions& options) {
    ProblemSketch sketch;
    for (const auto& [name, value] : problem.features()) {
        sketch.names.push_back(name);
        sketch.features.push_back(std::isfinite(value) ? value : 0.0);
    }
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
