// `rooftune verify` from outside: what was planted in a config, a machine file or the environment is noticed.
// Winners and rivals differ by a factor of ten by construction, and times when tuned are edited so far away
// that no verdict here hangs on a clock.
#include <fstream>
#include <set>

#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

// Ceilings that no kernel here comes near to, times a factor.
void machine_file(const Session& s, double factor) {
    Machine machine = toy::machine();
    for (Ceiling& c : machine.ceilings) c.max = c.p95 = c.median = c.max * 1000.0 * factor;
    write_machine_file(s.machine(), machine);
}

// What a tune of a space of one variant wrote on a machine with such ceilings, once for all cases.
const json& config_as_tuned() {
    static const json config = [] {
        const Session session;
        machine_file(session, 1.0);
        const Finished f = session.run({"tune", "fault", "n=20000,single=1", "--budget", "5s,20", "--json"});
        INFO(f.error);
        REQUIRE(f.status == 0);
        return json::parse(contents(json::parse(f.out).at("files").at("config").get<std::string>()));
    }();
    return config;
}

// That config in a session of its own, whose machine has such ceilings.
struct Tuned {
    Tuned() {
        machine_file(session, 1.0);
        tuned = config_as_tuned();
        // In the space of all variants; one repetition took ages, so that it is surely not slower now.
        tuned["problem"]["single"] = tuned["result"]["problem"]["single"] = "0";
        tuned["digest"] = tuned["result"]["digest"] = "fault20000";
        tuned["result"]["needs"] = {{"vector_bits", 64}, {"threads", 1}};
        fraction(1e-9);
        winner("good", 0);
        runner_up(9);
    }

    void winner(const std::string& behaviour, int level) {
        const json variant = {{"behaviour", behaviour}, {"level", std::to_string(level)}};
        tuned["variant"] = tuned["result"]["best"]["variant"] = variant;
    }
    void runner_up(int level) {
        tuned["result"]["runner_up"] = {
            {"variant", {{"behaviour", "good"}, {"level", std::to_string(level)}}},
            {"time_over_best", {{"median", 1.1}, {"low", 1.05}, {"high", 1.15}, {"slots", 12}}}};
    }
    // Of the roof when it was tuned.
    void fraction(double share) {
        json& best = tuned["result"]["best"];
        best["fraction_of_roof_now"] = best["fraction_of_problem_roof"] = share;
    }
    // Of one repetition when it was tuned.
    void seconds(double median) {
        tuned["seconds"] = tuned["result"]["best"]["seconds"] = {{"median", median},
                                                                 {"low", 0.99 * median},
                                                                 {"high", 1.01 * median},
                                                                 {"min", 0.98 * median},
                                                                 {"slots", 8}};
    }
    std::string write(const std::string& name = "config.json") const {
        std::ofstream(session.folder / name) << tuned.dump();
        return session.folder / name;
    }

    Session session;
    json tuned;
};

Finished verify(const Session& s, std::vector<std::string> words) {
    words.insert(words.begin(), "verify");
    for (const char* word : {"--limit", "0.02", "--delta", "0.5", "--json", "--quiet"})
        words.emplace_back(word);
    return s.run(words);
}

json document(const Finished& f) {
    INFO(f.error << f.out);
    const Json whole = Json::parse(f.out);
    for (const std::string& fault : SchemaCheck("configs/schema").faults(whole, "verify.schema.json"))
        FAIL_CHECK(fault);
    return json::parse(f.out);
}

json check_of(const json& config, const std::string& name) {
    for (const json& c : config.at("checks"))
        if (c.at("name") == name) return c;
    FAIL("no check " << name);
    return {};
}

// The only config's verdict, with the status that belongs to it.
json verified(const Tuned& t, const std::string& verdict, int status,
              const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {t.write()};
    words.insert(words.end(), more.begin(), more.end());
    const Finished f = verify(t.session, words);
    INFO(f.error << f.out);
    CHECK(f.status == status);
    const json d = document(f);
    REQUIRE(d.at("configs").size() == 1);
    CHECK(d.at("configs")[0].at("verdict") == verdict);
    return d.at("configs")[0];
}

std::string meaning(const json& config, const std::string& name) {
    return check_of(config, name).at("meaning").get<std::string>();
}

}  // namespace

