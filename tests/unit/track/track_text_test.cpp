// Histories and bisections as text, Markdown, SVG and JSON: golden output of planted ones.
#include "tuner/track/track_text.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/chart/svg_check.h"
#include "tests/unit/track/track_examples.h"
#include "tuner/formats/result_json.h"
#include "tuner/track/track_bisect_text.h"
#include "tuner/track/track_svg.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

KernelReport kernel(std::vector<Entry> entries, const std::string& release = "", double delta = 0.03) {
    KernelReport k;
    k.series = series_of(std::move(entries)).front();
    k.delta = delta;
    k.summary = summarise(k.series, delta, release);
    return k;
}

// A kernel that was optimised step by step, with every oddity that a table may meet.
KernelReport optimised() {
    std::vector<Entry> entries = {entry_of(0, 4.0), entry_of(1, 2.0, 0.8, "blocking"),
                                  entry_of(2, 1.0, 0.8, "packs B | once <for> \"all\" threads"),
                                  failed_entry(3, "wrong"), entry_of(4, 1.01, 0.8, "nothing that is seen")};
    entries[2].revision = "v1.0";
    entries[4].roof_now_seconds = 0.0;
    entries.push_back(entry_of(5, 1.3, 0.8, "refactoring"));
    entries.back().variant["mr"] = "8";
    entries.back().revision += "-dirty";
    entries.back().steps = {{"naive", 1.0, 1.0, 1.0}, {"blocking", 2.0, 1.9, 2.1}};
    entries[0].baseline = entries[2].baseline = "best";
    entries[1].baseline = "blocked";
    entries[1].tuned_config = "{}";
    return kernel(entries, "v1.0");
}

// Thirty nights, a slow-down in the middle, and a roof that falls near the end.
KernelReport nightly() {
    std::vector<Entry> entries;
    for (int i = 0; i < 30; ++i) {
        const double wiggle = 1.0 + 0.002 * ((i * 7) % 5 - 2);
        Entry e = entry_of(i, (i < 12 ? 1.0 : i < 24 ? 1.1 : 1.43) * wiggle, i < 24 ? 0.8 : 1.04);
        e.title = "stencil 7 points";
        e.family = "stencil";
        entries.push_back(e);
    }
    return kernel(entries);
}

TrackReport example() {
    TrackReport report;
    report.machine = "some-machine";
    report.release = "v1.0";
    report.kernels = {optimised(), nightly()};
    report.kernels.push_back(kernel({failed_entry(0, "crashed")}));
    report.kernels.push_back(kernel({entry_of(0, 1.0)}));
    report.kernels.back().series.machine = "another-machine";
    report.kernels[1].shown_from = 8;
    Comparison c;
    c.kernel = "matmul 512x512x512";
    c.judgement.verdict = Verdict::regressed;
    c.judgement.ratio = 1.3;
    c.judgement.low = 1.28;
    c.judgement.high = 1.31;
    c.judgement.delta = 0.03;
    c.judgement.reason = "it takes 30.0 % longer";
    report.kernels[0].confirmed = c;
    return report;
}

