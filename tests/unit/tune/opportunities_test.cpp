// Opportunities in sentences: what binds, the limits, and what is left out.
#include "tuner/chart/opportunity_text.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/unit/chart/fixtures.h"
#include "tuner/tune/explain_text.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

std::vector<std::string> kinds(const std::vector<OpportunityReport>& opportunities) {
    std::vector<std::string> list;
    for (const OpportunityReport& opportunity : opportunities) list.push_back(opportunity.kind);
    return list;
}

}  // namespace

TEST_CASE("limits are rounded up, never down") {
    CHECK(limit_phrase(1.2) == "at most 1.20×");
    CHECK(limit_phrase(1.2001) == "at most 1.21×");
    CHECK(limit_phrase(9.995) == "at most 10.0×");
    CHECK(limit_phrase(12.31) == "at most 12.4×");
    CHECK(limit_phrase(101.2) == "at most 102×");
    CHECK(limit_phrase(kInf) == "no limit known");
    CHECK(limit_phrase(std::nan("")) == "no limit known");
    CHECK(limit_phrase(0.0) == "no limit known");
}

TEST_CASE("resources are named by level and port") {
    CHECK(resource_phrase(TermReport{.kind = "reads", .level = "L2"}) == "L2 reads");
    CHECK(resource_phrase(TermReport{.kind = "both", .level = "DRAM"}) == "DRAM reads and writes");
    CHECK(resource_phrase(TermReport{.kind = "writes_thread", .level = "L3"}) ==
          "L3 writes of the heaviest thread");
    CHECK(resource_phrase(TermReport{.kind = "reads"}) == "memory reads");
    CHECK(resource_phrase(TermReport{.kind = "compute"}) == "arithmetic");
    CHECK(resource_phrase(TermReport{.kind = "loads"}) == "the load ports");
    CHECK(resource_phrase(TermReport{.kind = "link"}) == "bytes over the links");
    CHECK(resource_phrase(TermReport{.kind = "no_such"}) == "no_such");
    CHECK(resource_phrase(spmv_result().bound, "reads") == "DRAM reads");
    CHECK(resource_phrase(spmv_result().bound, "chain") == "the latency of dependent operations");
}

TEST_CASE("the first sentence says what binds, how far it is, and what is left") {
    TuneResult r = spmv_result();
    CHECK(binding_sentence(r) ==
          "Bound by DRAM reads: it runs at 92 % of what this variant could reach, so at most 1.09× is left "
          "in it.");
    r.fraction_of_variant_bound = 0.4;
    CHECK_THAT(binding_sentence(r), Contains("Far from its bound") && Contains("at most 2.50×"));
    r.fraction_of_variant_bound = 1.02;
    CHECK_THAT(binding_sentence(r), Contains("Faster than its bound"));
    r.fraction_of_variant_bound = 0.0;
    CHECK(binding_sentence(r) == "Bound by DRAM reads.");
    r.bound.binding = "";
    CHECK_THAT(binding_sentence(r), Contains("no ceiling applies"));
}

TEST_CASE("opportunities come by their limits; bottlenecks are one line that tells what follows") {
    const TuneResult r = spmv_result();
    const std::vector<OpportunityReport> shown = shown_opportunities(r);
    CHECK(kinds(shown) ==
          std::vector<std::string>{"bottleneck", "precision", "parameter", "variant", "ceiling"});
    for (std::size_t i = 1; i < shown.size(); ++i) CHECK(shown[i].at_most <= shown[i - 1].at_most);
    CHECK(opportunity_sentence(r, shown[0]) ==
          "At most 3.34×: fewer bytes: fusion with the kernel before or after; then the load ports bind, and "
          "arithmetic at 22.8×.");
    CHECK(opportunity_sentence(r, shown[2]) ==
          "At most 1.13×: another value of `chunk` (to chunk=8), 1 alternative left open; then DRAM reads "
          "bind.");
    CHECK(opportunity_sentence(r, shown[3]) ==
          "At most 1.09×: this variant as it is, run at its bound, or another value of `streams` or "
          "`prefetch`, 6 alternatives left open that no bound tells from the winner.");
    CHECK_THAT(opportunity_sentence(r, shown[4]), Contains("by an estimate"));
}

TEST_CASE("no more than two parameters that change the bound are shown") {
    TuneResult r = spmv_result();
    for (int i = 0; i < 5; ++i) {
        r.explanation.opportunities.push_back(
            {.kind = "parameter", .what = {"p"}, .seconds = 1e-3, .at_most = 1.4, .to = {{"p", "1"}}});
    }
    int shown = 0;
    for (const OpportunityReport& opportunity : shown_opportunities(r))
        shown += opportunity.to.empty() ? 0 : 1;
    CHECK(shown == 2);
}

