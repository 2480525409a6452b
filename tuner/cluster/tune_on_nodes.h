// A job over many nodes: starts the agents, tells each what the coordinator decides, keeps what they measure.
#pragma once

#include <string>
#include <vector>

#include "tuner/cluster/coordinator.h"
#include "tuner/cluster/launch.h"
#include "tuner/engine/tune_set.h"

namespace rooftune {

/// What a node does, for people.
struct NodeLine {
    std::string node;
    std::string text;
};

/// What a user hears while it runs.
class NodesObserver {
public:
    virtual ~NodesObserver() = default;
    virtual void notice(const std::string&) {}
    /// Once a second at most: a line a node.
    virtual void nodes(const std::vector<NodeLine>&) {}
    /// A problem has a winner on nodes of this kind.
    virtual void result(const TuneResult&, const Machine&) {}
};

/// What nodes of one kind found.
struct ClassOutcome {
    Machine machine;  ///< with the highest rates of all of them
    std::vector<std::string> nodes;
    SetOutcome outcome;
};

struct ClusterOutcome {
    std::vector<ClassOutcome> classes;
    std::vector<NodeView> nodes;
    bool complete = false;  ///< nothing was left out, by Ctrl-C or for want of nodes
};

/// Tunes the job on these nodes; one problem is a job as well. Records go to the store of the results folder
/// as they come, each committed before anything follows from it; configs, sets and plots to the output
/// folder. What a run that died has come to is gone on from, unless `options.fresh`. After Ctrl-C the nodes
/// end with what they have. Throws InputError and EnvironmentError: the latter where no node took part.
ClusterOutcome tune_on_nodes(const JobList& list, const std::vector<ProblemSketch>& sketches,
                             const TuneOptions& options, const ClusterOptions& cluster,
                             NodesObserver& observer);

/// What each node reaches: nothing is tuned. In the order of the nodes; those that did not come have no
/// ceilings.
struct NodeHealth {
    NodeView view;
    Machine machine;
};
std::vector<NodeHealth> health_of_nodes(const ClusterOptions& cluster, const CommonOptions& common,
                                        NodesObserver& observer);

}  // namespace rooftune
