// Every way in which a tune ends, seen from outside: the exit status, a certificate that is true, and files
// only where there is a winner.
#include <algorithm>
#include <fstream>
#include <set>

#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

/// Evaluations that the store knows: each role of each variant is one.
std::set<std::pair<std::string, std::string>> evaluations(const Session& s) {
    std::set<std::pair<std::string, std::string>> found;
    for (const auto& row : rows_of(s.csv().out)) found.emplace(row.at("role"), row.at("variant"));
    return found;
}

/// Files of a kind in the folder of tuned configs.
int files(const Session& s, const std::string& extension) {
    int count = 0;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(s.results() + "/tuned", none))
        count += entry.path().extension() == extension ? 1 : 0;
    return count;
}

/// Wherever lines were broken.
bool contains(std::string text, const std::string& part) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("a budget of 0 measures nothing: no winner, no config, status 1") {
    const Session s;
    const Finished f = s.run({"tune", "fault", "n=1000", "--budget", "0", "--json"});
    INFO(f.error);
    CHECK(f.status == 1);
    const json r = json::parse(f.out);
    const json& c = r.at("certificate");
    CHECK(c.at("unmeasured") == 34);
    CHECK(c.at("measured") == 0);
    CHECK(c.at("gap").is_null());
    CHECK(c.at("stopped_by") == "budget");
    CHECK(classes_sum(c) == 34);
    CHECK(evaluations(s).empty());
    CHECK(files(s, ".h") == 0);
    const Finished words = s.run({"tune", "fault", "n=1000", "--budget", "0s"});
    CHECK(words.status == 1);
    CHECK(contains(words.out, "No variant was measured"));
    CHECK_FALSE(contains(words.out, "No variant works"));
    CHECK(contains(words.out, "34 unmeasured"));
}

TEST_CASE("a budget of 0 after a good run leaves what that run wrote, and the job its winner") {
    const Session s;
    const Finished good = s.run({"tune", "fault", "n=1000", "--budget", "5s,12", "--json"});
    INFO(good.error);
    REQUIRE(good.status == 0);
    const json written = json::parse(good.out).at("files");
    const std::string plot = contents(written.at("plot").get<std::string>());
    const std::string config = contents(written.at("config").get<std::string>());
    const Finished none = s.run({"tune", "fault", "n=1000", "--budget", "0", "--json"});
    CHECK(none.status == 1);
    CHECK(json::parse(none.out).at("files").at("plot").is_null());
    CHECK(contents(written.at("plot").get<std::string>()) == plot);
    CHECK(contents(written.at("config").get<std::string>()) == config);
    const Finished list = run({program(), "results", "list", "--json", "--results", s.results()});
    INFO(list.out);
    CHECK_FALSE(json::parse(list.out).at("jobs").at(0).at("best").is_null());
    const Finished table = run({program(), "results", "list", "--results", s.results()});
    CHECK(table.status == 0);
    CHECK(table.out.find("no winner") == std::string::npos);
}

TEST_CASE("a config is not replaced by a run that has not measured its winner") {
    const Session s;
    // Told which variant wins: on a disturbed machine the default won now and then, for all its passes.
    const Finished good =
        s.run({"tune", "fault", "n=1000", "--only", "behaviour=good,level=0", "--budget", "5s,30", "--json"});
    INFO(good.error);
    REQUIRE(good.status == 0);
    const std::string path = json::parse(good.out).at("files").at("config");
    const std::string config = contents(path);
    REQUIRE(json::parse(config).at("variant").at("level") == "0");  // the default's is 5
    const Finished one = s.run({"tune", "fault", "n=1000", "--budget", "1", "--fresh"});
    INFO(one.error);
    CHECK(contains(one.told(), "the tuned config stays: its winner was not measured in this run"));
    CHECK(contents(path) == config);
    const Finished again = s.run({"tune", "fault", "n=1000", "--budget", "5s,30", "--fresh"});
    CHECK(again.status == 0);
    CHECK_FALSE(contains(again.told(), "the tuned config stays"));
    CHECK(contents(path) != config);
}

