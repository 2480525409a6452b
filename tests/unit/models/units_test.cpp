#include <type_traits>

#include "models/machine.h"
#include "models/units.h"
#include "tests/support/catch.h"

using namespace rooftune;

// Dimensions are checked by the compiler: these lines are the test.
static_assert(std::is_same_v<decltype(Bytes(1) / BytesPerSecond(1)), Seconds>);
static_assert(std::is_same_v<decltype(Operations(1) / Seconds(1)), OperationsPerSecond>);
static_assert(std::is_same_v<decltype(Operations(1) / Bytes(1)), Intensity>);
static_assert(std::is_same_v<decltype(Seconds(1) / Seconds(2)), double>);
static_assert(!std::is_convertible_v<double, Seconds>);
static_assert(!std::is_convertible_v<Bytes, Operations>);

TEST_CASE("the ridge point of a published accelerator") {
    // roofline.md section 3: TPU v5e, bf16.
    const auto ridge = OperationsPerSecond(1.97e14) / BytesPerSecond(8.2e11);
    static_assert(std::is_same_v<std::remove_const_t<decltype(ridge)>, Intensity>);
    CHECK(ridge.value == Approx(240.24).epsilon(1e-4));
}

TEST_CASE("a stored maximum never falls when a ceiling is probed again") {
    Machine m;
    Ceiling first;
    first.max = 10.0;
    first.p95 = 9.0;
    first.windows = 5;
    merge(m, first);
    Ceiling slower = first;
    slower.max = 8.0;
    slower.p95 = 7.0;
    merge(m, slower);
    REQUIRE(m.ceilings.size() == 1);
    CHECK(m.ceilings[0].max == 10.0);
    CHECK(m.ceilings[0].p95 == 9.0);
    CHECK(m.ceilings[0].windows == 10);
    Ceiling other = first;
    other.when.threads = 2;
    merge(m, other);
    CHECK(m.ceilings.size() == 2);
}

TEST_CASE("the margin is three per cent or the noise, whichever is larger") {
    Ceiling c;
    c.max = 100.0;
    c.p95 = 99.0;
    CHECK(c.margin() == Approx(0.03));
    c.p95 = 80.0;
    CHECK(c.margin() == Approx(0.25));
    c.p95 = 0.0;
    CHECK(c.margin() == Approx(0.03));
}

TEST_CASE("every word of the vocabulary reads back as itself") {
    for (int m = 0; m <= static_cast<int>(Mix::mixed); ++m) {
        const Mix mix = static_cast<Mix>(m);
        CHECK(mix_from(to_text(mix)) == mix);
    }
    for (int r = 0; r <= static_cast<int>(Resource::window); ++r) {
        const Resource resource = static_cast<Resource>(r);
        CHECK(resource_from(to_text(resource)) == resource);
        CHECK_FALSE(unit_of(resource).empty());
    }
    CHECK_FALSE(mix_from("fmaa"));
    CHECK_FALSE(dtype_from("f17"));
    CHECK(dtype_from("f16"));
    CHECK_FALSE(real_dtype_from("f16"));
    CHECK(real_dtype_from("f64") == DType::f64);
    CHECK_FALSE(state_from(""));
}
