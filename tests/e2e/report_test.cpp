// `rooftune report` through the program: what it writes and what it refuses; and the page in a real browser.
#include <fstream>

#include "tests/support/browser.h"
#include "tests/support/catch.h"
#include "tests/support/session.h"
#include "tests/unit/ladder/ladder_fixtures.h"
#include "tests/unit/report/convergence_fixtures.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"
#include "tuner/ladder/json.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Finished report(const TemporaryFolder& folder, std::vector<std::string> words) {
    words.insert(words.begin(), {program(), "report"});
    words.insert(words.end(), {"--results", folder / "results"});
    return run(words);
}

std::string printed(const TemporaryFolder& folder, const std::string& name,
                    const std::vector<TuneResult>& results) {
    std::ofstream(folder / name) << json_text(to_json(results));
    return folder / name;
}

/// Two element types of one matrix; the title would be a script if it were not a text.
std::string two_results(const TemporaryFolder& folder) {
    return printed(folder, "two.json", {with_convergence(spmv_result()), f32_result()});
}

constexpr const char* kTitle = "<script>window.planted = true</script> & friends";

/// The report of two results as a file of the folder, its driver in it.
void write_driven_page(const TemporaryFolder& folder) {
    const Finished f =
        report(folder, {two_results(folder), "--title", kTitle, "--html", folder / "report.html"});
    REQUIRE(f.status == 0);
    std::ofstream(folder / "driven.html")
        << with_driver(contents(folder / "report.html"), contents("tests/e2e/report_driver.js"));
}

void check_verdicts(const Visit& visit) {
    for (const std::string& line : visit.console) FAIL_CHECK(line);
    REQUIRE(visit.verdicts.size() > 30);
    for (const std::string& line : visit.verdicts) {
        if (!line.starts_with("ok ")) FAIL_CHECK(line);
    }
}

}  // namespace

TEST_CASE("report: Markdown on standard output, files where they are asked for") {
    const TemporaryFolder folder;
    const std::string results = two_results(folder);
    const Finished words = report(folder, {results});
    INFO(words.error);
    CHECK(words.status == 0);
    CHECK_THAT(words.out, Contains("# Tuning report: 2 problems\n"));
    const Finished both =
        report(folder, {results, "--html", folder / "r.html", "--markdown", folder / "r.md"});
    CHECK(both.status == 0);
    CHECK(both.out.empty());
    CHECK_THAT(both.told(), Contains("wrote " + folder / "r.html") && Contains("wrote " + folder / "r.md"));
    CHECK(contents(folder / "r.md") == words.out);
    CHECK_THAT(contents(folder / "r.html"), Contains("<h1>Tuning report: 2 problems</h1>"));
}

TEST_CASE("report: a tuned set stands for its configs, and a machine's file is found by its fingerprint") {
    const TemporaryFolder folder;
    const TuneResult r = with_convergence(spmv_result());
    write_tuned_config(folder / "ship.json", tuned_config_of(r, "g++ 12", "b41ld"));
    TunedSet set;
    set.complete = true;
    TunedGroup group;
    group.family = r.family;
    group.dtype = r.dtype;
    group.state = r.state;
    TunedProblem problem;
    problem.best = r.best;
    problem.config = "ship.json";
    group.problems = {problem};
    set.groups = {group};
    write_tuned_set(folder / "set.json", set);
    const Finished without = report(folder, {folder / "set.json"});
    INFO(without.error);
    CHECK(without.status == 0);
    CHECK_THAT(without.out, Contains("| build of the kernels ") && Contains("its file is not at hand"));
    Machine machine = toy::machine();
    machine.id = r.machine_id;
    std::filesystem::create_directories(folder / "results/machines");
    write_machine_file(folder / "results/machines/" + r.machine_id + ".json", machine);
    const Finished with = report(folder, {folder / "set.json"});
    CHECK(with.status == 0);
    CHECK_THAT(with.out, Contains("95th percentile") && !Contains("not at hand"));
    const Finished other = report(folder, {folder / "set.json", "--machine", "h100-sxm"});
    CHECK(other.status == 0);
    CHECK_THAT(other.out, Contains("The roofs in the plot are those of another machine"));
}

