// A problem before anything is tuned: its structure, and each way to store it with its bytes, its bound and
// an estimate.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tuner/engine/setting.h"

namespace rooftune {

/// Variants that store the data alike: the completions of one choice of the storage parameters.
struct StorageWay {
    PartialVariant choice;       ///< the storage parameters
    std::uint64_t variants = 0;  ///< completions
    double bytes = 0.0;          ///< least that one repetition reads and writes, of distinct bytes
    double lower = 0.0;          ///< T_lower of all completions, seconds; 0: no ceiling bounds them
    std::string binding;         ///< the kind of the binding term; empty: none
    std::optional<Variant>
        promising{};        ///< the completion with the least estimate; nothing where none is known
    double estimate = 0.0;  ///< its estimate, seconds; 0: not known. It ranks and bounds nothing
};

struct Inspected {
    Setting setting;
    std::string family;
    std::string machine;  ///< what bounds are of, for people; empty: no model of this machine yet
    Inspection inspection;
    /// One for each choice; the least estimate first, without a machine the fewest bytes. Empty where the
    /// family has one way for all variants.
    std::vector<StorageWay> ways;
    double default_estimate = 0.0;  ///< the default variant's, seconds; 0: not known
};

/// A density has at most `cells` rows and columns. `machine` may be without ceilings. Throws as
/// make_setting() does.
Inspected inspect_problem(const Job& job, const CommonOptions& options, const Machine& machine, int cells);

}  // namespace rooftune
