// A variant of one problem carried over to another, whose space may lack some of its values.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "models/space.h"

namespace rooftune {

struct ClosestVariant {
    Variant variant;
    int changed = 0;  ///< parameters whose value is another one than wanted, that are new, or that are gone
};

/// The variant of `space` with these values or, where conditions and constraints do not allow them, with the
/// nearest: parameters are decided in the space's order, each with the value that comes nearest to the one
/// wanted (numbers by their ratio, others equal or not), stepping back out of dead ends. nullopt when the
/// space is empty, or when the search for a valid one took too many steps.
std::optional<ClosestVariant> closest_variant(const Space& space,
                                              const std::map<std::string, std::string>& wanted);

/// How far two values of a parameter are apart: 0 when spelled alike; for texts that are the same but for
/// their numbers (256 and 512, 8x6 and 12x4) the sum of the numbers' distances in powers of two; else 100.
double value_distance(std::string_view a, std::string_view b);

}  // namespace rooftune
