// The flags that name nodes and how to reach them.
#pragma once

#include "tuner/cluster/launch.h"
#include "tuner/command/command_line.h"

namespace rooftune {

void add_node_flags(Command& app, ClusterOptions& options);

}  // namespace rooftune
