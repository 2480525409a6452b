#include "tuner/cluster/coordinator.h"

#include <algorithm>

#include "tuner/base/si.h"
#include "tuner/engine/assisted_evaluator.h"

namespace rooftune {
namespace {

// They have no room for any: of a thousand nodes that would be hundreds of megabytes.
Machine without_ceilings(const Machine& machine) {
    return {machine.id, machine.name, machine.topology, machine.devices, {}};
}

std::string why_behind(const NodeView& view) {
    if (view.behind.empty()) return taken_away_text(view.taken_away);
    return "it stays behind its class in " +
           format_plural(static_cast<long long>(view.behind.size()), "ceiling") + ": " +
           shortcoming_text(view.behind.front());
}

}  // namespace

Coordinator::Coordinator(const JobList& list, const std::vector<ProblemSketch>& sketches, const Rules& rules,
                         Notice notice)
    : list_(list), sketches_(sketches), rules_(rules), notice_(std::move(notice)) {}

std::size_t Coordinator::add_node(const std::string& name) {
    NodeView node;
    node.name = name;
    nodes_.push_back(std::move(node));
    known_.emplace_back();
    counts_.known = false;
    return nodes_.size() - 1;
}

void Coordinator::starts(std::size_t node) {
    nodes_[node].state = NodeState::starting;
    nodes_[node].why.clear();
    nodes_[node].asked = 0;
    known_[node] = {};
    counts_.known = false;
}

std::size_t Coordinator::class_of(const Machine& machine) {
    const auto at = std::find_if(classes_.begin(), classes_.end(),
                                 [&](const Class& c) { return c.roofs.id == machine.id; });
    if (at != classes_.end()) return static_cast<std::size_t>(at - classes_.begin());
    Class fresh;
    fresh.roofs = machine;
    fresh.risen_in.assign(machine.ceilings.size(), fresh.version);
    fresh.plan = std::make_unique<SetPlan>(list_, sketches_, rules_.audit, rules_.patience, notice_);
    if (stopped_) fresh.plan->stop();
    classes_.push_back(std::move(fresh));
    if (classes_.size() == 2)
        notice_("the nodes are of more than one kind: each kind gets winners of its own");
    return classes_.size() - 1;
}

void Coordinator::rises(std::size_t of_class, const Machine& from) {
    Class& c = classes_[of_class];
    std::vector<std::size_t> which;
    if (!take_higher(c.roofs, from, &which)) return;
    ++c.version;
    c.risen_in.resize(c.roofs.ceilings.size(), c.version);
    for (const std::size_t i : which) c.risen_in[i] = c.version;
}

void Coordinator::models(std::size_t node, const Machine& machine, double now, double taken_away) {
    const std::size_t c = class_of(machine);
    NodeView& view = nodes_[node];
    view.of_class = c;
    known_[node].answered = known_[node].asked;
    known_[node].ask_at = now + rules_.ask_seconds;
    if (view.state == NodeState::starting) view.state = NodeState::waiting;
    rises(c, machine);
    nodes_[node].taken_away = taken_away;
    known_[node].machine = without_ceilings(machine);
    known_[node].standing = Standing(machine, classes_[c].roofs);
    known_[node].judged_version = 0;
    counts_.known = false;
    if (!first_model_) first_model_ = now;
    judge_health(c);
}

// A node that falls short is asked once more before it is called slow: for seconds anybody may have been
// beside it. One at least of a class works, whatever the others are better at.
void Coordinator::judge_health(std::size_t of_class) {
    std::vector<std::size_t> members;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const NodeState state = nodes_[i].state;
        const bool is_there = state == NodeState::waiting || state == NodeState::working ||
                              state == NodeState::helping || state == NodeState::slow;
        if (nodes_[i].of_class == of_class && is_there && known_[i].machine) members.push_back(i);
    }
    double calmest = 1.0;
    for (const std::size_t i : members) calmest = std::min(calmest, nodes_[i].taken_away);
    std::size_t best = members.size();
    const Class& c = classes_[of_class];
    for (const std::size_t i : members) {
        if (known_[i].judged_version != c.version)
            nodes_[i].behind = known_[i].standing.behind(c.roofs, rules_.most_behind);
        known_[i].judged_version = c.version;
        nodes_[i].crowded =
            nodes_[i].taken_away > kMostTakenAway && nodes_[i].taken_away > calmest + kMoreThanCalmest;
        const auto faults = [&](std::size_t n) {
            return std::pair(nodes_[n].behind.size() + (nodes_[n].crowded ? 1 : 0), nodes_[n].taken_away);
        };
        if (best == members.size() || faults(i) < faults(best)) best = i;
    }
    for (const std::size_t i : members) {
        NodeView& view = nodes_[i];
        const bool is_slow = view.is_behind() && known_[i].answered > 0 && i != best;
        if (is_slow && view.state == NodeState::waiting)
            notice_(view.name + " measures nothing that decides, " + why_behind(view));
        if (is_slow && view.state == NodeState::waiting) view.state = NodeState::slow;
        if (!is_slow && view.state == NodeState::slow) {
            view.state = NodeState::waiting;
            notice_(view.name + " is as fast as its class again");
        }
    }
}

