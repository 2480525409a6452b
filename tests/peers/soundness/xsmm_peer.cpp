#include <libxsmm.h>

#include <type_traits>

#include "kernels/runtime/error.h"
#include "tests/peers/soundness/peers.h"
#include "tuner/machine/audit/gemm_peers.h"

namespace rooftune::peers {
namespace {

using audit::Case;
using audit::Measurement;

// A kernel made for this size; column-major, so the operands change places.
template <typename T>
audit::Product<T> product(int n) {
    const T one{1}, zero{0};
    const auto kernel = [&] {
        if constexpr (std::is_same_v<T, float>) {
            return libxsmm_smmdispatch(n, n, n, nullptr, nullptr, nullptr, &one, &zero, nullptr, nullptr);
        } else {
            return libxsmm_dmmdispatch(n, n, n, nullptr, nullptr, nullptr, &one, &zero, nullptr, nullptr);
        }
    }();
    if (!kernel) throw EnvironmentError("libxsmm makes no kernel of this size here");
    return [kernel](int, const T* a, const T* b, T* c) { kernel(b, a, c); };
}

std::string version() {
    return std::string("libxsmm ") + LIBXSMM_VERSION + ", kernels for " + libxsmm_get_target_arch();
}

}  // namespace

audit::Peer xsmm_peer() {
    audit::Peer peer;
    peer.name = "libxsmm";
    peer.package = "libxsmm-dev";
    peer.cases = [](const audit::PeerSetting& setting) {
        std::vector<Case> cases;
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const int threads : setting.thread_counts()) {
                // One kernel call a thread, each on matrices of its own.
                for (const int side : {24, 48, 64})
                    cases.push_back(audit::product_case("libxsmm", dtype, threads, side, threads));
            }
        }
        return cases;
    };
    peer.find = [] {
        libxsmm_init();
        return audit::Found{true, version()};
    };
    peer.measure = [](const Case& what, const std::vector<int>& cpus, double seconds) {
        libxsmm_init();
        const int n = std::stoi(what.arguments.at("n"));
        Measurement m =
            what.dtype == DType::f32
                ? audit::measure_product<float>(product<float>(n), n, what.threads, cpus, seconds)
                : audit::measure_product<double>(product<double>(n), n, what.threads, cpus, seconds);
        if (m.outcome == audit::Outcome::measured) m.detail = version();
        return m;
    };
    return peer;
}

}  // namespace rooftune::peers
