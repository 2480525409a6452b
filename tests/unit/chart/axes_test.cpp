// Axes: round ticks, both ends, ranges of one value or none, values outside, and the grid of a panel.
#include <cmath>

#include "tests/support/catch.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/chart/chart_panel.h"
#include "tuner/chart/linear_axis.h"
#include "tuner/chart/performance.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

TEST_CASE("ticks at round numbers") {
    CHECK(round_ticks(10.0, 5) == std::vector<double>{0, 2, 4, 6, 8, 10});  // the end has one
    CHECK(round_ticks(222.0, 10) == std::vector<double>{0, 50, 100, 150, 200});
    CHECK(round_ticks(1.0, 10).size() == 11);
    CHECK(round_ticks(0.0, 5) == std::vector<double>{0});
    CHECK(round_ticks(-1.0, 5) == std::vector<double>{0});
    CHECK(round_ticks(1.0 / 0.0, 5) == std::vector<double>{0});
    CHECK(round_ticks(std::nan(""), 5) == std::vector<double>{0});
    for (const double most : {1.0, 3.0, 7.0, 99.0, 1e-9, 5e12}) CHECK(round_ticks(most, 5).size() <= 6);
}

TEST_CASE("a linear axis: its ends, values outside, one that grows upwards, and one without a range") {
    const LinearAxis axis(-1.0, 3.0, 400.0, 0.0);
    CHECK(axis.at(-1.0) == 400.0);
    CHECK(axis.at(3.0) == 0.0);
    CHECK(axis.at(1.0) == 200.0);
    CHECK(axis.at(-9.0) == 400.0);
    CHECK(axis.at(9.0) == 0.0);
    CHECK(axis.unclamped(5.0) == -200.0);
    CHECK(axis.unclamped(-2.0) == 500.0);
    const LinearAxis one(2.0, 2.0, 10.0, 90.0);
    for (const double value : {1.0, 2.0, 3.0}) {
        CHECK(one.at(value) == 10.0);
        CHECK(one.unclamped(value) == 10.0);
    }
}

TEST_CASE("a logarithmic axis over one decade has its ends and 2 and 5 between") {
    std::vector<std::string> labels;
    const LogAxis axis(1.0, 10.0, 0.0, 300.0);
    for (const Tick& tick : axis.ticks("", 40.0)) {
        if (!tick.label.empty()) labels.push_back(tick.label);
    }
    CHECK(labels == std::vector<std::string>{"1", "2", "5", "10"});
    CHECK(axis.at(1.0) == 0.0);
    CHECK(axis.at(10.0) == 300.0);
    CHECK(axis.at(0.001) == 0.0);
    CHECK(axis.unclamped(100.0) == Approx(600.0));
}

TEST_CASE("a panel's labels stand beside it, and a line without one has no text") {
    SvgCanvas canvas;
    const Box area{100.0, 50.0, 300.0, 200.0};
    const ChartPanel panel(canvas, area);
    panel.rows(LogAxis(1e9, 1e10, area.bottom(), area.top), "flop/s", 22.0, 0.5);
    panel.columns(LogAxis(1.0, 10.0, area.left, area.right()), "", 44.0);
    panel.row(150.0, "");
    panel.left_edge();
    panel.bottom_edge();
    panel.frame();
    panel.name_x("size", 40.0, 13.0);
    panel.name_y("rate", 12.0, 13.0);
    const Box page{0.0, 0.0, 440.0, 300.0};
    CHECK(layout_faults(canvas.texts(), page, area) == std::vector<std::string>{});
    const std::string svg = canvas.finish(page.width, page.height, "t", "d", "");
    check_sound(svg);
    CHECK_THAT(svg, Contains("1 Gflop/s") && Contains("10 Gflop/s") && Contains("stroke-width=\"0.5\""));
    CHECK(canvas.texts().size() == 4 + 4 + 2);
}

TEST_CASE("a heading is cut to its room, and an empty line is left out") {
    SvgCanvas canvas;
    draw_heading(canvas, {.left = 10.0, .room = 120.0, .title = 28.0, .under = 47.0},
                 "a title that is far too long for its room", "");
    REQUIRE(canvas.texts().size() == 1);
    CHECK_THAT(canvas.texts().front().content, Contains("…"));
    CHECK(canvas.texts().front().box.around().width <= 1.07 * 120.0);
}

TEST_CASE("performance is flop/s, or repetitions a second where no flops are counted") {
    CHECK(Performance{4.0}.of(2.0) == 2.0);
    CHECK(Performance{0.0}.of(0.5) == 2.0);
    CHECK(Performance{4.0}.text(2e9) == "2.00 Gflop/s");
    CHECK(Performance{0.0}.text(2.0) == "2.00 /s");
    for (const double none : {0.0, -1.0, 1.0 / 0.0, std::nan("")}) CHECK(Performance{4.0}.of(none) == 0.0);
}
