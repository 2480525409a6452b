// Which node does what: classes of nodes, health, tasks, deaths. Pure: it is told what happened and says what
// to do, whether the nodes are real or simulated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "models/machine.h"
#include "tuner/base/notice.h"
#include "tuner/cluster/class_roofs.h"
#include "tuner/engine/set_plan.h"

namespace rooftune {

enum class NodeState {
    away,      ///< not started, or gone; it may come (back)
    starting,  ///< its agent has not told its ceilings yet
    waiting,   ///< has nothing to do
    working,
    helping,  ///< measures a variant of another node's task
    slow,     ///< stays behind its class: measures nothing that decides
    refused,  ///< cannot take part: another build, or a fault that will not go away
};

/// A node whose processors others have in more windows than this, and by so much more than on the calmest
/// node of its class, measures nothing that decides. Its best windows may be as fast as anybody's: a loop
/// beside an agent leaves its ceilings as they are. What is on all nodes, an agent that watches them say, is
/// no reason.
inline constexpr double kMostTakenAway = 0.5, kMoreThanCalmest = 0.25;

struct NodeView {
    std::string name;
    NodeState state = NodeState::away;
    std::optional<std::size_t> of_class{};
    std::vector<Shortcoming> behind{};  ///< of a slow one, and of one that is asked once more
    double taken_away = 0.0;            ///< as in ModelWords
    bool crowded = false;               ///< others have its processors
    std::string why{};                  ///< it is away or refused
    int deaths = 0;                     ///< since it last ended a task
    std::optional<std::uint64_t> task{};
    std::optional<std::size_t> helps{};  ///< the node whose task it is
    int asked = 0;                       ///< variants that it was given and has not measured yet

    bool is_behind() const { return !behind.empty() || crowded; }
};

/// A task on its way to a node.
struct Assignment {
    std::uint64_t id = 0;
    SetTask task;
    std::vector<std::string> banned{};      ///< variants in quarantine
    std::vector<SetTask::Values> starts{};  ///< what a lost node had found best
    int attempt = 0;                        ///< nodes lost with it before
};

/// What a node is to be told.
struct Order {
    std::optional<Machine> probe{};  ///< these ceilings once more
    std::optional<Machine> roofs{};  ///< those of its class that rose since it was last told, before the task
    std::optional<Assignment> task{};
    bool any() const { return probe || roofs || task; }
};

class Coordinator {
public:
    struct Rules {
        int audit = 60, patience = 0;  ///< as in TuneOptions
        double models_seconds = 90.0;  ///< after the first model: how long others are waited for
        int deaths_of_variant = 2;     ///< nodes lost while it ran, until it is quarantined
        int deaths_of_task = 5;        ///< nodes lost with it, until it is given up
        double most_behind = 0.20;     ///< as in ClusterOptions
        double ask_seconds = 30.0;     ///< a slow node is asked again whether it still is
    };

    /// `list` and `sketches` must outlive it. `notice` hears what a person should know.
    Coordinator(const JobList& list, const std::vector<ProblemSketch>& sketches, const Rules& rules,
                Notice notice);

    /// A node's place; nodes are known by it from then on.
    std::size_t add_node(const std::string& name);

    // What happens, at `now` (seconds on a clock that only rises).
    void starts(std::size_t node);
    void models(std::size_t node, const Machine& machine, double now, double taken_away = 0.0);
    /// Before a variant runs on it.
    void begins(std::size_t node, const std::string& variant);
    /// The best of its task so far.
    void best(std::size_t node, const SetTask::Values& variant);
    /// Its task ended; `rose` holds ceilings that are higher now. Whether result and warm start replace those
    /// that there are of the problem.
    bool ends(std::size_t node, const SetTaskEnd& end, const Machine* rose);
    /// The node could not do its task, through no fault of the problem: another one takes it.
    void gives_back(std::size_t node, const std::string& why);
    void lost(std::size_t node, const std::string& why);
    void refuse(std::size_t node, const std::string& why);
    void stop();

    /// Nodes of the same class that measure for this one or for nobody.
    int helpers_of(std::size_t node) const;
    /// One of them, which measures a variant for `node` as well from now on, that with the least to do;
    /// nothing where there is none.
    std::optional<std::size_t> lend_to(std::size_t node);
    /// A helper has measured one of the variants that it was given.
    void returns(std::size_t helper);

    /// What this node is to do now.
    Order order(std::size_t node, double now);

    /// Its ceilings are known, and asked for once more where that was to be done.
    bool has_told_all(std::size_t node, double now) const;

    /// Nothing is left to do, or nobody will ever come to do it.
    bool finished() const;
    bool has_tasks_running() const { return running_ > 0; }

    const std::vector<NodeView>& nodes() const { return nodes_; }
    std::size_t classes() const { return classes_.size(); }
    const Machine& roofs(std::size_t of_class) const { return classes_[of_class].roofs; }
    SetPlan& plan(std::size_t of_class) { return *classes_[of_class].plan; }
    const Assignment& assignment(std::size_t node) const { return assigned_.at(node); }
    /// The class of machines with this fingerprint, made where it is new.
    std::size_t class_of(const Machine& machine);
    /// From an earlier run: a class with these roofs.
    void replay_class(const Machine& machine);
    /// From an earlier run: deaths while this variant ran.
    void replay_death(std::size_t of_class, std::size_t place, const std::string& variant);

private:
    struct Class {
        Machine roofs;
        int version = 1;
        std::vector<int> risen_in{};  ///< parallel to its ceilings: the version in which each last rose
        std::unique_ptr<SetPlan> plan;
        std::map<std::size_t, std::map<std::string, int>> deaths{};  ///< place → variant → nodes lost
        std::map<std::size_t, int> lost_with{};                      ///< place → nodes lost
        std::map<std::size_t, SetTask::Values> best_of_lost{};
    };
    struct Known {
        std::string running{};  ///< variant
        SetTask::Values best{};
        int roofs_version = 0;
        int asked = 0, answered = 0;  ///< of being asked once more
        double ask_at = 0.0;
        std::optional<Machine> machine{};  ///< without its ceilings
        Standing standing{};
        int judged_version = 0;  ///< of the class
    };
    // What is asked of all nodes for each node: counted once after something has changed.
    struct Counts {
        bool known = false;
        int may_still_tell = 0;     ///< nodes that were not lost and have not told their ceilings
        std::vector<int> free{};    ///< by class: nodes that have nothing to do
        std::vector<int> helped{};  ///< by node: nodes that measure for it
    };

    bool settled(double now) const;
    void rises(std::size_t of_class, const Machine& from);
    Machine risen_since(const Class& c, int version) const;
    void judge_health(std::size_t of_class);
    const Counts& counts() const;
    void release(std::size_t node);

    const JobList& list_;
    const std::vector<ProblemSketch>& sketches_;
    Rules rules_;
    Notice notice_;
    std::vector<NodeView> nodes_;
    std::vector<Known> known_;
    std::vector<Class> classes_;
    std::map<std::size_t, Assignment> assigned_;
    std::uint64_t next_id_ = 1;
    int running_ = 0;
    std::optional<double> first_model_{};
    bool stopped_ = false;
    mutable Counts counts_;
};

}  // namespace rooftune
