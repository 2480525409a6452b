// What is said of roofs that could not be probed undisturbed.
#include "tuner/engine/roof_notice.h"

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;

namespace {

Ceiling probed(int threads, double rate, bool undisturbed) {
    Ceiling c;
    c.when.width_bits = 256;
    c.when.threads = threads;
    c.when.mix = Mix::fma;
    c.max = c.p95 = c.median = rate;
    c.windows = 10;
    c.source = "probe";
    c.undisturbed = undisturbed ? 10 : 0;
    if (undisturbed) c.top = {rate, rate, rate};
    return c;
}

std::string said(bool one, bool two, int threads) {
    Machine m;
    m.ceilings = {probed(1, 50e9, one), probed(2, 60e9, two)};
    return roof_notice(m, DType::f64, 256, threads);
}

}  // namespace

TEST_CASE("a roof that stands for another is told, and so is one that is missing") {
    CHECK(said(true, true, 2).empty());
    CHECK_THAT(said(true, false, 2),
               Contains("on 2 threads is not known") && Contains("2 times that of one"));
    CHECK(said(true, false, 1).empty());
    CHECK_THAT(said(false, false, 2), Contains("no bound rests on it"));
    CHECK_THAT(said(false, true, 1), Contains("no bound rests on it"));
    CHECK(roof_notice(Machine{}, DType::f64, 256, 2).empty());
    Machine other;
    other.ceilings = {probed(1, 50e9, false)};
    CHECK(roof_notice(other, DType::f32, 256, 1).empty());
}