// As it was before it was fitted to the page.
std::string unwrapped(std::string text) {
    for (std::size_t at = 0; (at = text.find("\n  ", at)) != std::string::npos;) text.replace(at, 3, " ");
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

Commit commit_of(const std::string& hash, const std::string& title) {
    return {hash + std::string(40 - hash.size(), '0'), "Some Body", title, "2026-01-02T03:04:05Z"};
}

Judgement judged(Verdict verdict, double ratio) {
    Judgement j;
    j.verdict = verdict;
    j.ratio = ratio;
    j.low = 0.99 * ratio;
    j.high = 1.01 * ratio;
    j.delta = 0.03;
    j.rounds = 10;
    j.reason = "as planted";
    return j;
}

BisectReport bisected(BisectEnd end) {
    BisectReport r;
    r.machine = "some-machine";
    r.program = "build/bench --n 9";
    r.good = commit_of("a0", "Good one");
    r.bad = commit_of("a9", "Bad one");
    r.commits = 9;
    r.whole = judged(Verdict::regressed, 2.0);
    r.steps = {
        {r.bad, Answer::bad, r.whole, ""},
        {commit_of("a4", "Does\nnot\tbuild"), Answer::skip, std::nullopt, "it cannot be built: status 1"},
        {commit_of("a5", "Noisy"), Answer::skip, judged(Verdict::inconclusive, 1.03), "as planted"}};
    r.candidates = {commit_of("a6", "Copies the row first")};
    r.own = judged(Verdict::regressed, 1.96);
    r.end = end;
    return r;
}

std::vector<BisectReport> bisections() {
    std::vector<BisectReport> all = {bisected(BisectEnd::found),        bisected(BisectEnd::found),
                                     bisected(BisectEnd::unconfirmed),  bisected(BisectEnd::unconfirmed),
                                     bisected(BisectEnd::range),        bisected(BisectEnd::not_regressed),
                                     bisected(BisectEnd::not_measured), bisected(BisectEnd::interrupted),
                                     bisected(BisectEnd::interrupted)};
    all[1].own = judged(Verdict::regressed, 1.2);
    all[2].own = judged(Verdict::inconclusive, 1.04);
    all[3].own.reset();
    all[4].candidates.push_back(commit_of("a7", "Another"));
    all[5].whole = judged(Verdict::unchanged, 1.001);
    all[6].whole = invalid("B gave no time: it ended with status 3", 0.03);
    all[8].candidates.clear();
    all.push_back(bisected(BisectEnd::not_measured));
    all[9].whole = judged(Verdict::inconclusive, 1.031);
    return all;
}

}  // namespace

TEST_CASE("a gain since a note is one where its interval is written beyond 1") {
    // Each time is within 1 % of its median: of times 1.0233 apart, the interval begins at 1.003.
    for (const auto& [after, said] : {std::pair{1.0 / 1.0233, "1.02× [1.00, 1.04] (which may be nothing)"},
                                      {1.0 / 1.5, "1.50× [1.47, 1.53] faster"},
                                      {1.0233, "0.98× [0.96, 1.00] (which may be nothing)"},
                                      {1.5, "0.67× [0.65, 0.68] (slower)"}}) {
        TrackReport report;
        report.machine = "some-machine";
        report.kernels = {kernel({entry_of(0, 1.0), entry_of(1, after, 0.8, "blocking")})};
        CHECK_THAT(track_report_text(report, false), Contains(std::string("blocking: ") + said));
    }
}

TEST_CASE("entries of one revision and one date are told apart by the time of day") {
    // A revision of another day, recorded twice on one.
    std::vector<Entry> entries = {entry_of(0, 1.0), entry_of(0, 1.2)};
    entries[0].at = "2026-03-04T14:03:22Z";
    entries[1].at = "2026-03-04T15:00:01Z";
    TrackReport report;
    report.machine = "some-machine";
    report.kernels = {kernel(entries)};
    CHECK_THAT(track_report_text(report, true), Contains("| 2026-01-01, recorded 2026-03-04 14:03:22 UTC |"));
    const std::string text = unwrapped(track_report_text(report, true));
    CHECK_THAT(text,
               Contains("The latest, 00aaaaaaaaaa of 2026-01-01, recorded 2026-03-04 15:00:01 UTC, takes"));
    CHECK_THAT(text, Contains("from 00aaaaaaaaaa of 2026-01-01, recorded 2026-03-04 14:03:22 UTC to 00"));
    // On the revision's own day the time is enough; a date that one entry has alone needs none.
    for (Entry& e : entries) e.revision_date = "2026-03-04T12:00:00Z";
    report.kernels = {kernel(entries)};
    CHECK_THAT(track_report_text(report, true), Contains("| 2026-03-04, 14:03:22 UTC |"));
    report.kernels = {kernel({entries[0]})};
    CHECK_THAT(track_report_text(report, true), Contains("| 2026-03-04 |") && !Contains("UTC"));
}

