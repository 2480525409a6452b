// Measuring a matrix product, whoever computes it.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "tuner/machine/audit/gemm_peers.h"
#include "tuner/machine/audit/windows.h"

namespace rooftune::audit {
namespace {

// Small whole numbers over 16: products and short sums of them are exact, long ones nearly so.
template <typename T>
void fill(T* data, std::size_t count, std::uint64_t seed) {
    for (std::size_t i = 0; i < count; ++i) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        data[i] = static_cast<T>(static_cast<int>(seed >> 59) - 15) / T{16};
    }
}

// The largest error of the checked elements, over what rounding in n additions explains.
template <typename T>
double worst_error(int n, const T* a, const T* b, const T* c) {
    constexpr int kWhole = 128;
    const auto side = static_cast<std::size_t>(n);
    const std::size_t step = n <= kWhole ? 1 : side * side / 257 | 1;
    const double unit = std::is_same_v<T, float> ? 0x1p-24 : 0x1p-53;
    double worst = 0.0;
    for (std::size_t at = 0; at < side * side; at += step) {
        double sum = 0.0, size = 0.0;
        for (std::size_t k = 0; k < side; ++k) {
            const double term = static_cast<double>(a[at / side * side + k]) * b[k * side + at % side];
            sum += term;
            size += std::fabs(term);
        }
        const double difference = std::fabs(sum - static_cast<double>(c[at]));
        const double explained = 2.0 * n * unit * size + 1e-300;
        // NaN compares with nothing.
        worst = difference <= explained * 1e9 ? std::max(worst, difference / explained)
                                              : std::numeric_limits<double>::infinity();
        if (std::isinf(worst)) return worst;
    }
    return worst;
}

}  // namespace

template <typename T>
Measurement measure_product(const Product<T>& product, int n, int calls, const std::vector<int>& cpus,
                            double seconds) {
    const std::size_t count = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
    const std::size_t bytes = (count * sizeof(T) + 4095) / 4096 * 4096;
    std::vector<Buffer> memory;
    for (int i = 0; i < calls; ++i) memory.emplace_back(3 * (bytes + 320));
    const auto matrix = [&](int call, int which) {
        return reinterpret_cast<T*>(memory[static_cast<std::size_t>(call)].data() +
                                    static_cast<std::size_t>(which) * (bytes + 320));
    };
    // A team is made only where it works: its pinning would confine a library's threads to one processor.
    const std::unique_ptr<Team> team = calls > 1 ? std::make_unique<Team>(cpus) : nullptr;
    const auto each = [&](auto&& body) {
        if (team) {
            team->run(calls, body);
        } else {
            body(0);
        }
    };
    each([&](int call) {
        fill(matrix(call, 0), count, 1);
        fill(matrix(call, 1), count, 2);
        std::fill(matrix(call, 2), matrix(call, 2) + count, std::numeric_limits<T>::quiet_NaN());
    });
    const auto run = [&](std::int64_t repetitions) {
        each([&](int call) {
            for (std::int64_t r = 0; r < repetitions; ++r)
                product(n, matrix(call, 0), matrix(call, 1), matrix(call, 2));
        });
    };
    run(1);
    double error = 0.0;
    for (int call = 0; call < calls; ++call)
        error = std::max(error, worst_error(n, matrix(call, 0), matrix(call, 1), matrix(call, 2)));
    Measurement m;
    if (!(error <= 1.0)) {
        m.outcome = Outcome::wrong;
        m.detail = "the product differs from plain dot products by " + std::to_string(error) +
                   " of what rounding explains";
        return m;
    }
    m = fastest_window(run, seconds);
    m.error = error;
    return m;
}

template Measurement measure_product<float>(const Product<float>&, int, int, const std::vector<int>&, double);
template Measurement measure_product<double>(const Product<double>&, int, int, const std::vector<int>&,
                                             double);

Case product_case(const std::string& peer, DType dtype, int threads, int n, int calls) {
    const double side = n;
    Case c;
    c.peer = peer;
    c.kernel = "gemm " + std::to_string(n);
    c.dtype = dtype;
    c.threads = threads;
    c.least.flops = Operations(2.0 * side * side * side * calls);
    c.least.footprint = Bytes(3.0 * side * side * static_cast<double>(size_of(dtype)) * calls);
    c.like = Mix::fma;
    c.arguments = {{"n", std::to_string(n)}};
    return c;
}

}  // namespace rooftune::audit
