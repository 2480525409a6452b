// `rooftune compare` from outside: programs that are not there, fail, hang or print nothing; configs that do
// not belong together; formats and exit status. Which verdict real times get is never asserted.
#include <fstream>
#include <set>

#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

std::vector<std::string> programs(const Session& s, const std::string& a, const std::string& b,
                                  const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {program(), "compare", "--command-a", a,          "--command-b",
                                      b,         "--quiet", "--results",   s.results()};
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

// A script in the session's folder, as the command that runs it.
std::string script(const Session& s, const std::string& name, const std::string& text) {
    std::ofstream(s.folder / name) << text << "\n";
    return "/bin/sh " + s.folder / name;
}

json document(const Finished& f) {
    const json parsed = json::parse(f.out);
    const Json again = Json::parse(f.out);
    for (const std::string& fault : SchemaCheck("configs/schema").faults(again, "compare.schema.json"))
        FAIL_CHECK(fault);
    return parsed;
}

const std::set<std::string> kVerdicts = {"REGRESSED", "IMPROVED", "UNCHANGED", "INCONCLUSIVE", "INVALID"};

int status_of(const std::string& verdict) {
    return verdict == "REGRESSED" ? 1 : verdict == "INVALID" ? 3 : 0;
}

// Tunes the smallest problem and returns its config.
std::string tuned(const Session& s, const std::string& n) {
    const Finished f = s.run({"tune", "fault", "n=" + n + ",single=1", "--budget", "5s,20", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    return json::parse(f.out).at("files").at("config").get<std::string>();
}

}  // namespace

TEST_CASE("two programs: a verdict, the schema, the exit status, and a history of the machine's noise") {
    const Session s;
    const std::string command = script(s, "work", "exit 0");
    const Finished f = run(programs(s, command, command, {"--json", "--limit", "10"}));
    INFO(f.error);
    const json d = document(f);
    REQUIRE(d.at("verdicts").size() == 1);
    const json& v = d.at("verdicts").at(0);
    CHECK(kVerdicts.contains(v.at("verdict").get<std::string>()));
    CHECK(f.status == status_of(v.at("verdict")));
    CHECK(v.at("kernel") == command);
    CHECK(v.at("rounds").get<int>() >= 10);
    CHECK(v.at("head_room_lost").is_null());
    CHECK(v.at("base").at("seconds").get<double>() > 0.0);
    const std::string noise = s.results() + "/noise/" + d.at("machine").get<std::string>() + ".json";
    CHECK(json::parse(contents(noise)).at("comparisons").size() == 1);
}

TEST_CASE("programs that tell their own time, by numbers that are known: every verdict, and its status") {
    const Session s;
    const auto prints = [&](const char* name, const char* number) {
        return script(s, name, std::string("echo time ") + number + " s");
    };
    const std::string one = prints("one", "1.000000");
    const auto verdict = [&](const std::string& other, int status,
                             const std::vector<std::string>& more = {}) {
        std::vector<std::string> flags = {"--reads-time", "--json", "--limit",   "10",
                                          "--delta",      "0.03",   "--control", "none"};
        flags.insert(flags.end(), more.begin(), more.end());
        const Finished f = run(programs(s, one, other, flags));
        INFO(f.error << f.out);
        CHECK(f.status == status);
        const json d = document(f);
        return d.at("verdicts").at(0).at("verdict").get<std::string>();
    };
    CHECK(verdict(prints("slow", "1.100000"), 1) == "REGRESSED");
    CHECK(verdict(prints("fast", "0.900000"), 0) == "IMPROVED");
    CHECK(verdict(prints("same", "1.001000"), 0) == "UNCHANGED");
    CHECK(verdict(prints("edge", "1.030000"), 0) == "INCONCLUSIVE");
    CHECK(verdict(prints("strict", "1.030000"), 3, {"--strict"}) == "INCONCLUSIVE");
    CHECK(verdict(prints("zero", "0.0"), 3) == "INVALID");
    CHECK(verdict(prints("negative", "-1.0"), 3) == "INVALID");
    CHECK(verdict(prints("nan", "nan"), 3) == "INVALID");
}

TEST_CASE("a program that is not there, or prints no number, is bad input: status 2, and what to do") {
    const Session s;
    const std::string good = script(s, "good", "echo 1");
    const Finished missing = run(programs(s, good, "/no/such/program --flag"));
    CHECK(missing.status == 2);
    CHECK_THAT(missing.told(), Contains("--command-b '/no/such/program --flag'") &&
                                   Contains("No such file or directory") && Contains("PATH"));
    const std::string silent = script(s, "silent", "echo done");
    const Finished mute = run(programs(s, good, silent, {"--reads-time"}));
    CHECK(mute.status == 2);
    CHECK_THAT(mute.told(), Contains("--command-b") && Contains("printed no number"));
    CHECK(missing.out.empty());
}

TEST_CASE("a program that fails or hangs gives no time: INVALID, status 3, with the reason") {
    const Session s;
    const std::string good = script(s, "good", "exit 0");
    const auto reason = [&](const std::string& a, const std::string& b,
                            const std::vector<std::string>& more) {
        std::vector<std::string> flags = {"--json"};
        flags.insert(flags.end(), more.begin(), more.end());
        const Finished f = run(programs(s, a, b, flags));
        INFO(f.error << f.out);
        CHECK(f.status == 3);
        const json v = document(f).at("verdicts").at(0);
        CHECK(v.at("verdict") == "INVALID");
        CHECK(v.at("ratio").is_null());
        return v.at("reason").get<std::string>();
    };
    const std::string fails = script(s, "fails", "echo no licence >&2; exit 3");
    CHECK_THAT(reason(good, fails, {"--limit", "10"}),
               Contains("B gave no time: it ended with status 3") && Contains("no licence"));
    const std::string crashes = script(s, "crashes", "kill -SEGV $$");
    CHECK_THAT(reason(crashes, good, {"--limit", "10"}),
               Contains("A gave no time") && Contains("Segmentation fault"));
    const std::string hangs = script(s, "hangs", "sleep 1000");
    CHECK_THAT(reason(good, hangs, {"--limit", "0.5"}), Contains("B gave no time: killed after 0.5 s"));
    // One that fails only later, in the fourth of its runs.
    const std::string later = script(
        s, "later", "echo >>" + s.folder / "runs" + "; test $(wc -l <" + s.folder / "runs" + ") -lt 4");
    CHECK_THAT(reason(good, later, {"--limit", "10"}), Contains("B gave no time in round"));
}

TEST_CASE("what does not belong together is refused: status 2") {
    const Session s;
    const auto refused = [](const std::vector<std::string>& words, const std::string& part) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), {program(), "compare"});
        const Finished f = run(all);
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains(part));
    };
    refused({}, "BASE and NEW");
    refused({"one.json"}, "BASE and NEW");
    refused({"--command-a", "true"}, "belong together");
    refused({"a", "b", "--command-a", "true", "--command-b", "true"}, "one pair or the other");
    refused({"--command-a", "true | false", "--command-b", "true"}, "means something to a shell");
    refused({"--command-a", "true", "--command-b", "true", "--kernels", "x"}, "--kernels");
    refused({"a.json", "b.json", "--reads-time"}, "--reads-time");
    refused({"a.json", "b.json", "--json", "--format", "junit"}, "--file");
    refused({"a.json", "b.json", "--format", "html"}, "--format");
    refused({"a.json", "b.json", "--limit", "0"}, "--limit");
    refused({"a.json", "b.json", "--delta", "3"}, "--delta");
    refused({s.folder / "none.json", s.folder / "none.json"}, "none.json");
    refused({s.folder.path(), s.folder.path()}, "no tuned config in this folder");
}

