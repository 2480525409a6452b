// Variants that fail in every way, seen from outside: the run goes on, and says what happened.
#include <set>

#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

TEST_CASE(
    "the search goes on: crash, hang, wrong answer, stray write, illegal instruction, no memory, exit") {
    const Session s;
    // All of the space takes 13 s on a quiet machine, and more than twice as long beside other tests.
    const Finished f = s.run({"tune", "fault", "n=20000", "--budget", "150s,100", "--audit", "5", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("best").at("variant").at("level") == "0");
    CHECK(r.at("best").at("verified").at("tolerance") == 1);
    const json& c = r.at("certificate");
    CHECK(c.at("space") == 34);
    CHECK(classes_sum(c) == 34);
    CHECK(c.at("failed") == 14);
    CHECK(c.at("unmeasured") == 0);
    CHECK(c.at("stopped_by") == "exhausted");

    std::map<std::string, std::set<std::string>> outcomes;
    for (const auto& row : rows_of(s.csv().out)) {
        const std::string& variant = row.at("variant");
        outcomes[variant.substr(10, variant.find(',') - 10)].insert(row.at("outcome"));
    }
    const std::map<std::string, std::string> expected = {
        {"crash", "crashed"},   {"hang", "timed_out"},       {"wrong", "wrong"},  {"outside", "wrong"},
        {"illegal", "illegal"}, {"memory", "out_of_memory"}, {"leave", "crashed"}};
    for (const auto& [behaviour, outcome] : expected) {
        INFO(behaviour);
        CHECK(outcomes[behaviour] == std::set<std::string>{outcome});
    }
    // Printing is no fault: replies travel on a descriptor of their own.
    CHECK(outcomes["print"].count("crashed") == 0);
}

TEST_CASE("no variant works: exit status 1, no config, and it is said") {
    const Session s;
    const Finished f = s.run({"tune", "fault", "n=20000,spoil=1", "--budget", "24s,40"});
    INFO(f.error << f.out);
    CHECK(f.status == 1);
    CHECK(f.out.find("No variant works") != std::string::npos);
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(s.results() + "/tuned", none)) {
        CHECK(entry.path().extension() != ".h");
    }
}

TEST_CASE("killed in the middle, several times: nothing recorded is lost, nothing is measured twice") {
    const Session s;
    const std::vector<std::string> words = {"tune", "fault",   "n=200000", "--budget",
                                            "100",  "--audit", "5",        "--json"};
    std::size_t lines_before = 0;
    // ROOFTUNE_KILLS asks for more.
    const char* asked = std::getenv("ROOFTUNE_KILLS");
    const int kills = asked ? std::atoi(asked) : 4;
    for (int round = 0; round < kills; ++round) {
        const TemporaryFolder outputs;
        const pid_t pid = start(s.command(words), outputs);
        REQUIRE(pid > 0);
        std::this_thread::sleep_for(std::chrono::milliseconds(700 + 450 * (round % 4)));
        kill(pid, SIGKILL);
        finish(pid, outputs);
        const std::size_t lines = rows_of(s.csv().out).size();
        CHECK(lines >= lines_before);
        lines_before = lines;
    }
    const Finished f = s.run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(classes_sum(r.at("certificate")) == 34);
    CHECK(r.at("best").at("variant").at("level") == "0");
    std::map<std::string, std::set<std::string>> searched;  // variant → runs that measured it in the search
    for (const auto& row : rows_of(s.csv().out)) {
        if (row.at("role") == "search" || row.at("role") == "reference")
            searched[row.at("variant")].insert(row.at("run"));
    }
    CHECK(searched.size() >= 20);
    for (const auto& [variant, runs] : searched) {
        INFO(variant);
        CHECK(runs.size() == 1);
    }
}

TEST_CASE("a worker does not outlive its tuner") {
    const Session s;
    const TemporaryFolder outputs;
    const pid_t pid = start(s.command({"tune", "fault", "n=200000", "--budget", "60s"}), outputs);
    REQUIRE(pid > 0);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    kill(pid, SIGKILL);
    finish(pid, outputs);
    const std::string mark = std::string("--rooftune-worker") + '\0' + std::to_string(pid) + '\0';
    bool found = true;
    for (int i = 0; i < 50 && found; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        found = false;
        for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
            std::error_code none;
            if (!std::filesystem::exists(entry.path() / "cmdline", none)) continue;
            found = found || contents((entry.path() / "cmdline").string()).find(mark) != std::string::npos;
        }
    }
    CHECK_FALSE(found);
}

TEST_CASE("Ctrl-C ends cleanly: exit status 130 and a result from what was measured") {
    const Session s;
    const TemporaryFolder outputs;
    const pid_t pid = start(s.command({"tune", "fault", "n=200000", "--budget", "300s", "--json"}), outputs);
    REQUIRE(pid > 0);
    for (int i = 0; i < 200 && rows_of(s.csv().out).size() < 20; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    INFO(f.error);
    CHECK(f.status == 130);
    const json r = json::parse(f.out);
    CHECK(r.at("certificate").at("stopped_by") == "interrupted");
    CHECK(classes_sum(r.at("certificate")) == 34);
    CHECK(std::filesystem::exists(r.at("files").at("config").get<std::string>()));
}

TEST_CASE("two tunes on one store both finish") {
    const Session s;
    const TemporaryFolder a, b;
    const pid_t first =
        start(s.command({"tune", "fault", "n=20000", "--budget", "24s,40", "--audit", "3", "--json"}), a);
    const pid_t second =
        start(s.command({"tune", "fault", "n=30000", "--budget", "24s,40", "--audit", "3", "--json"}), b);
    const Finished one = finish(first, a);
    const Finished two = finish(second, b);
    INFO(one.error << two.error);
    CHECK(one.status == 0);
    CHECK(two.status == 0);
    CHECK(classes_sum(json::parse(one.out).at("certificate")) == 34);
    CHECK(classes_sum(json::parse(two.out).at("certificate")) == 34);
}
