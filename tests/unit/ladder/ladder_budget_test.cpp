// The time of a ladder: what the tune before it may take of it.
#include "tuner/ladder/ladder_budget.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("a budget is the rounds', and covers a tune where one is needed") {
    CHECK(ladder::share_budget("8s", false).tune == 0.0);
    CHECK(ladder::share_budget("8s", false).rounds == 8.0);
    for (const char* text : {"8s", "9s", "800ms", "2m"}) {
        INFO(text);
        const ladder::BudgetShares whole = ladder::share_budget(text, false),
                                   shared = ladder::share_budget(text, true);
        CHECK(shared.tune > 0.0);
        CHECK(shared.rounds > 0.0);
        CHECK(shared.tune + shared.rounds == Approx(whole.rounds));
    }
    CHECK(ladder::share_budget("", false).rounds == 30.0);
    CHECK(ladder::share_budget("", false).tune == 0.0);
    CHECK(ladder::share_budget("", true).rounds == 30.0);
    CHECK(ladder::share_budget("", true).tune == 60.0);
}

TEST_CASE("what is no time is refused, with what a bare number is") {
    for (const char* text : {"8", "0s", "8s,20", "8x", "-1s", "0"}) {
        INFO(text);
        CHECK_THROWS_AS(ladder::share_budget(text, false), InputError);
        CHECK_THROWS_WITH(ladder::share_budget(text, true), Contains("--budget " + std::string(text)) &&
                                                                Contains("30s") &&
                                                                Contains("number of evaluations"));
    }
}

TEST_CASE("a tune that was not asked for is announced: why, for how long, and what changes that") {
    CHECK(ladder::tuned_first_text(60.0, false) ==
          "this problem has not been tuned here yet: it is tuned first, for up to 60 s (`--budget` changes "
          "it)");
    CHECK_THAT(ladder::tuned_first_text(2.0 / 3.0, true), Contains("for up to 667 ms of the budget"));
    CHECK_THAT(ladder::tuned_first_text(5.34, true), Contains("for up to 5 s of the budget"));
    CHECK_THAT(ladder::tuned_first_text(600.0, true), Contains("for up to 10 min 0 s of the budget"));
}
