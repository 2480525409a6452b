// Elements of every type: what is stored is the nearest that the type holds.
#include "tuner/external/elements.h"

#include <array>
#include <bit>
#include <cmath>
#include <limits>

#include "tests/support/catch.h"

using namespace rooftune::external;

TEST_CASE("every half is read as the number that it is, and written back as itself") {
    for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const double value = half_to_double(half);
        if (std::isnan(value)) continue;
        if (half_from_double(value) != half) FAIL("half " << bits << " is " << value);
    }
    CHECK(half_to_double(0x3C00) == 1.0);
    CHECK(half_to_double(0x7BFF) == 65504.0);
    CHECK(half_to_double(0x0001) == 0x1p-24);
    CHECK(std::isnan(half_to_double(0x7E00)));
}

TEST_CASE("what a half does not hold goes to the nearest, ties to even") {
    CHECK(half_from_double(1.0 + 0x1p-11) == 0x3C00);
    CHECK(half_from_double(1.0 + 0x1p-11 + 0x1p-30) == 0x3C01);
    CHECK(half_from_double(1.0 + 3 * 0x1p-11) == 0x3C02);
    CHECK(half_from_double(2.0 - 0x1p-12) == 0x4000);
    CHECK(half_from_double(0x1p-25) == 0x0000);
    CHECK(half_from_double(0x1.8p-25) == 0x0001);
    CHECK(half_from_double(0x1p-14 - 0x1p-26) == 0x0400);
    CHECK(half_from_double(65519.0) == 0x7BFF);
    CHECK(half_from_double(65520.0) == 0x7C00);
    CHECK(half_from_double(-1e9) == 0xFC00);
    CHECK(half_from_double(-0.0) == 0x8000);
}

TEST_CASE("bfloat16 is the upper half of a float, rounded") {
    CHECK(bfloat_from_double(1.0) == 0x3F80);
    CHECK(bfloat_from_double(1.0 + 0x1p-8) == 0x3F80);
    CHECK(bfloat_from_double(1.0 + 3 * 0x1p-8) == 0x3F82);
    CHECK(std::isnan(std::bit_cast<float>(std::uint32_t{bfloat_from_double(std::nan(""))} << 16)));
}

TEST_CASE("whole numbers are held within the range of their type") {
    std::array<std::byte, 64> memory{};
    const auto through = [&](Element type, double value) {
        store_element(type, memory.data(), 1, value);
        return load_element(type, memory.data(), 1);
    };
    CHECK(through(Element::i8, 99.9) == 99.0);
    CHECK(through(Element::i8, 1000.0) == 127.0);
    CHECK(through(Element::i8, -1000.0) == -128.0);
    CHECK(through(Element::u8, -1.0) == 0.0);
    CHECK(through(Element::i16, -3.5) == -3.0);
    CHECK(through(Element::u32, 4294967295.0) == 4294967295.0);
    CHECK(through(Element::i64, 1e300) == static_cast<double>(std::numeric_limits<std::int64_t>::max()));
    CHECK(through(Element::u64, std::nan("")) == 0.0);
    for (const Element real : {Element::f64, Element::f32, Element::f16, Element::bf16})
        CHECK(through(real, -0.75) == -0.75);
    for (int e = 0; e < 12; ++e) {
        const auto type = static_cast<Element>(e);
        CHECK(element_from(to_text(type)) == type);
        CHECK((unit_roundoff(type) > 0.0) == is_real(type));
    }
}
