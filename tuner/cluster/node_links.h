// All agents of a job as streams: started, heard, started again where they died.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tuner/cluster/launch.h"
#include "tuner/cluster/node_link.h"
#include "tuner/cluster/words.h"

namespace rooftune {

/// Silence, and failed starts, after which a node is given up for lost or for good.
struct LinkRules {
    double alive_seconds = 10.0;   ///< an agent says something at least so often
    double silent_seconds = 90.0;  ///< longer than a stream may be held up
    double hello_seconds = 180.0;  ///< from the launcher's start to the first message
    double again_seconds = 2.0;    ///< before the second start; doubles up to a minute
    int starts = 10;               ///< in a row without a task done
};

/// What is heard of agents.
class LinkHandler {
public:
    virtual ~LinkHandler() = default;
    virtual void starting(std::size_t node) = 0;
    /// Throws InputError for what the message must not say: the agent is then ended.
    virtual void heard(std::size_t node, const Message& message) = 0;
    /// `for_good`: it is not started again.
    virtual void lost(std::size_t node, const std::string& why, bool for_good) = 0;
};

/// What is done to them.
class AgentLinks {
public:
    virtual ~AgentLinks() = default;
    virtual void send(std::size_t node, const Message& message) = 0;
    virtual bool is_up(std::size_t node) const = 0;
    /// It did what it was asked: earlier failures do not count any more.
    virtual void is_well(std::size_t node) = 0;
    /// Ends its agent, and starts none again; the handler hears of it.
    virtual void give_up(std::size_t node, const std::string& why) = 0;
};

class NodeLinks final : public AgentLinks {
public:
    /// The handler must outlive it, and is called within step() and give_up().
    NodeLinks(std::vector<std::string> names, ClusterOptions cluster, const LinkRules& rules,
              LinkHandler& handler);

    /// Starts who is due, and hands over what came within `seconds`.
    void step(double seconds);
    void send(std::size_t node, const Message& message) override;
    void is_well(std::size_t node) override { nodes_[node].failures = 0; }
    void give_up(std::size_t node, const std::string& why) override;
    bool is_up(std::size_t node) const override { return nodes_[node].link->is_up(); }
    /// Nobody is started any more.
    void no_more_starts() { starts_ = false; }
    bool any_up() const;
    /// Says goodbye and waits for all to end, then kills.
    void end(double patience);

private:
    struct Node {
        std::unique_ptr<NodeLink> link = std::make_unique<NodeLink>();
        double start_at = 0.0;
        double started = 0.0;
        bool said_hello = false, given_up = false;
        int failures = 0;
    };
    void start_due(double now);
    void say_alive(double now);
    void fails(std::size_t node, const std::string& why, double now);

    std::vector<std::string> names_;
    ClusterOptions cluster_;
    LinkRules rules_;
    LinkHandler& handler_;
    std::vector<Node> nodes_;
    bool starts_ = true;
    double said_alive_ = 0.0;
};

}  // namespace rooftune
