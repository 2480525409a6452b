// The main job from outside, on generated and real matrices: what must hold of every result, whatever
// the machine. No timing is compared with another.
#include <cstdlib>
#include <filesystem>
#include <set>

#include "kernels/runtime/cpu.h"
#include "tests/support/results.h"
#include "tests/support/session.h"
#include "tuner/base/si.h"

using namespace rooftune;
using namespace rooftune::test;
using nlohmann::json;

namespace {

// Tunes on this machine as measured (the quick model is made once for all cases).
const TemporaryFolder& shared_folder() {
    static const TemporaryFolder folder;
    return folder;
}

// On one thread unless `all_threads`: a team of spinning threads beside other tests takes twice as long.
json tuned(std::vector<std::string> words, bool all_threads = false, const std::string& budget = "3s") {
    if (!all_threads) words.insert(words.end(), {"--threads", "1"});
    words.insert(words.begin(), {program(), "tune", "spmv"});
    // Seconds, also on all threads: twenty evaluations, with finals that no budget shortens, took three times
    // as long.
    words.insert(words.end(), {"--budget", budget, "--audit", "4", "--json", "--results"});
    words.push_back(shared_folder() / "results");
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    return json::parse(f.out);
}

}  // namespace

TEST_CASE("generated matrices, f32 and f64, warm and cold, and a second run resumes") {
    // Beside a compiler, say, loading and probing alone take four seconds, and of one variant nothing is
    // resumed: the winner so far is measured again.
    const json first = tuned({"gen=poisson7,nx=20"}, true, "10s");
    check_result(first);
    CHECK(first.at("resumed") == 0);
    const json second = tuned({"gen=poisson7,nx=20"}, true);
    check_result(second);
    CHECK(second.at("resumed").get<int>() > 0);
    check_result(tuned({"gen=elasticity3,nx=6,dtype=f32"}));
    check_result(tuned({"gen=rmat,scale=10", "--state", "cold"}));
    check_result(tuned({"gen=banded,n=1,band=0"}));
}

TEST_CASE("a machine without AVX-512, without AVX2, with one thread") {
    const json narrow = [&] {
        setenv("ROOFTUNE_MAX_WIDTH", "256", 1);
        const json r = tuned({"gen=poisson5,nx=64"}, true);
        unsetenv("ROOFTUNE_MAX_WIDTH");
        return r;
    }();
    check_result(narrow);
    CHECK(narrow.at("best").at("variant").at("simd") != "512");
    setenv("ROOFTUNE_MAX_WIDTH", "128", 1);
    const json narrowest = tuned({"gen=poisson5,nx=64"});
    unsetenv("ROOFTUNE_MAX_WIDTH");
    check_result(narrowest);
    CHECK(narrowest.at("best").at("variant").at("simd") != "256");
    const json single = tuned({"gen=poisson5,nx=64"});
    check_result(single);
    CHECK(single.at("threads") == 1);
    CHECK(single.at("best").at("variant").at("threads") == "1");
}

TEST_CASE("several numbers of threads in one command: a config for each, side by side") {
    const Finished none = run({program(), "tune", "matmul", "m=20,n=20,k=20", "--threads", "1,100000"});
    CHECK(none.status == 2);
    CHECK(none.out.empty());
    if (usable_cpus().size() < 2) return;
    const TemporaryFolder folder;
    // With rates of its own: nothing is probed for either number.
    const Session s;
    const std::vector<std::string> command{program(),   "tune",      "matmul",    "m=20,n=20,k=20",
                                           "--budget",  "3s,6",      "--audit",   "2",
                                           "--threads", "2,1",       "--results", s.results(),
                                           "--machine", s.machine(), "--out",     folder.path()};
    std::vector<std::string> as_json = command;
    as_json.emplace_back("--json");
    const Finished f = run(as_json);
    INFO(f.error);
    REQUIRE(f.status == 0);
    const json results = json::parse(f.out).at("results");
    REQUIRE(results.size() == 2);
    std::set<std::string> configs;
    for (std::size_t i = 0; i < 2; ++i) {
        check_result(results[i]);
        CHECK(results[i].at("threads") == (i == 0 ? 2 : 1));
        configs.insert(results[i].at("files").at("config"));
    }
    CHECK(configs.size() == 2);
    for (const std::string& config : configs) CHECK(std::filesystem::exists(config));
    setenv("COLUMNS", "400", 1);
    const Finished text = run(command);
    unsetenv("COLUMNS");
    INFO(text.out);
    CHECK(text.status == 0);
    const std::size_t two = text.out.find("# On 2 threads"), one = text.out.find("# On 1 thread\n");
    CHECK(two == 0);
    CHECK(one != std::string::npos);
    CHECK_THAT(text.out, Catch::Contains("f64 on 2 threads") && Catch::Contains("f64 on 1 thread "));

    const std::string job = folder.write("two.json", R"({"schema": "rooftune/job/1", "problems": [
        {"family": "matmul", "problem": {"m": "20", "n": "20", "k": "20"}},
        {"family": "matmul", "problem": {"m": "24", "n": "20", "k": "20"}}]})");
    const Finished several =
        run({program(), "tune", "--job", job, "--budget", "3s,6", "--audit", "2", "--threads", "1,2",
             "--results", s.results(), "--machine", s.machine(), "--out", folder.path()});
    INFO(several.error);
    CHECK(several.status == 0);
    for (const char* set : {"two_1_thread.json", "two_2_threads.json"})
        CHECK(std::filesystem::exists(folder.file(set)));
}

