// Programs that are tuned as they are: one that make builds, described in a file; a script, described by
// flags; and one that fails in every way, none of which ends the run or leaves a process behind.
#include <dirent.h>

#include <csignal>
#include <fstream>

#include "tests/support/results.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

// A session whose programs lie in its folder, where the command is run.
class ProgramSession : public Session {
public:
    ProgramSession() : here_(fs::current_path()) {
        setenv("ROOFTUNE_KERNEL_CACHE", (folder / "objects").c_str(), 1);
        fs::create_directory(folder / "work");
        fs::current_path(folder / "work");
    }
    ~ProgramSession() {
        fs::current_path(here_);
        unsetenv("ROOFTUNE_KERNEL_CACHE");
    }

    std::string work(const std::string& file = "") const {
        return (fs::path(folder / "work") / file).string();
    }
    void script(const std::string& name, const std::string& body) const {
        std::ofstream(work(name)) << "#!/bin/sh\n" << body;
        fs::permissions(work(name), fs::perms::owner_all);
    }
    json tuned(std::vector<std::string> words) const {
        words.insert(words.begin(), "tune");
        words.emplace_back("--json");
        const Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        json r = json::parse(f.out);
        check_result(r);
        return r;
    }
    std::map<std::string, std::pair<std::string, std::string>> outcomes() const {
        std::map<std::string, std::pair<std::string, std::string>> found;
        for (const auto& row : rows_of(csv().out))
            found[row.at("variant")] = {row.at("outcome"), row.at("detail")};
        return found;
    }

private:
    fs::path here_;
};

// Processes whose arguments have a text.
int processes_with(const std::string& text) {
    int found = 0;
    for (const auto& process : fs::directory_iterator("/proc")) {
        const std::string arguments = contents((process.path() / "cmdline").string());
        if (arguments.find(text) != std::string::npos) ++found;
    }
    return found;
}

}  // namespace

TEST_CASE("a program that make builds: a winner whose config every command takes, without its description") {
    const ProgramSession s;
    const fs::path examples = fs::path(__FILE__).parent_path().parent_path() / "examples/programs/transpose";
    for (const char* file : {"Makefile", "transpose.c", "transpose.rooftune"})
        fs::copy_file(examples / file, s.work(file));
    const json r = s.tuned(
        {"transpose.rooftune", "n=300", "--only", "TILE=1|8|32", "--budget", "5s,10", "--audit", "0"});
    INFO(r.dump());
    CHECK(r.at("family") == "external");
    CHECK(r.at("title") == "transpose.rooftune n=300");
    CHECK(r.at("best").at("seconds").at("median").get<double>() > 0.0);
    CHECK_THAT(r.at("best").at("verified").at("by").get<std::string>(),
               Contains("against what the first variant wrote into transpose.out"));
    CHECK(r.at("certificate").at("failed") == 0);
    const std::string config = r.at("files").at("config");
    const Finished flags = run({program(), "flags", config});
    CHECK(flags.status == 0);
    const std::string tile = r.at("best").at("variant").at("TILE");
    CHECK_THAT(flags.out, Contains("make -B TILE=" + tile + " ") &&
                              Contains("OMP_NUM_THREADS=1 taskset -c ") && Contains(" ./transpose 300\n"));
    // What it says builds and runs the winner.
    std::ofstream(s.work("again.sh")) << flags.out;
    CHECK_THAT(run({"/bin/sh", s.work("again.sh")}).out, Contains("transposed 300 x 300 in"));
    CHECK(fs::is_empty(s.folder / "objects"));  // what was built is forgotten with the tune

    // While another process builds in the folder nobody else does.
    const TemporaryFolder outputs;
    const pid_t other =
        start({"/bin/sh", "-c", "exec flock " + s.work() + " sh -c 'touch held; exec sleep 1000.0078125'"},
              outputs);
    for (int i = 0; i < 300 && !fs::exists(s.work("held")); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"tune", "transpose.rooftune", "n=300", "--budget", "5s,10"},
          {"run", config},
          {"check", "transpose.rooftune"}}) {
        const Finished refused =
            words.front() == "check" ? run({program(), "check", "transpose.rooftune"}) : s.run(words);
        INFO(words.front() << refused.out << refused.error);
        CHECK(refused.status == 3);
        CHECK_THAT(refused.told(), Contains("another rooftune builds in "));
    }
    for (const auto& process : fs::directory_iterator("/proc")) {
        const std::string arguments = contents((process.path() / "cmdline").string());
        if (arguments.find("1000.0078125") != std::string::npos)
            kill(std::atoi(process.path().filename().c_str()), SIGKILL);
    }
    finish(other, outputs);
}

