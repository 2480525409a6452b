#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <set>

#include "kernels/probe/compute_chains.h"
#include "kernels/probe/compute_extra.h"
#include "kernels/probe/compute_kernel.h"
#include "kernels/probe/prober.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::probe;

namespace {

template <class T>
T at(const std::byte* bytes, std::size_t i) {
    T value;
    std::memcpy(&value, bytes + i * sizeof(T), sizeof(T));
    return value;
}
template <class T>
void put(std::byte* bytes, std::size_t i, T value) {
    std::memcpy(bytes + i * sizeof(T), &value, sizeof(T));
}
template <class T>
void plant(std::array<std::byte, 1024>& operand, std::initializer_list<T> values) {
    for (std::size_t i = 0; i < operand.size() / sizeof(T); ++i)
        put(operand.data(), i, values.begin()[i % values.size()]);
}

float from_bf16(std::uint16_t bits) {
    const std::uint32_t wide = static_cast<std::uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, sizeof value);
    return value;
}

float from_f16(std::uint16_t bits) {
    const int exponent = (bits >> 10) & 31;
    const int fraction = bits & 1023;
    const float sign = (bits & 0x8000) != 0 ? -1.0F : 1.0F;
    if (exponent == 0) return sign * std::ldexp(static_cast<float>(fraction), -24);
    return sign * std::ldexp(static_cast<float>(1024 + fraction), exponent - 25);
}

std::int32_t wrapped(std::int64_t value) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(value));
}
int saturated(int value) {
    return std::min(32767, std::max(-32768, value));
}

// One step of one chain, written as plainly as the definition of each arithmetic; returns the operations.
struct Reference {
    const ChainForm& form;
    const ChainOperands& operands;

    template <class T, class Step>
    double lanes(std::byte* x, Step&& step) const {
        const std::size_t count = static_cast<std::size_t>(form.width_bits) / 8 / sizeof(T);
        for (std::size_t i = 0; i < count; ++i) put<T>(x, i, step(i, at<T>(x, i)));
        return static_cast<double>(count);
    }
    template <class T>
    T a(std::size_t i) const {
        return at<T>(operands.a.data(), i);
    }
    template <class T>
    T b(std::size_t i) const {
        return at<T>(operands.b.data(), i);
    }

    template <class T>
    double of_reals(std::byte* x) const {
        return lanes<T>(x, [&](std::size_t i, T value) {
            return form.arithmetic == Arithmetic::divide ? a<T>(i) / value : std::sqrt(value);
        });
    }
    template <class T>
    double of_integers(std::byte* x) const {
        return lanes<T>(x, [&](std::size_t i, T value) {
            return static_cast<T>(form.arithmetic == Arithmetic::add ? value + a<T>(i) : value * a<T>(i));
        });
    }
    // `products(i)`: their sum in lane i; `count`: how many they are.
    template <class Products>
    double of_bytes(std::byte* x, int count, Products&& products) const {
        return 2.0 * count * lanes<std::int32_t>(x, [&](std::size_t i, std::int32_t value) {
                   return wrapped(std::int64_t{value} + products(i));
               });
    }
    double tiles(std::byte* x) const {
        double operations = 0.0;
        const bool bytes = form.arithmetic == Arithmetic::tile_bytes;
        const std::size_t group = bytes ? 4 : 2;  // of products that fall in 32 bits
        for (std::size_t r = 0; r < 16; ++r) {
            for (std::size_t c = 0; c < 16; ++c) {
                for (std::size_t k = 0; k < 16 * group; ++k) {
                    const std::size_t left = r * 16 * group + k;
                    const std::size_t right = k / group * 16 * group + group * c + k % group;
                    const std::size_t i = r * 16 + c;
                    if (bytes) {
                        const int product = a<std::int8_t>(left) * b<std::int8_t>(right);
                        put(x, i, wrapped(std::int64_t{at<std::int32_t>(x, i)} + product));
                    } else {
                        const float product =
                            from_bf16(a<std::uint16_t>(left)) * from_bf16(b<std::uint16_t>(right));
                        put(x, i, at<float>(x, i) + product);
                    }
                    operations += 2.0;
                }
            }
        }
        return operations;
    }

