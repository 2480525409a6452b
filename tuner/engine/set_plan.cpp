#include "tuner/engine/set_plan.h"

#include <algorithm>
#include <filesystem>

#include "kernels/runtime/kernels_build.h"
#include "tuner/chart/phrases.h"
#include "tuner/choose/rule.h"
#include "tuner/engine/trial.h"

namespace rooftune {
namespace {

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
// Twice over, because a problem whose neighbours turn out to know better gets another winner, and may be a
// neighbour itself.
constexpr int kPasses = 2;
// Seconds for leaving out, where a problem has no budget in time.
constexpr double kUnlimited = 60.0;
// Seconds below which a search is not worth going on with.
constexpr double kLeastAgain = 2.0;

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
    p.config = std::filesystem::path(r.config_file).filename().string();
    return p;
}

// The neighbour's variant is faster than the winner, beyond noise.
bool is_beaten(const TunedProblem& p) {
    return p.left_out && p.left_out->works && p.left_out->ratio.slots > 0 && p.left_out->ratio.high < 1.0;
}

std::string faster_text(const TunedGroup& group, std::size_t i, std::size_t from) {
    return group.problems[i].title + ": the winner of " + group.problems[from].title +
           " is faster than its own; ";
}

}  // namespace

SetPlan::SetPlan(const JobList& list, const std::vector<ProblemSketch>& sketches, int audit, int patience,
                 Notice notice)
    : list_(list),
      sketches_(sketches),
      audit_(audit),
      patience_(patience),
      notice_(std::move(notice)),
      total_(list.total_budget, list.jobs.size()),
      begun_(list.jobs.size(), false) {
    set_.compiler = compiler_name();
    set_.kernels_build = kernels_build();
    make_groups();
}

// In the order in which the groups come first in the job.
void SetPlan::make_groups() {
    std::map<std::string, std::size_t> known;
    std::vector<std::vector<std::size_t>> places;
    for (std::size_t i = 0; i < sketches_.size(); ++i) {
        const auto [at, is_new] = known.emplace(sketches_[i].group, places.size());
        if (is_new) places.emplace_back();
        places[at->second].push_back(i);
    }
    for (const std::vector<std::size_t>& members : places) {
        std::vector<FeatureVector> features;
        for (const std::size_t place : members) features.push_back(sketches_[place].features);
        TunedGroup group;
        group.features = sketches_[members.front()].names;
        group.scales = scales_of(features);
        Group state;
        for (const std::size_t at : tuning_order(features, group.scales)) state.order.push_back(members[at]);
        set_.groups.push_back(std::move(group));
        groups_.push_back(std::move(state));
    }
}

bool SetPlan::has_more() const {
    return !stopped_ &&
           std::any_of(groups_.begin(), groups_.end(), [this](const Group& g) { return has_more(g); });
}

bool SetPlan::has_more(const Group& group) const {
    return !group.first.empty() || group.begun < group.order.size() ||
           (group.pass < kPasses && !group.siblings.empty());
}

std::optional<SetTask> SetPlan::next() {
    // Each node that waits asks again whenever anything has happened anywhere.
    if (has_none_) return std::nullopt;
    for (std::size_t g = 0; g < groups_.size() && !stopped_; ++g) {
        if (std::optional<SetTask> task = next_of(g)) {
            ++running_;
            ++groups_[g].running;
            return task;
        }
    }
    has_none_ = true;
    return std::nullopt;
}

std::optional<SetTask> SetPlan::next_of(std::size_t g) {
    Group& group = groups_[g];
    if (!group.first.empty()) {
        SetTask task = std::move(group.first.front());
        group.first.pop_front();
        return task;
    }
    while (group.begun < group.order.size()) {
        if (begun_[group.order[group.begun]]) {
            ++group.begun;
            continue;
        }
        if (std::optional<SetTask> task = tune_next(g)) return task;
    }
    return look_back_next(g);
}