TEST_CASE("nothing changed: VALID, measured, status 0") {
    const Tuned t;
    const json config = verified(t, "VALID", 0);
    for (const json& c : config.at("checks")) {
        INFO(c.dump());
        CHECK(c.at("status") == "ok");
    }
    const json& m = config.at("measured");
    CHECK(m.at("rival") == "runner-up");
    CHECK(m.at("rounds").get<int>() >= 10);
    CHECK(m.at("error").get<double>() == 0.0);
    CHECK(m.at("seconds").at("median").get<double>() > 0.0);
    CHECK(m.at("fraction_of_roof").get<double>() > 0.0);
    const Finished text =
        t.session.run({"verify", t.write(), "--limit", "0.02", "--delta", "0.5", "--quiet"});
    CHECK(text.status == 0);
    CHECK_THAT(text.out, Contains("VALID  fault 20000 (") && Contains("runner-up") && Contains("1 VALID."));
}

TEST_CASE("a changed compiler, another build, another set of parameters: STALE, status 1") {
    Tuned t;
    SECTION("compiler") {
        t.tuned["compiler"] = "GNU 1.0";
        const json config = verified(t, "STALE", 1);
        CHECK_THAT(meaning(config, "compiler"), Contains("built by GNU 1.0 when it was tuned"));
        // It was measured all the same: it may well be right and fast.
        CHECK(check_of(config, "answer").at("status") == "ok");
        CHECK(check_of(config, "winner").at("status") == "ok");
        CHECK_THAT(config.at("tune_again").get<std::string>(), Contains("rooftune tune fault n=20000"));
    }
    SECTION("build") {
        t.tuned["kernels_build"] = "0123";
        verified(t, "STALE", 1, {"--quick"});
    }
    SECTION("space") {
        t.tuned["space_version"] = t.tuned["result"]["space_version"] = 7;
        CHECK_THAT(meaning(verified(t, "STALE", 1), "space"), Contains("take the default variant"));
    }
    SECTION("content of the problem") {
        t.tuned["digest"] = t.tuned["result"]["digest"] = "fault of another content";
        CHECK_THAT(meaning(verified(t, "STALE", 1), "problem"), Contains("tune it again"));
    }
}

TEST_CASE("a CPU flag that is gone, another machine, no such variant: NOT HERE, status 3, nothing measured") {
    Tuned t;
    const auto not_here = [&](const char* name, const std::string& what) {
        const json config = verified(t, "NOT HERE", 3);
        CHECK(check_of(config, name).at("status") == "failed");
        CHECK_THAT(meaning(config, name), Contains(what) && Contains("default variant"));
        CHECK(config.at("measured").is_null());
    };
    SECTION("a flag of the processor") {
        t.tuned["result"]["needs"]["vector_bits"] = 256;
        setenv("ROOFTUNE_MAX_WIDTH", "128", 1);
        not_here("features", "needs vectors of 256 bits");
        unsetenv("ROOFTUNE_MAX_WIDTH");
    }
    SECTION("processing units") {
        t.tuned["threads"] = t.tuned["result"]["threads"] = 4;
        not_here("features", "it was tuned for 4 processing units, and this process has 1");
    }
    SECTION("performance key") {
        t.tuned["fingerprint"] = t.tuned["result"]["machine"]["id"] = "another";
        not_here("machine", "another machine");
    }
    SECTION("variant") {
        t.winner("good", 77);
        not_here("variant", "does not exist here");
    }
}

TEST_CASE("a wrong answer, and one that crashes: WRONG, status 1") {
    Tuned t;
    for (const auto& [behaviour, reason] :
         {std::pair{"wrong", "wrong"}, {"outside", "wrong"}, {"crash", "crashed"}, {"illegal", "illegal"}}) {
        t.winner(behaviour, 0);
        const json config = verified(t, "WRONG", 1);
        CHECK_THAT(meaning(config, "answer"), Contains(reason));
        CHECK(config.at("measured").at("rounds") == 0);
    }
}

TEST_CASE("a runner-up that now wins: BEATEN, status 1") {
    Tuned t;
    t.winner("good", 9);
    t.runner_up(0);
    const json config = verified(t, "BEATEN", 1);
    CHECK(config.at("measured").at("verdict") == "IMPROVED");
    CHECK_THAT(meaning(config, "winner"),
               Contains("beaten: the runner-up") && Contains("tune the problem again"));
}

TEST_CASE(
    "no runner-up on record: the default variant takes its place, and so it does where it works no more") {
    Tuned t;
    t.winner("good", 0);
    t.tuned["default_variant"] =
        t.tuned["result"]["default"]["variant"] = {{"behaviour", "good"}, {"level", "9"}};
    SECTION("an older config") {
        for (const char* key : {"runner_up", "needs", "binding_ceilings"}) t.tuned["result"].erase(key);
    }
    SECTION("a runner-up that is wrong") {
        t.tuned["result"]["runner_up"]["variant"]["behaviour"] = "wrong";
        t.tuned["result"]["runner_up"]["variant"]["level"] = "1";
    }
    CHECK(verified(t, "VALID", 0).at("measured").at("rival") == "default");
}

