// `rooftune ladder` from outside: the three families, where the best comes from, variants that fail, Ctrl-C,
// and the report that finds what it wrote. What anything gains is never asserted.
#include <fstream>
#include <set>

#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

json document(const std::string& text) {
    for (const std::string& fault :
         SchemaCheck("configs/schema").faults(Json::parse(text), "ladder.schema.json"))
        FAIL_CHECK(fault);
    return json::parse(text);
}

Finished tune(const Session& s, std::vector<std::string> words) {
    words.insert(words.begin(), "tune");
    for (const char* word : {"--budget", "4s,16", "--audit", "2", "--json"}) words.emplace_back(word);
    Finished f = s.run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    return f;
}

std::string config_of(const Finished& tuned) {
    return json::parse(tuned.out).at("files").at("config");
}

std::string ladder_of(const std::string& config) {
    return config.substr(0, config.size() - 5) + ".ladder.json";
}

/// The first worker process of a program, once there is one: from then on there is a ladder to be told of.
/// Whoever else measures on this machine goes first.
std::string worker_of(pid_t pid) {
    const std::string list = "/proc/" + std::to_string(pid) + "/task/" + std::to_string(pid) + "/children";
    std::string child;
    for (int i = 0; i < 6000 && child.empty(); ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
        child = contents(list);
    }
    return child;
}

/// What holds of every ladder that ran to its end with a best that works.
void check_ladder(const json& d, const json& best) {
    CHECK(d.at("rounds").get<int>() >= 8);
    CHECK(d.at("interrupted") == false);
    CHECK(d.at("agree") == true);
    CHECK(d.at("bottom").at("seconds").get<double>() > 0.0);
    REQUIRE_FALSE(d.at("steps").empty());
    CHECK(d.at("steps").back().at("variant") == best);
    std::set<std::string> names;
    double product = 1.0;
    for (const json& step : d.at("steps")) {
        INFO(step.dump());
        CHECK(names.insert(step.at("name").get<std::string>()).second);
        if (step.at("state") == "failed") continue;
        CHECK(step.at("factor").get<double>() > 0.0);
        CHECK(step.at("seconds").get<double>() > 0.0);
        if (step.at("state") == "unchanged") CHECK(step.at("factor") == 1.0);
        product *= step.at("factor").get<double>();
    }
    CHECK(d.at("product").at("factor").get<double>() == Approx(product));
}

}  // namespace

TEST_CASE("ladders of the three families, both element types: the schema, the end, the product") {
    const Session s;
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"spmv", "gen=poisson7,nx=10,dtype=f32"},
                                               {"stencil", "nx=33,ny=17,nz=9,steps=2"},
                                               {"matmul", "m=37,n=65,k=29,beta=1"}}) {
        INFO(words.front());
        const Finished tuned = tune(s, words);
        const std::string svg = s.folder / "ladder.svg";
        const Finished f =
            s.run({"ladder", words[0], words[1], "--budget", "1s", "--json", "--quiet", "--svg", svg});
        INFO(f.error);
        REQUIRE(f.status == 0);
        const json d = document(f.out);
        CHECK(d.at("family") == words.front());
        check_ladder(d, json::parse(tuned.out).at("best").at("variant"));
        // It lies beside the config that it is of, and is what was printed.
        const std::string config = config_of(tuned);
        CHECK(d.at("config").at("file") == config);
        CHECK(json::parse(contents(ladder_of(config))) == d);
        CHECK_THAT(contents(svg), Contains("<svg") && Contains("Ladder: "));

        const Finished page = run({program(), "report", config, "--results", s.results()});
        INFO(page.error);
        CHECK(page.status == 0);
        CHECK_THAT(page.out, Contains("### Ladder: what each optimisation gave"));
        const Finished alone = run({program(), "report", ladder_of(config), "--results", s.results()});
        CHECK(alone.status == 0);
        CHECK_THAT(alone.out, Contains("# Ladders") && Contains("what each optimisation gave"));
        // Other readers of the folder pass it over.
        const Finished compared =
            s.run({"compare", s.results(), s.results(), "--kernels", "no such kernel", "--quiet"});
        CHECK(compared.status == 2);
        CHECK_THAT(compared.told(), Contains("no problem in common") && !Contains("ladder"));
    }
}

TEST_CASE("a ladder on all threads: the naive variant on one stands at the bottom") {
    const Session s;
    std::vector<std::string> words = s.command(
        {"tune", "matmul", "m=64,n=64,k=64", "--budget", "10s,12", "--audit", "2", "--json", "--quiet"});
    words.resize(words.size() - 2);  // without --threads 1
    const Finished tuned = run(words);
    INFO(tuned.error);
    REQUIRE(tuned.status == 0);
    words = s.command({"ladder", "--config", config_of(tuned), "--budget", "1s", "--json", "--quiet"});
    words.resize(words.size() - 2);
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json d = document(f.out);
    check_ladder(d, json::parse(tuned.out).at("best").at("variant"));
    CHECK(d.at("bottom").at("name") == "the triple loop on 1 thread");
    CHECK(d.at("bottom").at("variant") == json{{"method", "triple_loop"}, {"threads", "1"}});
    CHECK(d.at("steps").front().at("name") == "threads");
}