TEST_CASE("of one clean revision it is the machine that differs, and the kernel is not said to have moved") {
    TrackReport report;
    report.machine = "some-machine";
    const auto said = [&](const std::vector<Entry>& entries) {
        report.kernels = {kernel(entries)};
        return unwrapped(track_report_text(report, true));
    };
    std::vector<Entry> entries = {entry_of(0, 1.0), entry_of(0, 1.2)};
    CHECK_THAT(said(entries), Contains("the roof did not move (") && Contains("it is the machine that") &&
                                  !Contains("kernel moved"));
    entries[1].roof_now_seconds *= 1.5;
    CHECK_THAT(said(entries),
               Contains("the roof moved (least time +50.0 %), and the time by another factor") &&
                   !Contains("kernel moved"));
    // Of another build, or another revision, the kernel can have moved.
    entries[1].roof_now_seconds = entries[0].roof_now_seconds;
    entries[1].build = "another";
    CHECK_THAT(said(entries), Contains("the kernel moved, the roof did not") &&
                                  Contains("the build is another") && !Contains("the machine that"));
}

TEST_CASE("the ends of the shares over time have no order of their own") {
    TrackReport report;
    report.kernels = {kernel({entry_of(0, 1.0, 0.24), entry_of(1, 1.0, 0.23)})};
    CHECK_THAT(track_report_text(report, true), Contains("(between 23 % and 24 %)."));
    report.kernels = {kernel({entry_of(0, 1.0, 0.24), entry_of(1, 1.0, 0.24)})};
    CHECK_THAT(track_report_text(report, true), Contains("(all 24 %)."));
}

TEST_CASE("histories as text, Markdown and SVG") {
    check_golden("track/report.txt", track_report_text(example(), false));
    check_golden("track/report.md", track_report_text(example(), true));
    const std::string svg = track_svg(example());
    CHECK(xml_fault(svg).empty());
    check_golden("track/report.svg", svg);
    CHECK(xml_fault(track_svg({})).empty());
}

TEST_CASE("histories as JSON are what their schema says") {
    SchemaCheck schema("configs/schema");
    CHECK(schema.faults(to_json(example()), "track-report.schema.json").empty());
    CHECK(schema.faults(to_json(TrackReport{}), "track-report.schema.json").empty());
    Json wrong = to_json(example());
    wrong["kernels"][1]["changes"][0]["moved"] = "nobody";
    CHECK_FALSE(schema.faults(wrong, "track-report.schema.json").empty());
}

TEST_CASE("nothing is printed as nan or inf") {
    for (const bool markdown : {false, true}) {
        const std::string text = track_report_text(example(), markdown);
        CHECK(text.find("nan") == std::string::npos);
        CHECK(text.find("inf") == std::string::npos);
    }
}

TEST_CASE("no name, note or reason of a history becomes an order to the terminal or markup") {
    TrackReport report = example();
    KernelReport& k = report.kernels[0];
    const std::string odd = "\x1b[31m<img>";
    report.release += odd;
    k.series.kernel += odd;
    k.series.machine = report.machine;
    for (Entry& e : k.series.entries) {
        e.machine_name = e.outcome = e.note = e.detail = e.title = odd;
        e.revision += odd;
        e.revision_date = odd + e.revision_date;
    }
    for (Gain& g : k.summary.gains) g.note = odd;
    k.confirmed->judgement.reason = odd;
    for (const bool markdown : {false, true}) {
        const std::string text = track_report_text(report, markdown);
        CHECK(text.find('\x1b') == std::string::npos);
        CHECK((text.find("<img") == std::string::npos) == markdown);
    }
    CHECK(track_record_text(k.series.entries, odd).find('\x1b') == std::string::npos);
}

TEST_CASE("what was recorded, as text") {
    check_golden("track/record.txt",
                 track_record_text({entry_of(0, 1.0), failed_entry(0, "wrong")}, "/results/rooftune.db") +
                     "\n----\n" + track_record_text({}, "/results/rooftune.db"));
}

TEST_CASE("entries of one title are told apart by backend and caches") {
    Entry cold = entry_of(0, 1.0), device = failed_entry(1, "wrong");
    cold.state = "cold";
    device.backend = "opencl";
    CHECK_THAT(
        track_record_text({entry_of(0, 1.0)}, "s", {{"wing f64", "a.json: its content changed"}}),
        Contains("Left out: wing f64: a.json: its content changed.\n") && Contains("Recorded 1 measurement"));
    CHECK_THAT(track_record_text({}, "s", {{"wing f64", "gone"}}),
               Contains("Nothing was recorded.") && Contains("Left out: wing f64: gone."));
    const std::string text = track_record_text({entry_of(0, 1.0), cold, device}, "/results/rooftune.db");
    CHECK(text.find("| matmul 512x512x512, cold caches |") != std::string::npos);
    CHECK(text.find("| matmul 512x512x512 on OpenCL ") != std::string::npos);
    CHECK(text.find("\nmatmul 512x512x512 on OpenCL: wrong: ") != std::string::npos);
}