TEST_CASE("a slower machine is told and is no rot; a kernel that reaches less of the machine is") {
    Tuned t;
    SECTION("a slower machine: VALID") {
        machine_file(t.session, 0.5);
        const json config = verified(t, "VALID", 0);
        CHECK(check_of(config, "roof").at("status") == "changed");
        CHECK_THAT(meaning(config, "roof"), Contains("50.0 % slower now than when it was tuned"));
        CHECK(check_of(config, "speed").at("status") == "ok");
    }
    SECTION("a slower kernel: SLOWER") {
        t.fraction(0.9);
        t.seconds(1e-12);
        const Finished f = verify(t.session, {t.write()});
        const json config = document(f).at("configs")[0];
        CHECK(check_of(config, "roof").at("status") == "ok");
        CHECK_THAT(meaning(config, "speed"), Contains("reached 90 % of the roof when it was tuned"));
        // A machine that is busy in nearly every turn accuses no kernel, and says why.
        const json& m = config.at("measured");
        const bool alone = m.at("rounds").get<int>() - m.at("crowded_turns").get<int>() >= 6;
        CHECK(config.at("verdict") == (alone ? "SLOWER" : "UNDECIDED"));
        CHECK(f.status == (alone ? 1 : 3));
        CHECK_THAT(meaning(config, "speed"),
                   Contains(alone ? "the kernel itself is slower" : "other processes ran beside"));
    }
    SECTION("a faster machine: what was excluded may win now") {
        machine_file(t.session, 2.0);
        const json config = verified(t, "STALE", 1);
        CHECK_THAT(meaning(config, "roof"), Contains("2.00× as fast as anything seen"));
    }
    SECTION("ceilings that the kernel leaves behind: they are too low") {
        machine_file(t.session, 1e-9);
        const json config = verified(t, "STALE", 1);
        CHECK_THAT(meaning(config, "roof"), Contains("too low"));
    }
    SECTION("a repetition that is too long for the limit: UNDECIDED") {
        const Finished f = t.session.run({"verify", t.write(), "--limit", "1e-9", "--json", "--quiet"});
        CHECK(f.status == 3);
        const json config = document(f).at("configs")[0];
        CHECK(config.at("verdict") == "UNDECIDED");
        CHECK_THAT(meaning(config, "speed"), Contains("longer than --limit 1.00 ns; raise it"));
    }
    SECTION("one that was too long when it was tuned, and is not now") {
        t.seconds(3.0);
        verified(t, "VALID", 0);
    }
}

TEST_CASE("a folder: torn files do not stop the others, and the empty one is told what to do") {
    Tuned t;
    const std::string folder = t.session.folder / "tuned";
    std::filesystem::create_directories(folder);
    const Finished empty = verify(t.session, {folder});
    CHECK(empty.status == 2);
    CHECK_THAT(empty.told(), Contains("no tuned config in this folder") && Contains("rooftune tune"));
    const std::string whole = contents(t.write("tuned/a.json"));
    std::ofstream(folder + "/torn.json") << whole.substr(0, whole.size() / 2);
    std::ofstream(folder + "/result.json") << t.tuned["result"].dump();
    const Finished f = verify(t.session, {folder, "--quick"});
    CHECK(f.status == 2);
    const json d = document(f);
    REQUIRE(d.at("configs").size() == 2);
    CHECK(d.at("configs")[0].at("verdict") == "UNREADABLE");
    CHECK_THAT(d.at("configs")[0].at("reason").get<std::string>(), Contains("torn.json"));
    CHECK(d.at("configs")[1].at("verdict") == "VALID");
    CHECK(d.at("passed_over").size() == 1);
    CHECK(verify(t.session, {folder + "/a.json", "--quick"}).status == 0);
    CHECK(verify(t.session, {folder + "/result.json", "--quick"}).status == 2);
    CHECK(verify(t.session, {t.session.folder / "none"}).status == 2);
    CHECK(verify(t.session, {}).status == 2);
    CHECK(t.session.run({"verify", folder, "--delta", "3"}).status == 2);
}