std::optional<SetTask> SetPlan::tune_next(std::size_t g) {
    Group& state = groups_[g];
    const TunedGroup& group = set_.groups[g];
    SetTask task;
    task.group = g;
    task.place = state.order[state.begun++];
    begun_[task.place] = true;
    task.job = list_.jobs[task.place];
    if (total_.used_up()) {
        fail(task.job, "the job's total budget was used up before its turn");
        total_.reserve({0.0, 0, false});
        return std::nullopt;
    }
    task.job.budget = total_.share(task.job);
    total_.reserve(task.job.budget);
    const std::vector<std::size_t> near =
        neighbours(g, sketches_[task.place].features, std::nullopt, kNeighbours);
    task.near = places_of(g, near);
    task.audit = shared_audit(audit_, state.order.size());
    task.patience = patience_;
    if (!near.empty()) {
        task.finals_seconds = kTaughtFinals;
        task.nearest = near.front();
        task.nearest_best = group.problems[near.front()].best;
    }
    return task;
}

// Each was left out when its turn came, against the nearest before it, and started from the winners of those
// before it. Those that came later it has not seen: it tries their winners, and where a nearer one was among
// them it is left out again, within what is left of its budget.
std::optional<SetTask> SetPlan::look_back_next(std::size_t g) {
    Group& group = groups_[g];
    while (group.pass < kPasses) {
        // The next pass looks at what this one has found.
        const bool at_start = group.looked_back == 0;
        if (at_start && group.running > 0) return std::nullopt;
        while (group.looked_back < group.siblings.size()) {
            if (total_.used_up()) break;
            if (group.siblings[group.looked_back].looked_back > group.pass) {
                ++group.looked_back;
                continue;
            }
            if (auto task = look_back_at(g, group.looked_back++, group.pass == 0)) return task;
        }
        if (group.running > 0) return std::nullopt;
        ++group.pass;
        group.looked_back = 0;
    }
    return std::nullopt;
}

std::optional<SetTask> SetPlan::look_back_at(std::size_t g, std::size_t i, bool may_go_on) {
    const TunedGroup& group = set_.groups[g];
    const TunedProblem& p = group.problems[i];
    const Sibling& sibling = groups_[g].siblings[i];
    SetTask task;
    task.kind = SetTask::Kind::compare;
    task.group = g;
    task.index = i;
    task.place = sibling.place;
    task.job = list_.jobs[sibling.place];
    task.may_go_on = may_go_on;
    task.seconds_left = sibling.seconds_left;
    task.loading_seconds = sibling.loading;
    if (may_go_on && goes_on(sibling)) {
        task.offered_by = neighbours(g, p.features, i, kExchanged);
        for (const std::size_t other : task.offered_by) task.offers.push_back(group.problems[other].best);
        task.reserve_seconds = kLeastAgain;
    }
    if (const std::optional<std::size_t> nearest = nearest_problem(group, p.features, i)) {
        const SetTask::Values& best = group.problems[*nearest].best;
        const bool is_done =
            p.left_out && p.left_out->nearest == static_cast<int>(*nearest) && sibling.tried == best;
        if (!is_done) {
            task.nearest = *nearest;
            task.nearest_best = best;
        }
    }
    if (!task.offers.empty() || task.nearest_best) return task;
    if (may_go_on && is_beaten(p)) {
        go_on(g, i, static_cast<std::size_t>(p.left_out->nearest));
        if (!groups_[g].first.empty()) return next_of(g);
    }
    return std::nullopt;
}

// The search goes on where it ended, with what its neighbours know now, `from` among them.
void SetPlan::go_on(std::size_t g, std::size_t i, std::size_t from) {
    if (stopped_) return;
    const TunedGroup& group = set_.groups[g];
    const Sibling& sibling = groups_[g].siblings[i];
    const std::string better = faster_text(group, i, from);
    if (!goes_on(sibling)) {
        notice_(better + "its budget leaves nothing for a search from there");
        return;
    }
    notice_(better + "its search goes on from there");
    SetTask task;
    task.group = g;
    task.index = i;
    task.place = sibling.place;
    task.job = list_.jobs[sibling.place];
    if (task.job.budget.seconds > 0.0) task.job.budget.seconds = sibling.seconds_left;
    std::vector<std::size_t> near = neighbours(g, group.problems[i].features, i, kNeighbours);
    if (std::find(near.begin(), near.end(), from) == near.end()) near.push_back(from);
    task.near = places_of(g, near);
    task.goes_on = true;
    task.from = from;
    task.audit = shared_audit(audit_, group.problems.size());
    task.patience = patience_ == 0 ? kPatienceAgain : patience_;
    task.finals_seconds = kTaughtFinals;
    task.nearest = near.front();
    task.nearest_best = group.problems[near.front()].best;
    groups_[g].first.push_back(std::move(task));
}