TEST_CASE("a preset is no machine to measure on, but ranks variants") {
    const Session s;
    for (const char* command : {"tune", "ladder"}) {
        std::vector<std::string> words{program(),  command,    "fault", "n=1000",    "--machine",
                                       "h100-sxm", "--budget", "3s",    "--results", s.results()};
        const Finished f = run(words);
        INFO(command << f.error);
        CHECK(f.status == 2);
        CHECK(contains(f.told(), "--machine h100-sxm: that is NVIDIA H100 SXM as documents have it"));
        CHECK_FALSE(std::filesystem::exists(s.results() + "/rooftune.db"));
    }
    // Its few rates tell few variants apart: some of each group are shown, and what is measured first.
    const Finished dry = run({program(), "tune", "stencil", "nx=24,ny=24,nz=24", "--machine", "h100-sxm",
                              "--dry-run", "-v", "--results", s.results()});
    CHECK(dry.status == 0);
    CHECK(contains(dry.out, "A tune would measure first:"));
    CHECK(contains(dry.out, "| naive "));
    const std::size_t group = dry.out.find("the most promising of them");
    REQUIRE(group != std::string::npos);
    std::size_t shown = 0;
    for (std::size_t at = group; (at = dry.out.find("simd=", at)) != std::string::npos; ++at) ++shown;
    CHECK(shown >= 5);
}

TEST_CASE("a budget of 1 is one evaluation of the default variant, and a true result") {
    const Session s;
    const Finished f = s.run({"tune", "fault", "n=1000", "--budget", "1", "--json"});
    INFO(f.error);
    CHECK(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("best").at("variant").at("level") == "5");
    const json& c = r.at("certificate");
    CHECK(c.at("measured") == 1);
    CHECK(c.at("stopped_by") == "budget");
    CHECK(c.at("gap").get<double>() > 0.0);
    CHECK(classes_sum(c) == 34);
    CHECK(c.at("audit").at("measured") == 0);
    const auto found = evaluations(s);
    REQUIRE(found.size() == 1);
    CHECK(found.begin()->first == "reference");
    CHECK(files(s, ".h") == 1);
}

TEST_CASE("time and evaluations together: whichever ends first, on the command line and in a job file") {
    const Session s;
    const auto spent = [&](const std::vector<std::string>& budget) {
        std::vector<std::string> words = {"tune",           "fault",   "n=1000", "--only",
                                          "behaviour=good", "--fresh", "--json"};
        words.insert(words.end(), budget.begin(), budget.end());
        const std::size_t before = rows_of(s.csv().out).size();
        const Finished f = s.run(words);
        INFO(f.error);
        CHECK(f.status == 0);
        const json r = json::parse(f.out);
        CHECK(r.at("certificate").at("stopped_by") == "budget");
        CHECK(rows_of(s.csv().out).size() > before);
        const json& c = r.at("certificate");
        return c.at("measured").get<int>() + c.at("raced_out").get<int>();
    };
    CHECK(spent({"--budget", "5s,4"}) <= 4);
    CHECK(spent({"--budget", "4", "--budget", "12s"}) <= 4);
    const std::string job = s.folder / "job.json";
    std::ofstream(job) << R"({"schema": "rooftune/job/1", "problems": [
        {"family": "fault", "problem": {"n": "1000", "single": "1"}, "budget": "5s,3"}]})";
    const Finished f = s.run({"tune", "--job", job, "--json"});
    INFO(f.error);
    CHECK(f.status == 0);
    std::ofstream(job) << R"({"schema": "rooftune/job/1", "problems": [
        {"family": "fault", "problem": {"n": "1000"}, "budget": "30s,2m"}]})";
    const Finished wrong = s.run({"tune", "--job", job});
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.told(), "/problems/0/budget"));
    CHECK(contains(wrong.told(), "90s,200"));
    for (const char* budget : {"-1", "soon", "1.5", "60s,2m", "1e12"}) {
        const Finished refused = s.run({"tune", "fault", "n=1000", std::string("--budget=") + budget});
        INFO(budget << refused.error);
        CHECK(refused.status == 2);
        CHECK(contains(refused.told(), budget));
        CHECK(contains(refused.told(), "90s,200"));
    }
}

TEST_CASE("an empty space is bad input: status 2, before anything is measured") {
    const Session s;
    const Finished f = s.run(
        {"tune", "fault", "n=1000", "--only", "behaviour=crash", "--only", "level=5", "--budget", "5s,5"});
    CHECK(f.status == 2);
    CHECK(contains(f.told(), "empty"));
    CHECK_FALSE(std::filesystem::exists(s.results() + "/rooftune.db"));
}

