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

TEST_CASE("the margin is told by how much occasions differ, not by windows of one") {
    Ceiling c;
    c.max = 100.0;
    c.p95 = 99.0;
    CHECK(c.margin() == kMarginOfCores);
    c.p95 = 50.0;  // a slow spell of one occasion
    CHECK(c.margin() == kMarginOfCores);
    c.resource = Resource::bandwidth;
    CHECK(c.margin() == kMarginOfWalks);
    c.p95 = 0.0;  // published
    CHECK(c.margin() == kMarginOfCores);

    Machine m;
    const auto probed = [&](const char* seen, double rate, int undisturbed = 5) {
        Ceiling fresh;
        fresh.resource = Resource::bandwidth;
        fresh.max = fresh.p95 = rate;
        fresh.seen = seen;
        fresh.undisturbed = undisturbed;
        if (undisturbed > 0) fresh.top = {rate};
        merge(m, fresh);
        return m.ceilings[0];
    };
    CHECK(probed("2026-11-24T20:17:01Z", 80.0).occasions.count == 1);
    CHECK(probed("2026-11-24T20:18:00Z", 93.0).occasions.count == 1);  // 59 seconds later
    CHECK(m.ceilings[0].occasions.latest == 93.0);
    CHECK(probed("2026-11-24T20:18:01Z", 100.0).margin() ==
          kMarginOfWalks);  // two occasions tell nothing yet
    CHECK(m.ceilings[0].occasions.count == 2);
    CHECK(probed("2026-11-25T20:18:00Z", 50.0).margin() == Approx(100.0 / 93.0 - 1.0));
    CHECK(m.ceilings[0].occasions.highest == std::vector<double>{100.0, 93.0});
    CHECK(probed("2026-11-25T20:18:30Z", 99.0).margin() == kMarginOfWalks);
    CHECK(probed("2026-11-25T20:19:00Z", 10.0).margin() ==
          kMarginOfWalks);  // the newest need not be the highest
    CHECK(m.ceilings[0].occasions.count == 4);
    // A record is ahead of the second by as much as the machine surprises.
    CHECK(probed("2026-11-25T20:20:00Z", 107.0).margin() == Approx(0.07));
    // Nobody knows what was left of an occasion without undisturbed windows.
    CHECK(probed("2026-11-25T20:21:00Z", 106.0, 0).margin() == Approx(0.07));
    CHECK(m.ceilings[0].occasions.count == 5);
    CHECK(probed("2026-11-25T20:22:00Z", 106.0, -1).margin() == kMarginOfWalks);
    // Twice the rate is no noise.
    CHECK(probed("2026-11-25T20:23:00Z", 214.0).margin() == kMostMargin);
}

TEST_CASE("an occasion has its windows together, however few each probe of its minute had") {
    Machine m;
    const auto probed = [&](const char* seen, std::vector<double> undisturbed, double highest = 0.0) {
        Ceiling fresh;
        fresh.seen = seen;
        fresh.undisturbed = static_cast<int>(undisturbed.size());
        fresh.max = highest;
        for (const double rate : undisturbed) fresh.max = std::max(fresh.max, rate);
        fresh.top = std::move(undisturbed);
        std::sort(fresh.top.rbegin(), fresh.top.rend());
        merge(m, fresh);
        return m.ceilings[0].occasions;
    };
    // A window a round, as a model is made.
    CHECK(probed("2026-11-24T20:17:01Z", {80.0}).count == 0);
    CHECK(probed("2026-11-24T20:17:21Z", {}, 80.0).count == 0);
    CHECK(probed("2026-11-24T20:17:31Z", {81.0}).count == 0);
    CHECK(probed("2026-11-24T20:17:41Z", {79.0}).count == 1);
    CHECK(m.ceilings[0].occasions.latest == 81.0);
    // The next minute of the same probe: its log still knows the 81 of before, but did not see it again.
    CHECK(probed("2026-11-24T20:18:01Z", {70.0, 71.0, 70.0}, 81.0).count == 2);
    CHECK(m.ceilings[0].occasions.latest == 71.0);
    CHECK(m.ceilings[0].occasions.highest == std::vector<double>{81.0});
    // A minute in which the first probe was disturbed and the second was not, is one of its own.
    CHECK(probed("2026-11-24T20:19:01Z", {}, 60.0).count == 2);
    CHECK(probed("2026-11-24T20:19:11Z", {90.0, 90.0, 90.0}).count == 3);
    CHECK(m.ceilings[0].occasions.highest == std::vector<double>{81.0, 71.0});
    CHECK(m.ceilings[0].margin() == kMostMargin);
    // One that never had enough is forgotten.
    CHECK(probed("2026-11-24T20:21:00Z", {99.0}).count == 3);
    CHECK(m.ceilings[0].occasions.second() == 81.0);
    CHECK(probed("2026-11-24T20:23:00Z", {88.0, 88.0, 88.0}).count == 4);
    CHECK(m.ceilings[0].occasions.highest == std::vector<double>{90.0, 81.0});
    CHECK(m.ceilings[0].margin() == kMostMargin);  // the 99 still bounds
    // A clock that was set back, and a date that is none.
    CHECK(probed("2026-10-24T20:23:00Z", {88.0, 88.0, 88.0}).count == 5);
    CHECK(probed("yesterday", {88.0, 88.0, 88.0}).count == 5);
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
