// Levels of cache that a disturbed run of the probes leaves, planted: they are said, and those of a quiet one
// are not.
#include "tuner/ceilings/implausible_levels.h"
#include "tests/support/catch.h"
#include "tuner/ceilings/capacities.h"
#include "tuner/ceilings/doubts.h"

using namespace rooftune;
using Catch::Contains;

namespace {

constexpr double kKibi = 1024.0, kMebi = 1024.0 * 1024.0;

void plant_walk(Machine& m, int threads, double footprint, double rate, Mix mix = Mix::load) {
    Ceiling c;
    c.resource = Resource::bandwidth;
    c.when = {.mix = mix, .threads = threads, .footprint = Bytes(footprint), .streams = 1};
    c.max = c.p95 = c.median = rate;
    c.source = "probe";
    m.ceilings.push_back(c);
}

// Two cores with caches of their own behind a shared one, of which the guest of a busy host has a part.
Machine with_levels(double l1, double l2, double l3 = 0.0) {
    Machine m;
    m.topology.cores = m.topology.threads = 2;
    m.topology.caches = {{1, Bytes(48.0 * kKibi), Bytes(l1), 1},
                         {2, Bytes(2.0 * kMebi), Bytes(l2), 1},
                         {3, Bytes(300.0 * kMebi), Bytes(l3), 2}};
    return m;
}

// What two threads load, the same whatever the levels are called.
void plant_two(Machine& m) {
    plant_walk(m, 2, 24.0 * kKibi, 606.2e9);
    plant_walk(m, 2, 62.0 * kKibi, 649.0e9);
    plant_walk(m, 2, 512.0 * kKibi, 264.4e9);
    plant_walk(m, 2, 16.0 * kMebi, 53.1e9);
}

}  // namespace

TEST_CASE("caches of which the probes saw less than half, and a level as fast as the nearer one, are said") {
    Machine m = with_levels(16.0 * kKibi, 789.0 * kKibi);
    plant_two(m);
    const ImplausibleLevels found = implausible_levels(m);
    REQUIRE(found.small.size() == 2);
    CHECK(found.small[0].level == 1);
    CHECK(found.small[1].level == 2);
    REQUIRE(found.flat.size() == 1);
    CHECK(found.flat[0].nearer == "L1");
    CHECK(found.flat[0].farther == "L2");
    const std::string text = implausible_levels_text(m, "`rooftune machine`");
    CHECK_THAT(text, Contains("the probes saw 16 KiB of the 48 KiB of L1") &&
                         Contains("789 KiB of the 2 MiB of L2") &&
                         Contains("on 2 threads L2 is about as fast as L1 or faster (load: 649 GB/s beside "
                                  "606 GB/s)") &&
                         Contains("`rooftune machine` again on a quiet machine"));
    const std::vector<std::string> doubts = model_doubts(m, "");
    REQUIRE_FALSE(doubts.empty());
    CHECK(doubts.front() == text + ".");
}

TEST_CASE("the same rates within the right boundaries are plausible") {
    Machine m = with_levels(32.0 * kKibi, 1.542 * kMebi);
    plant_two(m);
    CHECK_FALSE(implausible_levels(m).any());
    CHECK(implausible_levels_text(m, "again").empty());
    CHECK_FALSE(implausible_levels(with_levels(0.0, 0.0)).any());
}

TEST_CASE("a shared last cache may be small, and as fast as memory, but not slower") {
    Machine m = with_levels(32.0 * kKibi, 1.542 * kMebi, 16.0 * kMebi);
    plant_walk(m, 1, 8.0 * kMebi, 18e9);
    plant_walk(m, 1, 256.0 * kMebi, 17.9e9);
    CHECK_FALSE(implausible_levels(m).any());
    plant_walk(m, 1, 256.0 * kMebi, 25e9);
    CHECK(implausible_levels(m).flat.size() == 1);
}

TEST_CASE("stores past the caches, shared data and other devices are not compared") {
    Machine m = with_levels(32.0 * kKibi, 1.542 * kMebi);
    plant_walk(m, 1, 16.0 * kKibi, 9e9, Mix::nt_store);
    plant_walk(m, 1, 512.0 * kKibi, 9e9, Mix::nt_store);
    plant_walk(m, 1, 16.0 * kKibi, 300e9);
    plant_walk(m, 1, 512.0 * kKibi, 400e9);
    m.ceilings.back().when.shared = true;
    plant_walk(m, 1, 512.0 * kKibi, 400e9);
    m.ceilings.back().when.device = "d";
    CHECK_FALSE(implausible_levels(m).any());
    m.topology.caches[0].probed = Bytes(16.0 * kKibi);
    m.topology.source = "a data sheet";
    CHECK_FALSE(implausible_levels(m).any());
}

TEST_CASE("probing again draws the levels anew, though no ceiling falls") {
    Machine m = with_levels(0.0, 0.0);
    const auto probe = [&](double l1_end, double l2_end) {
        for (double f = 4.0 * kKibi; f <= 256.0 * kMebi; f *= 2.0) {
            Machine fresh;
            plant_walk(fresh, 1, f, f <= l1_end ? 300e9 : f <= l2_end ? 130e9 : 17e9);
            merge(m, fresh.ceilings.front());
        }
        set_probed_caches(m);
    };
    probe(16.0 * kKibi, 512.0 * kKibi);
    CHECK(m.topology.caches[0].probed.value == 16.0 * kKibi);
    CHECK(implausible_levels(m).small.size() == 1);
    probe(32.0 * kKibi, 1024.0 * kKibi);
    CHECK(m.topology.caches[0].probed.value == 32.0 * kKibi);
    CHECK(m.topology.caches[1].probed.value == 1024.0 * kKibi);
    CHECK_FALSE(implausible_levels(m).any());
}
