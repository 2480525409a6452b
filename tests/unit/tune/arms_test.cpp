// What `rooftune run` says below its table.
#include "tuner/tune/arms.h"

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("an arm of a variant that is there already has no row, and is told") {
    std::vector<RunArm> arms;
    Variant winner, naive;
    winner.fix(0, 1);
    naive.fix(0, 0);
    CHECK(add_arm(arms, {"tuned", winner}).empty());
    CHECK(add_arm(arms, {"default", winner}) ==
          "The default variant has no row of its own: it is the tuned one.");
    CHECK(add_arm(arms, {"naive", naive}).empty());
    CHECK(arms.size() == 2);
    // Of a tuned set the default itself may stand first.
    arms = {{"default", winner}};
    CHECK(add_arm(arms, {"default", winner}).empty());
    CHECK(arms.size() == 1);
}

TEST_CASE("whether a config runs as when it was tuned is told in words") {
    const TimeInterval then{520e-6, 515e-6, 525e-6, 510e-6, 20};
    CHECK_THAT(
        since_tuned(then, {440e-6, 436e-6, 445e-6, 430e-6, 20}, "a.json"),
        Contains("The tuned variant takes 15.4 % less time than when it was tuned; `rooftune verify ") &&
            Contains("a.json` tells whether the machine or the kernel changed."));
    CHECK_THAT(since_tuned(then, {572e-6, 560e-6, 580e-6, 550e-6, 20}, "a.json"),
               Contains("10.0 % more time"));
    // Intervals that meet, or a difference that nobody would call one.
    for (const TimeInterval& now :
         {TimeInterval{560e-6, 500e-6, 600e-6, 490e-6, 20}, TimeInterval{530e-6, 529e-6, 531e-6, 528e-6, 20}})
        CHECK_THAT(since_tuned(then, now, "a.json"), Contains("still runs as when it was tuned"));
    CHECK(since_tuned({}, then, "a.json").empty());
    CHECK(since_tuned(then, {}, "a.json").empty());
}
