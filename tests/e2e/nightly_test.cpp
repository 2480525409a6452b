// The night's work of docs/ci, as a CI runs it: the first night, an unchanged one, a loss, and its
// acceptance.
#include <cstdlib>
#include <fstream>

#include "tests/support/session.h"

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
                          "TUNE_FLAGS=--budget 12 --audit 0 --fresh --only " + only, "sh",
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
    CHECK_THAT(first.out, Catch::Contains("baseline now"));
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
    CHECK_THAT(better.out, Catch::Contains("baseline now"));
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
    // A machine that is busy may leave the comparison INVALID: then the baseline stays.
    REQUIRE((f.status == 0 || f.status == 3));
    CHECK((n.baseline() == config) == (f.status == 3));
}

TEST_CASE("a night: bad usage and a job that is none end it before anything is measured") {
    const Nights n;
    CHECK(test::run({"/bin/sh", "docs/ci/nightly.sh"}).status == 2);
    std::ofstream(n.job) << "{}";
    const Finished f = n.night("behaviour=good");
    CHECK(f.status == 2);
    CHECK_FALSE(fs::exists(n.state + "/baseline"));
}
