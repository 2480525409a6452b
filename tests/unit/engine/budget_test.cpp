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
          Case{"2min", 120.0, 0, false}, Case{"500ms", 0.5, 0, false}, Case{"1ms", 1e-3, 0, false},
          Case{"250ms,8", 0.25, 8, false}, Case{"0ms", 0.0, 0, true}, Case{"1h", 3600.0, 0, false},
          Case{"200", 0.0, 200, false}, Case{"1", 0.0, 1, false}, Case{"90s,200", 90.0, 200, false},
          Case{"200,1.5m", 90.0, 200, false}, Case{"0", 0.0, 0, true}, Case{"0s", 0.0, 0, true},
          Case{"0,90s", 90.0, 0, true}, Case{"0s,200", 0.0, 200, true}}) {
        INFO(c.text);
        const std::optional<Budget> budget = budget_from(c.text);
        REQUIRE(budget);
        CHECK(budget->seconds == c.seconds);
        CHECK(budget->evaluations == c.evaluations);
        CHECK(budget->bounds_only == c.bounds_only);
    }
}

TEST_CASE("what is no budget is refused") {
    for (const char* text :
         {"",    ",",    "s",    "-1",     "-5s",        "1.5",       "90x",  "90 s",   " 90s",  "nan",
          "inf", "nans", "infs", "1e10",   "2000000000", "90s,",      ",200", "90s,2m", "5us",   "5ns",
          "5µs", "5m s", "5MS",  "1s,5ms", "100,200",    "90s,200,5", "9O",   "0x10",   "90s200"}) {
        INFO(text);
        CHECK_FALSE(budget_from(text));
    }
    // What is said then tells what a bare number is, and how the other is written.
    using Catch::Contains;
    CHECK_THAT(std::string(kBudgetForms),
               Contains("500ms") && Contains("90s,200") && Contains("without a unit is never a time"));
    // Nothing else names a limit that the default would add.
    CHECK(budget_from("200")->seconds == 0.0);
}

TEST_CASE("a word that is no key=value gets the hint that it needs") {
    CHECK_THROWS_WITH(spec_of("../rows.mtx.gz"), Catch::Contains("did you mean --matrix ../rows.mtx.gz?"));
    CHECK_THROWS_WITH(spec_of("rows.mtx"), Catch::Contains("did you mean --matrix rows.mtx?"));
    CHECK_THROWS_WITH(spec_of("s"), Catch::Contains("without a space, like --budget 10s"));
    for (const char* word : {"120", "nx", "/proc", "/proc/self/status", "=1", "e3"})
        CHECK_THROWS_WITH(spec_of(word), !Catch::Contains("--"));
}
