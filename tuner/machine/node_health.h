// The health of a cluster's nodes: what each reaches of what the best of its class does.
#pragma once

#include <string>
#include <vector>

#include "tuner/cluster/tune_on_nodes.h"

namespace rooftune {

/// One row a node: peak and memory's bandwidth, and the ceiling at which it stays behind most.
std::string node_health_text(const std::vector<NodeHealth>& nodes, double most_behind);

/// The same as a document, with every ceiling at which a node stays behind.
std::string node_health_json(const std::vector<NodeHealth>& nodes);

/// A panel for each ceiling that is compared, a dot for each node, with its share of the best of its class;
/// nodes that stay behind are marked and named.
std::string node_health_svg(const std::vector<NodeHealth>& nodes, double most_behind);

/// Whether every node came and none stays behind.
bool all_healthy(const std::vector<NodeHealth>& nodes);

}  // namespace rooftune