TEST_CASE("report: a results folder stands for its newest configs, with their ladders, beside files") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "results/tuned");
    const auto write = [&](const std::string& name, TuneResult r, const std::string& created) {
        TunedConfig config = tuned_config_of(r, "g++ 12", "b41ld");
        config.created = created;
        write_tuned_config(folder / ("results/tuned/" + name), config);
    };
    TuneResult old = spmv_result();
    old.title = "the one before";
    write("ship.json", spmv_result(), "2026-03-01T00:00:00Z");
    write("ship_before.json", old, "2026-01-01T00:00:00Z");
    const ladder::Result ladder = made_up_ladder();
    std::ofstream(folder / "results/tuned/ship.ladder.json") << json_text(ladder::to_json(ladder));
    const Finished one = report(folder, {folder / "results"});
    INFO(one.error);
    CHECK(one.status == 0);
    CHECK(one.error.empty());
    CHECK_THAT(one.out, Contains(spmv_result().title) && Contains(ladder.subject.title) &&
                            !Contains("the one before"));
    // What cannot be read is told, and the rest is reported, with what is named beside.
    std::ofstream(folder / "results/tuned/torn.json") << "{";
    const Finished both = report(folder, {folder / "results/tuned", two_results(folder)});
    CHECK(both.status == 0);
    CHECK_THAT(both.told(), Contains("rooftune: ") && Contains("torn.json") && Contains("it is left out"));
    CHECK_THAT(both.out, Contains("# Tuning report: 3 problems\n"));
    CHECK_THAT(both.out, !Contains("the one before"));
}

TEST_CASE("report: what it refuses, and what to do") {
    const TemporaryFolder folder;
    const std::string results = two_results(folder);
    const auto refused = [&](const std::vector<std::string>& words, int status, const std::string& part) {
        const Finished f = report(folder, words);
        INFO(f.error);
        CHECK(f.status == status);
        CHECK(f.out.empty());
        CHECK_THAT(f.told(), Contains(part));
    };
    refused({}, 2, "paths");
    refused({folder / "none.json"}, 2, "none.json");
    refused({results, "--machine", "h100-sx"}, 2, "h100-sxm");
    refused({results, "--html", folder / "no/such/folder/r.html"}, 3, "no/such/folder");
    std::ofstream(folder / "torn.json") << contents(results).substr(0, 1000);
    refused({folder / "torn.json"}, 2, "torn.json");
    std::filesystem::create_directory(folder / "empty");
    refused({folder / "empty"}, 2, "there is no tuned config in this folder");
    // A folder that is there and cannot be listed, by root neither.
    std::filesystem::create_symlink("tuned", folder / "empty/tuned");
    refused({folder / "empty"}, 3, "empty/tuned: cannot be read: ");
    CHECK_FALSE(std::filesystem::exists(folder / "no"));
}

TEST_CASE("report: in a browser, at a desk", "[browser]") {
    if (chromium().empty()) {
        WARN("skipped: Chromium is not installed (package chromium)");
        return;
    }
    const TemporaryFolder folder;
    write_driven_page(folder);
    const Visit desk = visit(folder, "driven.html", "1280,900");
    check_verdicts(desk);
    CHECK_THAT(desk.dom, Contains("class=\"drawing wide\""));
}

TEST_CASE("report: in a browser, on a phone and in the dark", "[browser]") {
    if (chromium().empty()) {
        WARN("skipped: Chromium is not installed (package chromium)");
        return;
    }
    const TemporaryFolder folder;
    write_driven_page(folder);
    // A window is never narrower than 500 pixels, a frame may be.
    std::ofstream(folder / "phone.html")
        << "<!doctype html><body><iframe src=\"driven.html\" width=\"400\" height=\"800\"></iframe>"
           "<script>addEventListener('message', (e) => { const p = document.createElement('pre'); p.id = "
           "'verdict';"
           "p.textContent = e.data; document.body.append(p); });</script></body>";
    std::ofstream(folder / "driven.html", std::ios::app)
        << "<script>addEventListener('load', () => setTimeout(() => parent.postMessage("
           "document.getElementById('verdict').textContent, '*'), 2000));</script>\n";
    check_verdicts(visit(folder, "phone.html", "700,900", {"--blink-settings=preferredColorScheme=0"}));
}
