// What the declared work of a kernel bounds on this machine, told before anything is measured.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/contract/family.h"
#include "models/machine.h"
#include "models/space.h"

namespace rooftune {

/// The least time that a variant could take, by proven terms.
struct CheckedBound {
    double seconds = 0.0;  ///< 0: no ceiling bounds it
    std::string term;      ///< kind of the binding term
};

struct CheckedBounds {
    std::string machine;  ///< its name, or the device's
    bool known = false;   ///< it has ceilings
    std::string failure;  ///< why its file cannot be read
    CheckedBound least, first, most;
    /// Whether all variants were looked at, of which `least` and `most` then are; else `least` is below or at
    /// the bound of any, and there is no `most`.
    bool all = true;
    std::uint64_t variants = 0;
};

/// Of a space of more than 100 000 variants not all are looked at.
CheckedBounds check_bounds(const Space& space, const WorkModel& model, const Variant& first,
                           const Machine& machine, const Target& target);

/// For people, a sentence or two; of a machine that is not known, how it is made known.
std::string bounds_text(const CheckedBounds& bounds, const Target& target);

/// {"machine", "least", "first", "most"}: null where no ceiling bounds them, or nothing is known.
nlohmann::ordered_json bounds_json(const CheckedBounds& bounds);

}  // namespace rooftune