    double step(std::byte* x, int chain) const {
        using enum Arithmetic;
        switch (form.arithmetic) {
            case divide:
            case root:
                return form.dtype == DType::f32 ? of_reals<float>(x) : of_reals<double>(x);
            case add:
            case multiply:
                return form.dtype == DType::int32 ? of_integers<std::uint32_t>(x)
                                                  : of_integers<std::uint64_t>(x);
            case madd_words:
                return of_bytes(x, 2, [&](std::size_t i) {
                    return a<std::int8_t>(2 * i) * b<std::int16_t>(2 * i) +
                           a<std::int8_t>(2 * i + 1) * b<std::int16_t>(2 * i + 1);
                });
            case madd_bytes:
                return of_bytes(x, 4, [&](std::size_t i) {
                    const auto pair = [&](std::size_t j) {
                        return saturated(a<std::uint8_t>(j) * b<std::int8_t>(j) +
                                         a<std::uint8_t>(j + 1) * b<std::int8_t>(j + 1));
                    };
                    return pair(4 * i) + pair(4 * i + 2);
                });
            case dot_bytes:
                return of_bytes(x, 4, [&](std::size_t i) {
                    int sum = 0;
                    for (std::size_t j = 4 * i; j < 4 * i + 4; ++j)
                        sum += a<std::uint8_t>(j) * b<std::int8_t>(j);
                    return sum;
                });
            case widened_bf16:
                return 2.0 * lanes<float>(x, [&](std::size_t i, float value) {
                           const std::size_t j = 2 * i + static_cast<std::size_t>(chain % 2);
                           return std::fmaf(from_bf16(a<std::uint16_t>(j)), b<float>(i), value);
                       });
            case widened_f16:
                return 2.0 * lanes<float>(x, [&](std::size_t i, float value) {
                           return std::fmaf(from_f16(a<std::uint16_t>(i)), b<float>(i), value);
                       });
            case dot_bf16:
                return 4.0 * lanes<float>(x, [&](std::size_t i, float value) {
                           for (std::size_t j = 2 * i; j < 2 * i + 2; ++j)
                               value += from_bf16(a<std::uint16_t>(j)) * from_bf16(b<std::uint16_t>(j));
                           return value;
                       });
            case fma_f16:
                return 2.0 * lanes<std::uint16_t>(x, [&](std::size_t i, std::uint16_t value) {
                           // Planted so that the value stays one of 0, 1, 2 and 3.
                           const float sum = from_f16(value) * from_f16(a<std::uint16_t>(i)) +
                                             from_f16(b<std::uint16_t>(i));
                           for (const int bits : {0, 0x3C00, 0x4000, 0x4200}) {
                               if (from_f16(static_cast<std::uint16_t>(bits)) == sum)
                                   return static_cast<std::uint16_t>(bits);
                           }
                           return std::uint16_t{0x7E00};
                       });
            case tile_bytes:
            case tile_bf16:
                return tiles(x);
        }
        return 0.0;
    }
};

// Corners of each type; sums of products that are compared bit by bit are exact in any order.
void plant_operands(const ChainForm& form, ChainOperands& operands) {
    using enum Arithmetic;
    switch (form.arithmetic) {
        case divide:
        case root:
            if (form.dtype == DType::f32) {
                plant<float>(operands.a, {3.0F, 1.0F, -0.1F, 1e-40F, 3e38F, 0.7F, 1.9999999F});
            } else {
                plant<double>(operands.a, {3.0, 1.0, -0.1, 1e-310, 1e308, 0.7, 1.9999999999999998});
            }
            break;
        case add:
        case multiply:
            if (form.dtype == DType::int32) {
                plant<std::uint32_t>(operands.a, {0xFFFFFFFFU, 0x80000001U, 3U, 0U, 0xDEADBEEFU});
            } else {
                plant<std::uint64_t>(operands.a, {~0ULL, 0x8000000000000001ULL, 0x100000000ULL, 0xFFFFFFFFULL,
                                                  0xDEADBEEF12345679ULL});
                for (std::size_t i = 0; i < operands.a.size() / 8; ++i) {
                    const auto value = at<std::uint64_t>(operands.a.data(), i);
                    put(operands.b.data(), i, (value << 32) | (value >> 32));
                }
            }
            break;
        case madd_words:
            plant<std::int8_t>(operands.a, {-128, -128, 127, -128, 127, 127, -1, 0, 1});
            plant<std::int16_t>(operands.b, {-128, -128, 127, -128, -128, 127, 3});
            break;
        case madd_bytes:
        case dot_bytes:
            plant<std::uint8_t>(operands.a, {255, 255, 255, 255, 127, 127, 0, 1, 128, 200, 3});
            plant<std::int8_t>(operands.b, {127, 127, -128, -128, -128, -128, 5});
            plant<std::int16_t>(operands.c, {1});
            break;
        case widened_bf16:
            // 1, −1 with the last bit, the smallest and a large normal number, −0, a subnormal one.
            plant<std::uint16_t>(operands.a, {0x3F80, 0xBF81, 0x0080, 0x7E00, 0x8000, 0x0001, 0x4049});
            plant<float>(operands.b, {1.0F, 3.1415927F, -0.33333334F, 1e-3F, 7.0F});
            plant<std::uint32_t>(operands.c, {0xFFFF0000U});
            break;
        case widened_f16:
            plant<std::uint16_t>(operands.a,
                                 {0x3C00, 0xBC01, 0x0400, 0x7BFF, 0x8000, 0x0001, 0x03FF, 0x4248});
            plant<float>(operands.b, {1.0F, 3.1415927F, -0.33333334F, 1e-3F, 7.0F});
            break;
        case dot_bf16:
        case tile_bf16:
            plant<std::uint16_t>(operands.a, {0x3F80, 0xC000, 0x4040, 0x0000, 0x40A0});
            plant<std::uint16_t>(operands.b, {0x3F80, 0x4000, 0xBF80, 0x40E0});
            break;
        case fma_f16:
            plant<std::uint16_t>(operands.a, {0xBC00});  // x = 3 − x
            plant<std::uint16_t>(operands.b, {0x4200});
            break;
        case tile_bytes:
            plant<std::int8_t>(operands.a, {-128, -128, 127, -1, 0, 5, -77});
            plant<std::int8_t>(operands.b, {-128, 127, -128, 3, -128});
            break;
    }
}

