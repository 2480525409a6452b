// The night's work of docs/ci, as a CI runs it: the first night, an unchanged one, a loss, and its
// acceptance.
#include <cstdlib>
#include <fstream>

#include "tests/support/scratch_repository.h"
#include "tests/support/session.h"
#include "tuner/formats/result_json.h"
#include "tuner/measure/comparison.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

namespace fs = std::filesystem;

std::string text_of(const std::string& path) {
    std::ifstream stream(path);
    std::ostringstream text;
    text << stream.rdbuf();
    return text.str();
}

struct Nights {
    Nights() {
        // Ceilings that nothing here reaches: a time beyond the roof would be no regression but INVALID.
        Machine fast = toy::machine();
        for (Ceiling& c : fast.ceilings) {
            c.max *= 100.0;
            c.p95 *= 100.0;
            c.median *= 100.0;
        }
        write_machine_file(session.machine(), fast);
        std::ofstream(job) << R"({"schema": "rooftune/job/1", "problems": [)"
                           << R"({"family": "fault", "problem": {"n": "200000"}}]})";
        // The program, on the machine of the tests and on one thread, for the commands that measure.
        std::ofstream(wrapper) << "#!/bin/sh\n"
                               << "case \"$1 ${2:-}\" in\n"
                               << "report*|'track report') exec '" << program() << "' \"$@\" ;;\n"
                               << "*) exec '" << program() << "' \"$@\" --machine '" << session.machine()
                               << "' --threads 1 ;;\nesac\n";
        fs::permissions(wrapper, fs::perms::owner_all);
    }

    Finished night(const std::string& only, const std::string& more = "") const {
        return test::run({"/usr/bin/env", "ROOFTUNE=" + wrapper, "REVISION=abc", "ACCEPT=" + more,
                          "VERIFY_FLAGS=--quick", "COMPARE_FLAGS=--delta 0.3",
                          "TUNE_FLAGS=--budget 5s,12 --audit 0 --fresh --only " + only, "sh",
                          "docs/ci/nightly.sh", job, state});
    }

    /// The one tuned config of the baseline that is no set.
    std::string baseline_file() const {
        for (const auto& entry : fs::directory_iterator(state + "/baseline"))
            if (entry.path().extension() == ".json" && entry.path().stem() != "kernels") return entry.path();
        FAIL("the baseline has no config");
        return "";
    }
    std::string baseline() const { return text_of(baseline_file()); }
    void put_baseline(const std::string& text) const { std::ofstream(baseline_file()) << text; }

    Session session;
    std::string job = session.folder / "kernels.json";
    std::string state = session.folder / "state";
    std::string wrapper = session.folder / "rooftune";
};

/// Whether the machine was too busy to compare anything; said where it was.
bool too_busy(const Nights& n) {
    const bool invalid = text_of(n.state + "/tonight/compare.md").find("INVALID") != std::string::npos;
    if (invalid) WARN("the machine is too busy for a comparison: the rest of this case is skipped");
    return invalid;
}

}  // namespace

