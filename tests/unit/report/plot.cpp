// The roofline plot: well-formed, complete, free of NaN, and its labels apart.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/golden.h"
#include "tests/unit/report/fixtures.h"
#include "tuner/report/label_layout.h"
#include "tuner/report/log_axis.h"
#include "tuner/report/roofline_frame.h"
#include "tuner/report/roofline_svg.h"
#include "tuner/report/svg_canvas.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Matchers::Contains;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// What is wrong with a document as XML, in the small: tags unbalanced, attributes without quotes, a
/// bare '&' or '<'. Empty when nothing is.
std::string xml_fault(const std::string& text) {
    std::vector<std::string> open;
    std::size_t i = 0;
    while (i < text.size()) {
        if (text[i] == '&') {
            const std::size_t end = text.find(';', i);
            if (end == std::string::npos || end - i > 6) return "bare '&' at " + std::to_string(i);
        }
        if (text[i] == '>') return "bare '>' at " + std::to_string(i);
        if (text[i] != '<') {
            ++i;
            continue;
        }
        std::size_t end = i + 1;
        bool quoted = false;
        for (; end < text.size() && (quoted || text[end] != '>'); ++end) {
            if (text[end] == '"') quoted = !quoted;
            if (text[end] == '<') return "'<' within a tag at " + std::to_string(end);
        }
        if (end >= text.size()) return "a tag without end at " + std::to_string(i);
        const std::string tag = text.substr(i + 1, end - i - 1);
        i = end + 1;
        if (tag.starts_with("?")) continue;
        if (tag.starts_with("/")) {
            if (open.empty() || open.back() != tag.substr(1)) return "unexpected end tag " + tag;
            open.pop_back();
        } else if (!tag.ends_with("/")) {
            open.push_back(tag.substr(0, tag.find(' ')));
        }
    }
    return open.empty() ? "" : "not closed: " + open.back();
}

std::size_t occurrences(const std::string& text, std::string_view what) {
    std::size_t count = 0;
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size()))
        ++count;
    return count;
}

void check_sound(const std::string& svg) {
    CHECK(xml_fault(svg).empty());
    CHECK(svg.find("nan") == std::string::npos);
    CHECK(svg.find("inf\"") == std::string::npos);
    CHECK(occurrences(svg, "role=\"img\"") == 1);
    CHECK(occurrences(svg, "<desc ") == 1);
}

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
    for (const PlotPoint& point : r.points) CHECK_THAT(svg, Contains(point.label + ": "));
    CHECK_THAT(svg, Contains("Roofline: spmv ship_001_mesh, f64"));
    CHECK_THAT(svg, Contains("92 % of its own bound"));
    CHECK_THAT(svg, Contains("SELL-16-512 with 16-bit indices on 2 threads"));
    CHECK_THAT(svg, Contains("naive: 3.48 Gflop/s"));
    CHECK_THAT(svg, Contains("excluded, at its bound (90)"));
    CHECK_THAT(svg, Contains("100 Gflop/s"));
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

TEST_CASE("the top of the plot is the roof, unless a point lies above it") {
    TuneResult r = spmv_result();
    CHECK(plot_ranges(roofline_plot({r})).performance.high == Approx(159.6e9));
    r.points.push_back({"too fast", 1.0, 400e9, "measured"});
    CHECK(plot_ranges(roofline_plot({r})).performance.high > 400e9);
    r.points.push_back({"slow", 1.0, 1e-9, "measured"});
    const PlotRanges ranges = plot_ranges(roofline_plot({r}));
    CHECK(std::log10(ranges.performance.high / ranges.performance.low) <= 15.001);
    for (const PlotPoint& point : spmv_result().points) {
        CHECK(point.intensity > ranges.intensity.low);
        CHECK(point.intensity < ranges.intensity.high);
    }
}

TEST_CASE("a ceiling that several results share is drawn once, at its highest") {
    TuneResult a = spmv_result(), b = spmv_result();
    b.ceilings.front().rate *= 1.1;
    const RooflinePlot plot = roofline_plot({a, b});
    CHECK(plot.ceilings.size() == a.ceilings.size());
    CHECK(plot.ceilings.front().rate == Approx(640e9));
    const auto top = std::find_if(plot.ceilings.begin(), plot.ceilings.end(),
                                  [](const PlotCeiling& c) { return !c.bandwidth; });
    CHECK(top->rate == Approx(1.1 * 159.6e9));
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
