#include "tuner/choose/rule.h"
#include "tuner/engine/trial.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

TunedProblem at(double feature, const std::string& unroll) {
    TunedProblem p;
    p.title = "toy " + unroll;
    p.features = {feature};
    p.best = {{"format", "narrow"}, {"threads", "2"}, {"unroll", unroll}};
    return p;
}

LeftOut left_out(double distance, double ratio, double default_ratio = 1.5) {
    LeftOut l;
    l.distance = distance;
    l.works = true;
    l.ratio = {ratio, ratio - 0.01, ratio + 0.01, 0.0, 12};
    l.default_ratio = default_ratio;
    return l;
}

std::vector<TunedProblem> tried(const std::vector<LeftOut>& all) {
    std::vector<TunedProblem> problems;
    for (const LeftOut& l : all) {
        problems.push_back(at(0.0, "1"));
        problems.back().left_out = l;
    }
    return problems;
}

TunedGroup group() {
    TunedGroup g;
    g.features = {"log2(n)"};
    g.scales = {2.0};
    g.reach = 1.0;
    g.problems = {at(0.0, "1"), at(10.0, "4")};
    return g;
}

}  // namespace

TEST_CASE("the rule takes the nearest within reach, else nothing") {
    const Space s = toy::space();
    const TunedGroup g = group();
    const RuleChoice near = choose(g, std::vector<double>{8.5}, s);
    CHECK(near.distance == Approx(0.75));
    REQUIRE(near.from == std::optional<std::size_t>(1));
    CHECK(s.to_text(near.variant->variant) == "format=narrow,threads=2,unroll=4");
    // Just at the edge is within it.
    CHECK(choose(g, std::vector<double>{2.0}, s).from == std::optional<std::size_t>(0));
    const RuleChoice far = choose(g, std::vector<double>{6.5}, s);
    CHECK_FALSE(far.from);
    CHECK_FALSE(far.variant);
    CHECK(far.nearest == 1);
    CHECK(far.distance == Approx(1.75));
    TunedGroup unproven = g;
    unproven.reach = 0.0;
    CHECK(choose(unproven, std::vector<double>{10.0}, s).from == std::optional<std::size_t>(1));
    CHECK_FALSE(choose(unproven, std::vector<double>{10.001}, s).from);
}

TEST_CASE("the rule repairs what does not exist here") {
    const Space s = toy::space();
    TunedGroup g = group();
    g.problems[0].best = {{"format", "wide"}, {"threads", "2"}, {"unroll", "9"}};
    const RuleChoice c = choose(g, std::vector<double>{0.0}, s);
    REQUIRE(c.variant);
    CHECK(s.to_text(c.variant->variant) == "format=wide,threads=2,unroll=7");
    CHECK(c.variant->changed == 1);
}

TEST_CASE("the nearest other problem leaves the asking one out") {
    const TunedGroup g = group();
    CHECK(nearest_problem(g, std::vector<double>{0.0}, std::nullopt) == std::optional<std::size_t>(0));
    CHECK(nearest_problem(g, std::vector<double>{0.0}, 0) == std::optional<std::size_t>(1));
    TunedGroup one = g;
    one.problems.pop_back();
    CHECK_FALSE(nearest_problem(one, std::vector<double>{0.0}, 0));
}

TEST_CASE("reach: as far as leaving out has shown the rule to beat the default variant") {
    CHECK(reach_of({}) == 0.0);
    CHECK(reach_of(std::vector<TunedProblem>{at(0.0, "1")}) == 0.0);
    CHECK(reach_of(tried({left_out(0.5, 1.2), left_out(2.0, 1.4)})) == 2.0);
    // Slower than the default variant at 2.
    CHECK(reach_of(tried({left_out(0.5, 1.2), left_out(2.0, 1.6)})) == 0.5);
    CHECK(reach_of(tried({left_out(0.5, 1.6), left_out(2.0, 1.6)})) == 0.0);
    // One in ten may fail, and then what lies farther counts again.
    std::vector<LeftOut> many;
    for (int i = 1; i <= 20; ++i) many.push_back(left_out(i, i == 10 ? 1.6 : 1.1));
    CHECK(reach_of(tried(many)) == 20.0);
    many[4] = many[5] = left_out(5.0, 1.6);
    CHECK(reach_of(tried(many)) == 4.0);
    // A variant that does not work is no better for being near.
    LeftOut broken;
    broken.distance = 0.1;
    CHECK(reach_of(tried({broken})) == 0.0);
    // Without a time of the default variant a tenth is the limit.
    CHECK(reach_of(tried({left_out(1.0, 1.08, 0.0)})) == 1.0);
    CHECK(reach_of(tried({left_out(1.0, 1.2, 0.0)})) == 0.0);
}

TEST_CASE("reach: problems at one distance are judged together") {
    // Whatever the order, one of the two at 1 fails: half is too few.
    CHECK(reach_of(tried({left_out(1.0, 1.1), left_out(1.0, 1.6)})) == 0.0);
    CHECK(reach_of(tried({left_out(1.0, 1.6), left_out(1.0, 1.1)})) == 0.0);
}

TEST_CASE("leave one out: median and worst of those that work") {
    std::vector<TunedProblem> problems = tried({left_out(1, 1.0), left_out(1, 1.3), left_out(1, 1.1)});
    LeaveOneOut l = leave_one_out(problems);
    CHECK(l.problems == 3);
    CHECK(l.failed == 0);
    CHECK(l.median == Approx(0.1));
    CHECK(l.worst == Approx(0.3));
    CHECK(l.worst_at == std::optional<std::size_t>(1));
    problems[1].left_out->works = false;
    problems.push_back(at(0.0, "1"));
    l = leave_one_out(problems);
    CHECK(l.problems == 3);
    CHECK(l.failed == 1);
    CHECK(l.median == Approx(0.05));
    CHECK(l.worst_at == std::optional<std::size_t>(2));
    CHECK(leave_one_out({}).problems == 0);
}
