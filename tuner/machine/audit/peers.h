// Everybody that an audit of a user's machine asks.
#pragma once

#include <vector>

#include "tuner/machine/audit/peer.h"

namespace rooftune::audit {

/// Libraries found by dlopen, programs found in PATH, and our own loops and kernels. Those that need headers
/// or a compiler are in tests/peers/soundness.
std::vector<Peer> built_in_peers();

}  // namespace rooftune::audit