TEST_CASE("a program described by flags: its time is what it prints, and its config needs no description") {
    const ProgramSession s;
    // The times are made up, so that the winner is known; each run lasts longer than it says.
    s.script("bench.sh", "printf 'step 1 of 2\\nelapsed: %d us (%d elements)\\n' $((40 / $1 + $2)) $3\n");
    const json r = s.tuned({"--command", "./bench.sh {tile} {shift} {n}", "--parameter", "tile=4:16:x2",
                            "--parameter", "shift=10,90", "--size", "n=12", "--where", "tile <= n", "--flops",
                            "2*n", "--time", "elapsed: ([0-9]+ us)", "--budget", "24s,100", "--audit", "0"});
    CHECK(r.at("title") == "bench.sh n=12");
    CHECK(r.at("best").at("variant").at("tile") == "8");
    CHECK(r.at("best").at("variant").at("shift") == "10");
    CHECK(r.at("best").at("seconds").at("median").get<double>() == Approx(15e-6).epsilon(0.01));
    CHECK(r.at("certificate").at("space") == 4);
    CHECK_THAT(r.at("best").at("verified").at("by").get<std::string>(), Contains("exit status alone"));
    const std::string config = r.at("files").at("config");
    fs::current_path("/");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"explain", config},
                                                  {"run", config, "--results", s.results()},
                                                  {"verify", "--quick", config, "--machine", s.machine()},
                                                  {"report", config, "--markdown", s.folder / "page.md"},
                                                  {"flags", config}}) {
        std::vector<std::string> all = words;
        all.insert(all.begin(), program());
        const Finished f = run(all);
        INFO(words.front() << f.out << f.error);
        CHECK(f.status == 0);
    }
    CHECK_THAT(run({program(), "flags", config}).out, Contains(" &&\n./bench.sh 8 10 12\n"));
    const json verdict =
        json::parse(run({program(), "verify", "--quick", config, "--machine", s.machine(), "--json"}).out);
    CHECK_THAT(verdict.dump(), Contains(" && rooftune tune --size 'n = 12' --parameter 'tile 4:16:x2'"));
}

