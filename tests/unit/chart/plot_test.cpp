// The roofline plot: well-formed, complete, free of NaN, and its labels apart.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/unit/chart/fixtures.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/chart/label_layout.h"
#include "tuner/chart/log_axis.h"
#include "tuner/chart/plot_style.h"
#include "tuner/chart/roofline_frame.h"
#include "tuner/chart/roofline_svg.h"
#include "tuner/chart/svg_canvas.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

}  // namespace

TEST_CASE("the checker of XML finds planted faults") {
    CHECK(xml_fault("<a b=\"1\"><c/></a>").empty());
    CHECK(xml_fault("<a b=\"x>y\"/>").empty());
    CHECK_FALSE(xml_fault("<a><b></a></b>").empty());
    CHECK_FALSE(xml_fault("<a>").empty());
    CHECK_FALSE(xml_fault("<a>1 & 2</a>").empty());
    CHECK_FALSE(xml_fault("<a>1 < 2</a>").empty());
    CHECK_FALSE(xml_fault("</a>").empty());
}

TEST_CASE("a plot shows ceilings, variants, winner, legend and tooltips") {
    const TuneResult r = spmv_result();
    const std::string svg = roofline_svg({r});
    check_sound(svg);
    for (const PlotCeiling& ceiling : r.ceilings) CHECK_THAT(svg, Contains(ceiling.label + "</text>"));
    for (const PlotPoint& point : r.points) CHECK_THAT(svg, Contains(point.label));
    CHECK_THAT(svg, Contains("Roofline: spmv ship_001_mesh, f64"));
    CHECK_THAT(svg, Contains("92 % of its own bound"));
    CHECK_THAT(svg, Contains("SELL-16-512 with 16-bit indices on 2 threads"));
    CHECK_THAT(svg, Contains("naive 3.48 Gflop/s"));
    CHECK_THAT(svg, Contains("excluded, at its bound (90)"));
    CHECK_THAT(svg, Contains(">100 Gflop/s</text>"));
    // From the naive variant to the winner, and from the default one, which is too near for an arrow.
    CHECK_THAT(svg, Contains("1.90×"));
    CHECK_THAT(svg, Contains(", 1.20× to the winner</text>"));
    CHECK_THAT(svg, Contains("did not overlap"));
    CHECK_THAT(svg, Contains("prefers-color-scheme:dark"));
}

TEST_CASE("plots of many kinds are well-formed") {
    std::vector<std::vector<TuneResult>> cases;
    cases.push_back({});
    cases.push_back({TuneResult{}});
    cases.push_back({spmv_result(), unknown_family_result(), failed_result()});
    TuneResult one = spmv_result();
    one.points = {one.points.back()};
    cases.push_back({one});
    one.ceilings.clear();
    cases.push_back({one});
    TuneResult only_bandwidth = spmv_result();
    std::erase_if(only_bandwidth.ceilings, [](const PlotCeiling& c) { return !c.bandwidth; });
    cases.push_back({only_bandwidth});
    TuneResult only_compute = spmv_result();
    std::erase_if(only_compute.ceilings, [](const PlotCeiling& c) { return c.bandwidth; });
    cases.push_back({only_compute});
    TuneResult no_points = spmv_result();
    no_points.points.clear();
    cases.push_back({no_points});
    cases.push_back(std::vector<TuneResult>(12, spmv_result()));
    for (std::size_t i = 0; i < cases.size(); ++i) {
        INFO("case " << i);
        check_sound(roofline_svg(cases[i]));
    }
    RooflinePlot narrow = roofline_plot({spmv_result()});
    narrow.width = 1.0;
    check_sound(roofline_svg(narrow));
}

TEST_CASE("of many series no two look alike: colours repeat, dashes and signs then differ") {
    using namespace plot_style;
    std::set<std::string> seen;
    for (std::size_t n = 0; n < 24; ++n) {
        seen.insert(std::string(series_hue(n)) + " " + std::string(series_dash(n)));
        seen.insert(std::string(series_hue(n)) + " " + std::string(series_sign(n)) + "!");
        if (n < 6) CHECK((series_dash(n).empty() && series_sign(n).empty()));
    }
    CHECK(seen.size() == 48);
    const auto sign = [](std::size_t n) { return "d=\"" + std::string(series_sign(n)) + "\""; };
    const auto drawn = [](std::size_t count) {
        return roofline_svg(std::vector<TuneResult>(count, spmv_result()));
    };
    const std::string six = drawn(6), thirteen = drawn(13);
    check_sound(thirteen);
    CHECK(occurrences(six, sign(6)) == 0);
    CHECK(occurrences(six, sign(12)) == 0);
    // The legend, and the winner, naive and default variant of each of six problems; and of the thirteenth.
    CHECK(occurrences(thirteen, sign(6)) == 6 * 4);
    CHECK(occurrences(thirteen, sign(12)) == 4);
    // Lines of the legend and arrows.
    const auto dashed = [&](const std::string& svg, std::size_t n) {
        return occurrences(svg, "stroke-dasharray=\"" + std::string(series_dash(n)) + "\"");
    };
    CHECK(dashed(thirteen, 6) >= 6);
    CHECK(dashed(thirteen, 12) > dashed(six, 12));
    // Kernels of one file have their own, where few enough have a name.
    MeasuredPoints file;
    for (int i = 0; i < 8; ++i) {
        MeasuredPoint point;
        point.name = "kernel " + std::to_string(i);
        point.seconds = 1e-3;
        point.flops = 1e6 * (i + 1);
        point.bytes = 1e6;
        file.points.push_back(point);
    }
    RooflinePlot plot;
    add_points(plot, file);
    CHECK(occurrences(roofline_svg(plot), sign(6)) == 2);
}

