// `rooftune compare` of several programs, scans of parameters, and what prepares a turn: tiny programs that
// print known numbers. No time is asserted.
#include <algorithm>
#include <fstream>

#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

std::string small_program(const Session& s, const std::string& name, const std::string& text) {
    std::ofstream(s.folder / name) << text << "\n";
    return "/bin/sh " + s.folder / name;
}

// Programs that print numbers, judged by these alone.
Finished compare_printed(const Session& s, const std::vector<std::string>& more) {
    std::vector<std::string> words = {program(), "compare", "--quiet", "--results",    s.results(), "--limit",
                                      "10",      "--delta", "0.03",    "--reads-time", "--control", "none"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

json several_document(const Finished& f) {
    INFO(f.error << f.out);
    for (const std::string& fault :
         SchemaCheck("configs/schema").faults(Json::parse(f.out), "compare.schema.json"))
        FAIL_CHECK(fault);
    return json::parse(f.out);
}

std::size_t count_lines(const std::string& file) {
    const std::string text = contents(file);
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

TEST_CASE("four programs in the same rounds: a verdict each, a ranking, and the worst one's status") {
    const Session s;
    const std::string base = small_program(s, "base", "echo 1.000000");
    const std::string slow = small_program(s, "slow", "echo 1.200000");
    const std::string fast = small_program(s, "fast", "echo 0.800000");
    const std::string same = small_program(s, "same", "echo 0.800001");
    const std::vector<std::string> words = {"--command", base, "--command", slow,
                                            "--command", fast, "--command", same};
    std::vector<std::string> as_json = words;
    as_json.emplace_back("--json");
    const Finished f = compare_printed(s, as_json);
    CHECK(f.status == 1);
    const json d = several_document(f);
    REQUIRE(d.at("verdicts").size() == 3);
    CHECK(d.at("verdicts").at(0).at("verdict") == "REGRESSED");
    CHECK(d.at("verdicts").at(1).at("verdict") == "IMPROVED");
    CHECK(d.at("verdicts").at(2).at("verdict") == "IMPROVED");
    CHECK(d.at("verdicts").at(2).at("arm") == "D");
    CHECK(d.at("verdicts").at(0).at("rounds") == 20);
    CHECK(d.at("together") == 3);
    const json& arms = d.at("rankings").at(0).at("arms");
    REQUIRE(arms.size() == 4);
    CHECK(arms.at(0).at("arm") == "C");
    CHECK(arms.at(1).at("arm") == "D");
    // Longer by a millionth, which is written 1.00.
    CHECK(arms.at(1).at("separated_from_fastest") == false);
    CHECK(arms.at(3).at("arm") == "B");
    CHECK(arms.at(3).at("separated_from_fastest") == true);
    CHECK(arms.at(3).at("over_fastest").at("ratio").get<double>() == Approx(1.5));

    const Finished text = compare_printed(s, words);
    CHECK(text.status == 1);
    CHECK_THAT(text.out, Contains("The fastest first") &&
                             Contains("Not separated from the fastest, C (*): D;") &&
                             Contains("1 REGRESSED, 2 IMPROVED."));
}

TEST_CASE("one of several that fails is INVALID and leaves the others their verdicts") {
    const Session s;
    const std::string base = small_program(s, "base", "echo 1.000000");
    const Finished f = compare_printed(s, {"--command", base, "--command", small_program(s, "bad", "exit 3"),
                                           "--command", small_program(s, "fast", "echo 0.8"), "--json"});
    CHECK(f.status == 3);
    const json d = several_document(f);
    CHECK(d.at("verdicts").at(0).at("verdict") == "INVALID");
    CHECK_THAT(d.at("verdicts").at(0).at("reason").get<std::string>(),
               Contains("B gave no time: it ended with status 3"));
    CHECK(d.at("verdicts").at(1).at("verdict") == "IMPROVED");
    CHECK(d.at("rankings").at(0).at("arms").at(2).at("seconds").is_null());
}

TEST_CASE("values of a parameter are the arms of one program, and comparisons of two") {
    const Session s;
    const std::string prints = small_program(s, "prints", "echo 1.$10000");
    const Finished arms =
        compare_printed(s, {"--command", prints + " {n}", "--parameter", "n=0:4:2", "--json"});
    // Slower than the first value is no regression.
    CHECK(arms.status == 0);
    const json d = several_document(arms);
    REQUIRE(d.at("verdicts").size() == 2);
    CHECK(d.at("verdicts").at(1).at("verdict") == "SLOWER");
    CHECK(d.at("verdicts").at(1).at("kernel") == "prints: n=0 → n=4");
    CHECK(d.at("verdicts").at(1).at("ratio").get<double>() == Approx(1.4));
    CHECK(d.at("rankings").at(0).at("arms").at(0).at("what") == "n=0");

    const std::string other = small_program(s, "other", "echo 1.$2$10000");
    const std::vector<std::string> both = {"--command-a", prints + " {n}", "--command-b", other + " {n} {m}",
                                           "--parameter", "n=1,2",         "--parameter", "m=0,9"};
    std::vector<std::string> as_json = both;
    as_json.emplace_back("--json");
    const Finished f = compare_printed(s, as_json);
    CHECK(f.status == 1);
    const json points = several_document(f);
    REQUIRE(points.at("verdicts").size() == 4);
    CHECK(points.at("together") == 4);
    CHECK_FALSE(points.contains("rankings"));
    CHECK_THAT(points.at("verdicts").at(3).at("kernel").get<std::string>(),
               Contains("n=2, m=9: ") && Contains("other 2 9"));
    const Finished text = compare_printed(s, both);
    CHECK_THAT(text.out, Contains("| point") && Contains("n=1, m=0") && Contains("4 verdicts hold together"));
}

TEST_CASE("what prepares runs before each turn, and is not timed; warm-up turns are thrown away") {
    const Session s;
    const std::string log = s.folder / "log";
    const std::string a = small_program(s, "a", "echo a >>" + log + "; echo 1.000000");
    const std::string b = small_program(s, "b", "echo b >>" + log + "; echo 1.200000");
    const std::string prepares = small_program(s, "prepares", "echo p >>" + log);
    const Finished f = compare_printed(
        s, {"--command-a", a, "--command-b", b, "--prepare", prepares, "--warmup", "3", "--json"});
    CHECK(f.status == 1);
    const json d = several_document(f);
    const int rounds = d.at("verdicts").at(0).at("rounds").get<int>() +
                       d.at("verdicts").at(0).at("dropped_rounds").get<int>();
    // The first run of each, three turns of each to warm up, and A, B and A again in each round.
    const std::size_t turns = static_cast<std::size_t>(2 + 2 * 3 + 3 * rounds);
    CHECK(count_lines(log) == 2 * turns);
    const std::string text = contents(log);
    for (std::size_t i = 0; i + 1 < text.size(); i += 4) CHECK(text[i] == 'p');
}

TEST_CASE("a preparation that fails is an error that names it and its output") {
    const Session s;
    const std::string good = small_program(s, "good", "echo 1");
    const std::string fails = small_program(s, "fails", "echo was here; echo no space >&2; exit 7");
    const Finished f = compare_printed(s, {"--command-a", good, "--command-b", good, "--prepare", fails});
    CHECK(f.status == 2);
    CHECK(f.out.empty());
    CHECK_THAT(f.told(), Contains("--prepare '" + fails + "'") && Contains("status 7") &&
                             Contains("no space") && Contains("was here"));
    // Later, in a turn of the rounds.
    const std::string count = s.folder / "count";
    const std::string later =
        small_program(s, "later", "echo >>" + count + "; test $(wc -l <" + count + ") -lt 9");
    CHECK(compare_printed(s, {"--command-a", good, "--command-b", good, "--prepare", later}).status == 2);
    const Finished none =
        compare_printed(s, {"--command-a", good, "--command-b", good, "--prepare", "/no/such/program"});
    CHECK(none.status == 2);
    CHECK_THAT(none.told(), Contains("--prepare '/no/such/program'"));
}

TEST_CASE("a point of a scan that cannot be measured is INVALID and leaves the others their verdicts") {
    const Session s;
    const std::string good = small_program(s, "good", "echo 1.000000");
    const std::string count = s.folder / "count";
    // Of three points the second has no program, and the preparation of the third fails in its rounds.
    std::ofstream(s.folder / "run1") << "#!/bin/sh\necho 1.200000\n";
    std::filesystem::permissions(s.folder / "run1", std::filesystem::perms::owner_all);
    std::filesystem::copy_file(s.folder / "run1", s.folder / "run3");
    const std::string prepares = small_program(
        s, "prepares", "test $1 -ne 3 || { echo >>" + count + "; test $(wc -l <" + count + ") -lt 9; }");
    const Finished f =
        compare_printed(s, {"--command-a", good, "--command-b", s.folder / "run{n}", "--prepare",
                            prepares + " {n}", "--parameter", "n=1,2,3", "--json"});
    CHECK(f.status == 1);
    const json verdicts = several_document(f).at("verdicts");
    REQUIRE(verdicts.size() == 3);
    CHECK(verdicts.at(0).at("verdict") == "REGRESSED");
    CHECK(verdicts.at(1).at("verdict") == "INVALID");
    CHECK_THAT(verdicts.at(1).at("reason").get<std::string>(), Contains("run2") && Contains("in PATH"));
    CHECK_THAT(verdicts.at(1).at("kernel").get<std::string>(), Contains("n=2: "));
    CHECK(verdicts.at(2).at("verdict") == "INVALID");
    CHECK_THAT(verdicts.at(2).at("reason").get<std::string>(), Contains("--prepare") && Contains("status 1"));
}

TEST_CASE("refused, status 2: several programs and parameters that do not belong together") {
    const Session s;
    const auto refused = [&](std::vector<std::string> words, const std::string& part) {
        words.insert(words.begin(), {program(), "compare"});
        const Finished f = run(words);
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains(part));
    };
    refused({"--command", "true"}, "--command is given once");
    refused({"--command", "true", "--command-a", "true"}, "takes the place");
    refused({"--command", "true {m}", "--command", "true {n}", "--parameter", "n=1,2"},
            "{m} is no --parameter");
    refused({"--command", "true", "--parameter", "n=1,2"}, "no command names it");
    refused({"--command", "true {n}", "--parameter", "n=1:100"}, "at most 64");
    refused({"--command", "true", "--command", "true", "--warmup", "-1"}, "--warmup");
    refused({"a.json", "b.json", "--prepare", "sync"}, "--prepare is for programs");
    refused({"a.json", "b.json", "--warmup", "2"}, "--warmup is for programs");
    refused({"a.json", "b.json", "--parameter", "n=1"}, "--parameter is for programs");
    refused({"a", "b", "--command", "true", "--command", "true"}, "one pair or the other");
}
