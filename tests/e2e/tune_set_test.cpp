// Several problems in one job, seen from outside: what they share, what one file keeps of them, and that
// neither Ctrl-C nor a bad problem takes the others with it.
#include <fstream>

#include "kernels/runtime/error.h"
#include "tests/support/results.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"
#include "tuner/formats/tuned_set.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

// A job of fault problems, whose nearest neighbour and best variant are known.
std::string job(const Session& s, const std::vector<std::string>& problems, const std::string& more = "") {
    std::string list;
    for (const std::string& problem : problems)
        list += (list.empty() ? "" : ", ") + (R"({"family": "fault", "problem": )" + problem + "}");
    const std::string path = s.folder / "sizes.json";
    std::ofstream(path) << R"({"schema": "rooftune/job/1", )" << more << R"("problems": [)" << list << "]}";
    return path;
}

// Without the variants that hang: each would cost seconds.
const std::vector<std::string> kQuick{"--only", "behaviour=good|print"};

Finished tune(const Session& s, const std::string& job_file, const std::vector<std::string>& more) {
    std::vector<std::string> words{"tune", "--job", job_file};
    words.insert(words.end(), kQuick.begin(), kQuick.end());
    words.insert(words.end(), more.begin(), more.end());
    return s.run(words);
}

std::string set_file(const Session& s) {
    return s.results() + "/tuned/sizes.json";
}

void check_set(const std::string& path) {
    const Json document = read_json_file(path);
    for (const std::string& fault : SchemaCheck("configs/schema").faults(document, "tuned-set.schema.json"))
        CHECK(fault.empty());
    for (const TunedGroup& g : tuned_set_from(document, path).groups) {
        for (const TunedProblem& p : g.problems)
            CHECK(std::filesystem::exists(std::filesystem::path(path).parent_path() / p.config));
    }
}

}  // namespace

