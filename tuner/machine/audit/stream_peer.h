// Our own STREAM as a peer.
#pragma once

#include "tuner/machine/audit/peer.h"

namespace rooftune::audit {

Peer stream_peer();

}  // namespace rooftune::audit
