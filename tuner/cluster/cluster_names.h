// Who takes part in a job over nodes.
#pragma once

#include <string>
#include <vector>

#include "tuner/cluster/launch.h"
#include "tuner/cluster/words.h"

namespace rooftune {

/// node_names() in this process's environment. Throws InputError, and EnvironmentError where Slurm does not
/// answer.
std::vector<std::string> names_of(const ClusterOptions& cluster);

/// A text in which {node} stands for the node's name.
std::string in_node(std::string text, const std::string& node);

/// What is wrong with an agent, and what to do; empty where nothing is.
std::string mismatch(const HelloWords& hello);

}  // namespace rooftune
