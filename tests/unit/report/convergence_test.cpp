// The convergence of a search, drawn and told.
#include "tests/support/catch.h"
#include "tests/unit/chart/svg_check.h"
#include "tests/unit/report/page_fixtures.h"
#include "tuner/report/convergence_svg.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

TEST_CASE("a convergence in two panels, its texts apart") {
    for (const double width : {1040.0, 480.0, 100.0}) {
        INFO(width);
        const ChartDrawing d = draw_convergence(with_convergence(spmv_result()), width, "x");
        CHECK(xml_fault(d.svg) == "");
        CHECK_THAT(d.svg, Contains("the best so far: 6.62 Gflop/s"));
        CHECK_THAT(d.svg, Contains("excluded: 88 %"));
        CHECK_THAT(d.svg, Contains("the problem&#39;s roof: 7.52 Gflop/s"));
        REQUIRE(d.panels.size() == 2);
        for (const Box& panel : d.panels)
            CHECK(layout_faults(d.texts, d.page, panel) == std::vector<std::string>{});
    }
}

TEST_CASE("convergences of little, and odd figures") {
    TuneResult r = spmv_result();
    CHECK(draw_convergence(r, 1040.0, "x").svg.empty());
    CHECK(convergence_text(r).empty());
    r.convergence = {{0, 1e-3, 0.0}};
    CHECK(xml_fault(draw_convergence(r, 1040.0, "x").svg) == "");
    CHECK_THAT(convergence_text(r), Contains("0 evaluations in all."));
    r.convergence = {{1, 1e-300, 0.0}, {2, 1e300, 1.0}};
    r.flops_nominal = 0.0;
    const std::string svg = draw_convergence(r, 1040.0, "x").svg;
    CHECK(xml_fault(svg) == "");
    CHECK(svg.find("nan") == std::string::npos);
}

TEST_CASE("the convergence in sentences") {
    const TuneResult r = with_convergence(spmv_result());
    const std::string text = convergence_text(r);
    CHECK_THAT(text, Contains("222 evaluations in all."));
    CHECK_THAT(text, Contains("within 3.0 % of the winner's time after 61 evaluations."));
    CHECK_THAT(text, Contains("Half of the space was excluded after 24, 88 % at the end."));
    TuneResult rose = r;
    rose.convergence.back().excluded = 0.2;
    CHECK_THAT(convergence_text(rose),
               Contains("20 %, since the winner's interval grew, a ceiling rose or a term was demoted."));
    TuneResult little = r;
    for (ConvergencePoint& p : little.convergence) p.excluded = 0.1;
    CHECK_THAT(convergence_text(little), Contains("At the end 10 % of the space was excluded."));
}