TEST_CASE("a space of one variant: it wins, and nothing is left") {
    const Session s;
    const Finished f = s.run({"tune", "fault", "n=1000,single=1", "--budget", "5s,20", "--json"});
    INFO(f.error);
    CHECK(f.status == 0);
    const json r = json::parse(f.out);
    const json& c = r.at("certificate");
    CHECK(c.at("space") == 1);
    CHECK(c.at("measured") == 1);
    CHECK(c.at("gap") == 0.0);
    CHECK(c.at("stopped_by") == "exhausted");
    CHECK(r.at("best").at("variant").at("level") == "5");
    const Finished words = s.run({"tune", "fault", "n=1000,single=1", "--budget", "5s,20"});
    CHECK(words.status == 0);
    CHECK(contains(words.out, "Nothing is left: every variant was measured"));
    const Finished wrong = s.run({"tune", "fault", "n=1000,single=1,spoil=1", "--budget", "5s,20", "--json"});
    CHECK(wrong.status == 1);
    CHECK(json::parse(wrong.out).at("certificate").at("failed") == 1);
}

TEST_CASE("all variants fail: status 1, every one is counted, and it is said where to look") {
    const Session s;
    const Finished f = s.run(
        {"tune", "fault", "n=1000,spoil=1", "--only", "behaviour=good|wrong", "--budget", "60s", "--json"});
    INFO(f.error);
    CHECK(f.status == 1);
    const json c = json::parse(f.out).at("certificate");
    CHECK(c.at("space") == 12);
    CHECK(c.at("failed") == 12);
    CHECK(c.at("failed_environment") == 0);
    CHECK(c.at("gap") == 0.0);
    CHECK(c.at("stopped_by") == "exhausted");
    CHECK(files(s, ".h") == 0);
    const Finished words =
        s.run({"tune", "fault", "n=1000,spoil=1", "--only", "behaviour=good|wrong", "--budget", "60s"});
    CHECK(words.status == 1);
    CHECK(contains(words.out, "No variant works: 12 variants tried, all failed."));
    CHECK(contains(words.out, "`rooftune results show --records --results " + s.results() + "`"));
}

TEST_CASE("Ctrl-C early and late: status 130, summary and files of what is known, and the next run goes on") {
    const Session s;
    const std::vector<std::string> words = {"tune", "fault", "n=200000", "--budget", "300s", "-v"};
    const std::size_t enough = GENERATE(std::size_t{0}, std::size_t{20});
    const TemporaryFolder outputs;
    const pid_t pid = start(s.command(words), outputs);
    REQUIRE(pid > 0);
    for (int i = 0; i < 600; ++i) {
        if (std::filesystem::exists(s.results() + "/rooftune.db") && rows_of(s.csv().out).size() >= enough)
            break;
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    const std::size_t known = rows_of(s.csv().out).size();
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    INFO(f.out << f.error);
    CHECK(f.status == 130);
    CHECK(contains(f.out, "it was interrupted"));
    CHECK(contains(f.out, "Run the same command again: it goes on where this run ended."));
    CHECK(contains(f.out, "Space: 34 variants"));
    if (known > 0) {
        CHECK(files(s, ".h") == 1);
        CHECK(files(s, ".svg") == 1);
    } else {
        CHECK(contains(f.out, "- plot:"));
    }
    // The winner so far is measured again; what else was known is not.
    std::set<std::string> tried;
    for (const auto& [role, variant] : evaluations(s)) tried.insert(variant);
    std::vector<std::string> again = words;
    again[4] = "30";
    again.emplace_back("--json");
    const Finished next = s.run(again);
    INFO(next.error);
    CHECK(next.status == 0);
    const json r = json::parse(next.out);
    CHECK(classes_sum(r.at("certificate")) == 34);
    CHECK(r.at("resumed").get<std::size_t>() + 1 >= tried.size());
    CHECK((r.at("resumed").get<int>() > 0 || tried.size() <= 1));
}

TEST_CASE(
    "a machine file with rates that this machine beats: ceilings rise, and what it ends with is no "
    "contradiction") {
    const Session s(toy::machine());
    const std::string trace = s.folder / "trace";
    const Finished f = s.run({"tune", "fault", "n=2000", "--where", "behaviour == 'good'", "--only",
                              "level=0|1", "--trace", trace, "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("certificate").at("violations").get<int>() >= 1);
    // Within the margin for noise, without which nothing is excluded either.
    const double margin = r.at("certificate").at("margin").get<double>();
    CHECK((1.0 - margin) * r.at("bound").at("seconds_lower").get<double>() <=
          r.at("best").at("seconds").at("median").get<double>());
    std::ifstream file(trace);
    const std::string said{std::istreambuf_iterator<char>(file), {}};
    INFO(said);
    CHECK(contains(said, "alarm behaviour=good"));
    CHECK(contains(said, "rose by"));
}
