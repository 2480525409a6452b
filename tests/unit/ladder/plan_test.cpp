// Which variants a ladder is made of, in planted spaces: conditional parameters, combinations that are no
// variants, nothing to change, one optimisation only.
#include "tuner/ladder/plan.h"

#include <set>
#include <stdexcept>
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::ladder;
using Catch::Contains;

namespace {

constexpr int kTile = 2, kUnroll = 3;

/// A textbook loop that knows threads only, and a tiled one: tile 8 does not unroll by 4.
Space space(int most_threads = 2) {
    Space s("planted", 1);
    const auto tiled = [](const PartialVariant& v) { return v[0] == 1; };
    s.add(Parameter("method", "", names({"loop", "tiled"})));
    s.add(Parameter("threads", "",
                    numbers(most_threads == 1 ? std::vector<std::int64_t>{1}
                                              : std::vector<std::int64_t>{1, most_threads})));
    s.add(Parameter("tile", "", numbers({1, 4, 8})).when("tiled", {0}, tiled));
    s.add(Parameter("unroll", "", numbers({1, 2, 4})).when("tiled", {0}, tiled));
    s.add(Parameter("prefetch", "", names({"no", "yes"})));
    s.add(Constraint{"a tall tile does not unroll by 4",
                     kUnroll,
                     [](const PartialVariant& v) { return v[kTile] != 2 || v[kUnroll] != 2; },
                     {kTile, kUnroll}});
    return s;
}

Ladder order() {
    Ladder ladder;
    ladder.optimisations = {{"threads", {"threads"}, "more cores"},
                            {"prefetch", {"prefetch"}, "earlier"},
                            {"tiles", {"method", "tile"}, "registers"},
                            {"unrolling", {"unroll"}, "fewer jumps"}};
    ladder.plain = {{"method", "tiled"}, {"tile", "1"}, {"unroll", "1"}};
    return ladder;
}

const Values kNaive = {{"method", "loop"}, {"threads", "2"}, {"prefetch", "no"}};
const Values kAlone = {{"method", "loop"}, {"threads", "1"}, {"prefetch", "no"}};

Plan planned(const Values& best, const Space& s = space(), const Ladder& ladder = order()) {
    const Space single = space(1);
    const Plan plan = plan_of(ladder, {&s, &single, kAlone, kNaive, best});
    // What holds of every plan.
    REQUIRE_FALSE(plan.variants.empty());
    CHECK(std::set<Stand>(plan.variants.begin(), plan.variants.end()).size() == plan.variants.size());
    CHECK(plan.variants[static_cast<std::size_t>(plan.best())].values == best);
    std::string why;
    for (const Stand& stand : plan.variants)
        CHECK((stand.alone ? single : s).from_map(stand.values, why).has_value());
    int before = 0;
    for (const PlannedStep& step : plan.steps) {
        CHECK(step.changes == (step.variant != before));
        CHECK(step.change.empty() == !step.changes);
        before = step.variant;
    }
    return plan;
}

const Values& values_of(const Plan& plan, const PlannedStep& step) {
    return plan.variants[static_cast<std::size_t>(step.variant)].values;
}

}  // namespace

TEST_CASE("each step adds the best's values of its parameters, and keeps the naive ones of the others") {
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "2"}, {"tile", "4"}, {"unroll", "4"}, {"prefetch", "yes"}});
    REQUIRE(plan.steps.size() == 4);
    CHECK(plan.variants[0].values == kAlone);
    CHECK(values_of(plan, plan.steps[0]) == kNaive);
    CHECK(plan.steps[0].change == "threads 1 → 2");
    CHECK(values_of(plan, plan.steps[1]) ==
          Values{{"method", "loop"}, {"threads", "2"}, {"prefetch", "yes"}});
    // What the tiled loop has and the naive one has not begins with its plain value.
    CHECK(values_of(plan, plan.steps[2]) ==
          Values{{"method", "tiled"}, {"threads", "2"}, {"tile", "4"}, {"unroll", "1"}, {"prefetch", "yes"}});
    CHECK(plan.steps[2].change == "method loop → tiled, tile 4");
    CHECK(plan.steps[3].change == "unroll 1 → 4");
    for (const PlannedStep& step : plan.steps) CHECK(step.adapted.empty());
}

TEST_CASE("what a step is still worth: the best with that step put back alone") {
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "2"}, {"tile", "4"}, {"unroll", "4"}, {"prefetch", "yes"}});
    const auto without = [&](int step) {
        const int variant = plan.steps[static_cast<std::size_t>(step)].without;
        REQUIRE(variant >= 0);
        return plan.variants[static_cast<std::size_t>(variant)].values;
    };
    CHECK(without(0).at("threads") == "1");
    CHECK(without(0).at("tile") == "4");
    CHECK(without(1).at("prefetch") == "no");
    // Not the textbook loop, which would take the unrolling with it.
    CHECK(without(2) ==
          Values{{"method", "tiled"}, {"threads", "2"}, {"tile", "1"}, {"unroll", "4"}, {"prefetch", "yes"}});
    // The best without its last step is the step before it: one measurement for both.
    CHECK(plan.steps[3].without == plan.steps[2].variant);
    CHECK(plan.variants.size() == 8);
}

TEST_CASE("a step in which nothing changes is no second variant, and is worth nothing") {
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "2"}, {"tile", "8"}, {"unroll", "1"}, {"prefetch", "no"}});
    CHECK_FALSE(plan.steps[1].changes);
    CHECK(plan.steps[1].without == -1);
    CHECK_FALSE(plan.steps[3].changes);
    CHECK(plan.steps[3].without == -1);
    CHECK(plan.variants.size() == 5);
}

