// Strategies on landscapes with known optima, and the driver with planted faults.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/replay/replay.h"

using namespace rooftune;

namespace {

// A bowl over 20 × 10 × 5 values, a tenth of whose points do not exist, with its least point inside.
RecordedSpace bowl() {
    RecordedSpace space;
    space.name = "bowl";
    for (const auto& [name, count] : {std::pair{"a", 20}, {"b", 10}, {"c", 5}}) {
        RecordedParameter p{name, {}};
        for (int v = 0; v < count; ++v) p.values.push_back(std::to_string(v));
        space.parameters.push_back(p);
    }
    for (int a = 0; a < 20; ++a) {
        for (int b = 0; b < 10; ++b) {
            for (int c = 0; c < 5; ++c) {
                if ((a * 7 + b * 3 + c) % 10 == 0) continue;
                RecordedConfiguration point;
                point.values = {a, b, c};
                point.cost = 1.0;
                if ((a + b + c) % 13 == 0) {
                    point.failure = "does not compile";
                } else {
                    point.seconds =
                        1.0 + std::pow(a - 13, 2) + 2.0 * std::pow(b - 4, 2) + 5.0 * std::pow(c - 2, 2);
                }
                space.configurations.push_back(point);
            }
        }
    }
    return space;
}

double evaluations_to_best(const StrategyKind& kind, const RecordedSpace& space, int runs) {
    const Replay r = replay(space, {&kind}, {.runs = runs, .seed = 3});
    return r.strategies.at(0).optimum.median;
}

// Proposes by a function and ignores what it is told.
class Planted : public Strategy {
public:
    explicit Planted(std::function<std::size_t(int)> next) : next_(std::move(next)) {}
    std::size_t propose() override { return next_(calls_++); }
    void observe(std::size_t, std::optional<double>) override {}

private:
    std::function<std::size_t(int)> next_;
    int calls_ = 0;
};

}  // namespace

TEST_CASE("every strategy finds the best of a bowl, the same way for the same seed") {
    const RecordedSpace space = bowl();
    const ListedLandscape landscape = space.landscape();
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        const auto once = kind.make(landscape, 5), again = kind.make(landscape, 5),
                   other = kind.make(landscape, 6);
        const ReplayRun a = replay_once(space, landscape, *once, 5);
        const ReplayRun b = replay_once(space, landscape, *again, 5);
        const ReplayRun c = replay_once(space, landscape, *other, 6);
        CHECK(a.best.back() == space.sorted().front());
        CHECK(a.best == b.best);
        CHECK(c.best.back() == a.best.back());
        CHECK(std::is_sorted(a.best.rbegin(), a.best.rend()));
        CHECK(std::is_sorted(a.spent.begin(), a.spent.end()));
        CHECK(a.best.size() <= landscape.size());
    }
}

TEST_CASE("on a bowl, what looks at its neighbours needs fewer evaluations than chance") {
    const RecordedSpace space = bowl();
    const double chance = evaluations_to_best(*find_strategy("random"), space, 100);
    CHECK(chance > 0.3 * static_cast<double>(space.configurations.size()));
    for (const char* name :
         {"local", "annealing", "genetic", "differential", "swarm", "surrogate", "bandit"}) {
        INFO(name);
        CHECK(evaluations_to_best(*find_strategy(name), space, 10) < 0.6 * chance);
    }
}

TEST_CASE("a strategy that repeats itself, or proposes what is no point, still ends") {
    const RecordedSpace space = bowl();
    const ListedLandscape landscape = space.landscape();
    Planted stuck([](int) { return std::size_t{0}; });
    CHECK(replay_once(space, landscape, stuck, 1).best.back() == space.sorted().front());
    Planted outside([](int) { return std::size_t{1} << 40; });
    CHECK(replay_once(space, landscape, outside, 1).best.back() == space.sorted().front());
    Planted to_and_fro([](int i) { return static_cast<std::size_t>(i % 2); });
    const ReplayRun run = replay_once(space, landscape, to_and_fro, 1);
    CHECK(run.best.size() <= landscape.size());
}

TEST_CASE("a single configuration is found by the first evaluation") {
    RecordedSpace one;
    one.parameters = {{"a", {"1"}}};
    one.configurations.resize(1);
    one.configurations[0].values = {0};
    one.configurations[0].seconds = 2.0;
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        CHECK(replay(one, {&kind}, {.runs = 3, .seed = 1}).strategies.at(0).optimum.q75 == 1.0);
    }
}

TEST_CASE("a time that is none is a failure and never the best") {
    RecordedSpace space = bowl();
    const double best = space.sorted().front();
    const std::size_t valid = space.sorted().size();
    const double wrong[] = {std::numeric_limits<double>::quiet_NaN(), -1.0, 0.0,
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < 200; ++i) {
        RecordedConfiguration& c = space.configurations[i];
        if (!c.seconds || *c.seconds == best) continue;
        c.seconds = wrong[i % 5];
    }
    CHECK(space.sorted().front() == best);
    CHECK(space.sorted().size() < valid);
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        const ListedLandscape landscape = space.landscape();
        const auto strategy = kind.make(landscape, 1);
        const ReplayRun run = replay_once(space, landscape, *strategy, 1);
        CHECK(run.best.back() == best);
        CHECK(std::none_of(run.best.begin(), run.best.end(),
                           [&](double b) { return b < best || std::isnan(b); }));
    }
    const Replay r = replay(space, {find_strategy("random")}, {.runs = 2, .seed = 1});
    CHECK(r.best == best);
    CHECK(std::isfinite(r.strategies.at(0).score));
}

TEST_CASE("what did not work is no answer to a strategy") {
    CHECK(usable_time(2.5) == 2.5);
    CHECK_FALSE(usable_time(std::nullopt));
    CHECK_FALSE(usable_time(std::numeric_limits<double>::quiet_NaN()));
    CHECK_FALSE(usable_time(std::numeric_limits<double>::infinity()));
    CHECK_FALSE(usable_time(-1e-9));
    CHECK_FALSE(usable_time(0.0));
    RecordedSpace none = bowl();
    for (RecordedConfiguration& c : none.configurations) c.seconds = -1.0;
    CHECK_THROWS_AS(replay(none, {find_strategy("random")}, {.runs = 1, .seed = 1}), InputError);
}

TEST_CASE("a parameter that does not exist has no coordinate") {
    RecordedSpace space;
    space.parameters = {{"format", {"csr", "sell"}}, {"chunk", {kAbsentValue, "8", "16"}}};
    for (const std::vector<int>& values : {std::vector<int>{0, 0}, {1, 1}, {1, 2}}) {
        RecordedConfiguration c;
        c.values = values;
        c.seconds = 1.0;
        space.configurations.push_back(c);
    }
    const ListedLandscape landscape = space.landscape();
    CHECK(landscape.at(0) == std::vector<int>{0, -1});
    CHECK(landscape.neighbours(0) == std::vector<std::size_t>{1});
    CHECK(landscape.neighbours(2) == std::vector<std::size_t>{0, 1});
}

TEST_CASE("configurations that all fail but one are all tried at the most") {
    RecordedSpace space = bowl();
    for (std::size_t i = 0; i + 1 < space.configurations.size(); ++i) space.configurations[i].seconds.reset();
    space.configurations.back().seconds = 1.0;
    for (const StrategyKind& kind : strategy_kinds()) {
        INFO(kind.name);
        const Replay r = replay(space, {&kind}, {.runs = 2, .seed = 1});
        CHECK(r.valid == 1);
        CHECK(r.strategies.at(0).optimum.q75 <= static_cast<double>(space.configurations.size()));
    }
}
