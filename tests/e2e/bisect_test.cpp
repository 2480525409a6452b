// `rooftune track bisect` from outside: bisections of small repositories whose programs tell planted times.
#include <signal.h>

#include <fstream>

#include "tests/support/schema_check.h"
#include "tests/support/scratch_repository.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

json document(const Finished& f, const std::string& schema) {
    INFO(f.error << f.out);
    const Json parsed = Json::parse(f.out);
    for (const std::string& fault : SchemaCheck("configs/schema").faults(parsed, schema)) FAIL_CHECK(fault);
    return json::parse(f.out);
}

// A repository whose build makes a program that prints what the file `speed` says.
struct Bisected {
    explicit Bisected(const std::string& body = "echo $(cat speed)") {
        repository.commit({{"build.sh",
                            "test -f broken && { echo no such header >&2; exit 1; }\n"
                            "test -f silent && exit 0\n"
                            "printf '#!/bin/sh\\n" +
                                body + "\\n' >bench\nchmod +x bench\n"},
                           {"speed", "1.000"},
                           {".gitignore", "bench\n"}},
                          "Start");
    }
    std::string speed(const std::string& value, const std::string& title) const {
        return repository.commit({{"speed", value}}, title);
    }
    // Commits that do not build, and then one that does again.
    void broken(int n) const {
        repository.commit({{"broken", "x"}}, "Breaks the build");
        for (int i = 1; i < n; ++i) repository.commit({}, "Still broken");
    }
    void mended() const { repository.git({"rm", "-q", "broken"}); }

    ScratchRepository repository;
};

// How a bisection is asked for; what a test does not change is a quick and certain way.
struct Asked {
    std::vector<std::string> flags = {"--reads-time", "--control", "none", "--delta", "0.03"};
    std::vector<std::string> build = {"sh", "build.sh"};
    std::string program = "bench";
    std::string repository{};
};

Finished bisect(const Session& s, const Bisected& bench, const std::string& good, const std::string& bad,
                const Asked& asked = {}) {
    std::vector<std::string> words = {program(), "track",  "bisect",    good,
                                      bad,       "--json", "--results", s.results()};
    const std::string folder = asked.repository.empty() ? bench.repository.path() : asked.repository;
    words.insert(words.end(), {"--repo", folder, "--program", asked.program});
    words.insert(words.end(), asked.flags.begin(), asked.flags.end());
    words.push_back("--");
    words.insert(words.end(), asked.build.begin(), asked.build.end());
    return run(words);
}

// Working trees go to a folder of the session, which shows what is left behind.
void keep_trees_in(const Session& s) {
    fs::create_directories(s.folder / "trees");
    setenv("TMPDIR", (s.folder / "trees").c_str(), 1);
}

void check_nothing_left(const Session& s, const Bisected& bench) {
    unsetenv("TMPDIR");
    CHECK(fs::is_empty(s.folder / "trees"));
    CHECK(bench.repository.git({"worktree", "list"}).find('\n') == std::string::npos);
    CHECK_FALSE(fs::exists(bench.repository.path() + "/bench"));
}

}  // namespace

TEST_CASE(
    "a bisection names the commit; commits that do not build are skipped; the checkout is not touched") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    const std::string good = bench.repository.git({"rev-parse", "HEAD"});
    for (int i = 0; i < 3; ++i) bench.repository.commit({}, "Harmless");
    bench.broken(2);
    bench.mended();
    bench.repository.commit({}, "Mends the build");
    const std::string culprit = bench.speed("2.000", "Copies the row first");
    bench.repository.commit({}, "Harmless again");
    bench.speed("2.010", "A little on top");
    bench.repository.write("speed", "mine");
    keep_trees_in(s);
    const Finished f = bisect(s, bench, good, "HEAD");
    check_nothing_left(s, bench);
    INFO(f.error);
    CHECK(f.status == 0);
    const json d = document(f, "track-bisect.schema.json");
    CHECK(d.at("end") == "found");
    CHECK(d.at("first_bad").at("hash") == culprit);
    CHECK(d.at("first_bad").at("author") == "Some Body");
    CHECK(d.at("first_bad").at("title") == "Copies the row first");
    CHECK(d.at("against_parent").at("verdict") == "REGRESSED");
    CHECK(d.at("against_parent").at("ratio").get<double>() == Approx(2.0));
    CHECK(d.at("commits") == 9);
    CHECK(contents(bench.repository.path() + "/speed") == "mine");
    CHECK_THAT(f.told(), Contains("commits left, about"));
    // The same from nothing each time, in words.
    keep_trees_in(s);
    std::vector<std::string> words = {
        program(),   "track", "bisect",    good,        "HEAD",    "--repo",  bench.repository.path(),
        "--program", "bench", "--results", s.results(), "--quiet", "--clean", "--reads-time",
        "--control", "none",  "--",        "sh",        "build.sh"};
    const Finished text = run(words);
    check_nothing_left(s, bench);
    CHECK(text.status == 0);
    CHECK_THAT(text.out, Contains("The first slower commit:") && Contains(culprit) &&
                             Contains("Copies the row first") && Contains("+100.0 %"));
    CHECK(text.error.empty());
}