TEST_CASE("a job: neighbours teach each other, and one file holds all winners and the rule between them") {
    const Session s;
    const std::string file = job(s, {R"({"n": "40000"})", R"({"n": "20000"})", R"({"n": "22000"})"});
    const Finished f = tune(s, file, {"--budget", "24s,60", "--audit", "6", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json results = json::parse(f.out).at("results");
    REQUIRE(results.size() == 3);
    // In the order of the job, whatever the order of tuning.
    CHECK(results[0].at("problem").at("n") == "40000");
    CHECK(results[2].at("problem").at("n") == "22000");
    for (const json& r : results) {
        CHECK(r.at("best").at("verified").at("error").get<double>() <= 1.0);
        CHECK(classes_sum(r.at("certificate")) == 20);
    }
    check_set(set_file(s));
    const TunedSet set = read_tuned_set(set_file(s));
    CHECK(set.complete);
    CHECK(set.untuned.empty());
    REQUIRE(set.groups.size() == 1);
    const TunedGroup& g = set.groups[0];
    REQUIRE(g.problems.size() == 3);
    CHECK(g.features == std::vector<std::string>{"log2(1+elements)"});
    CHECK(g.problems[0].problem.at("n") == "22000");  // the one in the middle
    CHECK(std::filesystem::file_size(s.results() + "/tuned/sizes.h") > 100);
    for (const TunedProblem& p : g.problems) {
        REQUIRE(p.left_out);
        CHECK(p.left_out->works);
        if (p.left_out->ratio.slots > 0) CHECK(p.left_out->ratio.low > 0.0);
    }
    // The second and the third began with their neighbour's winner.
    int starts = 0;
    for (const auto& row : rows_of(s.csv().out)) starts += row.at("role") == "start" && row.at("slot") == "0";
    CHECK(starts >= 2);
}

TEST_CASE("a set is applied to problems in between, and says so when nothing is near") {
    const Session s;
    const std::string file = job(s, {R"({"n": "20000"})", R"({"n": "24000"})"});
    REQUIRE(tune(s, file, {"--budget", "30s,60", "--audit", "0", "--quiet"}).status == 0);
    const Finished near = s.run({"run", set_file(s), "n=20000", "--choose", "--json"});
    INFO(near.error);
    REQUIRE(near.status == 0);
    const json choice = json::parse(near.out);
    CHECK(choice.at("by_rule") == true);
    CHECK(choice.at("distance") == 0.0);
    const TunedSet set = read_tuned_set(set_file(s));
    for (const TunedProblem& p : set.groups.at(0).problems) {
        if (p.problem.at("n") == "20000") CHECK(choice.at("variant") == json(p.best));
    }
    const json far = json::parse(s.run({"run", set_file(s), "fault", "n=900000", "--choose", "--json"}).out);
    CHECK(far.at("by_rule") == false);
    CHECK(far.at("variant").at("level") == "5");
    const Finished measured = s.run({"run", set_file(s), "n=20000", "--seconds", "0.2", "--json", "--quiet"});
    CHECK(measured.status == 0);
    CHECK(json::parse(measured.out).at("variants").size() >= 2);
    CHECK(s.run({"run", set_file(s)}).status == 2);
    CHECK(s.run({"run", set_file(s), "n=20000", "--state", "cold"}).status == 2);
    CHECK(s.run({"run", set_file(s), "matmul", "m=4,n=4,k=4"}).status == 2);
}

TEST_CASE("a problem without a working variant does not end the others") {
    const Session s;
    const std::string file =
        job(s, {R"({"n": "20000"})", R"({"n": "20001", "spoil": "1"})", R"({"n": "20002"})"});
    const Finished f = tune(s, file, {"--budget", "30s,60", "--audit", "0"});
    INFO(f.error << f.out);
    CHECK(f.status == 1);
    check_set(set_file(s));
    const TunedSet set = read_tuned_set(set_file(s));
    CHECK(set.complete);
    REQUIRE(set.groups.size() == 1);
    CHECK(set.groups[0].problems.size() == 2);
    REQUIRE(set.untuned.size() == 1);
    CHECK(set.untuned[0].problem.at("n") == "20001");
    CHECK(f.out.find("has no winner") != std::string::npos);
}

TEST_CASE("Ctrl-C in the middle of a job leaves a valid set of the problems before") {
    const Session s;
    const std::string file = job(s, {R"({"n": "20000"})", R"({"n": "20500"})", R"({"n": "400000"})"});
    const TemporaryFolder outputs;
    const pid_t pid = start(s.command({"tune", "--job", file, kQuick[0], kQuick[1], "--budget", "100s",
                                       "--audit", "0", "--json"}),
                            outputs);
    REQUIRE(pid > 0);
    for (int i = 0; i < 600 && !std::filesystem::exists(set_file(s)); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(pid, SIGINT);
    const Finished f = finish(pid, outputs);
    INFO(f.error);
    CHECK(f.status == 130);
    check_set(set_file(s));
    const TunedSet set = read_tuned_set(set_file(s));
    CHECK_FALSE(set.complete);
    REQUIRE(set.groups.size() == 1);
    CHECK(set.groups[0].problems.size() >= 1);
    CHECK(set.groups[0].problems.size() < 3);
}

TEST_CASE("a total budget is shared by what is left of the job") {
    const Session s;
    const std::string file =
        job(s, {R"({"n": "20000"})", R"({"n": "20500"})", R"({"n": "21000"})"}, R"("total_budget": "45", )");
    const Finished f = tune(s, file, {"--audit", "0", "--json", "--fresh"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json results = json::parse(f.out).at("results");
    CHECK(results.size() == 3);
    int evaluated = 0;
    for (const json& r : results) {
        const json& c = r.at("certificate");
        evaluated += c.at("measured").get<int>() + c.at("raced_out").get<int>() + c.at("failed").get<int>();
    }
    CHECK(evaluated <= 45);
    const Finished wrong = tune(s, job(s, {R"({"n": "20000"})"}, R"("total_budget": "much", )"), {});
    CHECK(wrong.status == 2);
    CHECK(wrong.told().find("/total_budget") != std::string::npos);
}
