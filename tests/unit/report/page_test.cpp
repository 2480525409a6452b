// The report as HTML and Markdown: what is in it, that it loads nothing, and that no text becomes markup.
#include <algorithm>
#include <cmath>
#include <regex>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/unit/chart/svg_check.h"
#include "tests/unit/report/page_fixtures.h"
#include "tuner/report/assets.h"
#include "tuner/report/html_text.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

/// Values of an attribute, in order.
std::vector<std::string> values_of(const std::string& html, const std::string& attribute) {
    std::vector<std::string> values;
    const std::regex pattern(" " + attribute + "=\"([^\"]*)\"");
    for (std::sregex_iterator it(html.begin(), html.end(), pattern), end; it != end; ++it)
        values.push_back((*it)[1]);
    return values;
}

/// What is wrong with the page as HTML, in the small; empty when nothing is.
std::string page_fault(std::string html) {
    if (std::string outside = first_outside(html); !outside.empty()) return outside;
    // Elements that have no end tag, and the two that hold other languages.
    html = std::regex_replace(html, std::regex("<(!doctype|meta|link|input)\\b[^>]*>"), "");
    for (const auto& [from, to] : {std::pair{"<style>", "</style>"}, std::pair{"<script>", "</script>"}}) {
        const std::size_t begin = html.find(from), end = html.find(to);
        if (begin == std::string::npos || end == std::string::npos) return std::string("no ") + from;
        html.erase(begin, end + std::string_view(to).size() - begin);
    }
    if (html.find("<script") != std::string::npos) return "a second script";
    if (html.find("<style") != std::string::npos) return "a second style sheet";
    // "details open" and other attributes without a value are HTML, not XML.
    html = std::regex_replace(html, std::regex("<(details|form|div|figcaption)([^>]*) (open|hidden)>"),
                              "<$1$2>");
    if (const std::string fault = xml_fault(html); !fault.empty()) return fault;
    std::vector<std::string> ids = values_of(html, "id");
    const std::set<std::string> unique(ids.begin(), ids.end());
    if (unique.size() != ids.size()) return "an id is there twice";
    for (const std::string& href : values_of(html, "href")) {
        if (!href.starts_with("#")) return "a link leads out: " + href;
        if (!unique.contains(href.substr(1))) return "a link leads nowhere: " + href;
    }
    return "";
}

bool loads_something(const std::string& html) {
    return std::regex_search(
        html, std::regex("https?:|//[a-z]+\\.|@import|url\\(|\\bsrc=|fetch\\(|XMLHttpRequest|import\\("));
}

}  // namespace

TEST_CASE("the checker of pages finds planted faults") {
    const std::string good =
        "<!doctype html><head><style>a{}</style></head><b id=\"x\"><a "
        "href=\"#x\">y</a></b><script>1<2</script>";
    CHECK(page_fault(good) == "");
    CHECK(page_fault(good + "<script>") == "a second script");
    CHECK(page_fault(good + "<i id=\"x\"></i>") == "an id is there twice");
    CHECK_THAT(page_fault(good + "<a href=\"#z\"></a>"), Contains("nowhere"));
    CHECK_THAT(page_fault(good + "<a href=\"file.html\"></a>"), Contains("leads out"));
    CHECK_FALSE(page_fault(good + "<p>").empty());
    for (const char* bad : {"http://x.org", "<img src=\"x\">", "url(x)", "//cdn.x", "@import", "fetch(1)"})
        CHECK(loads_something(bad));
    CHECK_FALSE(loads_something("a // b; c / d"));
}