void Coordinator::begins(std::size_t node, const std::string& variant) {
    known_[node].running = variant;
}

void Coordinator::best(std::size_t node, const SetTask::Values& variant) {
    known_[node].best = variant;
}

void Coordinator::release(std::size_t node) {
    assigned_.erase(node);
    nodes_[node].task.reset();
    known_[node].running.clear();
    known_[node].best.clear();
    counts_.known = false;
    --running_;
}

bool Coordinator::ends(std::size_t node, const SetTaskEnd& end, const Machine* rose) {
    NodeView& view = nodes_[node];
    const Assignment assignment = assigned_.at(node);
    release(node);
    if (view.state == NodeState::working) view.state = NodeState::waiting;
    view.deaths = 0;
    if (rose) rises(*view.of_class, *rose);
    judge_health(*view.of_class);
    counts_.known = false;
    return classes_[*view.of_class].plan->done(assignment.task, end);
}

void Coordinator::gives_back(std::size_t node, const std::string& why) {
    NodeView& view = nodes_[node];
    const SetTask task = assigned_.at(node).task;
    view.why = why;
    release(node);
    if (view.state == NodeState::working) view.state = NodeState::waiting;
    counts_.known = false;
    classes_[*view.of_class].plan->give_back(task);
}

void Coordinator::lost(std::size_t node, const std::string& why) {
    counts_.known = false;
    NodeView& view = nodes_[node];
    view.why = why;
    if (view.state != NodeState::refused) view.state = NodeState::away;
    ++view.deaths;
    // A variant that takes helpers down is as bad as one that takes its owner down.
    if (view.helps && nodes_[*view.helps].task) {
        const std::size_t place = assigned_.at(*view.helps).task.place;
        const std::string& variant = known_[node].running;
        if (!variant.empty()) ++classes_[*view.of_class].deaths[place][variant];
    }
    view.helps.reset();
    view.asked = 0;
    if (!view.task) return;
    const Assignment assignment = assigned_.at(node);
    const std::size_t place = assignment.task.place;
    Class& c = classes_[*view.of_class];
    const std::string running = known_[node].running;
    if (!known_[node].best.empty()) c.best_of_lost[place] = known_[node].best;
    release(node);
    if (!running.empty() && ++c.deaths[place][running] == rules_.deaths_of_variant)
        notice_("quarantined, since " + format_plural(rules_.deaths_of_variant, "node") +
                " were lost while it ran: " + running);
    const int lost_with = ++c.lost_with[place];
    if (lost_with < rules_.deaths_of_task || stopped_) return c.plan->give_back(assignment.task);
    SetTaskEnd end;
    end.why = format_plural(lost_with, "node") + " were lost with it, the last one with: " + why;
    c.plan->done(assignment.task, end);
}

const Coordinator::Counts& Coordinator::counts() const {
    if (counts_.known) return counts_;
    counts_ = {};
    counts_.known = true;
    counts_.free.assign(classes_.size(), 0);
    counts_.helped.assign(nodes_.size(), 0);
    for (const NodeView& n : nodes_) {
        if (n.state == NodeState::starting || (n.state == NodeState::away && n.deaths == 0))
            ++counts_.may_still_tell;
        if (n.state == NodeState::waiting && !n.is_behind() && n.of_class) ++counts_.free[*n.of_class];
        if (n.state == NodeState::helping && n.helps) ++counts_.helped[*n.helps];
    }
    return counts_;
}

int Coordinator::helpers_of(std::size_t node) const {
    const std::optional<std::size_t> of_class = nodes_[node].of_class;
    return (of_class ? counts().free[*of_class] : 0) + counts().helped[node];
}

std::optional<std::size_t> Coordinator::lend_to(std::size_t node) {
    std::optional<std::size_t> least;
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        const NodeView& view = nodes_[i];
        const bool is_free = view.state == NodeState::waiting && !view.is_behind();
        const bool is_its =
            view.state == NodeState::helping && view.helps == node && view.asked < kAskedAtOnce;
        if (view.of_class != nodes_[node].of_class || (!is_free && !is_its)) continue;
        if (!least || view.asked < nodes_[*least].asked) least = i;
    }
    if (!least) return std::nullopt;
    counts_.known = false;
    nodes_[*least].state = NodeState::helping;
    nodes_[*least].helps = node;
    ++nodes_[*least].asked;
    return least;
}

