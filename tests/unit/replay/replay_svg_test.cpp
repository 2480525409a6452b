// The curves of a replay: their values by hand, and the plot well-formed with its labels apart.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/replay/replay_svg.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

Replay made_up(const std::string& space, int strategies, double from, double to, std::size_t length = 50) {
    Replay r;
    r.space = space;
    for (int i = 0; i < 50; ++i) r.grid.push_back(1.0 + i);
    for (int s = 0; s < strategies; ++s) {
        StrategyReplay strategy;
        strategy.name = "strategy " + std::to_string(s);
        for (std::size_t i = 0; i < length; ++i) {
            const double share = static_cast<double>(i) / 49.0;
            strategy.curve.push_back(from + (to - from - 0.05 * s) * std::sqrt(share));
        }
        strategy.score = mean(strategy.curve);
        r.strategies.push_back(strategy);
    }
    return r;
}

void check_drawing(const std::vector<Replay>& replays) {
    const ChartDrawing drawing = draw_replay(replays, {.runs = 7, .seed = 1});
    check_sound(drawing.svg);
    CHECK(drawing.panels.size() == (replays.size() > 1 ? 1 + replays.size() : 1));
    for (const Box& panel : drawing.panels) {
        CHECK(panel.within(drawing.page));
        const auto faults = layout_faults(drawing.texts, drawing.page, panel);
        CHECK((faults.empty() ? std::string() : faults.front()) == "");
    }
    for (const StrategyReplay& s : replays.front().strategies)
        CHECK_THAT(drawing.svg, Contains(s.name + ", "));
    CHECK_THAT(drawing.svg, Contains("best 1</text>"));
    CHECK_THAT(drawing.svg, Contains("random 0</text>"));
    CHECK_THAT(drawing.svg, Contains("share of the time budget</text>"));
}

}  // namespace

TEST_CASE("a curve over its budget: between the times of the grid, and nothing beyond its end") {
    Replay r;
    r.grid = {1.0, 2.0, 3.0};
    r.strategies.resize(1);
    r.strategies[0].curve = {0.0, 1.0};
    const std::vector<double> curve = curve_over_budget(r, 0, 5);
    CHECK(curve[0] == 0.0);
    CHECK(curve[1] == 0.5);
    CHECK(curve[2] == 1.0);
    CHECK(std::isnan(curve[3]));
    CHECK(std::isnan(curve[4]));
    r.strategies[0].curve.clear();
    for (const double p : curve_over_budget(r, 0, 3)) CHECK(std::isnan(p));
    r.grid = {1.0};
    r.strategies[0].curve = {0.25};
    CHECK(curve_over_budget(r, 0, 3) == std::vector<double>{0.25, 0.25, 0.25});
}

TEST_CASE("the mean over spaces leaves out those without a score") {
    Replay a, b;
    a.grid = b.grid = {1.0, 2.0, 3.0};
    a.strategies.resize(1);
    b.strategies.resize(1);
    a.strategies[0].curve = {0.0, 1.0};
    b.strategies[0].curve = {1.0, 0.0, 0.5};
    CHECK(mean_curve({a, b}, 0, 3) == std::vector<double>{0.5, 0.5, 0.5});
    b.strategies[0].curve.pop_back();
    const std::vector<double> mean = mean_curve({a, b}, 0, 3);
    CHECK(mean[1] == 0.5);
    CHECK(std::isnan(mean[2]));
}

TEST_CASE("plots of one space and of several, of few strategies and many") {
    check_drawing({made_up("convolution on A100", 1, -0.1, 0.9)});
    check_drawing({made_up("convolution on A100", 4, -3.0, 0.7)});
    // A title as wide as they come: its letters are bold.
    check_drawing(
        {made_up("spmv gen=poisson27,nx=120,dtype=f64, cold, 192 threads on Intel(R) Xeon(R) Platinum "
                 "8481C CPU @ 2.70GHz, twice as long as any page",
                 4, -0.1, 0.9)});
    check_drawing({made_up("one", 11, 0.0, 1.0), made_up("two <&> three", 11, -0.4, 0.5, 20)});
    std::vector<Replay> many(
        7, made_up("a space with a name that is much longer than its panel is wide", 20, -2.0, 0.9));
    check_drawing(many);
    // Everything at one height.
    check_drawing({made_up("flat", 20, 0.5, 0.5)});
}

TEST_CASE("a plot without any score") {
    Replay r = made_up("flat", 2, 0.0, 0.0, 0);
    for (StrategyReplay& s : r.strategies) s.score = kNaN;
    check_drawing({r});
    CHECK_THAT(replay_svg({r, r}, {}), Contains("no score"));
}

TEST_CASE("a curve is cut where it leaves the panel and goes on where it comes back") {
    Replay r = made_up("deep", 1, 0.0, 0.0);
    std::vector<double>& curve = r.strategies[0].curve;
    std::fill(curve.begin() + 20, curve.begin() + 30, -5.0);
    const ChartDrawing drawing = draw_replay({r}, {});
    const std::size_t at = drawing.svg.find("<path");
    REQUIRE(at != std::string::npos);
    const std::string path = drawing.svg.substr(at, drawing.svg.find("stroke-width", at) - at);
    CHECK(std::count(path.begin(), path.end(), 'M') == 2);
}
