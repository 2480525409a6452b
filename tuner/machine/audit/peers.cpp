#include "tuner/machine/audit/peers.h"

#include "tuner/machine/audit/family_peer.h"
#include "tuner/machine/audit/gemm_peers.h"
#include "tuner/machine/audit/likwid_peer.h"
#include "tuner/machine/audit/stream_peer.h"

namespace rooftune::audit {

std::vector<Peer> built_in_peers() {
    std::vector<Peer> peers = gemm_peers();
    peers.push_back(likwid_peer());
    peers.push_back(stream_peer());
    for (Peer& peer : family_peers()) peers.push_back(std::move(peer));
    return peers;
}

}  // namespace rooftune::audit
