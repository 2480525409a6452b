// Labels of the roofline plot: no two overlap, whatever stands on it, and the judge of that is judged.
#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "tests/support/catch.h"
#include "tests/unit/chart/fixtures.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/chart/plot_notes.h"
#include "tuner/chart/roofline_svg.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

std::vector<PlotLine> lines(double compute, double memory) {
    return {{.label = "L1", .bandwidth = true, .rate = 12.0 * memory, .group = "L1", .roof = true},
            {.label = "f32 peak", .rate = 2.0 * compute, .group = "f32", .roof = true},
            {.label = "f64 peak, 256-bit SIMD", .rate = compute, .group = "f64", .roof = true, .basis = true},
            {.label = "no SIMD", .rate = 0.2 * compute, .group = "f64"},
            {.label = "memory",
             .bandwidth = true,
             .rate = memory,
             .group = "memory",
             .roof = true,
             .basis = true},
            {.label = "memory, one thread", .bandwidth = true, .rate = 0.6 * memory, .group = "memory"}};
}

/// Kernels anywhere on and around the roofs: crowded together with a small `spread`.
MeasuredPoints kernels(int count, unsigned seed, double spread) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> unit(0.0, 1.0);
    MeasuredPoints points{.tool = "ncu", .file = "/tmp/step.json", .points = {}};
    for (int i = 0; i < count; ++i) {
        const double intensity = std::pow(10.0, spread * (4.0 * unit(generator) - 2.0));
        const double rate = std::min(1e11, 4e10 * intensity) * std::pow(10.0, -spread * unit(generator));
        const double seconds = unit(generator) + 1e-3;
        MeasuredPoint point;
        point.name = "a_rather_long_kernel_name_" + std::to_string(i);
        point.seconds = seconds;
        point.flops = rate * seconds;
        point.bytes = point.flops / intensity;
        points.points.push_back(point);
    }
    return points;
}

RooflinePlot plot_of(int count, unsigned seed, double spread) {
    RooflinePlot plot;
    plot.title = "Roofline: a machine";
    plot.subtitle = "for a test";
    plot.lines = lines(1e11, 4e10);
    add_points(plot, kernels(count, seed, spread));
    return plot;
}

DrawnText text_at(double x, double y, double degrees = 0.0) {
    return {"text", SlantedBox(x, y, 60.0, 12.0, degrees)};
}

}  // namespace

TEST_CASE("the judge of layouts finds planted faults") {
    const Box page{0, 0, 400, 300}, area{50, 50, 300, 200};
    CHECK(layout_faults({text_at(100, 100), text_at(100, 113)}, page, area).empty());
    CHECK(layout_faults({text_at(100, 100), text_at(159, 111)}, page, area).size() == 1);
    CHECK(layout_faults({text_at(100, 100), text_at(100, 100)}, page, area).size() == 1);
    CHECK(layout_faults({text_at(10, 20)}, page, area).size() == 1);    // leaves the page
    CHECK(layout_faults({text_at(350, 100)}, page, area).size() == 1);  // crosses the frame
    CHECK(layout_faults({text_at(200, 20)}, page, area).empty());       // beside the frame
    // Parallel slanted texts whose upright boxes overlap are apart, crossing ones are not.
    CHECK(layout_faults({text_at(150, 150, 45), text_at(150, 170, 45)}, page, area).empty());
    CHECK(layout_faults({text_at(150, 150, 45), text_at(150, 150, -45)}, page, area).size() == 1);
}

TEST_CASE("slanted boxes: overlap and the box around") {
    const SlantedBox upright(Box{10, 10, 20, 10});
    CHECK(upright.around().left == Approx(10));
    CHECK(upright.around().height == Approx(10));
    CHECK(upright.overlaps(Box{29, 19, 5, 5}));
    CHECK_FALSE(upright.overlaps(Box{30, 10, 5, 5}));  // an edge in common
    const SlantedBox diamond(100, 100, 20, 20, 45);
    CHECK(diamond.around().width == Approx(20 * std::sqrt(2.0)));
    CHECK_FALSE(diamond.overlaps(Box{110, 110, 10, 10}));  // in the corner of the box around it
    CHECK(diamond.overlaps(Box{104, 104, 10, 10}));
    // Anticlockwise on the screen: the right end is up.
    const SlantedBox rising(0, 0, 100, 2, 30);
    CHECK(rising.overlaps(Box{40, -26, 2, 2}));
    CHECK_FALSE(rising.overlaps(Box{40, 24, 2, 2}));
}

