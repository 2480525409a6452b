// A machine that breaks while the program runs (tests/support/broken_machine.cpp): the disk is full, a call
// fails or does half of what was asked, the process is killed, whichever call it is. Afterwards stores,
// configs and files are whole or as before, what stood in the way is said with status 3, and the same command
// then does its work.
//
// The calls 1, 7, 37, 187 … break, as far as there are so many; with ROOFTUNE_EVERY=7 in the environment each
// seventh, which takes an hour, with 1 each in turn.
#include <algorithm>
#include <cstring>
#include <functional>
#include <set>

#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

struct Break {
    std::string calls, how;
    bool onward = false;
};

struct Scenario {
    std::string name;
    /// Words of the command, for a folder as Ready leaves it.
    std::function<std::vector<std::string>(const std::string& folder)> words;
    std::string made{};    ///< file of the folder that is there where it ends with 0; empty: none
    bool deletes = false;  ///< the records of the store, all or none
};

// The records of a store, a line each.
std::set<std::string> records_in(const std::string& results) {
    const Finished f = run({program(), "results", "export", "--csv", "--results", results});
    INFO(f.error);
    CHECK(f.status == 0);
    std::set<std::string> lines;
    std::istringstream text(f.out);
    std::string line;
    std::getline(text, line);  // the names of the columns
    while (std::getline(text, line)) lines.insert(line);
    return lines;
}

// A folder with a machine file, a store with a tune, and another store to import.
class Ready {
public:
    Ready() {
        write_machine_file(folder_ / "machine.json", fast_machine());
        for (const char* name : {"results", "other"}) {
            const std::string n = std::strcmp(name, "other") == 0 ? "n=3000,single=1" : "n=2000,single=1";
            const Finished f = run(tune(folder_.path(), name, n));
            INFO(f.error);
            REQUIRE(f.status == 0);
        }
        records_ = records_in(folder_ / "results");
        REQUIRE(records_.size() > 1);
    }
    const std::set<std::string>& records() const { return records_; }
    /// A copy of it, in a folder of that name.
    std::string copy(const TemporaryFolder& parent) const {
        const std::string path = parent / "state";
        fs::remove_all(path);
        fs::copy(folder_.path(), path, fs::copy_options::recursive);
        return path;
    }
    static std::vector<std::string> tune(const std::string& folder, const std::string& results,
                                         const std::string& problem) {
        return {program(),   "tune",
                "fault",     problem,
                "--budget",  "5s,3",
                "--machine", folder + "/machine.json",
                "--results", folder + "/" + results,
                "--threads", "1",
                "--audit",   "0"};
    }

private:
    TemporaryFolder folder_;
    std::set<std::string> records_;
};

const std::vector<Scenario>& scenarios() {
    static const std::vector<Scenario> all{
        {"tune into a store that is there",
         [](const std::string& f) { return Ready::tune(f, "results", "n=4000,single=1"); }},
        {"tune into a new store",
         [](const std::string& f) { return Ready::tune(f, "new", "n=4000,single=1"); }},
        {"results import",
         [](const std::string& f) {
             return std::vector<std::string>{program(),   "results",     "import", f + "/other/rooftune.db",
                                             "--results", f + "/results"};
         }},
        {"results prune",
         [](const std::string& f) {
             return std::vector<std::string>{program(),      "results",    "prune",
                                             "--before",     "2099-01-01", "--yes",
                                             "--newest-too", "--results",  f + "/results"};
         },
         "", true},
        {"export",
         [](const std::string& f) {
             return std::vector<std::string>{program(),  "export",        "--format",  "rooftune",
                                             "--output", f + "/out.json", "--results", f + "/results"};
         },
         "out.json"},
        {"report",
         [](const std::string& f) {
             return std::vector<std::string>{program(), "report", f + "/results", "--html", f + "/out.html"};
         },
         "out.html"}};
    return all;
}

struct Seen {
    std::uint64_t calls = 0, broken = 0;
};

Seen seen_in(const std::string& file) {
    Seen seen;
    std::ifstream stream(file, std::ios::binary);
    stream.read(reinterpret_cast<char*>(&seen.calls), sizeof seen.calls);
    stream.read(reinterpret_cast<char*>(&seen.broken), sizeof seen.broken);
    return seen;
}

// The command on a machine that breaks so; what takes longer than a minute has status 124.
std::vector<std::string> broken(const Break& how, std::uint64_t at, const std::string& seen,
                                const std::vector<std::string>& words) {
    std::vector<std::string> whole{
        "/usr/bin/timeout",      "60",
        "/usr/bin/env",          "BROKEN_CALLS=" + how.calls,
        "BROKEN_HOW=" + how.how, "BROKEN_AT=" + std::to_string(at) + (how.onward ? "+" : ""),
        "BROKEN_SEEN=" + seen,   std::string("LD_PRELOAD=") + ROOFTUNE_BROKEN_MACHINE};
    whole.insert(whole.end(), words.begin(), words.end());
    return whole;
}