TEST_CASE(
    "what a tune of each family writes, and its set, is VALID right after; a matrix that changes is not") {
    const Session s;
    const std::string matrix = s.folder / "my.mtx";
    const auto write_matrix = [&](const char* last) {
        std::ofstream(matrix)
            << "%%MatrixMarket matrix coordinate real general\n4 4 4\n1 1 1.0\n2 2 2.0\n3 3 3.0\n"
            << "4 4 " << last << "\n";
    };
    write_matrix("4.0");
    std::ofstream(s.folder / "job.json") << R"({"schema": "rooftune/job/1", "problems": [
        {"family": "matmul", "problem": {"m": "64", "n": "64", "k": "64"}},
        {"family": "spmv", "problem": {"matrix": ")"
                                         << matrix << R"("}},
        {"family": "stencil", "problem": {"points": "7", "nx": "20", "ny": "20", "nz": "20"}}]})";
    const std::string out = s.folder / "out";
    const Finished tune = s.run({"tune", "--job", s.folder / "job.json", "--budget", "5s,14", "--audit", "0",
                                 "--out", out, "--quiet"});
    INFO(tune.error << tune.out);
    REQUIRE(tune.status == 0);
    for (const auto& entry : std::filesystem::directory_iterator(out)) {
        if (entry.path().extension() != ".json") continue;
        const json written = json::parse(contents(entry.path().string()));
        if (!written.contains("result")) continue;
        const json& r = written.at("result");
        INFO(entry.path().string());
        CHECK(r.at("needs").at("vector_bits").get<int>() >= 32);
        CHECK(r.at("needs").at("threads") == 1);
        CHECK(r.at("binding_ceilings").size() == 2);
        REQUIRE(r.contains("runner_up"));
        CHECK(r.at("runner_up").at("variant") != r.at("best").at("variant"));
        // Of eight rounds and more: where six or more were undisturbed, the others do not count.
        CHECK(r.at("runner_up").at("time_over_best").at("slots").get<int>() >= 6);
    }
    const Finished quick = verify(s, {out, "--quick"});
    INFO(quick.out);
    CHECK(quick.status == 0);
    const json d = document(quick);
    int of_set = 0;
    for (const json& config : d.at("configs")) {
        CHECK(config.at("verdict") == "VALID");
        CHECK(config.at("measured").is_null());
        of_set += config.at("of_set").get<bool>() ? 1 : 0;
        CHECK(config.at("same_as").is_null() != config.at("of_set").get<bool>());
    }
    CHECK(of_set == 3);
    CHECK(d.at("configs").size() == 6);

    const Finished measured = verify(s, {out});
    INFO(measured.out << measured.error);
    const std::set<std::string> known = {"VALID", "STALE", "SLOWER", "UNDECIDED", "BEATEN"};
    const json second = document(measured);
    for (const json& config : second.at("configs")) {
        CHECK(known.contains(config.at("verdict").get<std::string>()));
        CHECK(check_of(config, "answer").at("status") == "ok");
        CHECK(config.at("measured").at("rounds").get<int>() > 0);
    }

    const auto of_matrix = [&](const Finished& f) {
        const json all = document(f);
        for (const json& config : all.at("configs"))
            if (config.at("problem").get<std::string>().starts_with("my")) return config;
        FAIL("no verdict on the matrix");
        return json();
    };
    write_matrix("5.0");
    const Finished changed = verify(s, {out, "--quick"});
    CHECK(changed.status == 1);
    CHECK(of_matrix(changed).at("verdict") == "STALE");
    std::filesystem::remove(matrix);
    const Finished gone = verify(s, {out, "--quick"});
    CHECK(gone.status == 3);
    CHECK(of_matrix(gone).at("verdict") == "UNDECIDED");
    CHECK_THAT(meaning(of_matrix(gone), "problem"), Contains("my.mtx"));
}

TEST_CASE("Ctrl-C: status 130, with what was verified so far and what was not") {
    Tuned t;
    const std::string folder = t.session.folder / "two";
    std::filesystem::create_directories(folder);
    std::ofstream(folder + "/torn.json") << "{";
    t.winner("hang", 0);
    t.write("two/hangs.json");
    const TemporaryFolder outputs;
    const pid_t pid = start(t.session.command({"verify", folder, "--json", "--quiet"}), outputs);
    REQUIRE(pid > 0);
    const std::string id = std::to_string(pid);
    const std::string children = "/proc/" + id + "/task/" + id + "/children";
    for (int i = 0; i < 400 && contents(children).empty(); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(25));
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    INFO(f.error);
    CHECK(f.status == 130);
    const json d = document(f);
    CHECK(d.at("complete") == false);
    REQUIRE(d.at("configs").size() == 1);
    CHECK(d.at("configs")[0].at("verdict") == "UNREADABLE");
    CHECK(d.at("not_verified") == json{folder + "/hangs.json"});
}