TEST_CASE("a bottleneck that is all there is has no limit") {
    TuneResult r = spmv_result();
    r.explanation.opportunities = {
        {.kind = "bottleneck", .what = {"memory"}, .at_most = kInf, .how = "fewer bytes"}};
    const std::string text = opportunity_sentence(r, r.explanation.opportunities[0]);
    CHECK_THAT(text, Contains("No limit known: fewer bytes; nothing else that is known would bind."));
}

TEST_CASE("what lies between bound and clock is an estimate, and the rest is said to be unexplained") {
    TuneResult r = spmv_result();
    CHECK_THAT(between_sentence(r), Contains("by estimates: 1.36 ms for indexed loads") &&
                                        Contains("Not explained: 3.1 % of the time"));
    r.explanation.estimates = {{"serial", 1.71e-3, "no overlap"}};
    CHECK(between_sentence(r).find("Not explained") == std::string::npos);
    r.explanation.estimates.clear();
    CHECK_THAT(between_sentence(r), Contains("Nothing that is known") && Contains("Not explained: 8.1 %"));
    r.fraction_of_variant_bound = 0.99;
    CHECK(between_sentence(r).empty());
    r.fraction_of_variant_bound = std::nan("");
    CHECK(between_sentence(r).empty());
}

TEST_CASE("settled parameters are told apart by how") {
    ExplanationReport e;
    CHECK(settled_sentence(e).empty());
    e.settled_by_proof = {"simd"};
    CHECK(settled_sentence(e) == "No other value of `simd` (by proof) is better with the others kept.");
    e.settled_by_measuring = {"a", "b"};
    CHECK(settled_sentence(e) ==
          "No other value of `a` or `b` (tried), nor of `simd` (by proof) is better with the others kept.");
}

TEST_CASE("which optimisations pay is told near the bound only") {
    TuneResult r = spmv_result();
    const auto band = [&] { return explain_parts(r).band; };
    CHECK_THAT(band(), Contains("Only memory optimisations pay") && !Contains("none of the terms"));
    r.fraction_of_variant_bound = 0.041;
    // Two terms that are most of the time together are where it goes.
    CHECK_THAT(band(), Contains("Only memory optimisations pay"));
    r.bound.seconds_serial = 0.05 * r.seconds.median;
    CHECK_THAT(band(), !Contains("optimisations pay") && Contains("goes into none of the terms below") &&
                           Contains("look at latency") && Contains("estimates further down"));
    r.explanation.estimates.clear();
    CHECK_THAT(band(), Contains("what a call costs.") && !Contains("estimates further down"));
    r.fraction_of_variant_bound = 0.0;  // not known
    CHECK_THAT(band(), Contains("Only memory optimisations pay"));
}

TEST_CASE("what a traffic term is beyond is explained where it binds") {
    TuneResult r = spmv_result();
    CHECK_THAT(explain_parts(r).band,
               Contains("for reads beyond 4 MiB (bytes that no cache of that size can save);"));
    r.bound.binding = "compute";
    CHECK_THAT(explain_parts(r).band, !Contains("no cache of that size"));
}

TEST_CASE("of a program that declares no work the declaration is asked for, and not the machine") {
    TuneResult r = spmv_result();
    r.bound = {};
    CHECK_THAT(explain_parts(r).band, Contains("measures the ceilings that would bound it"));
    r.family = "external";
    r.flops_nominal = r.problem_roof_seconds = 0.0;
    CHECK_THAT(explain_parts(r).band,
               Contains("declare it (`flops`, `reads`, `writes`)") && !Contains("rooftune machine"));
}

TEST_CASE("an explanation fits on a page") {
    for (const TuneResult& r : {spmv_result(), alarmed_result()}) {
        const std::vector<std::string> lines = golden_lines(explain_text(r));
        CHECK(lines.size() <= 48);
    }
}

TEST_CASE("explanations as JSON hold the sentences of the text") {
    const auto one = explain_json({spmv_result()});
    CHECK(one.at("schema") == "rooftune/explanation/1");
    CHECK(one.at("binding") == "reads");
    CHECK(one.at("sentence") == binding_sentence(spmv_result()));
    CHECK(one.at("levers").size() == 7);
    CHECK(one.at("levers")[0].at("at_most").get<double>() == Approx(22.78));
    CHECK(one.at("terms")[0].at("resource") == "DRAM reads");
    TuneResult unlimited = spmv_result();
    unlimited.explanation.opportunities[0].at_most = kInf;
    CHECK(explain_json({unlimited}).at("levers")[0].at("at_most").is_null());
    const auto two = explain_json({spmv_result(), failed_result()});
    REQUIRE(two.at("results").size() == 2);
    CHECK(two.at("results")[1].at("levers").empty());
    CHECK_THAT(two.at("results")[1].at("sentence").get<std::string>(), Contains("No variant works"));
}
