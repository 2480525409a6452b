// What a tune would do, without doing it: `tune --dry-run`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tuner/engine/tune_job.h"
#include "tuner/formats/strict_json.h"

namespace rooftune {

inline constexpr std::string_view kDryRunSchema = "rooftune/dry-run/1";

/// What is told of a variant before it is measured.
struct ToldBound {
    Variant variant;
    double lower = 0.0;   ///< T_lower, seconds; 0: no ceiling bounds it
    double serial = 0.0;  ///< T_serial, seconds; likewise
    std::string term;     ///< the binding term's kind; empty: none
};

/// Variants that no bound tells apart.
struct DryGroup {
    ToldBound bound;                 ///< of the first
    std::size_t variants = 0;        ///< in it
    std::vector<Variant> promising;  ///< the first of them by the estimate that ranks
};

struct DryRun {
    Setting setting;
    std::string family;
    std::string machine;    ///< what bounds are of, for people: a name, or the device's
    bool measured = false;  ///< a tune would make the quick model first, where the machine is not known
    bool known = false;     ///< there is a model, of whatever quality
    std::size_t variants = 0;
    bool bounded = false;  ///< whether any ceiling bounds a variant
    ToldBound naive, fallback;
    std::vector<DryGroup> groups;  ///< the least bounds first; at most 20 variants in all are named
};

/// Bounds every variant on offer; measures nothing. Throws as make_setting() does.
DryRun dry_run(const Job& job, const TuneOptions& options, const MachineModel& machine);

/// The two variants that a tune measures first, and those with the least bounds, in tables: a few in words,
/// or
/// (`verbose`) all of them with all of their parameters.
std::string dry_run_text(const DryRun& dry, bool verbose);

/// The same as a member of "problems" in the document that configs/schema/dry-run.schema.json describes.
Json to_json(const DryRun& dry);

}  // namespace rooftune