void Coordinator::returns(std::size_t helper) {
    NodeView& view = nodes_[helper];
    known_[helper].running.clear();
    counts_.known = false;
    if (--view.asked > 0) return;
    view.helps.reset();
    if (view.state == NodeState::helping) view.state = NodeState::waiting;
}

void Coordinator::refuse(std::size_t node, const std::string& why) {
    if (nodes_[node].task) lost(node, why);
    nodes_[node].state = NodeState::refused;
    nodes_[node].why = why;
    nodes_[node].helps.reset();
    nodes_[node].asked = 0;
    counts_.known = false;
}

void Coordinator::replay_class(const Machine& machine) {
    rises(class_of(machine), machine);
}

bool Coordinator::has_told_all(std::size_t node, double now) const {
    const Known& known = known_[node];
    return known.machine && settled(now) && (!nodes_[node].is_behind() || known.answered > 0);
}

void Coordinator::replay_death(std::size_t of_class, std::size_t place, const std::string& variant) {
    ++classes_[of_class].deaths[place][variant];
}

void Coordinator::stop() {
    stopped_ = true;
    for (Class& c : classes_) c.plan->stop();
}

// Ceilings of a class are those of all its nodes: before the first task others are waited for, a while.
bool Coordinator::settled(double now) const {
    if (!first_model_) return false;
    if (now - *first_model_ >= rules_.models_seconds) return true;
    return counts().may_still_tell == 0;
}

// A node that has been told nothing yet is told all of them.
Machine Coordinator::risen_since(const Class& c, int version) const {
    Machine risen = without_ceilings(c.roofs);
    for (std::size_t i = 0; i < c.roofs.ceilings.size(); ++i) {
        if (c.risen_in[i] > version) risen.ceilings.push_back(c.roofs.ceilings[i]);
    }
    return risen;
}

Order Coordinator::order(std::size_t node, double now) {
    Order order;
    NodeView& view = nodes_[node];
    Known& known = known_[node];
    if (stopped_ || !settled(now)) return order;
    // Its answer is under way.
    if (known.asked > known.answered) return order;
    const bool is_to_be_asked = (view.state == NodeState::waiting && view.is_behind() && known.asked == 0) ||
                                (view.state == NodeState::slow && now >= known.ask_at);
    if (is_to_be_asked) {
        ++known.asked;
        order.probe.emplace(*known.machine);
        for (const Shortcoming& s : view.behind) order.probe->ceilings.push_back(s.own);
        if (!view.crowded) return order;
        // Who has the others of its processors a probe of all of them tells.
        constexpr std::size_t kSome = 4;
        std::vector<Ceiling> own = known.standing.own();
        std::stable_sort(own.begin(), own.end(), [](const Ceiling& one, const Ceiling& other) {
            return one.when.threads > other.when.threads;
        });
        own.resize(std::min(kSome, own.size()));
        order.probe->ceilings.insert(order.probe->ceilings.end(), own.begin(), own.end());
        return order;
    }
    if (view.state != NodeState::waiting) return order;
    Class& c = classes_[*view.of_class];
    std::optional<SetTask> task = c.plan->next();
    if (!task) return order;
    Assignment assignment;
    assignment.id = next_id_++;
    assignment.task = std::move(*task);
    const std::size_t place = assignment.task.place;
    for (const auto& [variant, deaths] : c.deaths[place]) {
        if (deaths >= rules_.deaths_of_variant) assignment.banned.push_back(variant);
    }
    if (const auto best = c.best_of_lost.find(place); best != c.best_of_lost.end())
        assignment.starts.push_back(best->second);
    assignment.attempt = c.lost_with[place];
    if (known.roofs_version != c.version) {
        order.roofs = risen_since(c, known.roofs_version);
        known.roofs_version = c.version;
    }
    order.task = assignment;
    view.task = assignment.id;
    view.state = NodeState::working;
    counts_.known = false;
    known.running.clear();
    known.best.clear();
    assigned_[node] = std::move(assignment);
    ++running_;
    return order;
}

bool Coordinator::finished() const {
    if (running_ > 0) return false;
    if (stopped_) return true;
    const auto may_come = [](const NodeView& n) {
        return n.state == NodeState::starting || n.state == NodeState::away;
    };
    if (std::all_of(nodes_.begin(), nodes_.end(),
                    [](const NodeView& n) { return n.state == NodeState::refused; }))
        return true;
    // A class without a node that is there or may come back waits for nobody.
    for (std::size_t c = 0; c < classes_.size(); ++c) {
        if (classes_[c].plan->finished()) continue;
        const bool has_node = std::any_of(nodes_.begin(), nodes_.end(), [&](const NodeView& n) {
            return (n.of_class == c && n.state != NodeState::refused) || (!n.of_class && may_come(n));
        });
        if (has_node) return false;
    }
    return !classes_.empty();
}

}  // namespace rooftune
