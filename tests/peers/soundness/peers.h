// Peers that need headers or a compiler, beside those that an audit finds for itself.
#pragma once

#include <vector>

#include "tuner/machine/audit/peer.h"

namespace rooftune::peers {

audit::Peer eigen_peer();
audit::Peer rsb_peer();
/// Kernels made when they are asked for; Debian has this library for static linking only.
audit::Peer xsmm_peer();

/// Everybody: those of the audit, and these.
std::vector<audit::Peer> soundness_peers();

}  // namespace rooftune::peers
