// Curves: where they are cut, where they break, their steps, and the names beside them.
#include <cmath>

#include "tests/support/catch.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/chart/curves.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

const double kGap = std::nan("");

}  // namespace

TEST_CASE("a curve within its panel is drawn whole, one outside not at all") {
    CHECK(path_within({}, 0.0, 100.0).empty());
    CHECK(path_within({{5.0, 50.0}}, 0.0, 100.0) == "M5.0 50.0");
    CHECK(path_within({{0.0, 0.0}, {10.0, 100.0}}, 0.0, 100.0) == "M0.0 0.0L10.0 100.0");
    CHECK(path_within({{0.0, 120.0}, {10.0, 130.0}}, 0.0, 100.0).empty());
}

TEST_CASE("a curve is cut where it leaves its panel, above and below, and comes back") {
    CHECK(path_within({{0.0, 50.0}, {10.0, 150.0}, {20.0, 50.0}}, 0.0, 100.0) ==
          "M0.0 50.0L5.0 100.0M15.0 100.0L20.0 50.0");
    CHECK(path_within({{0.0, -10.0}, {10.0, 10.0}, {20.0, -30.0}}, 0.0, 100.0) ==
          "M5.0 0.0L10.0 10.0L12.5 0.0");
}

TEST_CASE("a curve breaks where it has no value, inside and outside of its panel") {
    CHECK(path_within({{0.0, 1.0}, {1.0, kGap}, {2.0, 3.0}, {3.0, 4.0}}, 0.0, 100.0) ==
          "M0.0 1.0M2.0 3.0L3.0 4.0");
    CHECK(path_within({{0.0, kGap}, {1.0, kGap}}, 0.0, 100.0).empty());
    CHECK(path_within({{0.0, -5.0}, {1.0, kGap}, {2.0, 5.0}}, 0.0, 100.0) == "M2.0 5.0");
}

TEST_CASE("steps hold each value until the next one") {
    CHECK(steps_through({}).empty());
    CHECK(steps_through({{1.0, 2.0}}).size() == 1);
    const std::vector<PixelPoint> corners = steps_through({{0.0, 9.0}, {4.0, 5.0}, {6.0, 1.0}});
    REQUIRE(corners.size() == 5);
    CHECK(corners[1].x == 4.0);
    CHECK(corners[1].y == 9.0);
    CHECK(corners[2].y == 5.0);
    CHECK(corners[4].x == 6.0);
}

TEST_CASE("names stand in the order in which the curves end, apart, on the page") {
    SvgCanvas canvas;
    const Box area{50.0, 20.0, 300.0, 200.0}, page{0.0, 0.0, 500.0, 240.0};
    const NameColumn column{.leader = 12.0, .sample = 26.0, .gap = 6.0, .page_right = 492.0};
    draw_curve_names(canvas, area, column,
                     {{120.0, "lowest", "ink", "class=\"grid\""},
                      {60.0, "a name that is longer than there is room for", "ink"},
                      {119.0, "just above", "ink"}});
    REQUIRE(canvas.texts().size() == 3);
    CHECK(canvas.texts()[1].content == "just above");
    CHECK(canvas.texts()[2].content == "lowest");
    CHECK(layout_faults(canvas.texts(), page, area) == std::vector<std::string>{});
    SvgCanvas empty;
    draw_curve_names(empty, area, column, {});
    CHECK(empty.texts().empty());
}
