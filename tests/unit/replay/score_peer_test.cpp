// The community's score beside the figures that the association's own package (autotuning-methodology 1.1.0)
// gives for the same spaces and the same runs. tests/peers/score/golden.py has the same formulas and prints
// the figures; the package draws at random, so they are means of many of its scores, and scatter by 0.01 at
// most.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/catch.h"
#include "tuner/replay/score.h"

using namespace rooftune;

namespace {

constexpr int kPoints = 120, kRunsOfPeer = 100, kEvaluations = 60;

// In [0, 1), as in golden.py (SplitMix64; Steele, Lea and Flood 2014).
double draw(int i) {
    std::uint64_t z = (static_cast<std::uint64_t>(i) + 1) * 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return static_cast<double>(z ^ (z >> 31)) / 18446744073709551616.0;
}

double power(int i, int exponent) {
    return 10.0 + 10.0 * std::pow(draw(i), exponent);
}

double varied_cost(int i) {
    return 0.3 + 0.1 * draw(i + 1000);
}

struct PeerCase {
    std::string name;
    std::function<double(int)> milliseconds, cost;
    bool fifth_fails;
    // Of runs that evaluate the first of one drawn, and the best of three; none where the package refuses.
    std::optional<double> of_one, of_three;
};

RecordedSpace space_of(const PeerCase& c) {
    RecordedSpace space;
    space.name = c.name;
    space.parameters = {{"a", {}}};
    for (int i = 0; i < kPoints; ++i) {
        space.parameters[0].values.push_back(std::to_string(i));
        RecordedConfiguration point;
        point.values = {i};
        if (!c.fifth_fails || i % 5 != 4) point.seconds = c.milliseconds(i) / 1e3;
        point.cost = c.cost(i);
        space.configurations.push_back(point);
    }
    return space;
}

ReplayRun run_of(const RecordedSpace& space, int number, int best_of) {
    ReplayRun run;
    double spent = 0.0, best = std::numeric_limits<double>::infinity();
    for (int k = 0; k < kEvaluations; ++k) {
        std::optional<std::size_t> chosen;
        const auto time_of = [&](std::size_t p) { return space.configurations[p].seconds.value_or(1e9); };
        for (int b = 0; b < best_of; ++b) {
            const auto drawn =
                static_cast<std::size_t>(kPoints * draw(100000 + (number * kEvaluations + k) * 3 + b));
            if (!chosen || time_of(drawn) < time_of(*chosen)) chosen = drawn;
        }
        const RecordedConfiguration& c = space.configurations[*chosen];
        spent += c.cost;
        if (c.seconds) best = std::min(best, *c.seconds);
        run.spent.push_back(spent);
        run.best.push_back(best);
    }
    return run;
}

double score_of(const RecordedSpace& space, int best_of) {
    const RandomBaseline baseline(space);
    std::vector<ReplayRun> runs;
    for (int number = 0; number < kRunsOfPeer; ++number) runs.push_back(run_of(space, number, best_of));
    return mean(score_curve(baseline, runs, baseline.grid()));
}

double half_second(int) {
    return 0.5;
}

const std::vector<PeerCase>& peer_cases() {
    static const std::vector<PeerCase> all{
        {"soon", [](int i) { return power(i, 8); }, half_second, false, {}, 0.989},
        {"soon, best of 1.9 ms", [](int i) { return 0.19 * power(i, 8); }, half_second, false, {}, 0.996},
        // The package has no room for a score; here it is that of the first, in another unit.
        {"soon, best of 19 µs", [](int i) { return 0.0019 * power(i, 8); }, half_second, false, {}, {}},
        {"few evaluations", [](int i) { return power(i, 4); }, varied_cost, false, 0.013, 0.956},
        // Random sampling has a run with fewer than two valid evaluations: the package gives no score.
        {"a fifth fails", [](int i) { return power(i, 4); }, varied_cost, true, {}, 0.930},
        {"spread evenly", [](int i) { return 5.0 + 100.0 * draw(i); },
         [](int i) { return 0.1 + 0.9 * std::pow(draw(i + 1000), 3); }, false, -0.115, 0.743},
    };
    return all;
}

}  // namespace

TEST_CASE("scores are those of the association's package, few evaluations in the budget included") {
    for (const PeerCase& c : peer_cases()) {
        INFO(c.name);
        const RecordedSpace space = space_of(c);
        const double of_one = score_of(space, 1), of_three = score_of(space, 3);
        CAPTURE(of_one, of_three);
        if (c.of_one) CHECK(of_one == Approx(*c.of_one).margin(0.02));
        if (c.of_three) CHECK(of_three == Approx(*c.of_three).margin(0.02));
        if (c.of_one && std::abs(*c.of_one) <= 0.05) CHECK(std::abs(of_one) <= 0.05);
        CHECK(of_three > of_one);
    }
}

TEST_CASE("the unit of a space does not decide over its score where the package gives none") {
    const auto& all = peer_cases();
    CHECK(score_of(space_of(all[2]), 3) == Approx(score_of(space_of(all[0]), 3)).margin(1e-9));
}

TEST_CASE(
    "the best to the last bit in many configurations: the score is over the time before random finds it") {
    PeerCase often{"the best often",
                   [](int i) { return i % 5 == 0 ? 10.0 : 11.0 + 20.0 * draw(i); },
                   half_second,
                   false,
                   {},
                   {}};
    const RecordedSpace space = space_of(often);
    const RandomBaseline baseline(space);
    // The package divides by zero at the end of this grid.
    const std::vector<double> grid = baseline.grid();
    CHECK(baseline.found(grid).back() == baseline.best());
    CHECK(std::isfinite(score_of(space, 1)));
}