TEST_CASE("extreme figures are left out or drawn within the plot") {
    for (const double value : {0.0, -1.0, 1e-12, 1e-300, 1e300, kInf, kNaN}) {
        INFO(value);
        TuneResult r = spmv_result();
        r.points.push_back({"odd intensity", value, 1e9, "measured"});
        r.points.push_back({"odd rate", 0.1, value, "measured"});
        r.points.push_back({"odd both", value, value, "winner"});
        r.ceilings.push_back({"odd ceiling", true, value});
        r.ceilings.push_back({"odd ceiling", false, value});
        r.bound.seconds_lower = r.seconds.median = r.fraction_of_variant_bound = value;
        const std::string svg = roofline_svg({r});
        check_sound(svg);
        CHECK(occurrences(svg, "odd intensity") == (value > 0.0 && std::isfinite(value) ? 1u : 0u));
    }
}

TEST_CASE("thousands of points make a plot of bounded size") {
    TuneResult r = spmv_result();
    for (int i = 0; i < 5000; ++i) r.points.push_back({"p", 0.05 + 1e-5 * i, 1e9 + 1e5 * i, "measured"});
    const std::string svg = roofline_svg({r});
    check_sound(svg);
    CHECK(svg.size() < 2'000'000);
    CHECK_THAT(svg, Contains("measured (5 120)"));
}

TEST_CASE("names from outside cannot break the file") {
    TuneResult r = spmv_result();
    r.title = "a<b>&\"c'\x01\xFF]]>";
    r.machine_name = "</svg><script>";
    r.points.back().label = "<x>&";
    r.ceilings.front().label = "\x1b[2J\"";
    const std::string svg = roofline_svg({r});
    check_sound(svg);
    CHECK(svg.find("<script") == std::string::npos);
}

TEST_CASE("axes follow from the machine, whatever the points are") {
    const TuneResult r = spmv_result();
    const PlotRanges ranges = plot_ranges(roofline_plot({r}));
    // A little above the roof of 159.6 Gflop/s; ridges at 0.25 and 6.1 flop/byte well inside.
    CHECK(ranges.performance.high == Approx(200e9));
    CHECK(ranges.performance.low < 1e9);
    CHECK(ranges.intensity.low <= 0.02);
    CHECK(ranges.intensity.high >= 200.0);

    TuneResult other = r;
    other.points = {{"too fast", 1.0, 400e9, "measured"}, {"slow", 1e-6, 1e-9, "measured"}};
    const PlotRanges same = plot_ranges(roofline_plot({other}));
    CHECK(same.intensity.low == ranges.intensity.low);
    CHECK(same.intensity.high == ranges.intensity.high);
    CHECK(same.performance.low == ranges.performance.low);
    CHECK(same.performance.high == ranges.performance.high);

    // Ceilings that were measured again and moved by little do not move them.
    for (PlotCeiling& ceiling : other.ceilings) ceiling.rate *= 0.98;
    CHECK(plot_ranges(roofline_plot({other})).performance.high == ranges.performance.high);
    // Without any ceiling the points decide.
    other.ceilings.clear();
    CHECK(plot_ranges(roofline_plot({other})).intensity.low < 1e-6);
}

TEST_CASE("points beyond the axes stand at the edge with an arrow, and are counted") {
    TuneResult r = spmv_result();
    const std::size_t arrows = occurrences(roofline_svg({r}), "lies beyond the axes");
    CHECK(arrows == 0);
    r.points.push_back({"too fast", 1.0, 400e9, "measured"});
    r.points.push_back({"no traffic to speak of", 1e6, 1e9, "measured"});
    const RooflineDrawing drawing = draw_roofline(roofline_plot({r}));
    CHECK(occurrences(drawing.svg, "lies beyond the axes") == 2);
    REQUIRE(drawing.remarks.size() == 1);
    CHECK_THAT(drawing.remarks[0], Contains("2 points beyond the axes"));
    CHECK_THAT(drawing.svg, Contains("2 points beyond the axes"));
}