TEST_CASE("a config against itself, and folders: a verdict for what both have, the rest is told") {
    const Session s;
    const std::string first = tuned(s, "1000");
    const Finished self = s.run({"compare", first, first, "--limit", "0.02", "--json", "--quiet"});
    INFO(self.error << self.out);
    const json d = document(self);
    REQUIRE(d.at("verdicts").size() == 1);
    const std::string verdict = d.at("verdicts").at(0).at("verdict");
    CHECK(kVerdicts.contains(verdict));
    CHECK(self.status == status_of(verdict));
    CHECK(d.at("verdicts").at(0).at("base").at("from") == first);

    const std::string second = tuned(s, "2000");
    const std::string other = s.folder / "other";
    std::filesystem::create_directories(other);
    std::filesystem::copy(second, other + "/" + std::filesystem::path(second).filename().string());
    const std::string file = s.folder / "report.xml";
    const Finished folders = s.run({"compare", s.results(), other, "--limit", "0.02", "--quiet", "--json",
                                    "--format", "junit", "--file", file});
    INFO(folders.error << folders.out);
    const json both = document(folders);
    REQUIRE(both.at("verdicts").size() == 1);
    CHECK(both.at("verdicts").at(0).at("kernel") == "fault 2000");
    CHECK(both.at("only_in_base") == json{"fault 1000"});
    CHECK(both.at("only_in_new").empty());
    CHECK_THAT(contents(file), Contains("<testsuite name=\"rooftune compare\" tests=\"1\"") &&
                                   Contains("Only in BASE, not compared: fault 1000"));
    const Finished none = s.run({"compare", s.results(), other, "--kernels", "no such"});
    CHECK(none.status == 2);
    CHECK_THAT(none.told(), Contains("no problem in common under --kernels"));
    const Finished foreign = s.run({"compare", first, second});
    CHECK(foreign.status == 2);
    CHECK_THAT(foreign.told(), Contains("no problem in common"));
}

