// Chains of dependent steps that follow each other: how many are in order depends on the reorder window.
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

/// One step a nanosecond; a window of `window` instructions, 0 where it was never probed.
Machine machine_with(double window) {
    Machine m;
    Conditions when;
    when.width_bits = 512;
    when.chains = 1;
    when.mix = Mix::add;
    m.ceilings.push_back(toy::ceiling(Resource::compute, when, 8e9));  // 8 lanes
    if (window > 0.0) m.ceilings.push_back(toy::ceiling(Resource::window, {}, window));
    return m;
}

/// Steps that the chain term counts, by the hot path.
double steps(double window, double chain_steps, double repeats, double instructions) {
    const Machine m = machine_with(window);
    const Roofs roofs(m);
    Work work;
    work.chain_steps = Operations(chain_steps);
    work.chain_repeats = repeats;
    work.chain_instructions = Operations(instructions);
    const BoundModel bound(roofs);
    const Traits traits{.dtype = DType::f64, .width_bits = 512, .threads = 1};
    const double seconds = bound.seconds(work, traits).value;
    CHECK(bound.explain(work, traits).seconds_lower.value == seconds);
    return seconds * 1e9;
}

}  // namespace

TEST_CASE("batches add up but for one window between each and the next") {
    CHECK(steps(500, 1000, 10, 5000) == Approx(1000.0 + 9 * 1000.0 * (1.0 - 0.1)));
    CHECK(steps(500, 1000, 10, 2000) == Approx(1000.0 + 9 * 1000.0 * (1.0 - 0.25)));
    CHECK(steps(500, 1000, 10, 625) == Approx(1000.0 + 9 * 1000.0 * (1.0 - 0.8)));
    CHECK(steps(500, 3, 7, 1e9) == Approx(21.0));
}

TEST_CASE("short chains, a single chain and an unknown window count one chain") {
    CHECK(steps(500, 1000, 10, 500) == Approx(1000.0));
    CHECK(steps(500, 1000, 10, 499) == Approx(1000.0));
    CHECK(steps(500, 1000, 10, 0) == Approx(1000.0));
    CHECK(steps(500, 1000, 1, 1e9) == Approx(1000.0));
    CHECK(steps(0, 1000, 10, 1e9) == Approx(1000.0));
    CHECK(steps(500, 0, 10, 1e9) == 0.0);
}

TEST_CASE("repeats barely above one never count less than one chain") {
    CHECK(steps(500, 1000, 1.01, 500) == Approx(1000.0));
    CHECK(steps(500, 1000, 1.0, 2000) == Approx(1000.0));
    CHECK(steps(500, 1000, 0.5, 1e9) == Approx(1000.0));
}

TEST_CASE("steps in order grow with each of steps, repeats and instructions") {
    double last = 0.0;
    for (double instructions = 100; instructions < 1e6; instructions *= 1.4) {
        const double now = steps(500, 1000, 6, instructions);
        CHECK(now >= last);
        last = now;
    }
    for (double repeats = 1, before = 0.0; repeats < 40; repeats += 0.5) {
        const double now = steps(500, 1000, repeats, 4000);
        CHECK(now >= before);
        before = now;
    }
}
