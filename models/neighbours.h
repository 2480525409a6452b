// The neighbours of a variant: what local search walks along.
#pragma once

#include <cstddef>
#include <vector>

#include "models/space.h"

namespace rooftune {

/// The valid variants that differ from `variant` in the value of one parameter. All others keep theirs, as
/// far as both have them: a parameter that the change makes vanish is absent, and one that it makes appear
/// takes each of its values in turn. So neighbours are mutual, but a change that makes many parameters appear
/// has many; of each change (one value of one parameter) the first `most` in the order of the space count,
/// and then neighbours may not be mutual. Different from each other, in an order that depends on nothing
/// else.
std::vector<Variant> neighbours(const Space& space, const Variant& variant, std::size_t most = 16);

}  // namespace rooftune
