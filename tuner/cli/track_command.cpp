// `rooftune track`: the history of kernels over commits and machines.
#include "tuner/cli/track_commands.h"

namespace rooftune {

void add_program_flags(CLI::App& app, CommonOptions& options) {
    app.add_flag("--json", options.json,
                 "One JSON document on standard output; progress and logs on standard error");
    app.add_flag("--quiet", options.quiet, "No progress bar and no notices");
    app.add_option("--seed", options.seed, "Seed of the order of the arms")->capture_default_str();
    app.add_option("--threads", options.threads, "Use only so many processors (default: all)")
        ->check(CLI::Range(1, 65536));
    app.add_option("--cpus", options.cpus,
                   "Processors to use, like 0,2-3 (default: all this process may use)");
    app.add_option(
        "--results", options.results,
        "Folder of the store and of this machine's noise (default: the one that `rooftune tune` uses)");
}

void add_track_command(CLI::App& program, const Registry& registry, Action& action) {
    CLI::App* track = program.add_subcommand(
        "track", "History of kernels over commits: record, report, find the commit, test what is detectable");
    track->require_subcommand(1);
    add_track_record(*track, registry, action);
    add_track_report(*track, registry, action);
    add_track_bisect(*track, action);
    add_track_selftest(*track, action);
}

}  // namespace rooftune
