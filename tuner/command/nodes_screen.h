// Nodes as a terminal shows them: a line each, redrawn in place; in a log the lines that changed, now and
// then.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/base/progress.h"
#include "tuner/cluster/tune_on_nodes.h"

namespace rooftune {

/// What fits on so many lines: all nodes, or those that do most and a line about the others.
std::vector<std::string> node_lines(const std::vector<NodeLine>& nodes, std::size_t most, int columns);

class NodesScreen : public NodesObserver {
public:
    explicit NodesScreen(bool quiet, ProgressTerminal terminal = stderr_terminal())
        : quiet_(quiet), terminal_(std::move(terminal)) {}
    ~NodesScreen() override { clear(); }
    void notice(const std::string& text) override;
    void nodes(const std::vector<NodeLine>& nodes) override;
    /// Takes the lines away; what follows is printed where they were.
    void clear();

private:
    bool quiet_;
    ProgressTerminal terminal_;
    std::size_t drawn_ = 0;  ///< lines
    double logged_ = -1e9;
    std::map<std::string, std::string> said_;
};

}  // namespace rooftune
