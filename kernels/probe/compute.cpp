#include "kernels/probe/compute.h"

#include <string>

#include "kernels/probe/compute_kernel.h"
#include "kernels/runtime/error.h"

namespace rooftune::probe {
namespace {

ComputeKernel find(const ComputeWay& way) {
    return way.dtype == DType::f32 ? find_f32_kernel(way) : find_f64_kernel(way);
}

double flops_a_step(const ComputeWay& way) {
    const double lanes = way.width_bits / (8.0 * static_cast<double>(size_of(way.dtype)));
    double flops = 1.0;
    if (way.mix == Mix::fma) flops = 2.0;
    if (way.mix == Mix::fma_add) flops = 1.0 + static_cast<double>(way.share.fmas) / way.share.period;
    return lanes * way.chains * flops;
}

// Read through volatile: the compiler sees no value.
volatile double g_seed = 1.0;
volatile double g_factor = 1.0 - 0x1p-10;
volatile double g_unit_factor = 1.0;
volatile double g_term = 0x1p-10;

// Uses the reduced accumulators, so that none is dead.
void keep(double value) {
    __asm__ volatile("" : : "x"(value));
}

}  // namespace

const std::vector<int>& built_chains() {
    static const std::vector<int> chains{1, 2, 4, 8, 12, 16, 24};
    return chains;
}

std::vector<FmaShare> shares_of(Mix mix) {
    if (mix == Mix::fma_add) return {{1, 2}, {2, 3}};
    return {{1, 1}};
}

bool can_compute(const ComputeWay& way) {
    return find(way) != nullptr;
}

Work compute_work(const ComputeWay& way, int threads) {
    const ComputeKernel kernel = find(way);
    if (kernel == nullptr) {
        throw EnvironmentError("no compute probe for " + std::string(to_text(way.mix)) + " " +
                               std::string(to_text(way.dtype)) + " on " + std::to_string(way.width_bits) +
                               "-bit vectors with " + std::to_string(way.chains) +
                               " chains: this CPU lacks the width or the registers");
    }
    constexpr std::int64_t kStepsARepetition = 20 * kStepsUnrolled;
    Work work;
    work.threads = threads;
    work.amount = flops_a_step(way) * static_cast<double>(kStepsARepetition) * threads;
    const double factor = way.mix == Mix::mul ? g_unit_factor : g_factor;
    work.run = [kernel, factor](int, std::int64_t repetitions) {
        keep(kernel(repetitions * kStepsARepetition, g_seed, factor, g_term));
    };
    return work;
}

}  // namespace rooftune::probe
