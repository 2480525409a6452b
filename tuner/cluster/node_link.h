// An agent as the coordinator has it: the launcher's process, and the streams through it.
#pragma once

#include <poll.h>

#include <string>
#include <vector>

#include "tuner/base/child_output.h"
#include "tuner/base/child_process.h"
#include "tuner/cluster/message.h"

namespace rooftune {

class NodeLink {
public:
    /// Starts the launcher. What stood in the way, empty where nothing did.
    std::string start(const std::vector<std::string>& words, double now);
    bool is_up() const { return child_.pid() >= 0; }

    void send(const Message& message);
    /// Appends what poll() is to look at.
    void watch(std::vector<pollfd>& ends) const;
    /// Writes what can be written, reads what there is. False where nothing can come any more: the agent is
    /// gone, or said what is no message (`fault`).
    bool pump(std::vector<Message>& received, double now);
    const std::string& fault() const { return fault_; }

    double last_heard() const { return last_heard_; }
    /// How it ended, with the end of what it and its launcher wrote to standard error.
    std::string end(double patience);
    std::size_t unsent() const { return unsent_.size() - sent_; }

private:
    bool flush();

    ChildProcess child_;
    Descriptor to_, from_;
    ChildOutput errors_{Descriptor(), 0};
    MessageReader reader_{true};
    std::string unsent_;
    std::size_t sent_ = 0;
    double last_heard_ = 0.0;
    std::string fault_;
};

}  // namespace rooftune
