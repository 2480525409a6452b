// The strips of dots: golden output of planted turns, and sound drawings of awkward ones.
#include "tuner/track/compare_svg.h"

#include <fmt/format.h>

#include <cmath>
#include <set>

#include "tests/support/golden.h"
#include "tests/unit/chart/svg_check.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

std::vector<double> turns(double seconds, double noise, int count = 20) {
    std::vector<double> times;
    for (int i = 0; i < count; ++i) times.push_back(seconds * (1.0 + noise * ((i * 7) % 11 - 5) / 5.0));
    return times;
}

CompareReport report_of(std::vector<SampleGroup> groups) {
    CompareReport report;
    for (SampleGroup& group : groups) {
        Comparison c;
        c.samples = std::move(group);
        report.comparisons.push_back(c);
    }
    return report;
}

SampleGroup pair() {
    SampleGroup group{"spmv <odd> \"name\" & more",
                      {{"A", "SELL-16-512 on 2 threads", turns(0.1, 0.01)},
                       {"B", "SELL-8-256 on 2 threads", turns(0.11, 0.02)},
                       {"A", "once more", turns(0.1, 0.01)}},
                      false};
    // One turn that somebody disturbed.
    group.arms[1].times[3] = 0.9;
    return group;
}

// As many arms as there may be, with names that are too long.
SampleGroup many() {
    SampleGroup group{std::string(300, 'w'), {}, true};
    for (int i = 0; i < 16; ++i)
        group.arms.push_back({std::string(1, static_cast<char>('A' + i)),
                              fmt::format("./program --threads {} {}", i + 1, std::string(200, 'x')),
                              turns(1.0 / (1.0 + 0.05 * i), 0.01, 40)});
    group.arms.push_back({"A", "once more", turns(1.0, 0.01, 40)});
    return group;
}

void check_layout(const CompareReport& report) {
    const ChartDrawing drawing = draw_comparison(report);
    check_sound(drawing.svg);
    for (const Box& panel : drawing.panels) {
        for (const std::string& fault : layout_faults(drawing.texts, drawing.page, panel)) FAIL_CHECK(fault);
    }
}

}  // namespace

TEST_CASE("planted turns are drawn as they were approved") {
    SampleGroup second = pair();
    second.title = "n=2";
    second.arms[2].times.clear();
    check_golden("compare/strips.svg", draw_comparison(report_of({pair(), second})).svg);
}

TEST_CASE("no two texts overlap and none leaves the page, of sixteen arms with long names too") {
    check_layout(report_of({pair()}));
    check_layout(report_of({many(), pair(), many()}));
}

TEST_CASE("a dot a turn; what lies beyond the edge is an arrow; whole names are in tooltips") {
    const std::string svg = draw_comparison(report_of({pair()})).svg;
    CHECK(occurrences(svg, "<circle") == 59);
    CHECK(occurrences(svg, "B, turn 4: 900 ms") == 1);
    CHECK_THAT(svg, Contains("B, turn 1: ") && Contains("A: median 100 ms, ["));
    CHECK_THAT(svg, Contains("spmv &lt;odd&gt;"));
    CHECK_THAT(draw_comparison(report_of({many()})).svg, Contains(std::string(200, 'x')) && Contains("…"));
}

TEST_CASE("one turn far out does not press the others into a line") {
    SampleGroup calm = pair();
    calm.arms[1].times[3] = 0.11;
    const auto dots = [](const SampleGroup& group) {
        const std::string svg = draw_comparison(report_of({group})).svg;
        std::set<std::string> places;
        for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1))
            places.insert(svg.substr(at, svg.find(" cy", at) - at));
        return places.size();
    };
    CHECK(dots(pair()) + 2 >= dots(calm));
    SampleGroup early = calm;
    early.arms[1].times[3] = 0.001;
    CHECK(dots(early) + 2 >= dots(calm));
    CHECK_THAT(draw_comparison(report_of({early})).svg, Contains("B, turn 4: 1.00 ms"));
}

TEST_CASE("the same turns give the same drawing, and the dots of equal turns lie apart") {
    SampleGroup equal{"equal", {{"A", "a", turns(1.0, 0.0)}, {"B", "b", turns(1.0, 0.0)}}, true};
    const std::string svg = draw_comparison(report_of({equal})).svg;
    CHECK(svg == draw_comparison(report_of({equal})).svg);
    std::set<std::string> heights;
    for (std::size_t at = svg.find("<circle"); at != std::string::npos; at = svg.find("<circle", at + 1)) {
        const std::size_t y = svg.find("cy=", at);
        heights.insert(svg.substr(y, svg.find(' ', y) - y));
    }
    CHECK(heights.size() > 20);
}

TEST_CASE("awkward turns are drawn soundly: none, one, equal, far apart, tiny, huge") {
    check_layout({});
    CHECK_THAT(draw_comparison({}).svg, Contains("Nothing was measured"));
    for (const std::vector<double>& a : {std::vector<double>{1.0}, turns(1e-9, 0.0), turns(1e12, 0.3)}) {
        for (const std::vector<double>& b :
             {std::vector<double>{}, std::vector<double>{a[0]}, turns(a[0], 0.0), turns(20.0 * a[0], 0.3),
              turns(0.001 * a[0], 0.1), turns(1.0005 * a[0], 0.0002),
              std::vector<double>{a[0], -1.0, std::nan("")}})
            check_layout(report_of({{"awkward", {{"A", "a", a}, {"B", "b", b}}, a[0] >= 1.0}}));
    }
    check_layout(report_of({{"none of A", {{"A", "a", {}}, {"B", "b", {}}}, false}}));
}
