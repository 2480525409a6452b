// How agents are started: names of nodes, and the words of a launcher.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace rooftune {

/// What a user says of the nodes of a job.
struct ClusterOptions {
    std::string nodes;     ///< names between commas, or "slurm": those of the allocation this runs in
    std::string launcher;  ///< words that start a program on {node}; empty: what suits `nodes`
    std::string program;   ///< rooftune on the nodes; empty: where this program lies here
    std::string results;  ///< folder of an agent's store, which may name {node}; empty: its own temporary one
    /// What a node may lack of the best of its kind, as a share, without being called slow.
    double most_behind = 0.20;
};

/// What an environment variable holds; empty where it is not set.
using Variable = std::function<std::string(const std::string&)>;
/// Lines that a program prints. Throws EnvironmentError where it fails.
using LinesOf = std::function<std::vector<std::string>(const std::vector<std::string>& words)>;

/// The names, each once, in their order. Brackets hold ranges ("node[01-04,7]"). Throws InputError for a name
/// that is none, for "slurm" outside of an allocation, and for no node at all.
std::vector<std::string> node_names(const std::string& nodes, const Variable& variable,
                                    const LinesOf& lines_of);

/// "node[01-03,7],login" as names. Throws InputError.
std::vector<std::string> expanded_names(const std::string& text);

/// The words that start an agent on a node, the `index`-th. Where the launcher is ssh, what follows is quoted
/// for the shell at its other end. Throws InputError for a launcher that is none.
std::vector<std::string> agent_words(const ClusterOptions& options, const std::string& node,
                                     std::size_t index);

}  // namespace rooftune
