// The judge with planted rates: below, at and above a ceiling, no numbers, zeros.
#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tests/unit/machine/audit/world.h"
#include "tuner/machine/audit/judge.h"

namespace rooftune::audit::test {
namespace {

std::vector<Check> judged(const Case& c, double seconds) {
    const Machine machine = small_machine();
    return judge(c, took(seconds), Roofs(machine));
}

}  // namespace

TEST_CASE("a rate of flops is held against the peak of any mix") {
    const auto checks = judged(product(100.0), 1.0);
    REQUIRE(checks.size() == 1);
    CHECK(checks[0].claim == Claim::flops);
    CHECK(checks[0].rate == 100.0);
    CHECK(checks[0].ceiling == 120.0);
    CHECK(checks[0].like == 100.0);
    CHECK_FALSE(checks[0].above());
}

TEST_CASE("at the ceiling is not above it; a hair more is") {
    CHECK_FALSE(judged(product(120.0), 1.0).at(0).above());
    CHECK(judged(product(120.0 * (1.0 + 1e-12)), 1.0).at(0).above());
    CHECK(judged(product(240.0), 1.0).at(0).share() == 2.0);
}

TEST_CASE("the margin is the ceiling's own: a noisy one leaves more") {
    CHECK(judged(product(120.0 / 0.97), 1.0).at(0).margin == Approx(0.03));
    CHECK_FALSE(judged(product(123.7), 1.0).at(0).beyond_margin());
    CHECK(judged(product(123.8), 1.0).at(0).beyond_margin());
    Machine noisy = small_machine();
    noisy.ceilings[1].occasions = {.count = 3, .latest = 100.0, .highest = {120.0, 112.5}, .windows = 5};
    const Check check = judge(product(128.0), took(1.0), Roofs(noisy)).at(0);
    CHECK(check.margin == Approx(120.0 / 112.5 - 1.0));
    CHECK_FALSE(check.beyond_margin());
    CHECK(judge(product(std::nan("")), took(1.0), Roofs(noisy)).at(0).beyond_margin());
}

TEST_CASE("two threads are held against two threads' peak") {
    const auto checks = judged(product(190.0, 2), 1.0);
    REQUIRE(checks.size() == 1);
    CHECK(checks[0].ceiling == 200.0);
    CHECK_FALSE(checks[0].above());
}

TEST_CASE("three threads have no ceiling here, so nothing is judged") {
    CHECK(judged(product(1e9, 3), 1.0).empty());
}

TEST_CASE("bytes are held against reads, writes and both") {
    const auto checks = judged(walk(2.0, 1.0, 4096.0), 1.0);
    REQUIRE(checks.size() == 3);
    CHECK(checks[0].claim == Claim::reads);
    CHECK(checks[0].ceiling == 10.0);
    CHECK(checks[1].claim == Claim::writes);
    CHECK(checks[1].ceiling == 3.0);
    CHECK(checks[2].claim == Claim::both);
    CHECK(checks[2].rate == 3.0);
    CHECK(tightest(checks)->claim == Claim::writes);
}

TEST_CASE("the ceiling is that of the largest measured footprint that is no larger") {
    CHECK(judged(walk(4096.0, 0.0, 4096.0), 1.0).at(0).ceiling == 10.0);
    CHECK(judged(walk(1048575.0, 0.0, 1048575.0), 1.0).at(0).ceiling == 10.0);
    CHECK(judged(walk(1048576.0, 0.0, 1048576.0), 1.0).at(0).ceiling == 4.0);
    CHECK(judged(walk(1e12, 0.0, 1e12), 1.0).at(0).ceiling == 4.0);
    // Below the smallest, the smallest.
    CHECK(judged(walk(64.0, 0.0, 64.0), 1.0).at(0).ceiling == 10.0);
}

TEST_CASE("each direction is held against the ceiling over its own bytes") {
    // A cache of half a MiB may keep what is read, though as much again is written past it.
    const auto checks = judged(walk(524288.0, 524288.0, 1048576.0), 1.0);
    REQUIRE(checks.size() == 3);
    CHECK(checks[0].ceiling == 10.0);
    CHECK(checks[2].ceiling == 6.0);
}

TEST_CASE("a time that is no time is judged by nothing") {
    const double infinity = std::numeric_limits<double>::infinity();
    for (const double seconds : {0.0, -1.0, infinity, std::nan("")})
        CHECK(judged(product(100.0), seconds).empty());
}

TEST_CASE("an amount that is no number is above, not below") {
    const auto checks = judged(product(std::nan("")), 1.0);
    REQUIRE(checks.size() == 1);
    CHECK(checks[0].above());
    CHECK(std::isinf(checks[0].share()));
}

TEST_CASE("what is not measured is not judged") {
    const Machine machine = small_machine();
    const Roofs roofs(machine);
    for (const Outcome o :
         {Outcome::absent, Outcome::wrong, Outcome::failed, Outcome::crashed, Outcome::hung}) {
        Measurement m = took(1e-9);
        m.outcome = o;
        CHECK(judge(product(100.0), m, roofs).empty());
    }
}

TEST_CASE("amounts that only the child knows replace the case's") {
    const Machine machine = small_machine();
    Measurement m = took(1.0);
    m.amounts = Amounts{Operations(0.0), Bytes(1e7), Bytes(0.0), Bytes(2e6)};
    const auto checks = judge(product(100.0), m, Roofs(machine));
    REQUIRE(checks.size() == 2);
    CHECK(checks[0].claim == Claim::reads);
    CHECK(checks[0].ceiling == 4.0);
    CHECK(checks[0].above());
}

}  // namespace rooftune::audit::test