void plant_accumulators(const ChainForm& form, std::array<std::byte, 12 * 1024>& x) {
    for (std::size_t i = 0; i < x.size() / 8; ++i) {
        const double spread = 0.25 + static_cast<double>(i % 23);
        switch (form.dtype) {
            case DType::f64:
                put(x.data(), i, spread);
                break;
            case DType::f32:
                put(x.data(), 2 * i, static_cast<float>(spread));
                put(x.data(), 2 * i + 1, static_cast<float>(spread * 1.3));
                break;
            case DType::bf16:
            case DType::f16:
                if (form.arithmetic == Arithmetic::fma_f16) {
                    for (std::size_t j = 4 * i; j < 4 * i + 4; ++j)
                        put<std::uint16_t>(x.data(), j, j % 2 == 0 ? 0x3C00 : 0x4200);
                } else {
                    put(x.data(), 2 * i, static_cast<float>(i % 5));
                    put(x.data(), 2 * i + 1, -static_cast<float>(i % 7));
                }
                break;
            default:
                put<std::uint64_t>(x.data(), i, 0x7FFFFFF0FFFFFFFBULL * (i + 1));
        }
    }
}

std::string name_of(const ChainForm& form) {
    return std::string(form.text) + " " + std::string(to_text(form.dtype)) + " " +
           std::to_string(form.width_bits);
}

}  // namespace

TEST_CASE("every chain computes what its arithmetic says, and counts it") {
    std::set<std::string> skipped;
    for (const ChainForm& form : chain_forms()) {
        if (!has(form.needs)) {
            skipped.insert(name_of(form));
            continue;
        }
        INFO(name_of(form));
        ChainOperands operands;
        plant_operands(form, operands);
        for (const auto& [chains, kernel] : form.kernels) {
            for (const int steps : {kStepsUnrolled, 3 * kStepsUnrolled}) {
                INFO(chains << " chains, " << steps << " steps");
                alignas(64) std::array<std::byte, 12 * 1024> got{}, expected{};
                plant_accumulators(form, got);
                expected = got;
                const std::size_t stride = form.tiles() ? kTileStride : kVectorStride;
                const Reference reference{form, operands};
                double operations = 0.0;
                for (int chain = 0; chain < chains; ++chain) {
                    for (int s = 0; s < steps; ++s)
                        operations += reference.step(expected.data() + chain * stride, chain);
                }
                kernel(steps, operands, got.data());
                CHECK(form.operations * chains * steps == operations);
                // Beyond the accumulators' width a kernel may store what it likes; beyond the last not.
                const std::size_t width = form.tiles() ? kTileStride : form.width_bits / 8;
                for (int chain = 0; chain < chains; ++chain) {
                    const std::size_t from = chain * stride;
                    REQUIRE(std::memcmp(got.data() + from, expected.data() + from, width) == 0);
                }
                REQUIRE(std::memcmp(got.data() + chains * stride, expected.data() + chains * stride,
                                    got.size() - chains * stride) == 0);
            }
        }
    }
    std::string names;
    for (const std::string& name : skipped) names += (names.empty() ? "" : ", ") + name;
    if (!names.empty()) WARN("not run, the CPU lacks them: " << names);
}

