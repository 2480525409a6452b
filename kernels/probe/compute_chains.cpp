#include "kernels/probe/compute_chains.h"

#include <algorithm>
#include <cstring>
#include <iterator>

namespace rooftune::probe {
namespace {

// CPUID is slow in a virtual machine, and the answers stay.
bool usable(Feature feature) {
    static const std::array<bool, 9> answers = [] {
        std::array<bool, 9> all{};
        for (std::size_t i = 0; i < all.size(); ++i) all[i] = has(static_cast<Feature>(i));
        return all;
    }();
    return answers[static_cast<std::size_t>(feature)];
}

template <class T, class Value>
void fill(std::byte* at, std::size_t bytes, Value&& value) {
    for (std::size_t i = 0; i < bytes / sizeof(T); ++i) {
        const T element = static_cast<T>(value(i));
        std::memcpy(at + i * sizeof(T), &element, sizeof(T));
    }
}

template <class T, class Value>
void fill(std::array<std::byte, 1024>& operand, Value&& value) {
    fill<T>(operand.data(), operand.size(), value);
}

// Between 1 and 2, every bit of the significand in use.
double irregular(std::size_t i) {
    return 1.0 + 0.6180339887498949 * static_cast<double>(i % 16 + 1) / 16.0;
}
std::uint64_t odd(std::size_t i) {
    return (0x9E3779B97F4A7C15ULL * (2 * i + 1)) | 1U;
}
// bf16 of 1 + n/128.
std::uint16_t bf16_near_one(std::size_t i) {
    return static_cast<std::uint16_t>(0x3F80U + i % 128);
}

constexpr std::uint16_t kOneF16 = 0x3C00;

template <class T>
void fill_integers(ChainOperands& operands) {
    fill<T>(operands.a, [](std::size_t i) { return odd(i); });
    // The halves of a exchanged: see compute_integer.cpp.
    fill<std::uint64_t>(operands.b, [](std::size_t i) { return (odd(i) << 32) | (odd(i) >> 32); });
}

}  // namespace

ChainKernel ChainForm::kernel(int chains) const {
    const auto at =
        std::find_if(kernels.begin(), kernels.end(), [&](const auto& k) { return k.first == chains; });
    return at == kernels.end() ? nullptr : at->second;
}

const std::vector<ChainForm>& chain_forms() {
    static const std::vector<ChainForm> forms = [] {
        std::vector<ChainForm> all;
        for (auto&& part : {division_forms(), integer_forms(), narrow_forms(), tile_forms()})
            std::copy(part.begin(), part.end(), std::back_inserter(all));
        return all;
    }();
    return forms;
}

std::vector<const ChainForm*> usable_forms(const ComputeWay& way) {
    std::vector<const ChainForm*> forms;
    const bool matrix = way.unit == "matrix";
    if (!matrix && !way.unit.empty() && way.unit != "vector") return forms;
    for (const ChainForm& form : chain_forms()) {
        if (form.dtype != way.dtype || form.mix != way.mix || form.width_bits != way.width_bits) continue;
        if (form.tiles() != matrix || form.kernel(way.chains) == nullptr || !usable(form.needs)) continue;
        if (form.replaced_by != Feature::sse4 && usable(form.replaced_by)) continue;
        forms.push_back(&form);
    }
    return forms;
}

void fill_operands(const ChainForm& form, bool ones, ChainOperands& operands) {
    const auto one_or_irregular = [&](std::size_t i) { return ones ? 1.0 : irregular(i + 5); };
    const auto byte = [](std::size_t i) { return i * 37 % 128; };
    const auto signed_byte = [](std::size_t i) { return static_cast<int>(i * 91 % 255) - 127; };
    switch (form.arithmetic) {
        case Arithmetic::divide:
        case Arithmetic::root:
            if (form.dtype == DType::f32) {
                fill<float>(operands.a, one_or_irregular);
            } else {
                fill<double>(operands.a, one_or_irregular);
            }
            break;
        case Arithmetic::add:
        case Arithmetic::multiply:
            if (form.dtype == DType::int32) {
                fill_integers<std::uint32_t>(operands);
            } else {
                fill_integers<std::uint64_t>(operands);
            }
            break;
        case Arithmetic::madd_words:
            fill<std::int8_t>(operands.a, signed_byte);
            fill<std::int16_t>(operands.b, signed_byte);
            break;
        case Arithmetic::madd_bytes:
        case Arithmetic::dot_bytes:
            fill<std::uint8_t>(operands.a, byte);
            fill<std::int8_t>(operands.b, signed_byte);
            fill<std::int16_t>(operands.c, [](std::size_t) { return 1; });
            break;
        case Arithmetic::widened_bf16:
            fill<std::uint16_t>(operands.a, bf16_near_one);
            fill<float>(operands.b, irregular);
            fill<std::uint32_t>(operands.c, [](std::size_t) { return 0xFFFF0000U; });
            break;
        case Arithmetic::widened_f16:
            fill<std::uint16_t>(operands.a, [](std::size_t i) { return kOneF16 + i % 1024; });
            fill<float>(operands.b, irregular);
            break;
        case Arithmetic::dot_bf16:
        case Arithmetic::tile_bf16:
            fill<std::uint16_t>(operands.a, bf16_near_one);
            fill<std::uint16_t>(operands.b, bf16_near_one);
            break;
        case Arithmetic::fma_f16:
            // x = x·(1 − 2^-10) + 2^-10 stays at one.
            fill<std::uint16_t>(operands.a, [](std::size_t) { return 0x3BFE; });
            fill<std::uint16_t>(operands.b, [](std::size_t) { return 0x1400; });
            break;
        case Arithmetic::tile_bytes:
            fill<std::int8_t>(operands.a, signed_byte);
            fill<std::int8_t>(operands.b, signed_byte);
            break;
    }
}

void fill_accumulators(const ChainForm& form, bool ones, int chains, std::byte* accumulators) {
    const std::size_t bytes = static_cast<std::size_t>(chains) * (form.tiles() ? kTileStride : kVectorStride);
    const auto value = [&](std::size_t i) { return ones ? 1.0 : irregular(i); };
    switch (form.dtype) {
        case DType::f64:
            return fill<double>(accumulators, bytes, value);
        case DType::int32:
            return fill<std::uint32_t>(accumulators, bytes, odd);
        case DType::int64:
            return fill<std::uint64_t>(accumulators, bytes, odd);
        case DType::int8:
            return fill<std::int32_t>(accumulators, bytes, [](std::size_t i) { return i; });
        case DType::f16:
            if (form.arithmetic == Arithmetic::fma_f16)
                return fill<std::uint16_t>(accumulators, bytes, [](std::size_t) { return kOneF16; });
            [[fallthrough]];
        default:
            return fill<float>(accumulators, bytes, value);
    }
}

}  // namespace rooftune::probe
