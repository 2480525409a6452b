// Everything about one measurement of one variant.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

/// How the preparation and run of a variant ended.
enum class Outcome {
    measured,          ///< verified, with at least eight slots
    raced_out,         ///< dropped after a few slots, far behind even unverified: a statistical claim
    wrong,             ///< an answer outside the tolerance, NaN, or a write outside the output
    crashed,           ///< killed by a signal other than the two below
    illegal,           ///< used an instruction that the CPU lacks
    timed_out,         ///< killed at its deadline
    out_of_memory,     ///< preparation could not get its memory
    unbuildable,       ///< its source does not compile when tuned; the detail holds the build log
    out_of_resources,  ///< wants more of the device than there is (registers, local memory, work items)
    environment,       ///< failed through no fault of the variant (worker could not start, say)
};

std::string_view to_text(Outcome o);
bool outcome_from(std::string_view text, Outcome& out);
/// Everything but measured and raced_out.
bool is_failure(Outcome o);
/// Whether a variant that ended so may be faster than the winner for all that is proven: raced out, or failed
/// for reasons of the environment.
bool stays_open(Outcome o);

/// One slot: the batch minimum of a short run of batches.
struct Slot {
    double seconds = 0.0;    ///< of one repetition
    int repetitions = 0;     ///< in each batch
    bool disturbed = false;  ///< stolen time or a preemption fell into it
    bool crowded = false;    ///< other processes had processors that it waited for; not stored
};

/// What hardware counters saw of one repetition.
struct MeasuredTraffic {
    bool seen = false;   ///< counters ran
    double bytes = 0.0;  ///< beyond the last cache
    std::string source;  ///< what was counted, or why nothing was; empty: nobody asked
};

struct Record {
    std::map<std::string, std::string> variant;
    Outcome outcome = Outcome::environment;
    std::string detail;  ///< signal, reason, place of the worst error; empty when fine
    std::vector<Slot> slots;
    double error = 0.0;            ///< largest error over its tolerance; 1 is the limit
    double prepare_seconds = 0.0;  ///< conversion and placement
    std::string role;              ///< search, finals, audit, reference (naive and default), alarm
    std::string when;              ///< UTC, ISO 8601
    MeasuredTraffic traffic;       ///< of finalists; not stored
    /// Slots of the best variant so far, taken in turn with this one's; not stored.
    std::vector<Slot> companion{};
    /// How slow the machine was meanwhile, by the companion: its time then over its time when it was
    /// measured itself. 1 without one; not stored.
    double pace = 1.0;
    /// Measured on another machine of the same kind, of whose times only the ratios to the companion's mean
    /// something here; not stored.
    bool elsewhere = false;
};

}  // namespace rooftune