TEST_CASE("without a tuned config it tunes first; naive is best where the space has one variant") {
    const Session s;
    const std::string out = s.folder / "out";
    setenv("COLUMNS", "200", 1);
    const Finished f = s.run({"ladder", "fault", "n=1000,single=1", "--budget", "1s", "--out", out});
    setenv("COLUMNS", "100", 1);
    INFO(f.error);
    CHECK(f.status == 0);
    CHECK_THAT(f.told(), Contains("it is tuned first, for up to 667 ms of the budget"));
    CHECK_THAT(f.out, Contains("nothing to change") && Contains("1.00×") && Contains("The ladder: " + out));
    // The second finds what the first tuned.
    const Finished again =
        s.run({"ladder", "fault", "n=1000,single=1", "--budget", "1s", "--out", out, "--json"});
    INFO(again.error);
    CHECK(again.status == 0);
    CHECK_THAT(again.told(), !Contains("it is tuned first"));
    const json once_more = document(again.out);
    for (const json& step : once_more.at("steps")) CHECK(step.at("state") == "unchanged");
    // Another problem is not this one.
    CHECK_THAT(s.run({"ladder", "fault", "n=1001,single=1", "--budget", "1s", "--out", out}).told(),
               Contains("it is tuned first"));
}

TEST_CASE("variants that fail are told, and the ladder goes on around them") {
    const Session s;
    const json tuned = json::parse(contents(config_of(tune(s, {"fault", "n=1000,single=1"}))));
    const auto best = [&](const std::string& behaviour, const std::string& level) {
        json copy = tuned;
        copy["variant"]["behaviour"] = copy["result"]["best"]["variant"]["behaviour"] = behaviour;
        copy["variant"]["level"] = copy["result"]["best"]["variant"]["level"] = level;
        copy["problem"]["single"] = copy["result"]["problem"]["single"] = "0";
        copy["digest"] = copy["result"]["digest"] = "fault1000";
        const std::string path = s.folder / (behaviour + ".json");
        std::ofstream(path) << copy.dump();
        return path;
    };
    for (const auto& [behaviour, reason] : {std::pair{"wrong", "wrong"}, {"crash", "crashed"}}) {
        const Finished f =
            s.run({"ladder", "--config", best(behaviour, "1"), "--budget", "1s", "--json", "--quiet"});
        INFO(f.error << f.out);
        CHECK(f.status == 1);
        const json d = document(f.out);
        CHECK(d.at("whole").is_null());
        CHECK(d.at("bottom").at("seconds").get<double>() > 0.0);
        // Level 9 is no variant of it, so the first step is the best already, and the second changes nothing.
        CHECK(d.at("steps").front().at("state") == "failed");
        CHECK(d.at("steps").front().at("adapted") == "level 1 instead of 9");
        CHECK_THAT(d.at("steps").front().at("failure").get<std::string>(), Contains(reason));
        CHECK(d.at("steps").back().at("state") == "unchanged");
        CHECK(json::parse(contents(ladder_of(s.folder / (std::string(behaviour) + ".json")))) == d);
    }
    const Finished slow =
        s.run({"ladder", "--config", best("good", "0"), "--limit", "1e-9", "--budget", "1s", "--quiet"});
    CHECK(slow.status == 1);
    CHECK_THAT(slow.out, Contains("longer than") && Contains("--limit"));
}

TEST_CASE("what it refuses: status 2, and what to do") {
    const Session s;
    const auto refused = [&](std::vector<std::string> words, const std::string& part) {
        words.insert(words.begin(), "ladder");
        const Finished f = s.run(words);
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        CHECK_THAT(f.told(), Contains(part));
    };
    refused({}, "give a problem");
    refused({"--matrix", "x.mtx"}, "its family first");
    refused({"matmull", "m=8"}, "matmul");
    refused({"fault", "n=10", "--budget", "20"}, "write a time");
    refused({"fault", "n=10", "--budget", "0s"}, "write a time");
    refused({"--config", s.folder / "none.json"}, "none.json");
    const std::string config = config_of(tune(s, {"fault", "n=1000,single=1"}));
    refused({"fault", "n=999", "--config", config}, "was tuned for fault 1000, not for fault 999");
    refused({"matmul", "m=8,n=8,k=8", "--config", config}, "leave out one of the two");
    json edited = json::parse(contents(config));
    edited["variant"]["level"] = edited["result"]["best"]["variant"]["level"] = "77";
    const std::string gone = s.folder / "gone.json";
    std::ofstream(gone) << edited.dump();
    refused({"--config", gone}, "does not exist here");
}

TEST_CASE("Ctrl-C: status 130, what was measured is written, and the worker is gone") {
    const Session s;
    const std::string config = config_of(tune(s, {"fault", "n=20000"}));
    const TemporaryFolder outputs;
    const pid_t pid =
        start(s.command({"ladder", "--config", config, "--budget", "1000s", "--json", "--quiet"}), outputs);
    REQUIRE(pid > 0);
    const std::string child = worker_of(pid);
    REQUIRE_FALSE(child.empty());
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    CHECK(f.status == 130);
    CHECK(kill(std::stoi(child), 0) != 0);
    const json d = document(f.out);
    CHECK(d.at("interrupted") == true);
    // Nothing that was timed is lost; before the first time there is nothing to write.
    const bool timed = !d.at("bottom").at("seconds").is_null();
    CHECK(std::filesystem::exists(ladder_of(config)) == timed);
}

TEST_CASE("a ladder that Ctrl-C cut short does not take the place of a whole one") {
    const Session s;
    const std::string config = config_of(tune(s, {"fault", "n=20000"}));
    const std::string whole = ladder_of(config);
    REQUIRE(s.run({"ladder", "--config", config, "--budget", "1s", "--quiet"}).status == 0);
    const std::string before = contents(whole);
    const TemporaryFolder outputs;
    const pid_t pid =
        start(s.command({"ladder", "--config", config, "--budget", "1000s", "--json", "--quiet"}), outputs);
    REQUIRE(pid > 0);
    REQUIRE_FALSE(worker_of(pid).empty());
    kill(pid, SIGINT);
    CHECK(finish(pid, outputs).status == 130);
    CHECK(contents(whole) == before);
}