TEST_CASE("the latest entry stands against the baseline that was named, or there is none") {
    TrackReport report = example();
    const auto said = [&](const std::string& name) {
        report.baseline = name;
        CHECK(SchemaCheck("configs/schema").faults(to_json(report), "track-report.schema.json").empty());
        std::string text = track_report_text(report, false);
        std::replace(text.begin(), text.end(), '\n', ' ');
        return text;
    };
    // Two were given the name "best": the later one, of 1 s, has it; the latest takes 1.3 s.
    CHECK(said("best").find("; 1.30× of the baseline best.") != std::string::npos);
    CHECK(said("blocked").find("; 0.65× of the baseline blocked.") != std::string::npos);
    CHECK(said("best").find("; the baseline best has no entry.") != std::string::npos);
    CHECK(said("").find("of the baseline") == std::string::npos);
}

TEST_CASE("the status of a report is that of what was confirmed") {
    TrackReport report = example();
    CHECK(exit_status(report) == 1);
    report.kernels[0].confirmed->judgement.verdict = Verdict::invalid;
    CHECK(exit_status(report) == 3);
    report.kernels[0].confirmed->judgement.verdict = Verdict::unchanged;
    CHECK(exit_status(report) == 0);
    CHECK(exit_status(TrackReport{}) == 0);
}

TEST_CASE("bars of shares; what is not known is a blank") {
    CHECK(sparkline({0.0, 0.01, 0.13, 0.5, 0.99, 1.0, 1.7, -1.0, std::nan("")}) == " ▁▂▅███  ");
    CHECK(sparkline({}).empty());
}

TEST_CASE("hashes are shortened, other names are not") {
    CHECK(short_revision(std::string(40, 'a')) == "aaaaaaaaaaaa");
    CHECK(short_revision(std::string(40, 'a') + "-dirty") == "aaaaaaaaaaaa-dirty");
    CHECK(short_revision("v1.2-a-rather-long-name-of-a-release-that") ==
          "v1.2-a-rather-long-name-of-a-release-that");
    CHECK(short_revision("odd\nname") == "odd name");
}

TEST_CASE("bisections as text and JSON, whatever their end") {
    std::string text = bisect_plan(bisected(BisectEnd::found)) + "\n" + bisect_progress(4, 2) + "\n" +
                       bisect_progress(1, 1) + "\n";
    for (const BisectStep& step : bisected(BisectEnd::found).steps) text += bisect_step_text(step) + "\n";
    SchemaCheck schema("configs/schema");
    for (const BisectReport& report : bisections()) {
        text += "\n----\n" + bisect_text(report);
        CHECK(schema.faults(to_json(report), "track-bisect.schema.json").empty());
    }
    check_golden("track/bisect.txt", text);
    check_golden("track/bisect.json", json_text(to_json(bisected(BisectEnd::found))));
    Json wrong = to_json(bisected(BisectEnd::found));
    wrong["end"] = "fine";
    CHECK_FALSE(schema.faults(wrong, "track-bisect.schema.json").empty());
}

TEST_CASE("only what is proven not to be slower is called so") {
    CHECK_FALSE(end_before(Verdict::regressed));
    CHECK(end_before(Verdict::unchanged) == BisectEnd::not_regressed);
    CHECK(end_before(Verdict::improved) == BisectEnd::not_regressed);
    CHECK(end_before(Verdict::inconclusive) == BisectEnd::not_measured);
    CHECK(end_before(Verdict::invalid) == BisectEnd::not_measured);
}

TEST_CASE("the status of a bisection") {
    const std::pair<BisectEnd, int> expected[] = {
        {BisectEnd::found, 0},         {BisectEnd::unconfirmed, 1},  {BisectEnd::range, 1},
        {BisectEnd::not_regressed, 1}, {BisectEnd::not_measured, 3}, {BisectEnd::interrupted, 130}};
    for (const auto& [end, status] : expected) CHECK(exit_status(bisected(end)) == status);
}
