#include "tuner/cluster/node_links.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "kernels/runtime/error.h"
#include "tuner/base/clock.h"
#include "tuner/base/si.h"

namespace rooftune {
namespace {

// What comes within this time is taken together: where this program is on a node that measures, each of its
// turns may fall into one of a kernel, whose slot is then taken again. With a fifth of this a helper beside
// it lost 13 to 16 % of its slots, in two tunes with this 9 to 11 %.
constexpr double kGather = 0.1;  // seconds
// A launcher is a process that works for a moment: not all at once.
constexpr int kStartsAStep = 16;
constexpr double kMostBetweenStarts = 60.0;
constexpr double kToEnd = 0.5;  // seconds that an agent has which is given up

void gather() {
    std::this_thread::sleep_for(std::chrono::duration<double>(kGather));
}

}  // namespace

NodeLinks::NodeLinks(std::vector<std::string> names, ClusterOptions cluster, const LinkRules& rules,
                     LinkHandler& handler)
    : names_(std::move(names)),
      cluster_(std::move(cluster)),
      rules_(rules),
      handler_(handler),
      nodes_(names_.size()) {
    // Four descriptors a node: more than many a shell allows at first.
    rlimit files{};
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
}

void NodeLinks::start_due(double now) {
    int left = kStartsAStep;
    for (std::size_t i = 0; i < nodes_.size() && left > 0 && starts_; ++i) {
        Node& node = nodes_[i];
        if (node.given_up || node.link->is_up() || now < node.start_at) continue;
        --left;
        node.started = now;
        node.said_hello = false;
        handler_.starting(i);
        const std::string why = node.link->start(agent_words(cluster_, names_[i], i), now);
        if (!why.empty()) fails(i, why, now);
    }
}

void NodeLinks::fails(std::size_t i, const std::string& why, double now) {
    Node& node = nodes_[i];
    const std::string how = node.link->end(kToEnd);
    ++node.failures;
    if (node.failures >= rules_.starts) node.given_up = true;
    node.start_at = now + std::min(kMostBetweenStarts, rules_.again_seconds * std::exp2(node.failures - 1));
    handler_.lost(i, why.empty() ? how : how.empty() ? why : why + " (" + how + ")", node.given_up);
}

// A launcher may be killed and leave its agent with a stream that nobody reads: from silence it knows.
void NodeLinks::say_alive(double now) {
    if (now - said_alive_ < rules_.alive_seconds) return;
    said_alive_ = now;
    for (Node& node : nodes_) {
        if (node.said_hello && node.link->unsent() == 0) node.link->send({"alive", Json::object()});
    }
}

void NodeLinks::send(std::size_t node, const Message& message) {
    nodes_[node].link->send(message);
}

void NodeLinks::give_up(std::size_t i, const std::string& why) {
    Node& node = nodes_[i];
    node.given_up = true;
    node.link->end(kToEnd);
    handler_.lost(i, why, true);
}

bool NodeLinks::any_up() const {
    return std::any_of(nodes_.begin(), nodes_.end(), [](const Node& n) { return n.link->is_up(); });
}

void NodeLinks::step(double seconds) {
    start_due(monotonic_seconds());
    say_alive(monotonic_seconds());
    std::vector<pollfd> ends;
    for (const Node& node : nodes_) node.link->watch(ends);
    if (poll(ends.data(), ends.size(), static_cast<int>(1e3 * seconds)) > 0) gather();
    const double now = monotonic_seconds();
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
        Node& node = nodes_[i];
        if (!node.link->is_up()) continue;
        std::vector<Message> received;
        bool open = node.link->pump(received, now);
        // What came before it counts.
        std::string fault = node.link->fault();
        if (!fault.empty()) fault = "what it said is no message: " + fault;
        for (const Message& message : received) {
            node.said_hello = true;
            try {
                handler_.heard(i, message);
            } catch (const InputError& error) {
                fault = error.what();
                open = false;
                break;
            }
            if (node.given_up) break;
        }
        if (node.given_up || !node.link->is_up()) continue;
        if (!open) {
            fails(i, fault, now);
        } else if (!node.said_hello && now - node.started > rules_.hello_seconds) {
            fails(i, "its agent did not answer within " + format_duration(rules_.hello_seconds), now);
        } else if (node.said_hello && now - node.link->last_heard() > rules_.silent_seconds) {
            fails(i, "nothing was heard of it for " + format_duration(rules_.silent_seconds), now);
        }
    }
}

void NodeLinks::end(double patience) {
    const double until = monotonic_seconds() + patience;
    for (Node& node : nodes_) node.link->send({"bye", Json::object()});
    for (Node& node : nodes_) node.link->end(std::max(kToEnd, until - monotonic_seconds()));
}

}  // namespace rooftune