// What must hold of the folder, whatever happened in it: both stores are there, as they are and not as a
// repair left them, with every record (but for what deletes all), and each file that is there is all of it.
void still_whole(const Ready& ready, const Scenario& scenario, const std::string& folder, bool was_killed) {
    for (const char* results : {"results", "other", "new"}) {
        const bool is_new = std::strcmp(results, "new") == 0;
        if (is_new && !fs::exists(folder + "/new/rooftune.db")) continue;
        const Finished checked = run({program(), "results", "check", "--results", folder + "/" + results});
        INFO(results << ": " << checked.out << checked.error);
        CHECK(checked.status == 0);
    }
    const std::set<std::string> now = records_in(folder + "/results");
    if (!scenario.deletes || !now.empty())
        CHECK(std::includes(now.begin(), now.end(), ready.records().begin(), ready.records().end()));
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        INFO(entry.path().string());
        CHECK(name.find(".broken-") == std::string::npos);
        if (!was_killed) CHECK_FALSE(name.starts_with(".rooftune-"));
        if (entry.path().extension() == ".json" && !name.starts_with("."))
            CHECK_FALSE(json::parse(contents(entry.path()), nullptr, false).is_discarded());
        if (entry.path().extension() == ".html")
            CHECK(contents(entry.path()).find("</html>") != std::string::npos);
    }
}

// What a command that ended with 0 has done.
void has_done(const Ready& ready, const Scenario& scenario, const std::string& folder) {
    if (!scenario.made.empty()) CHECK(fs::exists(folder + "/" + scenario.made));
    if (scenario.deletes) CHECK(records_in(folder + "/results").empty());
    if (scenario.name == "results import")
        CHECK(records_in(folder + "/results").size() > ready.records().size());
    if (scenario.name == "tune into a new store") CHECK_FALSE(records_in(folder + "/new").empty());
}

const char* every() {
    static const char* asked = std::getenv("ROOFTUNE_EVERY");
    return asked;
}

// The next call to break, of those behind the `at`-th.
std::uint64_t after(std::uint64_t at) {
    return every() ? at + static_cast<std::uint64_t>(std::max(1, std::atoi(every()))) : at * 5 + 2;
}

using Judge = std::function<void(const Scenario&, const Finished&, const std::string& folder)>;

// Breaks one call of that kind after the other, in each scenario; `judge` has what the program said.
void each_place(const Ready& ready, const Break& how, const Judge& judge) {
    const TemporaryFolder parent;
    const bool kills = how.how == "kill" || how.how == "killed";
    std::uint64_t places = 0;
    for (const Scenario& scenario : scenarios()) {
        // A tune takes a second, and the next one does what it does.
        if (!every() && &scenario == &scenarios().front()) continue;
        for (std::uint64_t at = 1;; at = after(at)) {
            const std::string folder = ready.copy(parent), seen = parent / "seen";
            fs::remove(seen);
            const Finished f = run(broken(how, at, seen, scenario.words(folder)));
            if (seen_in(seen).broken == 0) break;
            ++places;
            INFO(scenario.name << ": " << how.how << " of call " << at << " (" << how.calls << "): status "
                               << f.status << "\n"
                               << f.out.substr(0, 2000) << f.error.substr(0, 2000));
            judge(scenario, f, folder);
            still_whole(ready, scenario, folder, kills);
            if (f.status == 0) has_done(ready, scenario, folder);
        }
    }
    INFO(how.calls << " " << how.how);
    CHECK(places > 0);
}

// Survived, or told: the answer may be that no variant works where the machine let none be measured.
void survived_or_told(const Scenario&, const Finished& f, const std::string&) {
    // A config that the device does not give is left out with a notice, and then there may be none.
    const bool is_without_configs = f.status == 2 && f.told().find("it is left out") != std::string::npos;
    CHECK((f.status == 0 || f.status == 1 || f.status == 3 || is_without_configs));
    if (f.status == 3) CHECK_THAT(f.error, Catch::Contains("rooftune: "));
    for (const char* wrong : {"internal error", "terminate called", "Assertion"})
        CHECK(f.error.find(wrong) == std::string::npos);
}

}  // namespace

TEST_CASE("the machine that breaks does break, where it is told to") {
    const Ready ready;
    const TemporaryFolder parent;
    const std::string seen = parent / "seen";
    const Scenario& import = scenarios()[2];
    for (const char* calls : {"write", "sync", "truncate", "make", "open", "map", "read", "lock"}) {
        fs::remove(seen);
        INFO(calls);
        const std::vector<std::string> words = import.words(ready.copy(parent));
        CHECK(run(broken({calls, "count"}, 0, seen, words)).status == 0);
        CHECK(seen_in(seen).calls > 0);
        CHECK(seen_in(seen).broken == 0);
    }
    fs::remove(seen);
    CHECK(run(broken({"sync", "kill"}, 1, seen, import.words(ready.copy(parent)))).status == 128 + SIGKILL);
    CHECK(seen_in(seen).broken == 1);
}

