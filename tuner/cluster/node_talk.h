// What agents say, taken in and answered: between their streams and the coordinator's decisions.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/cluster/kept_job.h"
#include "tuner/cluster/node_links.h"
#include "tuner/cluster/tune_on_nodes.h"

namespace rooftune {

class NodeTalk final : public LinkHandler {
public:
    /// All must outlive it.
    NodeTalk(const std::vector<std::string>& names, const JobList& list, const TuneOptions& options,
             const ClusterOptions& cluster, Coordinator& coordinator, KeptJob& kept, NodesObserver& observer);
    void speak_by(AgentLinks& links) { links_ = &links; }

    void starting(std::size_t node) override;
    void heard(std::size_t node, const Message& message) override;
    void lost(std::size_t node, const std::string& why, bool for_good) override;

    /// Gives every node that is free what it is to do, at `now`.
    void give_out(double now);
    /// All are to end with what they have.
    void stop();

    std::vector<NodeLine> lines() const;

private:
    struct Node {
        std::string text = "starting";
        bool said_hello = false;             ///< of the build that this one is
        int faults = 0;                      ///< in a row that were the node's
        std::string running{};               ///< variant
        double best = 0.0;                   ///< seconds, of its task; 0: none
        std::vector<std::uint64_t> asked{};  ///< as a helper, in order
        int helpers_told = -1;               ///< how many it knows of
    };
    const NodeView& view(std::size_t node) const { return coordinator_.nodes()[node]; }
    void needs_task(std::size_t node, const Message& message, bool or_helps) const;
    std::string title_of(std::size_t place) const;
    std::string owned_title(std::size_t node) const;

    void hello(std::size_t node, const HelloWords& words);
    void model(std::size_t node, const ModelWords& words);
    void failed(std::size_t node, const std::string& why);
    void refuse(std::size_t node, const std::string& why);
    void progress(std::size_t node, const ProgressWords& words);
    void record(std::size_t node, RecordWords words);
    void ask(std::size_t node, const AskWords& words);
    void assisted(std::size_t helper, const AssistedWords& words);
    void pass_on(std::size_t owner, const AssistedWords& words);
    void ends(std::size_t node, const EndWords& words);
    void tell(std::size_t node, double now);
    void tell_of_helpers();
    TaskWords words_for(std::size_t node, const Assignment& assignment);

    const std::vector<std::string>& names_;
    const JobList& list_;
    const TuneOptions& options_;
    const ClusterOptions& cluster_;
    Coordinator& coordinator_;
    KeptJob& kept_;
    NodesObserver& observer_;
    AgentLinks* links_ = nullptr;
    std::vector<Node> nodes_;
    bool stopping_ = false;
};

}  // namespace rooftune
