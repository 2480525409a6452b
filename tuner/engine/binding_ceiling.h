// The problem's roof, and the ceilings that are probed beside rounds to see where it is now.
#pragma once

#include <optional>
#include <vector>

#include "tuner/engine/tune_job.h"
#include "tuner/measure/head_room.h"

namespace rooftune {

/// Terms that an alarm of the tune demoted: they bound nothing since.
Demoted demoted_terms(const TuneResult& tuned);

/// The ceiling that binds a (partial) variant; nothing where none applies. `view` is the machine as the
/// problem's backend meets it.
std::optional<Ceiling> binding_ceiling(const Setting& setting, const Machine& view,
                                       const PartialVariant& partial, const Demoted& demoted);

/// Least seconds that any variant of the space could take; 0 where no ceiling applies.
double problem_roof(const Setting& setting, const Machine& view, const Demoted& demoted);

/// Of one resource under the same conditions, whatever their rates.
bool same_ceiling(const Ceiling& a, const Ceiling& b);

/// What a control probes: the ceiling that binds this variant first, then the one behind the problem's roof
/// where it is another.
std::vector<Ceiling> watched_ceilings(const Setting& setting, const Machine& view, const Variant& variant,
                                      const Demoted& demoted);

/// The problem's roof by the highest rates ever, those probed beside the rounds included, and as it was
/// beside them.
struct RoofBeside {
    double seconds = 0.0;  ///< 0: not known
    double now = 0.0;      ///< by the highest rate that the binding ceiling gave beside; 0: not probed
    std::optional<Ceiling> binding;
};

/// `rates[i]` are those that `watched[i]` gave, one a round. Their highest counts, as in a tune.
RoofBeside roof_beside(const Setting& setting, Machine view, const std::vector<Ceiling>& watched,
                       const std::vector<std::vector<double>>& rates, const Demoted& demoted);

/// The roof beside rounds in which a variant took this long, in seconds; 0: not known. No kernel is faster
/// than what binds it: where one seems to be by more than 3 %, the probes beside it were disturbed, and the
/// highest rates ever count instead.
double roof_now_for(const RoofBeside& roof, double seconds);

/// The problem's roof as probed beside its tune; 0 where that was on another machine, or is not known.
double roof_then(const TuneResult& tuned, const std::string& machine);

/// Both: beside the rounds, and beside the tune on this machine (a fingerprint).
track::Roof roof_beside(const Setting& setting, const Machine& view, const std::vector<Ceiling>& watched,
                        const std::vector<std::vector<double>>& rates, const TuneResult& tuned,
                        const std::string& machine);

}  // namespace rooftune