TEST_CASE("segments cross boxes, pass them, or end before") {
    const Box box{10, 10, 10, 10};
    CHECK(crosses(box, {0, 0}, {30, 30}));
    CHECK(crosses(box, {15, 15}, {16, 16}));
    CHECK(crosses(box, {0, 15}, {30, 15}));
    CHECK_FALSE(crosses(box, {0, 0}, {5, 5}));
    CHECK_FALSE(crosses(box, {0, 21}, {30, 21}));
    CHECK_FALSE(crosses(box, {0, 25}, {25, 50}));
}

TEST_CASE("no two labels overlap and none crosses the frame") {
    for (const int count : {0, 1, 3, 8, 9, 40, 200}) {
        for (unsigned seed = 1; seed <= (count > 100 ? 3u : 12u); ++seed) {
            for (const double spread : {1.0, 0.1}) {
                const RooflineDrawing drawing = draw_roofline(plot_of(count, seed, spread));
                INFO(count << " points, seed " << seed << ", spread " << spread);
                const auto faults = layout_faults(drawing.texts, drawing.page, drawing.area);
                CHECK(faults == std::vector<std::string>{});
                CHECK(xml_fault(drawing.svg).empty());
            }
        }
    }
}

TEST_CASE("the same for tunes, narrow plots and many ceilings") {
    std::vector<std::vector<TuneResult>> cases{{spmv_result()},
                                               {spmv_result(), unknown_family_result(), failed_result()},
                                               std::vector<TuneResult>(7, spmv_result())};
    for (std::size_t i = 0; i < cases.size(); ++i) {
        for (const double width : {480.0, 700.0, 1040.0, 2000.0}) {
            INFO("case " << i << ", width " << width);
            RooflinePlot plot = roofline_plot(cases[i]);
            plot.width = width;
            const RooflineDrawing drawing = draw_roofline(plot);
            CHECK(layout_faults(drawing.texts, drawing.page, drawing.area) == std::vector<std::string>{});
        }
    }
    RooflinePlot crowded = plot_of(3, 1, 1.0);
    for (int i = 0; i < 60; ++i) {
        crowded.lines.push_back({.label = "compute ceiling", .rate = 1e11 / (1.0 + 0.2 * i), .group = "f64"});
        crowded.lines.push_back({.label = "memory ceiling",
                                 .bandwidth = true,
                                 .rate = 4e10 / (1.0 + 0.2 * i),
                                 .group = "memory"});
    }
    const RooflineDrawing drawing = draw_roofline(crowded);
    CHECK(layout_faults(drawing.texts, drawing.page, drawing.area) == std::vector<std::string>{});
}

TEST_CASE("few points have their names beside them, many a number and a table") {
    const std::string few = draw_roofline(plot_of(3, 5, 1.0)).svg;
    CHECK_THAT(few, Contains(">a_rather_long_kernel_name_2</text>"));
    CHECK_THAT(few, Contains("of attainable</text>"));
    const std::string many = draw_roofline(plot_of(40, 5, 1.0)).svg;
    CHECK(occurrences(many, ">40</text>") == 2);  // beside its point, and in the table
    CHECK_THAT(many, Contains("a_rather_long_kernel_name_39"));
    CHECK_THAT(many, Contains(">attainable</text>"));
    const RooflineDrawing too_many = draw_roofline(plot_of(200, 5, 1.0));
    CHECK_THAT(too_many.svg, Contains("a_rather_long_kernel_name_199"));  // in its tooltip
    REQUIRE_FALSE(too_many.remarks.empty());
    CHECK_THAT(too_many.remarks.front(), Contains("140 points more without a number"));
}

TEST_CASE("a text that finds no room is not written, and none is squeezed") {
    Surroundings around;
    around.area = {0, 0, 100, 40};
    const std::vector<NoteRequest> requests(6, {.width = 60, .height = 15, .at = {50, 20}, .clear = 2});
    const auto boxes = place_notes(around, requests);
    std::size_t placed = 0;
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (!boxes[i]) continue;
        ++placed;
        CHECK(boxes[i]->within(around.area));
        for (std::size_t j = 0; j < i; ++j) CHECK_FALSE((boxes[j] && boxes[j]->overlaps(*boxes[i])));
    }
    CHECK(placed >= 1);
    CHECK(placed < requests.size());
    const Box far{80, 0, 10, 10};
    CHECK(leader_of({.width = 10, .height = 10, .at = {20, 5}, .clear = 5}, far));
    CHECK_FALSE(leader_of({.width = 10, .height = 10, .at = {74, 5}, .clear = 5}, far));
}
