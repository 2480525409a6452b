// The roofline: min and not max, ridge, band, regions under the ceilings; and the hierarchy.
#include "models/roofline.h"

#include "models/hierarchy.h"
#include "tests/support/catch.h"
#include "tests/support/published.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

const Roofline kRoof{OperationsPerSecond(100.0), BytesPerSecond(10.0)};

Intensity at(double i) {
    return Intensity(i);
}

}  // namespace

TEST_CASE("attainable is the lower of the two roofs") {
    CHECK(kRoof.ridge().value == 10.0);
    CHECK(kRoof.attainable(at(1.0)).value == 10.0);  // the diagonal meets I = 1 at its bandwidth
    CHECK(kRoof.attainable(at(10.0)).value == 100.0);
    CHECK(kRoof.attainable(at(1e6)).value == 100.0);
    CHECK(kRoof.attainable(at(0.0)).value == 0.0);
    CHECK_FALSE(kRoof.compute_bound(at(9.9)));
    CHECK(kRoof.compute_bound(at(10.0)));
}

TEST_CASE("without overlap the roof is rounded: half at the ridge, the same far away") {
    CHECK(kRoof.attainable_serial(at(10.0)).value == Approx(50.0));
    CHECK(kRoof.attainable_serial(at(1e9)).value == Approx(100.0));
    CHECK(kRoof.attainable_serial(at(1e-9)) / kRoof.attainable(at(1e-9)) == Approx(1.0));
    CHECK(kRoof.attainable_serial(at(0.0)).value == 0.0);
    CHECK(kRoof.lower(Operations(1000), Bytes(300)).value == 30.0);
    CHECK(kRoof.serial(Operations(1000), Bytes(300)).value == 40.0);
    const RooflineBand b = band(kRoof, at(5.0), at(10.0));
    CHECK(b.attainable_low < b.attainable_high);
}

TEST_CASE("regions: left only memory pays, right only compute, between them both") {
    // Lowest ceilings: peak 25, bandwidth 2. They meet the roofs at I = 25/10 and I = 100/2.
    const std::vector<MissingCeiling> ceilings{
        {"SIMD", false, 50.0}, {"ILP", false, 25.0}, {"prefetch", true, 5.0}, {"unit stride", true, 2.0}};
    CHECK(paying_region(kRoof, ceilings, at(2.4)) == PayingRegion::memory);
    CHECK(paying_region(kRoof, ceilings, at(2.6)) == PayingRegion::both);
    CHECK(paying_region(kRoof, ceilings, at(10.0)) == PayingRegion::both);
    CHECK(paying_region(kRoof, ceilings, at(49.0)) == PayingRegion::both);
    CHECK(paying_region(kRoof, ceilings, at(51.0)) == PayingRegion::compute);
    CHECK(paying_region(kRoof, {}, at(1.0)) == PayingRegion::none);
    CHECK(paying_region(kRoof, {{"SIMD", false, 50.0}}, at(1.0)) == PayingRegion::none);
    CHECK(paying_region(kRoof, {{"above the roof", false, 500.0}}, at(1e3)) == PayingRegion::none);
}

TEST_CASE("costs: each missing optimisation by itself, the costliest first") {
    const std::vector<MissingCeiling> ceilings{
        {"SIMD", false, 50.0}, {"ILP", false, 25.0}, {"unit stride", true, 2.0}};
    const auto left = missing_costs(kRoof, ceilings, at(1.0));
    CHECK(left[0].ceiling.name == "unit stride");
    CHECK(left[0].factor == 5.0);
    CHECK(left[1].factor == 1.0);
    const auto right = missing_costs(kRoof, ceilings, at(1000.0));
    CHECK(right[0].ceiling.name == "ILP");
    CHECK(right[0].factor == 4.0);
    CHECK(right[1].factor == 2.0);
    CHECK(right[2].factor == 1.0);
}

namespace {

// Two cores with 1000 bytes of L1 each, and 10 000 bytes of L2 for both; rates fall at each.
Machine two_levels() {
    Machine m;
    m.topology.threads = 2;
    m.topology.memory = Bytes(1e9);
    m.topology.caches = {{.level = 1, .reported = Bytes(1000), .shared_by = 1},
                         {.level = 2, .reported = Bytes(64000), .probed = Bytes(10000), .shared_by = 2}};
    for (const auto& [footprint, rate] : {std::pair{500.0, 100.0}, {5000.0, 40.0}, {50000.0, 10.0}}) {
        Conditions when;
        when.mix = Mix::load;
        when.threads = 2;
        when.footprint = Bytes(footprint);
        m.ceilings.push_back(toy::ceiling(Resource::bandwidth, when, rate));
    }
    return m;
}

}  // namespace