TEST_CASE("a kernel whose device is not there is INVALID and leaves the others their verdicts") {
    const Session s;
    const std::string folder = s.folder / "both";
    std::filesystem::create_directories(folder);
    std::filesystem::copy(tuned(s, "1000"), folder + "/here.json");
    json config = json::parse(contents(tuned(s, "2000")));
    config["backend"] = config["result"]["backend"] = "opencl";
    config["device"] = config["result"]["device"] = "gone";
    std::ofstream(folder + "/gone.json") << config.dump();
    setenv("OCL_ICD_VENDORS", (s.folder / "no-vendors").c_str(), 1);
    const Finished f = s.run({"compare", folder, folder, "--limit", "0.02", "--json", "--quiet"});
    unsetenv("OCL_ICD_VENDORS");
    INFO(f.error << f.out);
    CHECK((f.status == 3 || f.status == 1));
    const json d = document(f);
    REQUIRE(d.at("verdicts").size() == 2);
    CHECK(d.at("verdicts").at(0).at("rounds").get<int>() > 0);
    CHECK(d.at("verdicts").at(1).at("verdict") == "INVALID");
    CHECK(d.at("verdicts").at(1).at("kernel") == "fault 2000");
}

TEST_CASE("a history of noise that cannot be read takes no verdict: with --delta nobody needs it") {
    const Session s;
    const std::string one = script(s, "one", "echo 1.000000");
    const std::vector<std::string> words = programs(
        s, one, one, {"--reads-time", "--control", "none", "--limit", "10", "--delta", "0.03", "--json"});
    const std::string noise =
        s.results() + "/noise/" + document(run(words)).at("machine").get<std::string>() + ".json";
    std::ofstream(noise) << "torn";
    std::vector<std::string> loud = words;
    std::erase(loud, "--quiet");
    const Finished f = run(loud);
    INFO(f.error);
    CHECK(f.status == 0);
    CHECK(document(f).at("verdicts").at(0).at("verdict") == "UNCHANGED");
    CHECK_THAT(f.told(), Contains("is not remembered") && Contains(noise));
    CHECK(contents(noise) == "torn");
}

TEST_CASE("a variant that answers wrongly, or takes longer than its limit, makes it INVALID") {
    const Session s;
    const std::string config = tuned(s, "1000");
    json edited = json::parse(contents(config));
    const auto written = [&](const char* name, const std::string& behaviour) {
        json copy = edited;
        copy["variant"]["behaviour"] = copy["result"]["best"]["variant"]["behaviour"] = behaviour;
        copy["variant"]["level"] = copy["result"]["best"]["variant"]["level"] = "1";
        // The space of one variant has no other.
        copy["problem"]["single"] = copy["result"]["problem"]["single"] = "0";
        copy["digest"] = copy["result"]["digest"] = "fault1000";
        const std::string path = s.folder / name;
        std::ofstream(path) << copy.dump();
        return path;
    };
    const std::string good = written("good.json", "good");
    for (const auto& [behaviour, reason] : {std::pair{"wrong", "wrong"}, {"crash", "crashed"}}) {
        const Finished f =
            s.run({"compare", good, written("bad.json", behaviour), "--limit", "0.02", "--json", "--quiet"});
        INFO(f.error << f.out);
        CHECK(f.status == 3);
        const json v = document(f).at("verdicts").at(0);
        CHECK(v.at("verdict") == "INVALID");
        CHECK_THAT(v.at("reason").get<std::string>(),
                   Contains("B gave no time in round 1") && Contains(reason));
    }
    const Finished slow = s.run({"compare", good, good, "--limit", "1e-9", "--json", "--quiet"});
    CHECK(slow.status == 3);
    CHECK_THAT(slow.out, Contains("longer than --limit"));
}

