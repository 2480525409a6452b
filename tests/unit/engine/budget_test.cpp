#include "tests/support/catch.h"
#include "tuner/engine/job.h"

using namespace rooftune;

TEST_CASE("a budget is a time, a number of evaluations, or both") {
    struct Case {
        const char* text;
        double seconds;
        int evaluations;
        bool bounds_only;
    };
    for (const Case& c :
         {Case{"90s", 90.0, 0, false}, Case{"1.5s", 1.5, 0, false}, Case{"2m", 120.0, 0, false},
          Case{"2min", 120.0, 0, false}, Case{"1h", 3600.0, 0, false}, Case{"200", 0.0, 200, false},
          Case{"1", 0.0, 1, false}, Case{"90s,200", 90.0, 200, false}, Case{"200,1.5m", 90.0, 200, false},
          Case{"0", 0.0, 0, true}, Case{"0s", 0.0, 0, true}, Case{"0,90s", 90.0, 0, true},
          Case{"0s,200", 0.0, 200, true}}) {
        INFO(c.text);
        const std::optional<Budget> budget = budget_from(c.text);
        REQUIRE(budget);
        CHECK(budget->seconds == c.seconds);
        CHECK(budget->evaluations == c.evaluations);
        CHECK(budget->bounds_only == c.bounds_only);
    }
}

TEST_CASE("what is no budget is refused") {
    for (const char* text : {"",     ",",      "s",       "-1",        "-5s",  "1.5",  "90x",        "90 s",
                             " 90s", "nan",    "inf",     "nans",      "infs", "1e10", "2000000000", "90s,",
                             ",200", "90s,2m", "100,200", "90s,200,5", "9O",   "0x10", "90s200"}) {
        INFO(text);
        CHECK_FALSE(budget_from(text));
    }
    // Nothing else names a limit that the default would add.
    CHECK(budget_from("200")->seconds == 0.0);
}
