// What a reference took is told by one function: its own time in the finals, and what stands in for it.
#include "tuner/formats/reference_time.h"

#include "tests/support/catch.h"
#include "tests/unit/formats/example_result.h"

using namespace rooftune;
using namespace rooftune::test;

TEST_CASE("reference time: its own in the finals, which no quotient of medians need give",
          "[reference_time]") {
    TuneResult r = example_result();
    CHECK(reference_time(r, Reference::naive).median == 2.4e-5);
    CHECK(reference_time(r, Reference::naive).low == 2.3e-5);
    CHECK(reference_time(r, Reference::naive).slots == 10);
    CHECK(reference_time(r, Reference::fallback).median == 1.74e-5);
    // Not the ratio times the winner's time, which the same rounds gave.
    CHECK(reference_time(r, Reference::naive).median != r.speedup_over_naive * r.seconds.median);
    r.naive = r.best;
    CHECK(reference_time(r, Reference::naive).median == r.seconds.median);
}

TEST_CASE("reference time: of older results the plotted one, else what the ratio says", "[reference_time]") {
    TuneResult r = example_result();
    r.naive_seconds = r.default_seconds = {};
    CHECK(reference_time(r, Reference::naive).median == Approx(2.5e-5));  // 1e5 flop at 4 Gflop/s
    CHECK(reference_time(r, Reference::naive).low == 0.0);
    r.points[1].low = 3.9e9;
    r.points[1].high = 4.1e9;
    CHECK(reference_time(r, Reference::naive).low == Approx(1e5 / 4.1e9));
    CHECK(reference_time(r, Reference::naive).high == Approx(1e5 / 3.9e9));
    CHECK(reference_time(r, Reference::fallback).median == Approx(1.4 * 1.25e-5));
    r.points.clear();
    CHECK(reference_time(r, Reference::naive).median == Approx(1.9 * 1.25e-5));
    r.speedup_over_naive = 0.0;
    CHECK(reference_time(r, Reference::naive).median == 0.0);
    CHECK(reference_time({}, Reference::fallback).median == 0.0);
}

TEST_CASE("reference time: three turns have no interval", "[reference_time]") {
    CHECK(has_interval({1.0, 0.9, 1.1, 0.9, 8}));
    CHECK(has_interval({1.0, 0.9, 1.1, 0.9, 0}));  // of a plotted point, whose turns nobody counted
    CHECK_FALSE(has_interval({1.0, 0.9, 1.1, 0.9, 3}));
    CHECK_FALSE(has_interval({1.0, 0.0, 0.0, 0.0, 8}));
}
