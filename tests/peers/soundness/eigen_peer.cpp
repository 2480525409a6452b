#include <algorithm>
#include <cmath>

#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"
#include "tests/peers/soundness/eigen_code.h"
#include "tests/peers/soundness/peers.h"
#include "tuner/machine/audit/gemm_peers.h"
#include "tuner/machine/audit/windows.h"

namespace rooftune::peers {
namespace {

using audit::Case;
using audit::Measurement;
using audit::Outcome;

constexpr const char* kName = "Eigen";

struct Walk {
    const char* name;
    int reads, writes, arrays;
    Mix like;
};
constexpr Walk kWalks[] = {
    {"sum", 1, 0, 1, Mix::load}, {"dot", 2, 0, 2, Mix::load}, {"axpy", 2, 1, 2, Mix::none}};

std::int64_t elements(const Walk& walk, Bytes footprint, DType dtype) {
    return static_cast<std::int64_t>(footprint.value / (static_cast<double>(size_of(dtype)) * walk.arrays));
}

std::vector<Case> cases(const audit::PeerSetting& setting) {
    std::vector<Case> result;
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (const int threads : setting.thread_counts()) {
            for (const int side : {128, 512, 1024}) {
                Case c = audit::product_case(kName, dtype, threads, side);
                if (dtype == DType::f32) c.turn = static_cast<int>(result.size() % 3);
                result.push_back(std::move(c));
            }
        }
        // Its vectors know one thread only.
        for (const audit::Place& place : setting.places) {
            if (place.threads != 1) continue;
            for (const Walk& walk : kWalks) {
                const auto n = static_cast<double>(elements(walk, place.footprint, dtype));
                const double bytes = n * static_cast<double>(size_of(dtype));
                Case c;
                c.peer = kName;
                c.kernel = walk.name;
                c.level = place.level;
                c.dtype = dtype;
                c.least = {Operations(0.0), Bytes(bytes * walk.reads), Bytes(bytes * walk.writes),
                           Bytes(bytes * walk.arrays)};
                c.like = walk.like;
                c.turn = static_cast<int>(result.size() % 3);
                result.push_back(std::move(c));
            }
        }
    }
    return result;
}

template <typename T>
Measurement walk(const Case& what, const EigenCode<T>& code, double seconds) {
    const auto* shape = std::find_if(std::begin(kWalks), std::end(kWalks),
                                     [&](const Walk& w) { return what.kernel == w.name; });
    if (shape == std::end(kWalks)) throw EnvironmentError("Eigen has no walk '" + what.kernel + "' here");
    const std::int64_t n = elements(*shape, what.least.footprint, what.dtype);
    const std::size_t bytes = (static_cast<std::size_t>(n) * sizeof(T) + 4095) / 4096 * 4096;
    Buffer memory(static_cast<std::size_t>(shape->arrays) * (bytes + 320));
    T* const x = memory.as<T>();
    T* const y = shape->arrays > 1 ? reinterpret_cast<T*>(memory.data() + bytes + 320) : x;
    // Sums of halves of both signs are exact in any order.
    for (std::int64_t i = 0; i < n; ++i) x[i] = i % 2 == 0 ? T{1} : T{-0.5};
    if (y != x) std::fill(y, y + n, T{2});
    volatile T sink = 0;
    const auto once = [&] {
        if (what.kernel == "sum") {
            sink = code.sum(x, n);
        } else if (what.kernel == "dot") {
            sink = code.dot(x, y, n);
        } else {
            code.axpy(T{0.5}, x, y, n);
        }
    };
    once();
    const double total = static_cast<double>((n + 1) / 2) - 0.5 * static_cast<double>(n / 2);
    const bool right = what.kernel == "sum"   ? sink == static_cast<T>(total)
                       : what.kernel == "dot" ? sink == static_cast<T>(2.0 * total)
                                              : y[0] == T{2.5} && y[n - 1] == (n % 2 == 1 ? T{2.5} : T{1.75});
    Measurement m;
    // In single precision long sums are exact only while they are below 2^24.
    if (!right && (sizeof(T) == 8 || n < (std::int64_t{1} << 22))) {
        m.outcome = Outcome::wrong;
        m.detail = "not what plain arithmetic gives";
        return m;
    }
    m = audit::fastest_window(
        [&](std::int64_t repetitions) {
            for (std::int64_t r = 0; r < repetitions; ++r) once();
        },
        seconds);
    m.detail = eigen_version();
    return m;
}

template <typename T>
Measurement measure(const Case& what, const EigenCode<T>& code, const std::vector<int>& cpus,
                    double seconds) {
    const auto side = what.arguments.find("n");
    if (side == what.arguments.end()) return walk(what, code, seconds);
    set_eigen_threads(what.threads);
    Measurement m = audit::measure_product<T>(code.product, std::stoi(side->second), 1, cpus, seconds);
    if (m.outcome == Outcome::measured) m.detail = eigen_version();
    return m;
}

}  // namespace

audit::Peer eigen_peer() {
    audit::Peer peer;
    peer.name = kName;
    peer.package = "libeigen3-dev";
    peer.cases = cases;
    peer.find = [] { return audit::Found{true, eigen_version()}; };
    peer.measure = [](const Case& what, const std::vector<int>& cpus, double seconds) {
        return what.dtype == DType::f32 ? measure(what, eigen_single(), cpus, seconds)
                                        : measure(what, eigen_double(), cpus, seconds);
    };
    return peer;
}

}  // namespace rooftune::peers
