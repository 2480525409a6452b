// `rooftune track`: the history of kernels over commits and machines.
#include "tuner/track/track_commands.h"

namespace rooftune {

void add_track_command(Command& program, const Registry& registry) {
    Command track = program.command(
        "track", "History of kernels over commits: record, report, find the commit, test what is detectable");
    track.needs_command();
    add_track_record(track, registry);
    add_track_report(track, registry);
    add_track_bisect(track);
    add_track_selftest(track);
}

}  // namespace rooftune
