#include "tuner/engine/left_out.h"

#include "tests/unit/search/toy_problem.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

struct LeftOutWorld {
    ToyProblem f;
    toy::Evaluator evaluator{f.space, [this](const Variant& v) { return f.honest(v); }};
    std::optional<LeftOut> measure(const std::map<std::string, std::string>& neighbours_best,
                                   double seconds_left = 100.0) {
        const Variant best = f.truly_best();
        return measure_left_out(evaluator, f.space, best, f.honest(best), neighbours_best, seconds_left);
    }
};

const std::map<std::string, std::string> kSlower{{"format", "narrow"}, {"threads", "2"}, {"unroll", "8"}};

}  // namespace

TEST_CASE("left out: the ratio of the neighbour's variant to the winner") {
    LeftOutWorld w;
    const auto l = w.measure(kSlower);
    REQUIRE(l);
    CHECK(l->works);
    CHECK(l->variant == kSlower);
    CHECK(l->changed == 0);
    CHECK(l->ratio.slots >= 8);
    CHECK(l->ratio.median == Approx(1.3 / 1.1).epsilon(0.02));
    CHECK(l->ratio.low <= l->ratio.median);
    CHECK(l->ratio.high >= l->ratio.median);
}

TEST_CASE("left out: the winner itself costs nothing and is not measured") {
    LeftOutWorld w;
    const auto l = w.measure(w.f.space.to_map(w.f.truly_best()), 0.0);
    REQUIRE(l);
    CHECK(l->works);
    CHECK(l->ratio.median == 1.0);
    CHECK(l->ratio.slots == 0);
    CHECK(w.evaluator.order.empty());
}

TEST_CASE("left out: a variant that does not exist here is the nearest that does") {
    LeftOutWorld w;
    const auto l = w.measure({{"format", "narrow"}, {"threads", "9"}, {"unroll", "4"}});
    REQUIRE(l);
    CHECK(l->changed == 1);
    CHECK(l->ratio.median == 1.0);
}

TEST_CASE("left out: without time nothing is measured, and nothing is claimed") {
    LeftOutWorld w;
    CHECK_FALSE(w.measure(kSlower, 0.1));
    CHECK(w.evaluator.order.empty());
}

TEST_CASE("left out: a variant that fails does not work; a broken environment says nothing") {
    LeftOutWorld w;
    const Variant slower = toy::variant(w.f.space, kSlower);
    w.evaluator.fail[slower] = Outcome::crashed;
    const auto l = w.measure(kSlower);
    REQUIRE(l);
    CHECK_FALSE(l->works);
    CHECK(l->ratio.median == 0.0);
    w.evaluator.fail[slower] = Outcome::environment;
    CHECK_FALSE(w.measure(kSlower));
}

TEST_CASE("left out: Ctrl-C in the middle claims nothing") {
    LeftOutWorld w;
    w.evaluator.interrupt_after = 0;
    w.evaluator.interrupt_in = "left_out";
    CHECK_FALSE(w.measure(kSlower));
}
