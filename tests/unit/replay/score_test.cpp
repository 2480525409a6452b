// The community's score, by hand on small spaces, and on strategies whose score is known.
#include <algorithm>
#include <cmath>
#include <cstdint>
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
class KnowsBest : public Strategy {
public:
    explicit KnowsBest(std::size_t best) : best_(best) {}
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
    CHECK(b.evaluations(1.0) == 50.0);  // ⌈100 / (102 − 100)⌉
    // One evaluation: place round(102 / 2) = 51 of those from the worst, 101 − 51.
    CHECK(b.drawn(1.0) == 50.0);
    CHECK(b.drawn(3.0) == 101.0 - 76.0);  // 3 · 102 / 4 = 76.5, to the even neighbour
    CHECK(b.drawn(1e9) == 1.0);
    CHECK(b.rank(1.0) == 0);
    CHECK(b.rank(2.5) == 2);
    CHECK(b.at_rank(2) == 3.0);
    const std::vector<double> grid = b.grid();
    CHECK(grid.size() == 1000);
    CHECK(grid.front() == b.evaluations(0.01));
    CHECK(grid.back() == Approx(25.0));
    const std::vector<double> found = b.found(grid);
    CHECK(found.front() == b.drawn(grid.front()));
    CHECK(found.back() == Approx(b.drawn(25.0)));
    for (std::size_t i = 1; i < found.size(); ++i) CHECK(found[i] <= found[i - 1] + 1e-9);
}

TEST_CASE("who finds the best at once scores 1, and random sampling 0") {
    const RecordedSpace space = ladder(1009);
    const ListedLandscape landscape = space.landscape();
    const RandomBaseline baseline(space);
    std::size_t best = 0;
    for (std::size_t i = 0; i < landscape.size(); ++i) {
        if (*space.configurations[i].seconds == 1.0) best = i;
    }
    KnowsBest knowing(best);
    const ReplayRun run = replay_once(space, landscape, knowing, 1);
    const std::vector<double> curve = score_curve(baseline, {run}, baseline.grid());
    CHECK(mean(curve) == Approx(1.0));
    const Replay random = replay(space, {find_strategy("random")}, {.runs = 400, .seed = 9});
    CHECK(std::abs(random.strategies.at(0).score) < 0.1);
}

TEST_CASE("runs that have found nothing are left out, and all of them together count with the worst time") {
    const RecordedSpace space = ladder(101);
    const RandomBaseline baseline(space);
    const std::vector<double> grid = baseline.grid();
    ReplayRun nothing, something;
    nothing.spent = something.spent = {1.0, 30.0};
    nothing.best = {std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
    something.best = {2.0, 2.0};
    for (const double p : score_curve(baseline, {nothing}, grid)) CHECK(p < 0.0);
    for (const double f : reached(baseline, {nothing}, grid)) CHECK(f == 101.0);
    for (const double f : reached(baseline, {nothing, something}, grid)) CHECK(f == Approx(2.0));
}

TEST_CASE("where most runs end early, what they found holds to the end") {
    const RandomBaseline baseline(ladder(101));
    ReplayRun brief, longer;
    brief.spent = {2.0, 3.0};
    brief.best = {50.0, 50.0};
    longer.spent = {2.0, 3.0, 5.0, 20.0};
    longer.best = {50.0, 50.0, 50.0, 1.0};
    const std::vector<double> grid = baseline.grid();
    // The first to end after the middle one ends at 20 s here, and at 4 s there.
    const std::vector<double> later = reached(baseline, {brief, brief, brief, longer}, grid);
    ReplayRun middle = brief;
    middle.spent = {2.0, 4.0};
    const std::vector<double> held = reached(baseline, {brief, brief, middle, longer}, grid);
    CHECK(held.back() == Approx(held[held.size() / 2]));
    CHECK(later.back() < later[later.size() / 2]);
}

TEST_CASE("all equal: nobody can be ahead, and there is no score") {
    RecordedSpace space = ladder(5);
    for (RecordedConfiguration& c : space.configurations) c.seconds = 2.0;
    const Replay r = replay(space, {find_strategy("random")}, {.runs = 2, .seed = 1});
    CHECK(std::isnan(r.strategies.at(0).score));
    CHECK(r.strategies.at(0).optimum.median == 1.0);
}

TEST_CASE("a budget of few evaluations is widened, and limited by the best time in milliseconds") {
    // Times of 1, 1, …, 2, 3 s: the cutoff and the start are the same number of evaluations.
    const auto window = [](double unit) {
        RecordedSpace space = ladder(6);
        const double times[] = {1.0, 1.0001, 1.0002, 2.0, 2.5, 3.0};
        for (std::size_t i = 0; i < 6; ++i) space.configurations[i].seconds = unit * times[i];
        const RandomBaseline b(space);
        CHECK(b.evaluations(0.01) == 1.0);
        CHECK(b.evaluations(0.95) == 1.0);
        return b.window();
    };
    CHECK(window(1.0).from == 0.0);
    CHECK(window(1.0).to == 2.0);
    CHECK(window(1.9e-3).to == Approx(1.9));
    // No room for two evaluations: not limited.
    CHECK(window(0.5e-3).to == 2.0);
}

TEST_CASE("the best many times over: the cutoff is the last time before it") {
    RecordedSpace space = ladder(10);
    for (std::size_t i = 0; i < 10; ++i)
        space.configurations[i].seconds = i < 3 ? 1.0 : 10.0 + static_cast<double>(i);
    const RandomBaseline b(space);
    CHECK(b.evaluations(0.95) == 2.0);  // the seventh from 0 is the best, so ⌈6 / (11 − 6)⌉
    CHECK(b.evaluations(1.0) == 2.0);   // ⌈7 / (11 − 7)⌉
}

TEST_CASE("a failure makes an evaluation of random sampling longer by its share") {
    RecordedSpace space = ladder(10);
    for (RecordedConfiguration& c : space.configurations) c.cost = 2.0;
    space.configurations[9].cost = 20.0;
    space.configurations[9].seconds.reset();
    const RandomBaseline b(space);
    // Valid ones cost 2 s, and a tenth of 20 s is 2 s: after 7 s two are made, where at 2 s it would be four.
    CHECK(b.found({7.0}).front() == b.drawn(2.0));
    CHECK(b.drawn(2.0) != b.drawn(4.0));
}

TEST_CASE("an evaluation whose cost was not kept costs as much as the others") {
    RecordedSpace space = ladder(5);
    for (RecordedConfiguration& c : space.configurations) c.cost = 3.0;
    space.configurations[0].cost = 0.0;
    KnowsBest first(0);
    const ReplayRun run = replay_once(space, space.landscape(), first, 1);
    CHECK(run.spent.front() == 3.0);
    for (RecordedConfiguration& c : space.configurations) c.cost = 0.0;
    CHECK(replay_once(space, space.landscape(), first, 1).spent.front() == 1.0);
}