TEST_CASE("where skipped commits hide it, a bisection says which are left: status 1") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.broken(2);
    const std::string hidden = bench.repository.commit({{"speed", "2.000"}}, "Slow, and broken");
    bench.mended();
    const std::string last = bench.repository.commit({}, "Mends the build");
    bench.repository.commit({}, "Harmless");
    keep_trees_in(s);
    const Finished f = bisect(s, bench, "HEAD~5", "HEAD");
    check_nothing_left(s, bench);
    CHECK(f.status == 1);
    const json d = document(f, "track-bisect.schema.json");
    CHECK(d.at("end") == "range");
    REQUIRE(d.at("candidates").size() == 4);
    CHECK(d.at("candidates").at(2).at("hash") == hidden);
    CHECK(d.at("candidates").at(3).at("hash") == last);
    CHECK(d.at("first_bad").is_null());
    CHECK_THAT(f.out, Contains("no such header"));
}

TEST_CASE("a program that is missing in a commit skips it; one commit alone is found") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.repository.commit({{"silent", "x"}}, "Builds nothing");
    bench.repository.git({"rm", "-q", "silent"});
    const std::string culprit = bench.speed("3.000", "Slow");
    const json d =
        document(bisect(s, bench, "HEAD~2", "HEAD",
                        {.flags = {"--clean", "--reads-time", "--control", "none", "--delta", "0.03"}}),
                 "track-bisect.schema.json");
    CHECK(d.at("end") == "range");
    CHECK(d.at("candidates").size() == 2);
    const std::string slower = bench.speed("6.000", "Slower");
    const json one = document(bisect(s, bench, culprit, slower), "track-bisect.schema.json");
    CHECK(one.at("end") == "found");
    CHECK(one.at("first_bad").at("hash") == slower);
    CHECK(one.at("steps").size() == 1);
}

TEST_CASE("several small steps: the first beyond the threshold is named, and not confirmed") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    for (int i = 1; i <= 4; ++i) bench.speed("1.0" + std::to_string(2 * i) + "0", "A little slower");
    const Finished f = bisect(s, bench, "HEAD~4", "HEAD");
    CHECK(f.status == 1);
    const json d = document(f, "track-bisect.schema.json");
    CHECK(d.at("end") == "unconfirmed");
    CHECK(d.at("against_parent").at("verdict") == "UNCHANGED");
}

TEST_CASE("a bisection of whole programs that take twice as long") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench("sleep $(cat speed)");
    bench.speed("0.04", "Start of the row");
    bench.repository.commit({}, "Harmless");
    const std::string culprit = bench.speed("0.12", "Sleeps longer");
    bench.repository.commit({}, "Harmless");
    const Finished f = bisect(s, bench, "HEAD~3", "HEAD", {.flags = {"--control", "none", "--delta", "0.3"}});
    INFO(f.error);
    CHECK(f.status == 0);
    CHECK(document(f, "track-bisect.schema.json").at("first_bad").at("hash") == culprit);
}

TEST_CASE("where BAD is not slower there is nothing to find: status 1; where it cannot be told, status 3") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.speed("0.500", "Faster");
    const Finished f = bisect(s, bench, "HEAD~1", "HEAD");
    CHECK(f.status == 1);
    CHECK(document(f, "track-bisect.schema.json").at("end") == "not regressed");
    bench.speed("0.515", "At the threshold");
    const Finished open = bisect(s, bench, "HEAD~1", "HEAD");
    CHECK(open.status == 3);
    CHECK(document(open, "track-bisect.schema.json").at("end") == "not measured");
    bench.speed("-1", "Impossible");
    const Finished impossible = bisect(s, bench, "HEAD~1", "HEAD");
    CHECK(impossible.status == 3);
    CHECK(document(impossible, "track-bisect.schema.json").at("end") == "not measured");
}