TEST_CASE("one result: every section, sound and self-contained") {
    const std::string html = html_of_results({with_convergence(spmv_result())});
    CHECK(page_fault(html) == "");
    CHECK_FALSE(loads_something(html));
    for (const char* id : {"summary", "roofline", "result-1", "winner-1", "course-1", "certificate-1",
                           "bound-1", "variants-1", "provenance-1", "machine"})
        CHECK_THAT(html, Contains(std::string("id=\"") + id + "\""));
    for (const char* text :
         {"SELL-16-512 with 16-bit indices on 2 threads",
          "Nothing left unmeasured or raced out can be more than 12 % [12 %, 14 %] faster.",
          "222 evaluations in all.", "within 3.0 % of the winner", "proven no faster than the winner",
          "How to read it", "Terms of the winner&#39;s bound", "bandwidth load, 4 MiB, 4 streams, 2 threads",
          "f32 in place of f64", "<code>chunk</code>", "g++ 12.2.0", "b41ld", "2024-05-31T17:04:59Z",
          "Example CPU, 2 cores", "a1b2c3", "load, 64 MiB, 2 threads", "its file is not at hand"})
        CHECK_THAT(html, Contains(text));
    // One problem: nothing to fold or to choose among kernels.
    CHECK(html.find("<details class=\"chapter\"") == std::string::npos);
    CHECK(html.find("<legend>Kernels</legend>") == std::string::npos);
    CHECK_THAT(html, Contains("<legend>Points</legend>"));
}

TEST_CASE("marks carry what a reader is told of them, once") {
    const TuneResult r = with_convergence(spmv_result());
    const std::string html = html_of_results({r});
    CHECK(occurrences(html, "class=\"mark\"") == 2 * r.points.size());  // the wide and the narrow drawing
    CHECK(values_of(html, "data-name").size() == r.points.size());
    CHECK(occurrences(html, "data-kind=\"excluded\"") == 2 * 90 + 1);  // and the filter's box
    const std::size_t winner =
        html.find("class=\"mark\" data-series=\"0\" data-type=\"f64\" data-kind=\"winner\"");
    REQUIRE(winner != std::string::npos);
    const std::string mark = html.substr(winner, html.find('>', winner) - winner);
    CHECK_THAT(mark, Contains("data-rate=\"6.62 Gflop/s\""));
    CHECK_THAT(mark, Contains("data-share=\"92 % of 7.20 Gflop/s, its own bound"));
    CHECK_THAT(mark, Contains("data-binding=\"DRAM reads\""));
    CHECK_THAT(mark, Contains("data-interval=\"6.53 Gflop/s to 6.68 Gflop/s\""));
    // An excluded variant was not measured: it has a most, and no interval.
    const std::size_t excluded = html.find("data-kind=\"excluded\" data-name");
    REQUIRE(excluded != std::string::npos);
    const std::string hollow = html.substr(excluded, html.find('>', excluded) - excluded);
    CHECK_THAT(hollow, Contains("data-rate=\"at most "));
    CHECK(hollow.find("data-interval") == std::string::npos);
}

TEST_CASE("a plot as a file of its own is not touched by a page's hooks") {
    const std::string svg = roofline_svg({with_convergence(spmv_result())});
    CHECK(svg.find("data-") == std::string::npos);
    CHECK_THAT(svg, Contains("<title>winner: SELL"));
}

TEST_CASE("several results: a table, filters, and a fold for each") {
    const std::string html =
        html_of_results({with_convergence(spmv_result()), f32_result(), failed_result()});
    CHECK(page_fault(html) == "");
    CHECK(occurrences(html, "<details class=\"chapter\" open>") == 3);
    CHECK_THAT(html, Contains("<legend>Kernels</legend>"));
    CHECK_THAT(html, Contains("<legend>Precision</legend>"));
    CHECK_THAT(html, Contains("<input type=\"checkbox\" checked data-type=\"f32\">"));
    CHECK_THAT(html, Contains("<input type=\"checkbox\" data-kind=\"measured\">"));  // a crowd: off at first
    CHECK_THAT(html, Contains("<tr data-series=\"1\" data-type=\"f32\">"));
    CHECK_THAT(html, Contains("<article id=\"result-2\" data-series=\"1\" data-type=\"f32\">"));
    CHECK_THAT(html, Contains("No winner"));
    CHECK_THAT(html, Contains("3 problems"));
}