TEST_CASE(
    "a --file that cannot be written is found before anything is run, and one that can takes no output") {
    const Session s;
    const std::string one = script(s, "one", "echo >>" + s.folder / "runs" + "; echo 1.000000");
    const auto compared = [&](const std::string& file) {
        return run(programs(s, one, one,
                            {"--reads-time", "--control", "none", "--limit", "10", "--delta", "0.03",
                             "--file", s.folder / file}));
    };
    const Finished refused = compared("none/report.txt");
    CHECK(refused.status == 3);
    CHECK_THAT(refused.told(), Contains(s.folder / "none"));
    CHECK_FALSE(std::filesystem::exists(s.folder / "runs"));
    const Finished f = compared("report.txt");
    CHECK(f.status == 0);
    // A number of its own, and no time in seconds.
    CHECK_THAT(f.out, Contains("UNCHANGED") && Contains(", 1\n") && !Contains("1.00 s"));
    // Rounds that were disturbed make a line longer than the page, where the output breaks it.
    const auto letters = [](std::string text) {
        std::erase_if(text, [](char c) { return c == ' ' || c == '\n'; });
        return text;
    };
    CHECK(letters(contents(s.folder / "report.txt")) == letters(f.out));
}

TEST_CASE("Ctrl-C: status 130, the program that ran is gone, and files of before are as they were") {
    const Session s;
    const std::string slow = script(s, "slow", "echo $$ >" + s.folder / "pid" + "; sleep 1000");
    const TemporaryFolder outputs;
    const std::string svg = s.folder / "turns.svg", report = s.folder / "report.md";
    for (const std::string& file : {svg, report}) std::ofstream(file) << "of before";
    const pid_t pid = start(
        programs(s, slow, slow, {"--limit", "500", "--svg", svg, "--format", "markdown", "--file", report}),
        outputs);
    REQUIRE(pid > 0);
    std::string child;
    for (int i = 0; i < 400 && child.size() < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
        child = contents(s.folder / "pid");
    }
    REQUIRE(child.size() >= 2);
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    CHECK(f.status == 130);
    CHECK(kill(std::stoi(child), 0) != 0);
    // Nothing was compared: what was written before stays.
    CHECK(contents(svg) == "of before");
    CHECK(contents(report) == "of before");
}

TEST_CASE("Ctrl-C among the rounds: they are judged as they are, and what was not begun is said") {
    const Session s;
    const std::string quick = script(s, "quick", "echo >>" + s.folder / "turns" + "; sleep 0.02");
    const std::string report = s.folder / "report.txt";
    const TemporaryFolder outputs;
    const pid_t pid = start(programs(s, quick + " {n}", quick + " {n}",
                                     {"--parameter", "n=1,2,3", "--control", "none", "--json", "--format",
                                      "junit", "--file", report}),
                            outputs);
    REQUIRE(pid > 0);
    // Two trials, and three turns a round, of which ten rounds may be disturbed and taken again.
    for (int i = 0; i < 1200 && contents(s.folder / "turns").size() < 45; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    INFO(f.out << f.error);
    CHECK(f.status == 130);
    const Json answer = Json::parse(f.out);
    REQUIRE(answer.at("verdicts").size() == 1);
    const Json& cut = answer.at("verdicts").front();
    CHECK(cut.at("verdict") == "INCONCLUSIVE");
    CHECK(cut.at("stopped") == true);
    CHECK_THAT(cut.at("reason").get<std::string>(),
               Contains("stopped after") && Contains("are too few to judge by"));
    CHECK(answer.at("not_compared") == 2);
    const std::string cases = contents(report);
    CHECK_THAT(cases, Contains("tests=\"3\" failures=\"0\" errors=\"0\" skipped=\"3\"") &&
                          Contains("Not made, because it was stopped before: 2 comparisons.") &&
                          Contains(" 3\">\n      <skipped message=\"Not made,"));
}