TEST_CASE("a ceiling that several results share is drawn once, at its highest") {
    TuneResult a = spmv_result(), b = spmv_result();
    b.ceilings.front().rate *= 1.1;
    const RooflinePlot plot = roofline_plot({a, b});
    CHECK(plot.lines.size() == a.ceilings.size());
    CHECK(plot.lines.front().rate == Approx(640e9));
    const PlotLine* top = basis_of(plot.lines, false);
    REQUIRE(top);
    CHECK(top->rate == Approx(1.1 * 159.6e9));
}

TEST_CASE("a tune's band goes down to the intensity with the traffic that probably comes on top") {
    TuneResult r = spmv_result();
    r.explanation = {};
    CHECK(roofline_plot({r}).series[0].band.low == 0.0);
    EstimateReport estimate;
    estimate.kind = "traffic";
    estimate.seconds = 1.6e-3;
    r.explanation.estimates.push_back(estimate);
    CHECK(roofline_plot({r}).series[0].band.low == 0.0);  // nothing on top
    OpportunityReport opportunity;
    opportunity.kind = "traffic";
    opportunity.what = {"capacity"};
    opportunity.seconds = r.seconds.median - 0.4e-3;
    r.explanation.opportunities.push_back(opportunity);
    const PlotBand band = roofline_plot({r}).series[0].band;
    CHECK(band.high == Approx(0.18));
    CHECK(band.low == Approx(0.135));
    CHECK(band.what == "capacity");
    r.explanation.opportunities.back().seconds = 0.0;  // larger than the estimate: not to be believed
    r.explanation.estimates.back().seconds = 1e-3;
    CHECK(roofline_plot({r}).series[0].band.low == 0.0);
}

TEST_CASE("spread labels keep their order, their distance and their limits") {
    CHECK(spread({}, 10.0, 0.0, 100.0).empty());
    CHECK(spread({50.0}, 10.0, 0.0, 100.0) == std::vector<double>{50.0});
    CHECK(spread({-20.0}, 10.0, 0.0, 100.0) == std::vector<double>{0.0});
    CHECK(spread({50.0, 50.0}, 10.0, 0.0, 100.0) == std::vector<double>{45.0, 55.0});
    CHECK(spread({99.0, 99.5, 100.0}, 10.0, 0.0, 100.0) == std::vector<double>{80.0, 90.0, 100.0});
    CHECK(spread({1.0, 2.0, 3.0}, 60.0, 0.0, 100.0) == std::vector<double>{0.0, 50.0, 100.0});
    const std::vector<double> wanted{0.0, 1.0, 40.0, 41.0, 41.5, 90.0, 100.0};
    const std::vector<double> placed = spread(wanted, 12.0, 0.0, 100.0);
    for (std::size_t i = 0; i < placed.size(); ++i) {
        CHECK(placed[i] >= -1e-9);
        CHECK(placed[i] <= 100.0 + 1e-9);
        if (i > 0) CHECK(placed[i] - placed[i - 1] >= 12.0 - 1e-9);
    }
}

TEST_CASE("ticks of a logarithmic axis") {
    const LogAxis few(0.05, 5.0, 0.0, 600.0);
    std::vector<std::string> labels;
    for (const Tick& tick : few.ticks("", 40.0)) {
        if (!tick.label.empty()) labels.push_back(tick.label);
    }
    CHECK(labels == std::vector<std::string>{"0.05", "0.1", "0.2", "0.5", "1", "2", "5"});

    const LogAxis many(1e-12, 1e12, 400.0, 0.0);
    double last = 1e9;
    int labelled = 0;
    for (const Tick& tick : many.ticks("flop/s", 22.0)) {
        if (tick.label.empty()) continue;
        ++labelled;
        CHECK(last - many.at(tick.value) >= 22.0);
        last = many.at(tick.value);
    }
    CHECK(labelled >= 5);
    CHECK(few.at(1e9) == 600.0);  // beyond the end
    CHECK(LogAxis(1e9, 1e12, 0, 900).ticks("flop/s", 30.0).front().label == "1 Gflop/s");
}

TEST_CASE("text is cut to pixels") {
    CHECK(cut_to_pixels("short", 10.0, 1000.0) == "short");
    const std::string cut = cut_to_pixels("a rather long label", 10.0, 60.0);
    CHECK(pixel_width(cut, 10.0) <= 60.0);
    CHECK(cut.ends_with("…"));
    CHECK(cut_to_pixels("label", 10.0, 1.0).empty());
}