TEST_CASE("several results: where the default is the winner, it gains nothing over itself, and it says so") {
    TuneResult itself = spmv_result();
    itself.fallback = itself.best;
    itself.default_ratio = {1.0, 1.0, 1.0, 1.0, 20};
    itself.speedup_over_default = 1.0;
    const std::string text = page::markdown_of(page::build(input_of({itself, f32_result()})));
    const std::size_t from = text.find("All results");
    REQUIRE(from != std::string::npos);
    const std::string table = text.substr(from, text.find("\n## ", from) - from);
    CHECK(occurrences(table, "is the winner") == 1);
    CHECK(occurrences(table, "1.00×") == 0);
    CHECK(occurrences(table, "1.20× [1.18, 1.23]") == 1);  // the other keeps its gain
}

TEST_CASE("the axes are the machine's, whatever the results are") {
    // The frame's ticks of two reports of one machine are the same texts at the same places.
    const auto ticks = [](const std::string& html) {
        std::vector<std::string> lines;
        const std::regex pattern("<line [^>]*class=\"grid\"[^>]*/>");
        const std::size_t begin = html.find("id=\"roofline-wide\""), end = html.find("</svg>", begin);
        const std::string svg = html.substr(begin, end - begin);
        for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), last; it != last; ++it)
            lines.push_back(it->str());
        return lines;
    };
    TuneResult slow = with_convergence(spmv_result());
    for (PlotPoint& p : slow.points) p.flops_per_second /= 40.0;
    const auto fast_ticks = ticks(html_of_results({with_convergence(spmv_result())}));
    CHECK(fast_ticks.size() > 10);
    CHECK(ticks(html_of_results({slow})) == fast_ticks);
}

TEST_CASE("texts from outside stay texts") {
    TuneResult r = with_convergence(spmv_result());
    const std::string evil = "</script><script>alert(1)</script>\"'><img src=x onerror=y>`<b>`\x01\xFF";
    r.title = r.machine_name = r.machine_id = r.digest = r.config_file = evil;
    r.family = "<i>family";
    r.problem["matrix"] = evil;
    r.best["format"] = evil;
    r.facts.push_back({evil, 1.0});
    for (PlotPoint& p : r.points) p.label = p.binding = evil;
    for (PlotCeiling& c : r.ceilings) c.label += evil;
    for (TermReport& t : r.bound.terms) t.ceiling = t.opportunity = t.kind = evil;
    for (OpportunityReport& l : r.explanation.opportunities) l.how = evil;
    page::Input input = input_of({r});
    input.files[0].file = input.files[0].created = input.files[0].compiler = evil;
    input.title = "A <title> & " + evil;
    const std::string html = page::html_of(page::build(input));
    CHECK(page_fault(html) == "");
    CHECK(html.find("<img") == std::string::npos);
    CHECK(html.find("<script>alert") == std::string::npos);
    CHECK(html.find("<b>") == std::string::npos);
    CHECK(html.find("<i>") == std::string::npos);
    CHECK_THAT(html, Contains("&lt;script&gt;alert(1)"));
    // In Markdown nothing may begin a tag either.
    CHECK(page::markdown_of(page::build(input)).find('<') == std::string::npos);
}

TEST_CASE("escaping, and code between backticks") {
    CHECK(page::html_escaped("<a href=\"x\" title='y'>&") ==
          "&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;");
    CHECK(page::html_escaped("a\nb") == "a b");
    CHECK(page::inline_html("see `--machine <x>` and `y`") ==
          "see <code>--machine &lt;x&gt;</code> and <code>y</code>");
    CHECK(page::inline_html("one ` alone <") == "one ` alone &lt;");
    CHECK(page::inline_html("").empty());
    CHECK(page::tag_attributes({3, "f\"64"}) == " data-series=\"3\" data-type=\"f&quot;64\"");
}

TEST_CASE("a result without the course of its search says so, and has no chart") {
    const std::string html = html_of_results({spmv_result()});
    CHECK(page_fault(html) == "");
    CHECK_THAT(html, Contains("does not hold the course of its search"));
    CHECK(html.find("id=\"course-1-wide\"") == std::string::npos);
}