TEST_CASE("real matrices") {
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (!data) {
        WARN("skipped: ROOFTUNE_DATA is not set");
        return;
    }
    // Rectangular, a row with 93 261 entries, pattern and symmetric, tiny.
    for (const std::string name : {"lp_afiro", "BOYD1_A", "wing", "LFAT5", "bcsstk16"}) {
        const bool all_threads = name == "BOYD1_A" || name == "bcsstk16";
        check_result(tuned({"--matrix", std::string(data) + "/matrices/" + name + ".mtx.gz"}, all_threads));
    }
}

TEST_CASE("run, explain, plot and results read what tune wrote") {
    const json r = tuned({"gen=poisson27,nx=14"}, true);
    const std::string config = r.at("files").at("config");
    const std::string results = shared_folder() / "results";
    const Finished again = run({program(), "run", config, "--seconds", "1", "--json", "--results", results});
    INFO(again.error);
    CHECK(again.status == 0);
    CHECK_FALSE(r.at("next").empty());
    CHECK(r.at("next").front().is_string());
    // Each once: which of them are one variant is this machine's affair.
    const std::set<json> measured{r.at("best").at("variant"), r.at("naive").at("variant"),
                                  r.at("default").at("variant")};
    CHECK(json::parse(again.out).at("variants").size() == measured.size());
    const Finished explained = run({program(), "explain", config});
    CHECK(explained.status == 0);
    CHECK(explained.out.find("subtrees") != std::string::npos);
    // The same without its name: what was tuned last in the folder, which is not this test's alone.
    const Finished newest = run({program(), "explain", "--results", results});
    CHECK(newest.status == 0);
    CHECK(newest.out.find("subtrees") != std::string::npos);
    CHECK(newest.told().find(", which was tuned last") != std::string::npos);
    const std::string name = std::filesystem::path(config).filename().string();
    CHECK(run({program(), "explain", name, "--results", results}).out == explained.out);
    CHECK(run({program(), "explain", name, "--results", shared_folder() / "none"}).status == 2);
    const Finished none = run({program(), "explain", "--results", shared_folder() / "none"});
    CHECK(none.status == 2);
    CHECK(none.told().find("holds no tuned config yet") != std::string::npos);
    const Finished plotted = run({program(), "plot", config});
    CHECK(plotted.status == 0);
    CHECK(plotted.out.find("<svg") != std::string::npos);
    const Finished csv = run({program(), "results", "export", "--csv", "--results", results});
    CHECK(csv.status == 0);
    CHECK(rows_of(csv.out).size() > 50);
    // Who reads none of it is no failure: the samples are written as they are read, and the pipe is closed.
    const std::string status = shared_folder() / "status";
    const Finished unread = run({"/bin/sh", "-c",
                                 "{ sleep 0.1; '" + program() + "' results export --csv --results '" +
                                     results + "'; echo $? >" + status + "; } | true"});
    CHECK(unread.error.empty());
    CHECK(contents(status) == "0\n");
    CHECK(run({"/bin/sh", "-c",
               "'" + program() + "' results export --csv --results '" + results + "' >/dev/full"})
              .status == 3);
}

TEST_CASE("a variant has one time, wherever it is shown") {
    const json r = tuned({"gen=poisson27,nx=13"}, true);
    const std::string results = shared_folder() / "results";
    const auto text_of = [&](std::vector<std::string> words) {
        words.insert(words.begin(), program());
        words.insert(words.end(), {"--results", results});
        const Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return f.out;
    };
    const json job = json::parse(text_of({"results", "show", "--json"}));
    const std::string summary = text_of({"results", "show", "run:" + job.at("runs").back().at("run").dump()});
    const std::string page = text_of({"report", r.at("files").at("config")});
    const double flops = r.at("flops_nominal");
    const std::map<std::string, json> seconds{{"winner", r.at("best").at("seconds")},
                                              {"naive", r.at("naive").value("seconds", json())},
                                              {"default", r.at("default").value("seconds", json())}};
    std::string winner;
    for (const json& point : r.at("plot").at("points")) {
        const auto known = seconds.find(point.at("kind"));
        if (known == seconds.end()) {
            CHECK(point.at("label") != winner);
            continue;
        }
        INFO(known->first);
        if (known->first == "winner") winner = point.at("label");
        REQUIRE(known->second.is_object());  // who was in the finals has a time of its own
        const double median = known->second.at("median");
        CHECK(point.at("flops_per_second").get<double>() * median == Approx(flops));
        CHECK_THAT(page, Catch::Contains(format_si(flops / median, "flop/s")));
        // A reference that is the winner has no row, nor one that did not meet the winner of an audit.
        if (known->first != "winner" && (r.at(known->first).at("variant") == r.at("best").at("variant") ||
                                         r.at(known->first).at("time_over_best").at("median").is_null()))
            continue;
        CHECK_THAT(summary, Catch::Contains(format_seconds(median)));
        CHECK_THAT(page, Catch::Contains(format_seconds(median)));
    }
    CHECK(r.at("course").at("best_seconds").back() == seconds.at("winner").at("median"));
    // Others may have been faster in the minutes of the search, so it need not be among the ten.
    for (const json& line : job.at("fastest")) {
        if (line.at("variant") == winner)
            CHECK(line.at("seconds").at("median") == seconds.at("winner").at("median"));
    }
}

TEST_CASE("a results folder that cannot be written is found before tuning") {
    const Session s;
    std::ofstream(s.folder / "file") << "not a folder";
    const Finished f =
        run({program(), "tune", "fault", "n=1000", "--machine", s.machine(), "--results", s.folder / "file"});
    CHECK(f.status == 3);
    CHECK(f.told().find(s.folder / "file") != std::string::npos);
}
