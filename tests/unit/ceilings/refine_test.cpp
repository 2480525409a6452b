// Where a coarse grid becomes finer, on rates made up for it.
#include <cmath>

#include "tests/support/catch.h"
#include "tuner/ceilings/plan.h"
#include "tuner/ceilings/refine.h"

using namespace rooftune;

namespace {

Ceiling walk(double footprint, double rate, Mix mix = Mix::load, int threads = 1) {
    Ceiling c;
    c.resource = Resource::bandwidth;
    c.when.mix = mix;
    c.when.streams = 4;
    c.when.threads = threads;
    c.when.footprint = Bytes(footprint);
    c.when.huge_pages = true;
    c.max = c.p95 = c.median = rate;
    return c;
}

// A cache of 100 kB, flat above and below.
double rate_at(double footprint) {
    return footprint <= 100e3 ? 200e9 : 40e9;
}

std::vector<Ceiling> coarse(Mix mix = Mix::load, int threads = 1) {
    std::vector<Ceiling> seen;
    for (const Bytes size : footprints(Bytes(1 << 24), 2.0))
        seen.push_back(walk(size.value, rate_at(size.value), mix, threads));
    return seen;
}

}  // namespace

TEST_CASE("only the interval with the fall is divided, down to the finest step") {
    std::vector<Ceiling> seen = coarse();
    double low = 65536.0;
    double high = 131072.0;
    for (const int pass : {1, 2}) {
        INFO("pass " << pass);
        const std::vector<MissingFootprint> missing = footprints_between(seen);
        REQUIRE(missing.size() == 1);
        CHECK(missing[0].threads == 1);
        const double middle = missing[0].footprint.value;
        CHECK(middle == Approx(std::sqrt(low * high)).margin(512.0));
        CHECK(std::fmod(middle, 1024.0) == 0.0);
        seen.push_back(walk(middle, rate_at(middle)));
        (middle <= 100e3 ? low : high) = middle;
    }
    CHECK(high / low < 1.25);
    // A third division would be finer than any edge is sharp.
    CHECK(footprints_between(seen).empty());
}

TEST_CASE("a plateau is not divided, nor a slow spell in it, nor a small fall") {
    std::vector<Ceiling> seen;
    for (const Bytes size : footprints(Bytes(1 << 20), 2.0)) seen.push_back(walk(size.value, 100e9));
    CHECK(footprints_between(seen).empty());
    seen[3].max = 20e9;
    CHECK(footprints_between(seen).empty());
    seen[3].max = 100e9;
    seen.back().max = 86e9;
    CHECK(footprints_between(seen).empty());
    seen.back().max = 84e9;
    CHECK(footprints_between(seen).size() == 1);
}

TEST_CASE("one mix that falls is enough, each number of threads on its own, largest first") {
    std::vector<Ceiling> seen = coarse();
    const std::vector<Ceiling> stores = coarse(Mix::nt_store, 2);
    seen.insert(seen.end(), stores.begin(), stores.end());
    seen.push_back(walk(1 << 22, 10e9, Mix::store, 2));
    seen.push_back(walk(1 << 23, 1e9, Mix::store, 2));
    const std::vector<MissingFootprint> missing = footprints_between(seen);
    REQUIRE(missing.size() == 3);
    CHECK(missing[0].threads == 2);
    CHECK(missing[0].footprint.value > 1 << 22);
    CHECK(missing[1].footprint == missing[2].footprint);
    CHECK(missing[1].threads + missing[2].threads == 3);
}

TEST_CASE("the best of all streams is looked at, and nothing under other conditions") {
    std::vector<Ceiling> seen = coarse();
    for (std::size_t i = 0, n = seen.size(); i < n; ++i) {
        Ceiling slow = seen[i];
        slow.when.streams = 1;
        slow.max = i % 2 ? 1e9 : 39e9;
        seen.push_back(slow);
        Ceiling other = seen[i];
        other.when.prefetch = Prefetch::off;
        other.max = i % 2 ? 1e9 : 300e9;
        seen.push_back(other);
        other = seen[i];
        other.when.huge_pages = false;
        other.max = i % 2 ? 1e9 : 300e9;
        seen.push_back(other);
    }
    CHECK(footprints_between(seen).size() == 1);
}

TEST_CASE("nothing, one point, rates of zero") {
    CHECK(footprints_between({}).empty());
    CHECK(footprints_between({walk(4096.0, 1e9)}).empty());
    CHECK(footprints_between({walk(4096.0, 0.0), walk(8192.0, 0.0)}).empty());
    CHECK(footprints_between({walk(4096.0, 1e9), walk(8192.0, 0.0)}).empty());
    CHECK(footprints_between({walk(1024.0, 9e9), walk(2048.0, 1e9)}).empty());  // no whole kilobyte between
}