TEST_CASE("reports of little") {
    TuneResult bare;
    bare.dtype = "f64";
    for (const std::vector<TuneResult>& results :
         {std::vector{bare}, std::vector{failed_result()}, std::vector{alarmed_result(), bare}}) {
        const std::string html = html_of_results(results);
        CHECK(page_fault(html) == "");
        CHECK_FALSE(std::regex_search(html, std::regex("\\b-?(nan|inf)\\b")));
    }
    CHECK_THAT(html_of_results({bare}), Contains("nothing to draw"));
}

TEST_CASE("two megabytes hold thousands of points with long names") {
    TuneResult r = with_convergence(spmv_result());
    for (int i = 0; i < 4000; ++i) {
        PlotPoint p = r.points[static_cast<std::size_t>(i) % 120];
        p.label = std::string(200, 'x') + std::to_string(i);
        r.points.push_back(p);
    }
    const std::string html = html_of_results({r});
    CHECK(html.size() < 2'000'000);
    CHECK(html.size() > 500'000);
    CHECK_THAT(html, Contains("Of 4 210 measured and excluded variants 1 200 are drawn"));
    CHECK(values_of(html, "data-name").size() == 1203);  // and winner, naive and default
    TuneResult thousand = with_convergence(spmv_result());
    while (thousand.points.size() < 1000)
        thousand.points.push_back(thousand.points[thousand.points.size() % 120]);
    CHECK(html_of_results({thousand}).size() < 2'000'000);
    for (PlotPoint& p : thousand.points) p.label.resize(120, 'x');
    for (const std::size_t results : {4u, 5u, 12u, 40u})
        CHECK(html_of_results(std::vector<TuneResult>(results, thousand)).size() < 2'000'000);
}

TEST_CASE("machines: their ceilings with what is known of each, and what is left of one without a file") {
    Machine machine;
    machine.id = "a1b2c3";
    machine.name = "Example CPU, 2 cores";
    machine.topology.cpu = "Example";
    machine.topology.caches = {{.level = 1, .reported = Bytes(49152), .probed = Bytes(32768)},
                               {.level = 2, .reported = Bytes(2097152)}};
    Ceiling load;
    load.resource = Resource::bandwidth;
    load.when.mix = Mix::load;
    load.max = 40e9;
    load.p95 = 39e9;
    load.median = 38e9;
    load.windows = 120;
    load.seen = "2024-05-31T17:04:59Z";
    load.source = "probe";
    machine.ceilings = {load};
    page::Input input = input_of({with_convergence(spmv_result())});
    input.machines = {machine};
    input.lines = machine;
    const std::string html = page::html_of(page::build(input));
    CHECK(page_fault(html) == "");
    for (const char* text : {"40.0 GB/s", "39.0 GB/s", "38.0 GB/s", "120", "3.0 %"})
        CHECK_THAT(html, Contains(text));
    CHECK(html.find("not at hand") == std::string::npos);
    input.lines->id = "other";
    CHECK_THAT(page::html_of(page::build(input)), Contains("caches: L1 32 KiB probed, L2 2 MiB"));
    input.lines->name = "Some <other> machine";
    CHECK_THAT(page::html_of(page::build(input)), Contains("those of another machine"));
}

TEST_CASE("the page's own parts: paper, phones, the dark, and a policy that lets nothing in") {
    const std::string css(page::report_css()), js(page::report_js());
    CHECK_THAT(css, Contains("@media print"));
    CHECK_THAT(css, Contains("prefers-color-scheme: dark"));
    CHECK_THAT(css, Contains("max-width: 640px"));
    CHECK_THAT(js, Contains("use strict"));
    for (const std::string& asset : {css, js}) CHECK_FALSE(loads_something(asset));
    for (const char* unsafe : {"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("})
        CHECK(js.find(unsafe) == std::string::npos);
    CHECK_THAT(html_of_results({spmv_result()}), Contains("content=\"default-src 'none'; style-src"));
}

TEST_CASE("the report as Markdown") {
    check_golden("report/page.md",
                 page::markdown_of(page::build(input_of({with_convergence(spmv_result())}))));
    const std::string several = page::markdown_of(
        page::build(input_of({with_convergence(spmv_result()), f32_result(), failed_result()})));
    check_golden("report/page_several.md", several);
    CHECK_THAT(several, Contains("| problem"));
}
