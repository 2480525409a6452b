// Ratios of ceilings to the fastest code under them, and what people and programs read.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/unit/machine/audit/world.h"
#include "tuner/machine/audit/audit_json.h"
#include "tuner/machine/audit/table.h"

namespace rooftune::audit::test {
namespace {

PeerFinding finding(const Case& c, double seconds, PeerVerdict verdict = PeerVerdict::below) {
    const Machine machine = small_machine();
    PeerFinding f;
    f.what = c;
    f.measurement = took(seconds);
    f.verdict = verdict;
    f.checks = judge(c, f.measurement, Roofs(machine));
    return f;
}

Audit with(std::vector<PeerFinding> findings) {
    Audit audit;
    audit.findings = std::move(findings);
    audit.complete_passes = 1;
    audit.left_out = {0};
    return audit;
}

bool has(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a row holds the fastest of what was seen under its ceiling") {
    Case slow = product(50.0), fast = product(118.0);
    fast.peer = "fast";
    const auto rows =
        rows_of(with({finding(slow, 1.0), finding(fast, 1.0), finding(slow, 2.0)}), small_machine());
    REQUIRE(rows.size() == 1);
    CHECK(rows[0].ceiling == 120.0);
    CHECK(rows[0].fastest == 118.0);
    CHECK(rows[0].by == "fast gemm");
    CHECK(rows[0].ratio() == Approx(120.0 / 118.0));
    CHECK_FALSE(rows[0].far);
    CHECK(rows[0].like_ratio == Approx(100.0 / 118.0));
}

TEST_CASE("5 % for compute and 15 % for bandwidth, not more") {
    const auto far = [](const Case& c) {
        return rows_of(with({finding(c, 1.0)}), small_machine()).at(0).far;
    };
    CHECK_FALSE(far(product(120.0 / 1.049)));
    CHECK(far(product(120.0 / 1.051)));
    CHECK_FALSE(far(walk(10.0 / 1.149, 0.0, 4096.0)));
    CHECK(far(walk(10.0 / 1.151, 0.0, 4096.0)));
}

TEST_CASE("a ceiling set by another mix says so, and how near its own mix's is") {
    const auto rows = rows_of(with({finding(product(98.0), 1.0)}), small_machine());
    REQUIRE(rows.at(0).far);
    CHECK(has(rows[0].reason, "set by fma_add"));
    CHECK(has(rows[0].reason, "1.02×"));
}

TEST_CASE("where only whole kernels ran, that is the reason") {
    Case kernel = walk(2.0, 0.0, 4096.0);
    kernel.whole_kernel = true;
    const auto alone = rows_of(with({finding(kernel, 1.0)}), small_machine());
    REQUIRE(alone.at(0).far);
    CHECK(has(alone[0].reason, "only whole kernels"));
    const auto beside =
        rows_of(with({finding(kernel, 1.0), finding(walk(3.0, 0.0, 4096.0), 1.0)}), small_machine());
    REQUIRE(beside.at(0).far);
    CHECK_FALSE(has(beside[0].reason, "only whole kernels"));
}

TEST_CASE("threads that are far only together say how they scale") {
    Machine machine = small_machine();
    Ceiling two = machine.ceilings[3];
    two.when.threads = 2;
    two.max = two.p95 = two.median = 20.0;
    machine.ceilings.push_back(two);
    const auto seen = [&](double bytes, int threads) {
        PeerFinding f;
        f.what = walk(bytes, 0.0, 4096.0);
        f.what.threads = threads;
        f.measurement = took(1.0);
        f.verdict = PeerVerdict::below;
        f.checks = judge(f.what, f.measurement, Roofs(machine));
        return f;
    };
    const auto rows = rows_of(with({seen(9.0, 1), seen(15.0, 2)}), machine);
    REQUIRE(rows.size() >= 2);
    std::string reason;
    for (const Row& row : rows) {
        if (row.threads == 2 && row.claim == Claim::reads) reason = row.reason;
    }
    CHECK(reason ==
          "one thread comes within 1.11×; 2 do 1.67 times one's rate, where the ceiling does 2.00 times");
}

TEST_CASE("rows are of the machine as it is in the end") {
    Machine raised = small_machine();
    raised.ceilings[1].max = 150.0;
    CHECK(rows_of(with({finding(product(118.0), 1.0)}), raised).at(0).ceiling == 150.0);
}

TEST_CASE("threads, directions and levels have rows of their own") {
    Case far_away = walk(2.0, 1.0, 2e6);
    far_away.level = "memory";
    const auto rows = rows_of(with({finding(product(1.0), 1.0), finding(product(1.0, 2), 1.0),
                                    finding(walk(2.0, 1.0, 4096.0), 1.0), finding(far_away, 1.0)}),
                              small_machine());
    // Two of compute; reads, writes and both in each level.
    CHECK(rows.size() == 2 + 3 + 3);
}

TEST_CASE("nothing measured: no rows, and the text says who was not there") {
    Report report;
    report.machine = "a machine";
    report.peers = {{"OpenBLAS", false, "not installed", "libopenblas0-pthread"}};
    report.audit = with({});
    CHECK(rows_of(report.audit, small_machine()).empty());
    const std::string text = to_text(report, small_machine());
    CHECK(has(text, "0 measurements of 0 peers"));
    CHECK(has(text, "OpenBLAS: not used: not installed (Debian: libopenblas0-pthread)"));
}

TEST_CASE("what is above stands in the headline and in a table of its own") {
    Report report;
    report.audit =
        with({finding(product(200.0), 1.0, PeerVerdict::unexplained), finding(product(50.0), 1.0)});
    report.audit.findings[0].explanation = "nobody knows";
    const std::string text = to_text(report, small_machine());
    CHECK(has(text, "2 measurements of 1 peer in 1 full pass: 1 above a ceiling (1 unexplained)."));
    CHECK(has(text, "nobody knows"));
    const Json json = to_json(report, small_machine());
    const auto faults = rooftune::test::SchemaCheck("configs/schema").faults(json, "audit.schema.json");
    CHECK((faults.empty() ? std::string() : faults.front()) == "");
    CHECK(json.at("schema") == "rooftune/audit/1");
    CHECK(json.at("above") == 1);
    CHECK(json.at("unexplained") == 1);
    CHECK(json.at("measurements").size() == 2);
    CHECK(json.at("ceilings").size() == 1);
}

TEST_CASE("a failure that every pass repeats is said once") {
    PeerFinding failed;
    failed.what = product(1.0);
    failed.measurement.outcome = Outcome::crashed;
    failed.explanation = "signal: Segmentation fault";
    Report report;
    report.audit = with({failed, failed, failed});
    const std::string text = to_text(report, small_machine());
    CHECK(has(text, "crashed, signal: Segmentation fault (3 times)"));
    CHECK(text.find("Segmentation fault") == text.rfind("Segmentation fault"));
}

TEST_CASE("an interrupted pass is told beside the full ones") {
    Report report;
    report.audit = with({finding(product(50.0), 1.0)});
    report.audit.interrupted = true;
    report.audit.complete_passes = 0;
    CHECK(
        has(to_text(report, small_machine()), "1 measurement of 1 peer in a pass that was cut short: none"));
    report.audit.complete_passes = 2;
    CHECK(has(to_text(report, small_machine()), "in 2 full passes and one that was cut short: none"));
}

TEST_CASE("what is above and how many ceilings rose for it are told apart") {
    Report report;
    report.audit = with({finding(product(130.0), 1.0, PeerVerdict::raised),
                         finding(product(121.0), 1.0, PeerVerdict::within_margin)});
    report.audit.raised.resize(69);
    const std::string text = to_text(report, small_machine());
    CHECK(has(text, "2 above a ceiling (1 where it rose, 1 within the margin)."));
    CHECK(has(text, "69 stored ceilings rose: where something is above one, all that cover its footprint"));
}

TEST_CASE("data that lie in some cache are told by their size") {
    Case some = walk(2.0, 0.0, 4096.0);
    some.level = kSomeCache;
    Report report;
    report.audit = with({finding(some, 1.0)});
    setenv("COLUMNS", "400", 1);  // so that no cell is broken
    const std::string text = to_text(report, small_machine());
    setenv("COLUMNS", "100", 1);
    CHECK(has(text, "| a cache (4.10 kB) reads"));
}

TEST_CASE("passes are counted in words") {
    Report report;
    report.audit = with({});
    report.audit.complete_passes = 3;
    report.audit.rules.frozen = true;
    CHECK(has(to_text(report, small_machine()), "in 3 full passes, ceilings frozen"));
}

}  // namespace rooftune::audit::test
