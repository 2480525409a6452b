#include "kernels/probe/compute.h"

#include <array>
#include <memory>
#include <string>

#include "kernels/probe/compute_chains.h"
#include "kernels/probe/compute_kernel.h"
#include "kernels/runtime/error.h"

namespace rooftune::probe {
namespace {

constexpr std::int64_t kStepsARepetition = 20 * kStepsUnrolled;

// What runs a way: a kernel of Highway's, or a form of chains in assembly.
struct Choice {
    ComputeKernel kernel = nullptr;
    const ChainForm* form = nullptr;
    bool ones = false;
    explicit operator bool() const { return kernel != nullptr || form != nullptr; }
};

ComputeKernel find_real(const ComputeWay& way) {
    if (way.unit == "matrix" || (way.dtype != DType::f32 && way.dtype != DType::f64)) return nullptr;
    return way.dtype == DType::f32 ? find_f32_kernel(way) : find_f64_kernel(way);
}

// bf16 and f16 widened before the loop: what is left of a product is an FMA of f32.
ComputeWay widened(ComputeWay way) {
    way.dtype = DType::f32;
    way.mix = Mix::fma;
    return way;
}

Choice choose(const ComputeWay& way) {
    std::vector<Choice> choices;
    if (const ComputeKernel kernel = find_real(way)) choices.push_back({kernel, nullptr, false});
    if (way.mix == Mix::fma && way.chains == 1) {
        ComputeWay sums = way;
        sums.sums = true;
        if (const ComputeKernel kernel = find_real(sums)) choices.push_back({kernel, nullptr, false});
    }
    for (const ChainForm* form : usable_forms(way)) {
        choices.push_back({nullptr, form, false});
        if (form->arithmetic == Arithmetic::divide) choices.push_back({nullptr, form, true});
    }
    if (way.mix == Mix::dot && (way.dtype == DType::bf16 || way.dtype == DType::f16)) {
        if (const ComputeKernel kernel = find_real(widened(way))) choices.push_back({kernel, nullptr, false});
    }
    const auto at = static_cast<std::size_t>(way.form);
    return way.form < 0 || at >= choices.size() ? Choice() : choices[at];
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

Work chain_work(const Choice& choice, int chains, int threads) {
    const auto operands = std::make_shared<ChainOperands>();
    fill_operands(*choice.form, choice.ones, *operands);
    Work work;
    work.threads = threads;
    work.amount = choice.form->operations * chains * static_cast<double>(kStepsARepetition) * threads;
    work.run = [choice, chains, operands](int, std::int64_t repetitions) {
        alignas(64) std::array<std::byte, 4 * kTileStride> accumulators;
        fill_accumulators(*choice.form, choice.ones, chains, accumulators.data());
        choice.form->kernel(chains)(repetitions * kStepsARepetition, *operands, accumulators.data());
    };
    return work;
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
    return static_cast<bool>(choose(way));
}

Work compute_work(const ComputeWay& way, int threads) {
    const Choice choice = choose(way);
    if (!choice) {
        const std::string where = way.unit == "matrix"
                                      ? "in the matrix unit"
                                      : "on " + std::to_string(way.width_bits) + "-bit vectors";
        throw EnvironmentError("no compute probe for " + std::string(to_text(way.mix)) + " " +
                               std::string(to_text(way.dtype)) + " " + where + " with " +
                               std::to_string(way.chains) +
                               " chains: this CPU lacks the instruction, the width or the registers");
    }
    if (choice.form != nullptr) return chain_work(choice, way.chains, threads);
    const ComputeWay real = way.mix == Mix::dot ? widened(way) : way;
    Work work;
    work.threads = threads;
    work.amount = flops_a_step(real) * static_cast<double>(kStepsARepetition) * threads;
    const double factor = way.mix == Mix::mul ? g_unit_factor : g_factor;
    work.run = [kernel = choice.kernel, factor](int, std::int64_t repetitions) {
        keep(kernel(repetitions * kStepsARepetition, g_seed, factor, g_term));
    };
    return work;
}

}  // namespace rooftune::probe
