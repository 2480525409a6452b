// Our own kernels as peers: they are bounded by the ceilings too.
#pragma once

#include <vector>

#include "tuner/machine/audit/peer.h"

namespace rooftune::audit {

/// One peer a family of the registry that there are problems for here: its default variant.
std::vector<Peer> family_peers();

}  // namespace rooftune::audit