TEST_CASE("operands keep every value of a chain normal") {
    for (const ChainForm& form : chain_forms()) {
        if (!has(form.needs)) continue;
        INFO(name_of(form));
        for (const bool ones : {false, true}) {
            ChainOperands operands;
            fill_operands(form, ones, operands);
            for (const auto& [chains, kernel] : form.kernels) {
                alignas(64) std::array<std::byte, 4096> x{};
                fill_accumulators(form, ones, chains, x.data());
                kernel(100 * kStepsUnrolled, operands, x.data());
                const std::size_t stride = form.tiles() ? kTileStride : kVectorStride;
                const std::size_t width = form.tiles() ? kTileStride : form.width_bits / 8;
                for (int chain = 0; chain < chains; ++chain) {
                    const std::byte* from = x.data() + chain * stride;
                    if (form.dtype == DType::f64) {
                        for (std::size_t i = 0; i < width / 8; ++i) {
                            CHECK(std::isnormal(at<double>(from, i)));
                            if (form.arithmetic == Arithmetic::divide) CHECK(at<double>(from, i) <= 2.0);
                        }
                    } else if (is_integer(form.dtype)) {
                        // A product that became zero would stay there.
                        bool zero = true;
                        for (std::size_t i = 0; i < width / 4; ++i)
                            zero = zero && at<std::uint32_t>(from, i) == 0;
                        CHECK_FALSE(zero);
                    } else if (form.arithmetic == Arithmetic::fma_f16) {
                        CHECK(at<std::uint16_t>(from, 0) == 0x3C00);
                    } else {
                        for (std::size_t i = 0; i < width / 4; ++i) CHECK(std::isnormal(at<float>(from, i)));
                    }
                }
            }
        }
    }
}

TEST_CASE("operations of a repetition follow from lanes, products and chains") {
    if (!has(Feature::avx2)) return;
    // 240 steps of each chain in a repetition.
    const auto amount = [](const ComputeWay& way) { return compute_work(way, 1).amount / 240.0; };
    CHECK(amount({.dtype = DType::f64, .width_bits = 256, .mix = Mix::div, .chains = 8}) == 4 * 8);
    CHECK(amount({.dtype = DType::f32, .width_bits = 32, .mix = Mix::sqrt, .chains = 1}) == 1);
    CHECK(amount({.dtype = DType::int32, .width_bits = 256, .mix = Mix::add, .chains = 12}) == 8 * 12);
    CHECK(amount({.dtype = DType::int64, .width_bits = 64, .mix = Mix::mul, .chains = 4}) == 4);
    // vpmaddwd: 16 products of 256 bits; vpmaddubsw: 32.
    const ComputeWay bytes{.dtype = DType::int8, .width_bits = 256, .mix = Mix::dot, .chains = 12};
    ComputeWay saturating = bytes;
    saturating.form = 1;
    CHECK(amount(bytes) == 16 * 2 * 12);
    CHECK(amount(saturating) == 32 * 2 * 12);
    // Widened in the loop, and before it: both 8 products of 256 bits.
    ComputeWay bf16{.dtype = DType::bf16, .width_bits = 256, .mix = Mix::dot, .chains = 8};
    CHECK(amount(bf16) == 8 * 2 * 8);
    while (can_compute(bf16)) ++bf16.form;
    --bf16.form;
    CHECK(amount(bf16) == 8 * 2 * 8);
    CHECK(compute_work(bytes, 3).amount == 3.0 * compute_work(bytes, 1).amount);
}

