// What speaks against a machine's model: that it is quick or old, that others ran beside its probes, or that
// it contradicts itself. Bounds stay bounds under all of these, only looser or of another day; but a reader
// who is not told takes the numbers for the machine's. Pure: the date goes in.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// More threads do at least what fewer do. A highest rate of all threads that lies by more than this below
/// that of one thread under the same conditions contradicts it: the probes' own windows differ by less.
inline constexpr double kContradiction = 0.05;

/// Two ceilings of which the one with more threads is the lower, by more than kContradiction.
struct Contradiction {
    const Ceiling* more = nullptr;   ///< of more threads
    const Ceiling* fewer = nullptr;  ///< of one thread, and the higher one
};

/// For each kind of operation or walk the highest ceilings of one thread and of the most: arithmetic by
/// element type, walks by mix over the largest footprint that both have. The gravest first. Pointers into
/// `machine`.
std::vector<Contradiction> contradictions(const Machine& machine);

/// Whether only the quick plan was probed: nothing of what the full one adds is known.
bool is_quick(const Machine& machine);

/// Ceilings that could make a roof and do not, since they were never seen undisturbed often enough.
int unproven(const Machine& machine);

/// What holds of a model that a run has just probed for itself: contradictions, and ceilings without proof.
std::vector<std::string> probe_doubts(const Machine& machine);

/// The same, and whether it is old or quick, or has levels of cache as no quiet machine has them
/// (tuner/ceilings/implausible_levels.h). Whole sentences, the gravest first, each with what to do. Empty
/// where nothing speaks against the model, and for a machine as documents have it. `machine`: as one backend
/// meets it (machine_of). `now` as utc_now() writes it; empty: nothing is old.
std::vector<std::string> model_doubts(const Machine& machine, const std::string& now);

}  // namespace rooftune