TEST_CASE("each fault of a program is its variant's record, and no process is left behind") {
    const ProgramSession s;
    s.script("bench.sh",
             "sleep 0.002\n"
             "case $WHAT in\n"
             "exit) echo it broke >&2; exit 3;;\n"
             "hang) sleep 1000.0625;;\n"
             "crash) kill -SEGV $$;;\n"
             "illegal) kill -ILL $$;;\n"
             "silent) exit 0;;\n"
             "longer) echo 'sum 10' > out.txt; echo 100 s; exit 0;;\n"
             "negative) echo 'sum 10' > out.txt; echo -1 s; exit 0;;\n"
             "nothing) echo 1 ms; exit 0;;\n"
             "wrong) echo 'sum 10.1' > out.txt; echo 1 ms; exit 0;;\n"
             "leave) sleep 1000.03125 & ;;\n"
             "flood) while :; do cat /bin/sh; done;;\n"
             "esac\n"
             "echo 'sum 10' > out.txt\necho 1 ms\n");
    const std::string all = "good,exit,hang,crash,illegal,silent,longer,negative,nothing,wrong,leave,flood";
    const Finished f =
        s.run({"tune", "--command", "./bench.sh", "--environment", "WHAT=" + all, "--time", "printed",
               "--verify", "out.txt", "--budget", "12s,30", "--audit", "0", "--patience", "100", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json r = json::parse(f.out);
    CHECK(r.at("failures").size() >= 4);
    const std::map<std::string, std::pair<std::string, std::string>> expected{
        {"exit", {"wrong", "ended with status 3"}},
        {"hang", {"timed_out", ""}},
        {"crash", {"crashed", "Segmentation fault"}},
        {"illegal", {"illegal", "Illegal instruction"}},
        {"silent", {"crashed", "it printed no number"}},
        {"longer", {"crashed", "longer than the"}},
        {"negative", {"crashed", "-1 s"}},
        {"nothing", {"wrong", "wrote no file out.txt"}},
        {"wrong", {"wrong", "the first variant wrote '10', this one '10.1'"}},
        {"flood", {"crashed", "more than 16 MiB"}}};
    const auto found = s.outcomes();
    for (const auto& [what, outcome] : expected) {
        INFO(what);
        const auto its = found.find("WHAT=" + what);
        REQUIRE(its != found.end());
        CHECK(its->second.first == outcome.first);
        CHECK_THAT(its->second.second, Contains(outcome.second));
    }
    // It is as good as the other, and only what it leaves behind is ended; which of the two is faster is
    // open.
    for (const char* what : {"good", "leave"}) {
        INFO(what);
        const auto its = found.find(std::string("WHAT=") + what);
        REQUIRE(its != found.end());
        CHECK((its->second.first == "measured" || its->second.first == "raced_out"));
        CHECK(its->second.second.find("ended with") == std::string::npos);
    }
    CHECK(processes_with("1000.0625") == 0);
    CHECK(processes_with("1000.03125") == 0);
}

TEST_CASE(
    "a first variant that fails is accused where it is declared; Ctrl-C leaves the best and no process") {
    const ProgramSession s;
    // Its answer is no number to compare with, so that the third that fails for it ends the run.
    s.script("bench.sh", "echo nan > out.txt\n");
    const Finished f = s.run({"tune", "--command", "./bench.sh {n}", "--parameter", "n=1,2,3,4", "--verify",
                              "out.txt", "--budget", "5s,5"});
    INFO(f.out << f.error);
    CHECK(f.status == 3);
    CHECK_THAT(f.told(),
               Contains("--verify: what the first variant leaves in out.txt is nothing to compare with"));
    // Where each variant fails by itself the answer is that none works.
    s.script("bench.sh", "exit 1\n");
    const Finished none = s.run({"tune", "--command", "./bench.sh {n}", "--parameter", "n=1,2", "--verify",
                                 "out.txt", "--budget", "5s,5"});
    INFO(none.out << none.error);
    CHECK(none.status == 1);

    // Ten runs take longer than the limit of one.
    s.script("long.sh", "sleep 0.$1\n");
    setenv("ROOFTUNE_RUN_LIMIT", "1.5", 1);
    const Finished few =
        s.run({"tune", "--command", "./long.sh {n}", "--parameter", "n=25,9", "--budget", "1"});
    unsetenv("ROOFTUNE_RUN_LIMIT");
    INFO(few.out << few.error);
    CHECK(few.status == 0);
    CHECK_THAT(few.out, Contains("n=25"));

    s.script("slow.sh", "[ \"$1\" = 1 ] && exec sleep 0.002\nsleep 1000.015625\nexit 0\n");
    const TemporaryFolder outputs;
    const pid_t pid = start(
        s.command({"tune", "--command", "./slow.sh {n}", "--parameter", "n=1,2,3,4,5", "--budget", "24s,60"}),
        outputs);
    for (int i = 0; i < 300 && processes_with("1000.015625") == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    CHECK(processes_with("1000.015625") > 0);
    kill(pid, SIGINT);
    const Finished stopped = finish(pid, outputs);
    INFO(stopped.out << stopped.error);
    CHECK(stopped.status == 130);
    CHECK_THAT(stopped.out, Contains("n=1"));
    CHECK(processes_with("1000.015625") == 0);
}
