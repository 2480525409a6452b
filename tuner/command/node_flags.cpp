#include "tuner/command/node_flags.h"

namespace rooftune {

void add_node_flags(Command& app, ClusterOptions& options) {
    const Option nodes = app.option(
        "--nodes", options.nodes,
        "Measure on these nodes: names between commas, node[01-08] for eight, or slurm for those of the "
        "allocation that this runs in");
    app.option("--launcher", options.launcher,
               "Words that start a program on {node}, with its standard streams: 'ssh {node}' (the default; "
               "with --nodes slurm it is srun), 'mpirun --host {node} -n 1'; {index} counts the nodes from 0")
        .needs(nodes);
    app.option("--node-program", options.program,
               "rooftune as the nodes have it (default: where this one lies here)")
        .needs(nodes);
    app.option("--node-results", options.results,
               "Folder of the store that a node keeps of its own, on a disk of its own; may name {node} "
               "(default: below its $TMPDIR)")
        .needs(nodes);
    app.option("--most-behind", options.most_behind,
               "A node that reaches less than the best of its kind by more than this share measures nothing "
               "that decides; more for nodes that share a host's memory")
        .range(0.05, 0.95)
        .shows_default()
        .needs(nodes);
}

}  // namespace rooftune
