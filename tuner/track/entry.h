// One point of a kernel's history: what one measurement at one revision found, on one machine. What the store
// keeps of it is this document; configs/schema/track-entry.schema.json describes it.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/formats/strict_json.h"
#include "tuner/formats/tune_result.h"
#include "tuner/track/run_environment.h"

namespace rooftune::track {

inline constexpr std::string_view kEntrySchema = "rooftune/track-entry/1";

/// A step of a ladder of optimisations: what it changed the speed by, as a factor with its interval.
struct LadderStep {
    std::string name;
    double factor = 1.0, low = 1.0, high = 1.0;
};

struct Entry {
    std::string
        revision;  ///< as git names it, "-dirty" behind it where files differ from it; or the user's name
    std::string revision_date;  ///< UTC; of the commit, or of the measurement where there is none
    std::string at;             ///< UTC: when it was measured
    std::string note;           ///< what was optimised; may be empty

    std::string machine, machine_name;  ///< fingerprint, and for people
    std::string family, title, digest;
    std::string dtype, backend, state;
    int threads = 1;

    std::string config;  ///< file of the tuned config that was measured
    std::map<std::string, std::string> variant;
    std::string build;  ///< hash of the kernels' build

    std::string outcome = "measured";   ///< "measured", how it failed, or "invalid": faster than is possible
    std::string detail;                 ///< of a failure
    TimeInterval seconds;               ///< only of what was measured
    int processes = 0;                  ///< fresh ones that the slots are from
    double flops = 0.0;                 ///< nominal, of one repetition
    double problem_roof_seconds = 0.0;  ///< least time under the highest rates ever; 0: not known
    double roof_now_seconds = 0.0;      ///< the same as probed beside the measurement; 0: not probed
    std::vector<LadderStep> steps;      ///< may be empty

    std::string baseline;        ///< the name that it was given; empty: none
    std::string tuned_config;    ///< of what was given a name, the whole document as text, to be run again
    RunEnvironment environment;  ///< its machine and build are the entry's; without a compiler: not recorded

    bool measured() const { return outcome == "measured"; }
    /// Of the roof as probed beside it; 0 where that is not known.
    double fraction_of_roof_now() const {
        return measured() && roof_now_seconds > 0.0 ? roof_now_seconds / seconds.median : 0.0;
    }
};

/// One line that names the kernel: entries with the same one, on the same machine, make a history. Threads,
/// state and backend belong to it, because they move the roof.
std::string kernel_key(const Entry& entry);

/// "INVALID" is what a time means that is more than 3 % below the least possible one, under the highest rates
/// ever: then the bound is under suspicion.
bool is_implausible(const Entry& entry);

Json to_json(const Entry& entry);

/// Reads strictly. Throws InputError with `from`, JSON pointer, what was expected and found.
Entry entry_from(const Json& document, const std::string& from);

/// The steps in a file that `rooftune ladder --json` wrote, but for those that failed. `digest` is that of
/// the problem whose ladder it has to be. Throws InputError, also where no step has a factor.
std::vector<LadderStep> read_ladder_steps(const std::string& path, const std::string& digest);

/// A tuned config that was to be recorded with others and could not be.
struct NotRecorded {
    std::string kernel;  ///< its problem, and its setting
    std::string reason;  ///< without a full stop
};

}  // namespace rooftune::track
