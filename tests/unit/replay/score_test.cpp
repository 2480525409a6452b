// The community's score, by hand on small spaces, and on strategies whose score is known.
#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tuner/replay/replay.h"
#include "tuner/replay/score.h"

using namespace rooftune;

namespace {

// Times 1, 2, …, n in a shuffled order; each evaluation costs a second.
RecordedSpace ladder(int n) {
    RecordedSpace space;
    space.name = "ladder";
    space.parameters = {{"a", {}}};
    for (int i = 0; i < n; ++i) {
        space.parameters[0].values.push_back(std::to_string(i));
        RecordedConfiguration c;
        c.values = {i};
        c.seconds = 1.0 + (i * 37) % n;
        c.cost = 1.0;
        space.configurations.push_back(c);
    }
    return space;
}

// Knows where the best is.
class Oracle : public Strategy {
public:
    explicit Oracle(std::size_t best) : best_(best) {}
    std::size_t propose() override { return best_; }
    void observe(std::size_t, std::optional<double>) override {}

private:
    std::size_t best_;
};

}  // namespace

TEST_CASE("targets and the evaluations that random sampling needs, by hand") {
    const RandomBaseline b(ladder(101));  // 1 … 101, median 51
    CHECK(b.best() == 1.0);
    CHECK(b.median() == 51.0);
    CHECK(b.worst() == 101.0);
    CHECK(b.target(0.0) == 51.0);
    CHECK(b.target(1.0) == 1.0);
    CHECK(b.target(0.95) == Approx(3.5));
    // The first of 101, 100, … that is at most 3.5 is the 98th, counted from 0: ⌈98 / (102 − 98)⌉.
    CHECK(b.evaluations(0.95) == 25.0);
    CHECK(b.seconds(0.95) == 25.0);
    // One evaluation: place round(102 / 2) = 51 of those from the worst, 101 − 51.
    CHECK(b.found(0.0) == 50.0);
    CHECK(b.found(1.0) == 50.0);
    CHECK(b.found(3.0) == 101.0 - 77.0);  // 3 · 102 / 4 = 76.5, rounded away from zero
    CHECK(b.found(1e9) == 1.0);
    const std::vector<double> grid = b.grid();
    CHECK(grid.front() == b.seconds(0.01));
    CHECK(grid.back() == Approx(25.0));
}

TEST_CASE("who finds the best at once scores 1, and random sampling 0") {
    const RecordedSpace space = ladder(1009);
    const ListedLandscape landscape = space.landscape();
    const RandomBaseline baseline(space);
    std::size_t best = 0;
    for (std::size_t i = 0; i < landscape.size(); ++i) {
        if (*space.configurations[i].seconds == 1.0) best = i;
    }
    Oracle oracle(best);
    const ReplayRun run = replay_once(space, landscape, oracle, 1);
    const std::vector<double> curve = score_curve(baseline, {run}, baseline.grid());
    CHECK(mean(curve) == Approx(1.0));
    const Replay random = replay(space, {find_strategy("random")}, {.runs = 400, .seed = 9});
    CHECK(std::abs(random.strategies.at(0).score) < 0.1);
}

TEST_CASE("a run that finds nothing counts with the worst time, below random sampling") {
    const RecordedSpace space = ladder(101);
    const RandomBaseline baseline(space);
    ReplayRun nothing;
    nothing.spent = {1.0};
    nothing.best = {std::numeric_limits<double>::infinity()};
    for (const double p : score_curve(baseline, {nothing}, baseline.grid())) CHECK(p < 0.0);
}

TEST_CASE("all equal: nobody can be ahead, and there is no score") {
    RecordedSpace space = ladder(5);
    for (RecordedConfiguration& c : space.configurations) c.seconds = 2.0;
    const Replay r = replay(space, {find_strategy("random")}, {.runs = 2, .seed = 1});
    CHECK(std::isnan(r.strategies.at(0).score));
    CHECK(r.strategies.at(0).optimum.median == 1.0);
}

TEST_CASE("an evaluation whose cost was not kept costs as much as the others") {
    RecordedSpace space = ladder(5);
    for (RecordedConfiguration& c : space.configurations) c.cost = 3.0;
    space.configurations[0].cost = 0.0;
    Oracle first(0);
    const ReplayRun run = replay_once(space, space.landscape(), first, 1);
    CHECK(run.spent.front() == 3.0);
    for (RecordedConfiguration& c : space.configurations) c.cost = 0.0;
    CHECK(replay_once(space, space.landscape(), first, 1).spent.front() == 1.0);
}