// Whether there is a budget for a search to go on with: evaluations and a total are counted, and spent by
// now.
bool SetPlan::goes_on(const Sibling& sibling) const {
    const Job& job = list_.jobs[sibling.place];
    if (job.budget.evaluations > 0 || list_.total_budget) return false;
    return job.budget.seconds <= 0.0 || sibling.seconds_left >= kLeastAgain;
}

std::vector<std::size_t> SetPlan::neighbours(std::size_t g, const FeatureVector& features,
                                             std::optional<std::size_t> other_than,
                                             std::size_t how_many) const {
    const Group& group = groups_[g];
    std::vector<std::size_t> near = nearest_of(features, group.all, group.features, set_.groups[g].scales,
                                               how_many + (other_than ? 1 : 0));
    if (other_than) std::erase(near, *other_than);
    if (near.size() > how_many) near.resize(how_many);
    return near;
}

std::vector<std::size_t> SetPlan::places_of(std::size_t g, const std::vector<std::size_t>& indices) const {
    std::vector<std::size_t> places;
    for (const std::size_t i : indices) places.push_back(groups_[g].siblings[i].place);
    return places;
}

bool SetPlan::done(const SetTask& task, const SetTaskEnd& end) {
    has_none_ = false;
    --running_;
    --groups_[task.group].running;
    ++version_;
    if (task.kind == SetTask::Kind::compare) {
        compared(task, end);
        return false;
    }
    if (!task.goes_on) {
        total_.release(task.job.budget);
        ++tuned_;
    }
    return tuned(task, end);
}

bool SetPlan::tuned(const SetTask& task, const SetTaskEnd& end) {
    Group& state = groups_[task.group];
    TunedGroup& group = set_.groups[task.group];
    const auto in_vain = [&](const std::string& why) {
        if (!task.goes_on) return fail(task.job, why);
        state.siblings[task.index].seconds_left = 0.0;  // of which a search that failed leaves no account
        notice_(faster_text(group, task.index, task.from) + "its search could not go on: " + why);
    };
    if (!end.result) {
        if (end.is_left_out) {
            notice_("left out " + std::string(task.job.family->name()) + ": " + end.why);
        } else {
            in_vain(end.why);
        }
        return false;
    }
    const TuneResult& result = *end.result;
    total_.spend(result, end.before);
    // A winner without finals is kept in its own config, but others should not follow it.
    if (result.certificate.stopped_by == "interrupted") return !task.goes_on;
    if (result.best.empty()) {
        in_vain(no_winner_phrase(result.certificate));
        return !task.goes_on;
    }
    const FeatureVector& features = sketches_[task.place].features;
    TunedProblem problem = tuned_problem(result, features);
    const double took = spent_of_budget(result) - (end.before ? spent_of_budget(*end.before) : 0.0);
    Sibling sibling;
    sibling.place = task.place;
    sibling.seconds_left =
        task.job.budget.seconds > 0.0 ? std::max(0.0, task.job.budget.seconds - took) : kUnlimited;
    sibling.default_ratio = result.default_ratio.median;
    if (end.left_out && task.nearest_best) {
        problem.left_out = placed(*end.left_out, group, task.nearest, features, sibling.default_ratio);
        sibling.tried = *task.nearest_best;
    }
    if (group.problems.empty()) {
        group.family = result.family;
        group.space_version = result.space_version;
        group.dtype = result.dtype;
        group.backend = result.backend;
        group.device = result.device;
        group.state = result.state;
        group.threads = result.threads;
    }
    if (task.goes_on) {
        // Both parts were audited; a regret of the first is one still.
        const TunedProblem& first = group.problems[task.index];
        problem.audited += first.audited;
        problem.violations += first.violations;
        problem.regrets += first.regrets;
        group.problems[task.index] = std::move(problem);
        sibling.looked_back = state.siblings[task.index].looked_back;
        state.siblings[task.index] = std::move(sibling);
    } else {
        group.problems.push_back(std::move(problem));
        state.all.push_back(state.siblings.size());
        state.siblings.push_back(std::move(sibling));
        state.features.push_back(features);
    }
    return true;
}