TEST_CASE("a disk that is full from any write on: status 3, and everything whole") {
    const Ready ready;
    each_place(ready, {"write,make,truncate", "ENOSPC", true},
               [](const Scenario& scenario, const Finished& f, const std::string& folder) {
                   survived_or_told(scenario, f, folder);
                   if (f.status == 3)
                       CHECK_THAT(f.told(), Catch::Contains("No space left") || Catch::Contains("is full"));
               });
}

TEST_CASE("one call that fails is survived or told") {
    const Ready ready;
    for (const Break& how : std::vector<Break>{{"write", "EIO"},
                                               {"sync", "EIO"},
                                               {"rename,truncate", "EACCES"},
                                               {"make", "EROFS"},
                                               {"open", "EMFILE"},
                                               {"read", "EIO"},
                                               {"map", "ENOMEM"},
                                               {"start", "EAGAIN"},
                                               {"lock", "ENOLCK"}})
        each_place(ready, how, survived_or_told);
}

TEST_CASE("calls that are interrupted, or do half of what was asked, change nothing") {
    const Ready ready;
    for (const Break& how : std::vector<Break>{
             {"write,read", "short", true}, {"write", "EINTR"}, {"read", "EINTR"}, {"lock", "EINTR"}})
        each_place(ready, how,
                   [](const Scenario&, const Finished& f, const std::string&) { CHECK(f.status == 0); });
}

TEST_CASE(
    "killed before and after any call that changes a file: everything whole, and the next run does its "
    "work") {
    const Ready ready;
    for (const char* how : {"kill", "killed"}) {
        each_place(ready, {"write,sync,rename,make,truncate,remove", how},
                   [&](const Scenario& scenario, const Finished& f, const std::string& folder) {
                       CHECK(f.status == 128 + SIGKILL);
                       still_whole(ready, scenario, folder, true);
                       const Finished next = run(scenario.words(folder));
                       INFO("the next run: " << next.error);
                       CHECK(next.status == 0);
                       has_done(ready, scenario, folder);
                   });
    }
}

TEST_CASE("a clock that leaps an hour forth and back changes no measurement") {
    const Ready ready;
    const TemporaryFolder parent;
    std::vector<std::string> words = scenarios()[0].words(ready.copy(parent));
    words.insert(words.begin(), {"/usr/bin/timeout", "60", "/usr/bin/env", "BROKEN_CLOCK=1",
                                 std::string("LD_PRELOAD=") + ROOFTUNE_BROKEN_MACHINE});
    words.emplace_back("--json");
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json best = json::parse(f.out).at("best");
    CHECK(best.at("seconds").at("median").get<double>() < 1.0);
    CHECK(best.at("seconds").at("min").get<double>() > 0.0);
}

TEST_CASE("a process that is stopped for a while goes on") {
    const Ready ready;
    const TemporaryFolder parent, outputs;
    const std::string folder = ready.copy(parent), seen = parent / "seen";
    const pid_t pid = start(broken({"write", "stop"}, 3, seen, scenarios()[0].words(folder)), outputs);
    REQUIRE(pid > 0);
    for (int i = 0; i < 300 && seen_in(seen).broken == 0; ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
    REQUIRE(seen_in(seen).broken == 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    // timeout(1) has put it, and itself, into a group of their own, whose number is its.
    kill(-pid, SIGCONT);
    const Finished f = finish(pid, outputs);
    INFO(f.error);
    CHECK(f.status == 0);
    still_whole(ready, scenarios()[0], folder, false);
}

TEST_CASE("too little memory is a variant's result or a message") {
    const Ready ready;
    const TemporaryFolder parent;
    for (const Scenario& scenario : scenarios()) {
        int judged = 0;
        for (const int megabytes : {40, 80, 120, 400}) {
            const std::string folder = ready.copy(parent);
            std::string line = "ulimit -v " + std::to_string(megabytes * 1024) + "; exec";
            for (const std::string& word : scenario.words(folder)) line += " '" + word + "'";
            const Finished f = run({"/usr/bin/timeout", "60", "/bin/sh", "-c", line});
            INFO(scenario.name << ", " << megabytes << " MB: status " << f.status << "\n" << f.error);
            // What the loader cannot even begin is its own failure, in its own words.
            if (f.status == 127 || f.error.find("error while loading") != std::string::npos) continue;
            ++judged;
            survived_or_told(scenario, f, folder);
            still_whole(ready, scenario, folder, false);
        }
        INFO(scenario.name);
        CHECK(judged > 0);
    }
}
