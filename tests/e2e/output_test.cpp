// Where standard output cannot be written: a full device takes no measurement, and who reads only the first
// lines is no failure.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "tests/support/commands.h"
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

TEST_CASE("no command's answer is lost without a word") {
    const std::set<std::string> commands = commands_of_program();
    REQUIRE(commands.size() > 15);
    std::vector<std::vector<std::string>> asked{
        {"--help"}, {"--version"}, {"list", "families"}, {"help", "gap"}};
    for (const std::string& command : commands) asked.push_back({command, "--help"});
    for (std::vector<std::string> words : asked) {
        words.insert(words.begin(), program());
        for (const char* nowhere : {">/dev/full", ">&-"}) {
            const Finished f = in_shell(words, nowhere);
            INFO(words[1] << " " << nowhere << ": " << f.error);
            CHECK(f.status == 3);
            CHECK(f.told().find("standard output could not be written") != std::string::npos);
        }
        // Nobody to tell: the status is left.
        CHECK(in_shell(words, ">&- 2>&-").status == 3);
    }
}

TEST_CASE("what is printed onto a closed descriptor goes into no file of the store") {
    const Session s;
    REQUIRE(s.run({"tune", "fault", "n=2000", "single=1", "--budget", "5s,10"}).status == 0);
    const auto bytes = [&] {
        std::map<std::string, std::string> files;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(s.results())) {
            if (entry.is_regular_file()) files[entry.path()] = contents(entry.path());
        }
        return files;
    };
    const auto before = bytes();
    for (const std::vector<std::string>& words :
         std::vector<std::vector<std::string>>{{"results", "list"},
                                               {"results", "list", "--json"},
                                               {"results", "show", "run:1"},
                                               {"results", "export", "--csv"}}) {
        std::vector<std::string> whole{program()};
        whole.insert(whole.end(), words.begin(), words.end());
        whole.insert(whole.end(), {"--results", s.results()});
        for (const char* closed : {">&-", ">&- 2>&-", "<&- >&-", "<&- >&- 2>&-"}) {
            INFO(words[1] << " " << closed);
            CHECK(in_shell(whole, closed).status == 3);
            CHECK(bytes() == before);
        }
    }
}

TEST_CASE(
    "names that no file can have are said in a few lines, and a pipe that nobody writes to is no file") {
    const TemporaryFolder folder;
    const std::string endless(70'000, 'x'), pipe = folder / "pipe", loop = folder / "loop";
    REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
    REQUIRE(symlink("loop", loop.c_str()) == 0);
    for (const std::string& name : {endless, pipe, loop}) {
        for (const std::vector<std::string>& words :
             std::vector<std::vector<std::string>>{{"plot", name},
                                                   {"explain", name},
                                                   {"report", name},
                                                   {"replay", name},
                                                   {"verify", name},
                                                   {"compare", name, name},
                                                   {"import", "ncu", name},
                                                   {"import", "torch", name},
                                                   {"check", name},
                                                   {"flags", name},
                                                   {"tune", "--job", name},
                                                   {"tune", "spmv", "--matrix", name},
                                                   {"run", name},
                                                   {"machine", "--show", "--machine", name},
                                                   {"machine", "--diff", name, "this"},
                                                   {"results", "import", name},
                                                   {"results", "list", "--results", name},
                                                   {"bound", name, "matmul", "n=4"},
                                                   {"ladder", name},
                                                   {"export", "--results", name},
                                                   {"track", "report", "--results", name}}) {
            std::vector<std::string> whole{"/usr/bin/timeout", "20", program()};
            whole.insert(whole.end(), words.begin(), words.end());
            const Finished f = run(whole);
            INFO(words[0] << " " << name.substr(0, 100) << ": " << f.error.substr(0, 2000));
            CHECK((f.status == 2 || f.status == 3));
            CHECK(f.error.size() + f.out.size() < 3000);
            CHECK(f.error.find("internal error") == std::string::npos);
        }
    }
}

TEST_CASE("where memory ends while a document is read, or given back, it is said") {
    const TemporaryFolder folder;
    const std::string big = folder / "big.json";
    {
        std::ofstream file(big);
        file << R"({"schema": "rooftune/tune-result/1", "x": [1)";
        for (int i = 0; i < 4'000'000; ++i) file << ",1";
        file << "]}";
    }
    int ended = 0;
    for (int kilobytes = 100'000; kilobytes <= 500'000; kilobytes += 20'000) {
        for (const char* command : {"explain", "replay", "import torch"}) {
            const std::string line = "ulimit -v " + std::to_string(kilobytes) + "; exec '" + program() +
                                     "' " + command + " '" + big + "'";
            const Finished f = run({"/bin/sh", "-c", line});
            INFO(line << ": " << f.error);
            // Too little for the program's own libraries.
            if (f.status == 127) continue;
            CHECK((f.status == 2 || f.status == 3));
            CHECK(f.error.find("terminate") == std::string::npos);
            ended += f.error.find("memory") != std::string::npos ? 1 : 0;
        }
    }
    CHECK(ended > 3);
}