TEST_CASE("what the CPU lacks is refused by every way of asking") {
    const auto refused = [](const ComputeWay& way) {
        CHECK_FALSE(can_compute(way));
        CHECK_THROWS_AS(compute_work(way, 1), EnvironmentError);
    };
    refused({.dtype = DType::f64, .width_bits = 256, .mix = Mix::div, .chains = 3});
    refused({.dtype = DType::f64, .width_bits = 1024, .mix = Mix::div, .chains = 8});
    refused({.dtype = DType::f8, .width_bits = 256, .mix = Mix::dot, .chains = 8});
    refused({.dtype = DType::int8, .width_bits = 8, .mix = Mix::dot, .chains = 8});
    refused({.dtype = DType::int64, .width_bits = 64, .mix = Mix::add, .chains = 12});
    refused({.dtype = DType::f64, .width_bits = 64, .mix = Mix::fma, .chains = 8, .unit = "matrix"});
    refused({.dtype = DType::int8, .width_bits = 256, .mix = Mix::dot, .chains = 8, .unit = "tensor"});
    refused({.dtype = DType::f64, .width_bits = 128, .mix = Mix::sqrt, .chains = 8, .form = 1});
    refused({.dtype = DType::f64, .width_bits = 128, .mix = Mix::fma, .chains = 8, .form = 1});
    refused({.dtype = DType::f64, .width_bits = 128, .mix = Mix::fma, .chains = 8, .form = -1});
    if (!has(Feature::avx512)) {
        refused({.dtype = DType::int32, .width_bits = 512, .mix = Mix::add, .chains = 8});
        refused({.dtype = DType::f16, .width_bits = 256, .mix = Mix::fma, .chains = 8});
    }
    const ComputeWay tiles{
        .dtype = DType::int8, .width_bits = 0, .mix = Mix::dot, .chains = 4, .unit = "matrix"};
    if (has(Feature::amx_int8)) {
        CHECK(compute_work(tiles, 1).amount == 240.0 * 4.0 * 32768.0);
    } else {
        refused(tiles);
    }
}

TEST_CASE("features imply those they are built on, and a mask of widths hides the wider ones") {
    if (has(Feature::avx2)) CHECK(has(Feature::sse4));
    if (has(Feature::avx512)) CHECK(has(Feature::avx2));
    for (const Feature wide : {Feature::avx512_vnni, Feature::avx512_bf16, Feature::avx512_fp16,
                               Feature::amx_int8, Feature::amx_bf16}) {
        if (has(wide)) CHECK(has(Feature::avx512));
    }
    const std::vector<int> widths = usable_widths();
    CHECK(has(Feature::sse4) == !widths.empty());
    CHECK(has(Feature::avx2) == (!widths.empty() && widths.back() >= 256));
    CHECK(has(Feature::avx512) == (!widths.empty() && widths.back() >= 512));
}

TEST_CASE("the list for the full model is short, without doubles, and built") {
    for (const std::vector<int>& widths :
         {std::vector<int>{128}, std::vector<int>{128, 256}, std::vector<int>{128, 256, 512}}) {
        Topology topology;
        topology.width_bits = widths;
        for (const int threads : {1, 2, 64}) {
            const std::vector<Conditions> list = extra_compute_conditions(topology, threads);
            CHECK(list.size() >= 20);
            CHECK(list.size() <= 60);
            for (std::size_t i = 0; i < list.size(); ++i) {
                const Conditions& when = list[i];
                CHECK(when.threads == threads);
                CHECK((when.chains > 1 || threads == 1));
                CHECK(when.width_bits <= widths.back());
                for (std::size_t j = 0; j < i; ++j) CHECK_FALSE(when == list[j]);
                bool built = false;
                for (const ChainForm& form : chain_forms()) {
                    built =
                        built || (form.dtype == when.dtype && form.mix == when.mix &&
                                  form.width_bits == when.width_bits && form.kernel(when.chains) != nullptr &&
                                  form.tiles() == (when.unit == "matrix"));
                }
                CHECK(built);
            }
        }
    }
    CHECK(extra_compute_conditions(Topology(), 1).empty());
}

TEST_CASE("all of the list but special units can be probed here, and runs") {
    Team team(usable_cpus());
    const std::vector<int> widths = usable_widths();
    if (widths.empty()) return;
    Prober prober(team, widths.back());
    Topology topology;
    topology.width_bits = widths;
    for (const int threads : {1, team.size()}) {
        for (const Conditions& when : extra_compute_conditions(topology, threads)) {
            const Target target{Resource::compute, when};
            const int ways = prober.ways(target);
            INFO(describe({Resource::compute, when, 0, 0, 0, 0, "", ""}));
            if (when.unit.empty() && !(when.dtype == DType::f16 && when.mix == Mix::fma)) CHECK(ways >= 1);
            // One by one is a way of its own.
            if (when.mix == Mix::div) CHECK(ways == 2);
            for (int way = 0; way < ways; ++way) CHECK(prober.run(target, way, 1e-5).rate > 0.0);
        }
    }
}