TEST_CASE("a night: the first makes the baseline, a loss fails and leaves it, and can be accepted") {
    const Nights n;
    const Finished first = n.night("behaviour=good");
    INFO(first.out << first.error);
    REQUIRE(first.status == 0);
    CHECK_THAT(first.out, Catch::Contains("winner now"));
    CHECK_FALSE(fs::exists(n.state + "/tonight/compare.md"));
    CHECK(fs::file_size(n.state + "/tonight/history.md") > 50);
    CHECK(fs::file_size(n.state + "/tonight/report.html") > 10'000);
    const std::string baseline = n.baseline();
    REQUIRE(baseline.size() > 500);

    // Work five times over: no noise hides that.
    const Finished lost = n.night("level=5|9");
    INFO(lost.out << lost.error);
    if (too_busy(n)) return;
    CHECK(lost.status == 1);
    CHECK_THAT(text_of(n.state + "/tonight/compare.md"), Catch::Contains("REGRESSED"));
    CHECK_THAT(lost.out, Catch::Contains("tonight against the baseline: status 1"));
    CHECK(n.baseline() == baseline);

    const Finished accepted = n.night("level=5|9", "1");
    if (too_busy(n)) return;
    CHECK(accepted.status == 1);
    CHECK(n.baseline() != baseline);

    // From there the old winner is an improvement, which becomes the baseline by itself.
    const Finished better = n.night("behaviour=good");
    INFO(better.out << better.error);
    if (too_busy(n)) return;
    CHECK_THAT(text_of(n.state + "/tonight/compare.md"), Catch::Contains("IMPROVED"));
    CHECK_THAT(better.out, Catch::Contains("winner now"));
}

TEST_CASE(
    "a night: a baseline of another compiler is stale, which is no loss, and gives way to tonight's "
    "winners") {
    const Nights n;
    REQUIRE(n.night("behaviour=good").status == 0);
    std::string config = n.baseline();
    const auto key = config.find("\"compiler\": \"");
    REQUIRE(key != std::string::npos);
    config.insert(key + 13, "another ");
    n.put_baseline(config);
    const Finished f = n.night("behaviour=good");
    INFO(f.out << f.error);
    CHECK_THAT(f.out, Catch::Contains("the baseline is stale"));
    CHECK_THAT(text_of(n.state + "/tonight/verify.txt"), Catch::Contains("STALE"));
    // A machine that is busy may leave the comparison without an answer: then the baseline stays.
    REQUIRE((f.status == 0 || f.status == 3));
    const std::string told = text_of(n.state + "/tonight/compare.md");
    const bool proven =
        told.find("1 UNCHANGED") != std::string::npos || told.find("1 IMPROVED") != std::string::npos;
    CHECK((n.baseline() != config) == proven);
}

namespace {

/// A night whose parts say what a test plants, with the JSON as `compare` writes it.
struct PlantedNight {
    PlantedNight() {
        for (const std::string& place : {state + "/baseline", state + "/results", plan + "/tuned"})
            fs::create_directories(place);
        std::ofstream(wrapper) << "#!/bin/sh\nprintf '%s\\n' \"$@\" >>'" << plan << "/words'\ncase $1 in\n"
                               << "tune) cp -r '" << plan << "/tuned' \"$7\" ;;\n"
                               << "verify) cat '" << plan << "/verify.txt'; exit 1 ;;\n"
                               << "compare) cat '" << plan << "/compare.json' ;;\nesac\n";
        fs::permissions(wrapper, fs::perms::owner_all);
    }

    static void write_config(const std::string& path, const std::string& problem, const std::string& from) {
        const nlohmann::ordered_json config = {{"schema", "rooftune/tuned-config/3"},
                                               {"created", from},
                                               {"family", "fault"},
                                               {"digest", problem},
                                               {"backend", "cpu"},
                                               {"state", "warm"}};
        std::ofstream(path) << config.dump(2) << "\n";
        std::ofstream(fs::path(path).replace_extension(".h")) << from;
    }

    /// A problem that both have; their files' names may differ, since they tell the search.
    void plant(const std::string& problem, track::Verdict verdict, bool stale = false) {
        track::Comparison c;
        c.kernel = problem;
        c.base = state + "/baseline/" + problem + "_1.json";
        c.candidate = state + "/tonight/tuned/" + problem + "_2.json";
        c.judgement.verdict = verdict;
        c.judgement.reason = "\"verdict\": \"IMPROVED\",";
        report.comparisons.push_back(c);
        write_config(c.base, problem, "before");
        write_config(plan + "/tuned/" + problem + "_2.json", problem, "tonight");
        verified += (stale ? "STALE  " : "VALID  ") + problem + " (" + c.base + ")\n";
    }

    Finished run(const std::string& accept = "") const {
        std::ofstream(plan + "/verify.txt") << verified;
        std::ofstream(plan + "/compare.json") << json_text(track::to_json(report));
        return test::run({"/usr/bin/env", "ROOFTUNE=" + wrapper, "REVISION=abc", "ACCEPT=" + accept, "sh",
                          "docs/ci/nightly.sh", "kernels.json", state + "/../the state//"});
    }

    /// Whose config a problem's baseline is: "before", "tonight", both, or nothing.
    std::string whose(const std::string& problem) const {
        std::string found;
        for (const auto& [suffix, from] : {std::pair{"_1", "before"}, std::pair{"_2", "tonight"}}) {
            const std::string path = state + "/baseline/" + problem + suffix;
            const std::string text = text_of(path + ".json");
            if (text.empty()) continue;
            found += from;
            CHECK_THAT(text, Catch::Contains(from));
            CHECK(text_of(path + ".h") == from);
        }
        return found;
    }

    TemporaryFolder folder;
    std::string state = folder / "the state", plan = folder / "plan", wrapper = folder / "rooftune";
    track::CompareReport report;
    std::string verified;
};

}  // namespace

TEST_CASE("a night: each problem's baseline moves by itself, and what is not proven stays") {
    PlantedNight n;
    n.plant("improved", track::Verdict::improved);
    n.plant("unchanged", track::Verdict::unchanged);
    n.plant("inconclusive", track::Verdict::inconclusive);
    n.plant("invalid", track::Verdict::invalid);
    n.plant("regressed", track::Verdict::regressed);
    n.plant("stale", track::Verdict::unchanged, true);
    n.plant("stale-noisy", track::Verdict::inconclusive, true);
    n.write_config(n.state + "/baseline/absent_1.json", "absent", "before");
    n.write_config(n.plan + "/tuned/added_2.json", "added", "tonight");
    std::ofstream(n.plan + "/tuned/kernels.json") << "{\n  \"schema\": \"rooftune/tuned-set/1\"\n}\n";
    n.report.only_base = {track::KernelName{"absent"}};
    n.report.only_candidate = {track::KernelName{"added"}};
    const Finished f = n.run();
    INFO(f.out << f.error);
    CHECK(f.error.empty());
    // What the parts say names files as they were given, and is compared.
    CHECK_THAT(text_of(n.plan + "/words"), Catch::Contains("\n" + n.state + "/baseline\n") &&
                                               !Catch::Contains("..") && !Catch::Contains("//"));
    for (const char* moved : {"improved", "stale", "added"}) {
        CHECK(n.whose(moved) == "tonight");
        CHECK_THAT(f.out, Catch::Contains("tonight's winner now: " + std::string(moved) + "_2"));
    }
    for (const char* kept : {"unchanged", "inconclusive", "invalid", "regressed", "stale-noisy", "absent"})
        CHECK(n.whose(kept) == "before");
    CHECK_FALSE(fs::exists(n.state + "/baseline/kernels.json"));
    // All that was tuned tonight, on demand; what was not tuned is not lost.
    CHECK(n.run("1").error.empty());
    for (const char* moved : {"improved", "unchanged", "invalid", "regressed", "added"})
        CHECK(n.whose(moved) == "tonight");
    CHECK(n.whose("absent") == "before");
}

TEST_CASE("a night: one that was killed while it changed the baseline has not lost it") {
    PlantedNight n;
    n.plant("unchanged", track::Verdict::unchanged);
    fs::rename(n.state + "/baseline", n.state + "/baseline.old");
    fs::create_directories(n.state + "/baseline.new");
    const Finished f = n.run();
    INFO(f.out << f.error);
    CHECK(n.whose("unchanged") == "before");
    CHECK_FALSE(fs::exists(n.state + "/baseline.old"));
    CHECK_FALSE(fs::exists(n.state + "/baseline.new"));
}

TEST_CASE("a night: bad usage and a job that is none end it before anything is measured") {
    const Nights n;
    CHECK(test::run({"/bin/sh", "docs/ci/nightly.sh"}).status == 2);
    std::ofstream(n.job) << "{}";
    const Finished f = n.night("behaviour=good");
    CHECK(f.status == 2);
    CHECK_FALSE(fs::exists(n.state + "/baseline"));
}

TEST_CASE("the workflow builds the commit before and this one, run after run in one checkout") {
    if (!has_git()) return;
    const ScratchRepository repository;
    repository.commit({{"a", "1"}}, "Before");
    repository.commit({{"a", "2"}}, "This one");
    // The lines of the step, as the workflow has them.
    std::string step;
    bool within = false;
    std::istringstream lines(text_of("docs/ci/nightly.yml"));
    for (std::string line; std::getline(lines, line);) {
        if (line.find("- name: ") != std::string::npos) within = line.find("Build both") != std::string::npos;
        if (within && line.starts_with("          ")) step += line + "\n";
    }
    REQUIRE_THAT(step, Catch::Contains("git worktree add"));
    const TemporaryFolder tools, temporary;
    std::ofstream(tools / "make") << "#!/bin/sh\n[ \"$1\" = -C ] && cd \"$2\"\ncat a\n";
    fs::permissions(tools / "make", fs::perms::owner_all);
    std::ofstream(tools / "step") << "set -e\ncd '" << repository.path() << "'\n" << step;
    // A runner empties its temporary folder between the runs, or is killed before it does.
    for (const bool emptied : {false, true, false}) {
        const Finished f = test::run({"/usr/bin/env", "PATH=" + tools.path() + ":" + std::getenv("PATH"),
                                      "RUNNER_TEMP=" + temporary.path(), "sh", tools / "step"});
        INFO(f.error);
        CHECK(f.status == 0);
        CHECK(f.out == "12");
        if (emptied) fs::remove_all(temporary / "before");
    }
}