TEST_CASE("levels: capacities of all instances, rates behind them") {
    const Machine m = two_levels();
    const Roofs roofs(m);
    const auto levels = memory_levels(roofs, 2);
    REQUIRE(levels.size() == 3);
    CHECK(levels[0].name == "L1");
    CHECK(levels[0].beyond.value == 500.0);  // the first footprint that was walked
    CHECK(levels[0].capacity.value == 2000.0);
    CHECK(levels[0].read.value == 100.0);
    CHECK(levels[1].name == "L2");
    CHECK(levels[1].beyond.value == 2000.0);
    CHECK(levels[1].capacity.value == 10000.0);  // what was probed, not what was reported
    CHECK(levels[1].read.value == 100.0);        // nothing between 500 and 5000 says otherwise
    CHECK(levels[2].name == "memory");
    CHECK(levels[2].beyond.value == 50000.0);  // the largest walk: a smaller one gets part of it from L2
    CHECK(levels[2].read.value == 10.0);
    REQUIRE(levels[2].nearer.size() == 1);
    CHECK(levels[2].nearer[0].beyond.value == 10000.0);
    CHECK(levels[2].nearer[0].read.value == 40.0);
    CHECK(levels[2].capacity.value == 1e9);
}

TEST_CASE("use of levels: bytes fall outward, the slowest binds") {
    const Machine m = two_levels();
    const Roofs roofs(m);
    const TrafficProfile cold{.reads = Bytes(20000), .state = State::cold};
    const HierarchyUse use =
        use_of(memory_levels(roofs, 2), cold, Operations(4000), OperationsPerSecond(1e3));
    REQUIRE(use.binding == 2);
    CHECK(use.levels[2].reads.value == 20000.0);
    CHECK(use.levels[2].seconds.value == 2000.0);
    CHECK(use.levels[2].intensity.value == 0.2);
    CHECK(use.levels[2].ridge.value == 100.0);
    CHECK(use.levels[2].attainable.value == 2.0);

    // Warm and between L2 and the largest walk: judged behind L2, where part of it must come from further
    // out.
    const TrafficProfile between{.reads = Bytes(30000), .state = State::warm};
    const LevelUse memory =
        use_of(memory_levels(roofs, 2), between, Operations(4000), OperationsPerSecond(1e3)).levels[2];
    CHECK(memory.level.beyond.value == 10000.0);
    CHECK(memory.level.both.value == 40.0);
    CHECK(memory.reads.value == 20000.0);
    CHECK(memory.seconds.value == 500.0);

    // Warm and small: nothing need cross the outer boundaries, and the first level binds.
    const TrafficProfile warm{.reads = Bytes(1500), .state = State::warm};
    const HierarchyUse near = use_of(memory_levels(roofs, 2), warm, Operations(10), OperationsPerSecond(1e3));
    CHECK(near.binding == 0);
    CHECK(near.levels[0].reads.value == 1000.0);
    CHECK(near.levels[2].reads.value == 0.0);
    CHECK(near.levels[2].intensity.value == 0.0);
    CHECK(use_of({}, warm, Operations(10), OperationsPerSecond(1)).binding == -1);
}

TEST_CASE("a preset has one level, a machine without rates none") {
    const Machine published = test::tpu_v5e();
    const Roofs roofs(published);
    const auto levels = memory_levels(roofs, 1);
    REQUIRE(levels.size() == 1);
    CHECK(levels[0].name == "memory");
    CHECK(levels[0].both.value == 8.2e11);
    CHECK(levels[0].beyond.value == 0.0);
    const Machine empty;
    CHECK(memory_levels(Roofs(empty), 1).empty());
}

TEST_CASE("capacity is the third limit") {
    CHECK(*memory_share(Bytes(32e9), Bytes(16e9)) == 2.0);
    CHECK_FALSE(memory_share(Bytes(1), Bytes(0)));
}