TEST_CASE("what cannot be bisected is refused: status 2, what and what to do") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.repository.git({"checkout", "-q", "-b", "aside"});
    bench.repository.commit({{"b", "1"}}, "Aside");
    bench.repository.git({"checkout", "-q", "main"});
    bench.repository.commit({}, "Ours");
    bench.repository.git({"merge", "-q", "--no-ff", "-m", "Merge", "aside"});
    bench.speed("2.000", "Slow");
    const auto refused = [&](const Finished& f, const std::string& part) {
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains(part));
    };
    refused(bisect(s, bench, "no-such", "HEAD"), "GOOD 'no-such'");
    refused(bisect(s, bench, "HEAD~1", "HEAD~9"), "BAD 'HEAD~9'");
    refused(bisect(s, bench, "HEAD", "HEAD"), "same commit");
    refused(bisect(s, bench, "HEAD", "HEAD~1"), "no ancestor");
    refused(bisect(s, bench, "aside", "HEAD"), "line of first parents");
    refused(bisect(s, bench, "HEAD~1", "HEAD", {.build = {"sh", "none.sh"}}), "cannot be built");
    refused(bisect(s, bench, "HEAD~1", "HEAD", {.build = {"no-such-compiler"}}), "cannot be built");
    refused(bisect(s, bench, "HEAD~1", "HEAD", {.program = "no-such-bench"}), "no-such-bench");
    refused(bisect(s, bench, "HEAD~1", "HEAD", {.repository = s.folder.path()}), "no checkout");
    refused(bisect(s, bench, "HEAD~1", "HEAD", {.build = {}}), "build");
    refused(bisect(s, bench, "HEAD~1", "HEAD", {.program = "a | b"}), "means something to a shell");
    CHECK(bench.repository.git({"worktree", "list"}).find('\n') == std::string::npos);
}

TEST_CASE(
    "Ctrl-C or a closed terminal during a build: status 130, what was known, and no working tree left") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.repository.commit({}, "Harmless");
    bench.speed("2.000", "Slow");
    const std::string mark = s.folder / "building";
    // What is started ends by one of these signals, each sent so many times.
    const auto ended_by = [&](const std::string& prefix, const std::vector<int>& signals) {
        std::filesystem::remove(mark);
        const TemporaryFolder output;
        keep_trees_in(s);
        const pid_t pid = start({"/bin/sh",
                                 "-c",
                                 prefix + "exec \"$@\"",
                                 "sh",
                                 program(),
                                 "track",
                                 "bisect",
                                 "HEAD~2",
                                 "HEAD",
                                 "--repo",
                                 bench.repository.path(),
                                 "--program",
                                 "bench",
                                 "--results",
                                 s.results(),
                                 "--json",
                                 "--",
                                 "sh",
                                 "-c",
                                 "touch '" + mark + "'; sleep 1000"},
                                output);
        for (int i = 0; i < 600 && !fs::exists(mark); ++i)
            std::this_thread::sleep_for(std::chrono::milliseconds(50));
        for (const int signal : signals) {
            kill(pid, signal);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
        const Finished f = finish(pid, output);
        check_nothing_left(s, bench);
        CHECK(f.status == 130);
        CHECK(document(f, "track-bisect.schema.json").at("end") == "interrupted");
    };
    ended_by("", {SIGINT});
    ended_by("", {SIGTERM});
    // The shell and the kernel send one each.
    ended_by("", {SIGHUP, SIGHUP});
    // Under nohup it is ignored, and Ctrl-C is the first.
    ended_by("trap '' HUP; ", {SIGHUP, SIGHUP, SIGINT});
}

TEST_CASE("builds run on all processors, whatever the programs are kept on") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.repository.commit({}, "Harmless");
    bench.speed("2.000", "Slow");
    const std::string seen = s.folder / "seen";
    Asked asked;
    asked.flags.insert(asked.flags.end(), {"--threads", "1"});
    asked.build = {"sh", "-c", "grep Cpus_allowed_list /proc/self/status >>'" + seen + "'; sh build.sh"};
    CHECK(bisect(s, bench, "HEAD~2", "HEAD", asked).status == 0);
    std::ifstream lines(seen);
    std::string all, line;
    REQUIRE(std::getline(lines, all));
    int builds = 1;
    for (; std::getline(lines, line); ++builds) CHECK(line == all);
    CHECK(builds >= 3);
}

TEST_CASE("a build beyond its limit is told as that, with the flag that raises it") {
    if (!has_git()) return;
    const Session s;
    const Bisected bench;
    bench.speed("2.000", "Slow");
    const Finished f =
        bisect(s, bench, "HEAD~1", "HEAD", {.flags = {"--build-limit", "0.2"}, .build = {"sleep", "1000"}});
    CHECK(f.status == 2);
    CHECK_THAT(f.told(), Contains("cannot be built: killed after 0.2 s, its time limit (--build-limit)"));
}
