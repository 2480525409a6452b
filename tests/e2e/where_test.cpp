// Constraints as expressions, from the command line and from a job file, seen from outside.
#include <algorithm>
#include <fstream>

#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

// Without the variants that hang or crash: 2 behaviours of 10 levels.
const std::string kWorks = "behaviour == 'good' or behaviour == 'print'";

/// Wherever lines were broken.
bool contains(std::string text, const std::string& part) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("--where cuts the space, several times over, and beside --only") {
    const Session s;
    const Finished f = s.run({"tune", "fault", "n=1000", "--where", kWorks, "--where", "level != 3", "--only",
                              "behaviour=good|wrong", "--budget", "30s,60", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json c = json::parse(f.out).at("certificate");
    CHECK(c.at("space") == 9);
    CHECK(classes_sum(c) == 9);
}

TEST_CASE("a job file has constraints of each problem") {
    const Session s;
    const std::string path = s.folder / "job.json";
    const auto write = [&](const std::string& rule) {
        std::ofstream(path)
            << R"({"schema": "rooftune/job/1", "problems": [{"family": "fault", "problem": {"n": "1000"},)"
            << R"("constraints": [")" << kWorks << R"(", ")" << rule << R"("]}]})";
    };
    write("level % 2 == 1 || level > 7");
    const Finished f = s.run({"tune", "--job", path, "--budget", "30s,60", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    CHECK(json::parse(f.out).at("certificate").at("space") == 12);

    write("levle > 7");
    const Finished wrong = s.run({"tune", "--job", path});
    CHECK(wrong.status == 2);
    CHECK(contains(wrong.told(),
                   "job.json: at /problems/0/constraints/1: \"levle > 7\": at character 1: there is no "
                   "parameter 'levle'; did you mean 'level'?"));
}

TEST_CASE("a rule that leaves nothing is named, before anything is measured") {
    const Session s;
    const Finished f = s.run({"tune", "fault", "n=1000", "--where", kWorks, "--where", "level * 2 > 18"});
    CHECK(f.status == 2);
    CHECK(contains(f.told(), "is empty: 'level * 2 > 18' leaves nothing of it; loosen it"));
    CHECK_FALSE(std::filesystem::exists(s.results() + "/rooftune.db"));
}

TEST_CASE("references that a cut leaves out are measured all the same, and never win") {
    const Session s;
    // The naive variant is level 9. Of what is left nothing is as fast as the default, level 5.
    const Finished f = s.run(
        {"tune", "fault", "n=1000", "--only", "behaviour=good,level=6|7|8", "--budget", "5s,60", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    CHECK(contains(f.told(), "'--only level=6|7|8' leaves out the naive variant and the default variant"));
    const json r = json::parse(f.out);
    CHECK(r.at("certificate").at("space") == 3);
    CHECK(classes_sum(r.at("certificate")) == 3);
    const std::string level = r.at("best").at("variant").at("level");
    CHECK((level == "6" || level == "7" || level == "8"));
    CHECK(r.at("naive").at("variant").at("level") == "9");
    CHECK(r.at("default").at("variant").at("level") == "5");
    for (const char* name : {"naive", "default"})
        CHECK(r.at(name).at("time_over_best").at("median").get<double>() > 0.0);
}
