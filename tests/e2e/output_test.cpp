// Where standard output cannot be written: a full device takes no measurement, and who reads only the first
// lines is no failure.
#include <filesystem>
#include <fstream>

#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

// The command's words for a shell, with what stands behind it.
Finished in_shell(const std::vector<std::string>& words, const std::string& behind) {
    std::string line;
    for (const std::string& word : words) line += "'" + word + "' ";
    return run({"/bin/sh", "-c", line + behind});
}

}  // namespace

TEST_CASE("a job whose summaries nobody can write is tuned to its end, stored, and fails then") {
    const Session s;
    const std::string job = s.folder / "two.json";
    std::ofstream(job) << R"({"schema": "rooftune/job/1", "problems": [
        {"family": "fault", "problem": {"n": "2000", "single": "1"}},
        {"family": "fault", "problem": {"n": "3000", "single": "1"}}]})";
    const Finished f = in_shell(s.command({"tune", "--job", job, "--budget", "5s,10"}), ">/dev/full");
    INFO(f.error);
    CHECK(f.status == 3);
    CHECK(f.told().find("standard output could not be written") != std::string::npos);
    const std::string tuned = s.results() + "/tuned";
    CHECK(std::filesystem::exists(tuned + "/two.json"));
    const json listed =
        json::parse(run({program(), "results", "list", "--json", "--results", s.results()}).out);
    CHECK(listed.at("jobs").size() == 2);
}

TEST_CASE("a file that was asked for has the answer that standard output could not take") {
    const Session s;
    const std::string text = s.folder / "verdict.txt";
    const Finished f =
        in_shell({program(), "doctor", "--results", s.results(), "--file", text}, ">/dev/full");
    CHECK(f.status == 3);
    CHECK(contents(text).size() > 20);
}

TEST_CASE("who reads the first line only is no failure") {
    const TemporaryFolder folder;
    const std::string status = folder / "status";
    run({"/bin/sh", "-c", "{ '" + program() + "' help; echo $? >" + status + "; } | head -n 1 >/dev/null"});
    CHECK(contents(status) == "0\n");
}
