// The rate of copies: the fastest of what was probed, never what only a walk in place can have, and nothing
// without evidence.
#include "models/copy_rate.h"

#include <algorithm>
#include <random>

#include "models/bound.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

constexpr double kFootprint = 1e8;

Ceiling of_mix(Mix mix, double rate, double footprint = kFootprint, int threads = 2) {
    Conditions when;
    when.mix = mix;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = 1;
    return toy::ceiling(Resource::bandwidth, when, rate);
}

Machine machine_of(std::vector<Ceiling> ceilings) {
    Machine m;
    m.ceilings = std::move(ceilings);
    return m;
}

double apart_at(const Machine& m, double from, int threads = 2) {
    const Roofs roofs(m);
    double rate = 0.0;
    for (const BandwidthStep& step : roofs.bandwidth(threads)) {
        if (step.from <= from) rate = step.apart;
    }
    return rate;
}

Seconds second_tier(const Machine& m, Bytes reads, Bytes writes, bool apart) {
    const Roofs roofs(m);
    const BoundModel bound(roofs);
    Work work;
    work.traffic.reads = reads;
    work.traffic.writes = writes;
    work.traffic.apart = apart;
    Traits traits;
    traits.threads = 2;
    return bound.with_replacement(work, traits, true);
}

}  // namespace

TEST_CASE("copies: the faster of both kinds of store, and no walk in place") {
    const Machine m = machine_of({of_mix(Mix::load, 40.0), of_mix(Mix::update, 70.0), of_mix(Mix::copy, 30.0),
                                  of_mix(Mix::nt_copy, 50.0)});
    CHECK(apart_at(m, kFootprint) == 50.0);
    CHECK(second_tier(m, Bytes(kFootprint / 2), Bytes(kFootprint / 2), true).value ==
          Approx(kFootprint / 50.0));
    // In place it is the rate of updates, which is all that is known of a kernel that says nothing.
    CHECK(second_tier(m, Bytes(kFootprint / 2), Bytes(kFootprint / 2), false).value ==
          Approx(kFootprint / 70.0));
}

TEST_CASE("copies: reading and then writing may be faster than both at once") {
    // Half of the time each: 40 read and 40 written a second in turn are 40 together.
    CHECK(apart_at(machine_of({of_mix(Mix::load, 40.0), of_mix(Mix::nt_store, 40.0), of_mix(Mix::copy, 30.0),
                               of_mix(Mix::nt_copy, 35.0)}),
                   kFootprint) == Approx(40.0));
    // Two loads a store, and stores: x·(2/3)·60 = x·(1/3)·60 + (1 − x)·30 at x = 3/5.
    CHECK(apart_at(machine_of({of_mix(Mix::two_loads_store, 60.0), of_mix(Mix::store, 30.0),
                               of_mix(Mix::copy, 10.0), of_mix(Mix::nt_copy, 12.0)}),
                   kFootprint) == Approx(48.0));
}

TEST_CASE("copies: more that is read than written counts in no copy") {
    const Machine m =
        machine_of({of_mix(Mix::load, 40.0), of_mix(Mix::copy, 20.0), of_mix(Mix::nt_copy, 20.0)});
    CHECK(second_tier(m, Bytes(0.9 * kFootprint), Bytes(0.1 * kFootprint), true).value ==
          Approx(kFootprint / 40.0));
}

TEST_CASE("copies: nothing is known without both kinds, nearby, on as many threads, undisturbed") {
    const auto both = [](double footprint, int threads) {
        return std::vector<Ceiling>{of_mix(Mix::load, 40.0), of_mix(Mix::load, 20.0, kFootprint, 1),
                                    of_mix(Mix::copy, 20.0, footprint, threads),
                                    of_mix(Mix::nt_copy, 30.0, footprint, threads)};
    };
    REQUIRE(apart_at(machine_of(both(kFootprint, 2)), kFootprint) == 30.0);
    CHECK(apart_at(machine_of(both(2.0 * kFootprint, 2)), kFootprint) == 0.0);
    CHECK(apart_at(machine_of(both(kFootprint, 1)), kFootprint) == 0.0);
    CHECK(apart_at(machine_of({of_mix(Mix::load, 40.0), of_mix(Mix::copy, 20.0)}), kFootprint) == 0.0);
    CHECK(apart_at(machine_of({of_mix(Mix::load, 40.0), of_mix(Mix::nt_copy, 20.0)}), kFootprint) == 0.0);
    std::vector<Ceiling> few = both(kFootprint, 2);
    few[2].undisturbed = few[3].undisturbed = 2;
    CHECK(apart_at(machine_of(few), kFootprint) == 0.0);
    few[2].undisturbed = 3;
    CHECK(apart_at(machine_of(few), kFootprint) == 30.0);
}

TEST_CASE("copies: at most what two shared directions allow, on machines drawn at random") {
    // A machine that reads at most r, writes at most w and moves at most s bytes a second, and reads what it
    // is going to write unless the store goes past the caches. Probes reach what it has; a copy can take no
    // less than the rate says.
    std::mt19937 random(7);
    std::uniform_real_distribution<double> any(1.0, 10.0);
    for (int trial = 0; trial < 500; ++trial) {
        const double r = any(random), w = any(random), s = std::max(std::max(r, w), any(random));
        // Seconds for a bytes read and b written.
        const auto least = [&](double a, double b) { return std::max({a / r, b / w, (a + b) / s}); };
        const Machine m = machine_of(
            {of_mix(Mix::load, 1.0 / least(1.0, 0.0)), of_mix(Mix::nt_store, 1.0 / least(0.0, 1.0)),
             of_mix(Mix::store, 1.0 / least(1.0, 1.0)), of_mix(Mix::update, 2.0 / least(1.0, 1.0)),
             of_mix(Mix::two_loads_store, 3.0 / least(3.0, 1.0)), of_mix(Mix::copy, 2.0 / least(2.0, 1.0)),
             of_mix(Mix::nt_copy, 2.0 / least(1.0, 1.0))});
        const Bytes half(kFootprint / 2);
        const double truth = least(half.value, half.value);
        INFO(r << " " << w << " " << s);
        CHECK(second_tier(m, half, half, true).value <= truth * (1.0 + 1e-9));
        CHECK(second_tier(m, half, half, true).value >= truth * (1.0 - 1e-9));
    }
}
