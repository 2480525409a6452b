// Why a space has no variant.
#pragma once

#include <string>
#include <vector>

#include "models/space.h"

namespace rooftune {

/// The constraints that leave a space without a variant, by their texts: the first in declared order without
/// which it would have some; if no single one is to blame, several that together leave nothing, none of which
/// could be left out of them. Empty when the space has variants.
std::vector<std::string> emptied_by(const Space& space);

}  // namespace rooftune