TEST_CASE("a combination that is no variant gives way to the nearest that keeps what was released") {
    // Unrolling comes first here: unroll 4 with the tile that the best has later is no variant.
    Ladder ladder = order();
    ladder.optimisations = {{"threads", {"threads"}, ""},
                            {"tall tiles", {"method", "tile"}, ""},
                            {"unrolling", {"unroll"}, ""},
                            {"prefetch", {"prefetch"}, ""}};
    ladder.plain["unroll"] = "4";
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "2"}, {"tile", "8"}, {"unroll", "2"}, {"prefetch", "no"}},
                space(), ladder);
    CHECK(values_of(plan, plan.steps[1]).at("tile") == "8");
    CHECK(values_of(plan, plan.steps[1]).at("unroll") == "2");
    CHECK(plan.steps[1].adapted == "unroll 2 instead of 4");
    CHECK_FALSE(plan.steps[2].changes);
    // Without unrolling means unroll 4, which the tall tile has not: the tile gives way.
    const int without = plan.steps[2].without;
    REQUIRE(without >= 0);
    CHECK(plan.variants[static_cast<std::size_t>(without)].values.at("unroll") == "4");
    CHECK_THAT(plan.steps[2].without_adapted, Contains("tile") && Contains("instead of 8"));
}

TEST_CASE("a value that the space lacks gives way to the nearest") {
    Ladder ladder = order();
    ladder.plain["tile"] = "2";
    ladder.optimisations = {{"threads", {"threads"}, ""},
                            {"tiled loop", {"method"}, ""},
                            {"tiles", {"tile", "unroll"}, ""},
                            {"prefetch", {"prefetch"}, ""}};
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "2"}, {"tile", "8"}, {"unroll", "1"}, {"prefetch", "no"}},
                space(), ladder);
    CHECK_THAT(plan.steps[1].adapted, Contains("instead of 2"));
    CHECK(values_of(plan, plan.steps[1]).at("unroll") == "1");
}

TEST_CASE("naive is best: every step has nothing to change, and one variant is measured") {
    const Space single = space(1);
    const Plan plan = plan_of(order(), {&single, nullptr, kAlone, kAlone, kAlone});
    CHECK(plan.variants.size() == 1);
    CHECK(plan.best() == 0);
    REQUIRE(plan.steps.size() == 4);
    for (const PlannedStep& step : plan.steps) {
        CHECK_FALSE(step.changes);
        CHECK(step.without == -1);
    }
}

TEST_CASE("the best runs on one thread: that step has nothing to change") {
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "1"}, {"tile", "4"}, {"unroll", "1"}, {"prefetch", "no"}});
    CHECK_FALSE(plan.steps[0].changes);
    CHECK(plan.steps[0].without == -1);
}

TEST_CASE("a naive loop that takes all threads stands alone on one") {
    Space all = space();
    all.add(Constraint{"the loop takes all threads",
                       1,
                       [](const PartialVariant& v) { return v[0] == 1 || v[1] == 1; },
                       {0, 1}});
    const Plan plan = planned(
        {{"method", "tiled"}, {"threads", "2"}, {"tile", "4"}, {"unroll", "1"}, {"prefetch", "yes"}}, all);
    CHECK(plan.variants[0].alone);
    CHECK(plan.variants[0].values == kAlone);
    CHECK(values_of(plan, plan.steps[0]) == kNaive);
    int alone = 0;
    for (const Stand& stand : plan.variants) alone += stand.alone;
    CHECK(alone == 1);
    // Where the best stays on one thread, so does the loop.
    const Plan slow = planned(
        {{"method", "tiled"}, {"threads", "1"}, {"tile", "4"}, {"unroll", "1"}, {"prefetch", "yes"}}, all);
    CHECK_FALSE(slow.steps[0].changes);
    CHECK(slow.variants[static_cast<std::size_t>(slow.steps[1].variant)].alone);
}

TEST_CASE("one step only, and what a ladder leaves out: the last step is the best all the same") {
    const Values best = {
        {"method", "tiled"}, {"threads", "2"}, {"tile", "8"}, {"unroll", "2"}, {"prefetch", "yes"}};
    Ladder one;
    one.optimisations = {{"everything", {"threads", "method", "tile", "unroll", "prefetch"}, ""}};
    const Plan whole = planned(best, space(), one);
    REQUIRE(whole.steps.size() == 1);
    CHECK(whole.variants.size() == 2);

    Ladder half;
    half.optimisations = {{"threads", {"threads"}, ""}, {"no such", {"gone"}, ""}};
    const Plan rest = planned(best, space(), half);
    REQUIRE(rest.steps.size() == 2);
    CHECK(rest.steps[1].name == "the rest");
    CHECK(rest.steps[1].parameters == std::vector<std::string>{"method", "prefetch", "tile", "unroll"});
}

TEST_CASE("a family without an order of its own: each parameter a step, threads first") {
    const Space s = space();
    const Ladder ladder = ladder_of_parameters(s);
    REQUIRE(ladder.optimisations.size() == 5);
    CHECK(ladder.optimisations[0].name == "threads");
    CHECK(ladder.optimisations[1].name == "method");
    const Plan plan =
        planned({{"method", "tiled"}, {"threads", "2"}, {"tile", "4"}, {"unroll", "2"}, {"prefetch", "no"}},
                s, ladder);
    CHECK(plan.steps.size() == 5);
}

TEST_CASE("ends that are no variants are refused") {
    const Space s = space();
    CHECK_THROWS_AS(plan_of(order(), {&s, nullptr, kNaive, kNaive, {{"method", "tiled"}}}),
                    std::invalid_argument);
    CHECK_THROWS_AS(plan_of(order(), {&s, nullptr, {{"method", "no"}}, kNaive, kNaive}),
                    std::invalid_argument);
}