void SetPlan::compared(const SetTask& task, const SetTaskEnd& end) {
    TunedGroup& group = set_.groups[task.group];
    TunedProblem& p = group.problems[task.index];
    Sibling& sibling = groups_[task.group].siblings[task.index];
    ++sibling.looked_back;
    total_.spend(end.spent_seconds);
    sibling.seconds_left = std::max(0.0, sibling.seconds_left - end.spent_seconds);
    if (end.loading_seconds > 0.0) sibling.loading = end.loading_seconds;
    if (!end.why.empty())
        return notice_(p.title +
                       " keeps its winner and was not compared with those of the others: " + end.why);
    if (end.better) return go_on(task.group, task.index, task.offered_by[*end.better]);
    if (end.left_out) {
        p.left_out = placed(*end.left_out, group, task.nearest, p.features, sibling.default_ratio);
        sibling.tried = *task.nearest_best;
    }
    if (task.may_go_on && is_beaten(p))
        go_on(task.group, task.index, static_cast<std::size_t>(p.left_out->nearest));
}

LeftOut SetPlan::placed(LeftOut left_out, const TunedGroup& group, std::size_t nearest,
                        const FeatureVector& features, double default_ratio) const {
    left_out.nearest = static_cast<int>(nearest);
    left_out.distance = feature_distance(features, group.problems[nearest].features, group.scales);
    left_out.default_ratio = default_ratio;
    return left_out;
}

bool SetPlan::replay(const SetTask& task, const SetTaskEnd& end) {
    if (task.kind == SetTask::Kind::tune && !task.goes_on) {
        begun_[task.place] = true;
        total_.reserve(task.job.budget);
    }
    Group& group = groups_[task.group];
    if (task.goes_on)
        std::erase_if(group.first, [&](const SetTask& t) { return t.goes_on && t.place == task.place; });
    ++running_;
    ++group.running;
    return done(task, end);
}

bool SetPlan::could_be(const SetTask& task) const {
    if (task.group >= groups_.size() || task.place >= begun_.size()) return false;
    const Group& group = groups_[task.group];
    const std::size_t problems = group.siblings.size();
    const bool is_of_group =
        std::find(group.order.begin(), group.order.end(), task.place) != group.order.end();
    const bool is_again = task.goes_on || task.kind == SetTask::Kind::compare;
    if (!is_of_group || begun_[task.place] != is_again) return false;
    if (is_again && (task.index >= problems || group.siblings[task.index].place != task.place)) return false;
    if (task.nearest_best && task.nearest >= problems) return false;
    if (task.goes_on && task.from >= problems) return false;
    return std::all_of(task.offered_by.begin(), task.offered_by.end(),
                       [&](std::size_t other) { return other < problems; });
}

void SetPlan::give_back(const SetTask& task) {
    has_none_ = false;
    --running_;
    Group& group = groups_[task.group];
    --group.running;
    group.first.push_front(task);
}

void SetPlan::fail(const Job& job, const std::string& why) {
    ++version_;
    set_.untuned.push_back({std::string(job.family->name()), job.problem, why});
    std::string problem;
    for (const auto& [key, value] : job.problem) problem += (problem.empty() ? "" : ",") + key + "=" + value;
    notice_(std::string(job.family->name()) + " " + problem + " has no winner: " + why);
}

TunedSet SetPlan::set() const {
    TunedSet set = set_;
    set.complete = !stopped_;
    std::erase_if(set.groups, [](const TunedGroup& g) { return g.problems.empty(); });
    for (TunedGroup& group : set.groups) group.reach = reach_of(group.problems);
    return set;
}

}  // namespace rooftune
