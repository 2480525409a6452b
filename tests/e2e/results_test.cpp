// `rooftune results` from outside: two tunes into two folders, moved, listed, shown, pruned and checked.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

std::vector<std::string> tune_words(const char* problem) {
    return {"tune",   "fault",         problem,  "--only",       "behaviour=good|wrong|crash",
            "--only", "level=0|1|5|9", "--json", "--exhaustive", "--quiet"};
}

// One folder with two jobs, another with one of them, both on the same machine; measured once for all cases
// and copied for each.
const Session& tuned(int which) {
    static const Session sessions[2];
    static const bool done = [] {
        for (const auto& [session, problem] : {std::pair{0, "n=2000"}, {0, "n=1000"}, {1, "n=2000"}}) {
            const Finished f = sessions[session].run(tune_words(problem));
            INFO(f.error);
            REQUIRE(f.status == 0);
        }
        return true;
    }();
    REQUIRE(done);
    return sessions[which];
}

struct World {
    World() {
        for (int which : {0, 1})
            fs::copy(tuned(which).results(), results(which), fs::copy_options::recursive);
    }
    std::string results(int which) const { return folder / ("results" + std::to_string(which)); }
    std::string store(int which) const { return results(which) + "/rooftune.db"; }
    Finished run(int which, std::vector<std::string> words) const {
        words.insert(words.begin(), {program(), "results"});
        words.insert(words.end(), {"--results", results(which)});
        return test::run(words);
    }
    json document(int which, std::vector<std::string> words, int status = 0) const {
        words.emplace_back("--json");
        const Finished f = run(which, words);
        INFO(f.out << f.error);
        REQUIRE(f.status == status);
        const json d = json::parse(f.out);
        const std::string schema = d.at("schema");
        const std::string name = schema.substr(9, schema.rfind('/') - 9) + ".schema.json";
        const auto faults = SchemaCheck("configs/schema").faults(Json::parse(f.out), name);
        INFO(name << (faults.empty() ? "" : ": " + faults.front()));
        CHECK(faults.empty());
        return d;
    }
    TemporaryFolder folder;
};

int records_of(const json& list, const std::string& title) {
    for (const json& job : list.at("jobs"))
        if (job.at("title") == title) return job.at("records");
    return -1;
}

}  // namespace

TEST_CASE("results: list has each job with its best, by family and by machine") {
    const World w;
    const json list = w.document(0, {"list"});
    REQUIRE(list.at("jobs").size() == 2);
    const json& first = list.at("jobs").at(0);
    CHECK(first.at("title") == "fault 2000");
    CHECK(first.at("family") == "fault");
    CHECK(first.at("machine") == "toy");
    CHECK(first.at("this_machine") == false);
    CHECK(first.at("runs") == 1);
    CHECK(first.at("records").get<int>() > 8);
    CHECK(first.at("best").at("variant").at("level") == "0");
    CHECK(first.at("best").at("seconds").at("median").get<double>() > 0.0);
    CHECK(w.document(0, {"list", "--family", "fault", "--machine", "toy"}).at("jobs").size() == 2);
    CHECK(w.document(0, {"list", "--family", "spmv"}).at("jobs").empty());
    CHECK(w.document(0, {"list", "--machine", "this"}).at("jobs").empty());
    const Finished text = w.run(0, {"list"});
    CHECK_THAT(text.out, Contains("| fault 2000 |") && Contains("All are of the machine toy."));
    const Finished none = w.run(0, {"list", "--machine", "this"});
    CHECK(none.status == 0);
    CHECK_THAT(none.out, Contains("No job") && Contains("machines toy"));
}

TEST_CASE("results: show has a job by number, name and title, its outcomes, runs and fastest; and a run") {
    const World w;
    const json job = w.document(0, {"show", "fault 2000"});
    CHECK(job.at("job").at("title") == "fault 2000");
    int records = 0, measured = 0;
    for (const json& line : job.at("outcomes")) {
        records += line.at("records").get<int>();
        if (line.at("outcome") == "measured" || line.at("outcome") == "raced_out")
            measured += line.at("variants").get<int>();
    }
    CHECK(records == job.at("job").at("records"));
    CHECK(measured >= 4);
    REQUIRE(job.at("runs").size() == 1);
    CHECK(job.at("runs").at(0).at("stopped_by") == "exhausted");
    REQUIRE_FALSE(job.at("fastest").empty());
    CHECK(job.at("fastest").at(0).at("seconds").at("slots").get<int>() >= 8);
    CHECK_FALSE(job.contains("records"));
    const json all = w.document(0, {"show", "1", "--records"});
    CHECK(all.at("records").size() == all.at("job").at("records").get<std::size_t>());
    CHECK(w.document(0, {"show", job.at("job").at("name")}).at("job").at("job") == 1);
    CHECK(w.document(0, {"show"}).at("job").at("title") == "fault 1000");  // the last one tuned
    const json run = w.document(0, {"show", "run:1"});
    CHECK(run.at("job").at("job") == 1);
    CHECK(run.at("result").at("certificate").at("stopped_by") == "exhausted");
    CHECK_THAT(w.run(0, {"show", "run:1"}).out, Contains("Run 1 of job 1") && Contains("fault 2000"));
    CHECK_THAT(w.run(0, {"show", "1"}).out, Contains("| measured") && Contains("results show run:1"));

    for (const char* wrong : {"run:99", "run:", "run:x", "no such title"}) {
        const Finished f = w.run(0, {"show", wrong});
        INFO(wrong << f.error);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        CHECK_FALSE(f.error.empty());
    }
}

TEST_CASE("results: a store travels, and importing it twice changes nothing") {
    const World w;
    const std::string file = w.folder / "moved.db";
    const json written = w.document(0, {"export", "--store", file});
    CHECK(written.at("jobs") == 2);
    CHECK_FALSE(fs::exists(file + "-wal"));
    CHECK(w.run(0, {"export", "--store", file}).status == 2);  // never written over
    const int before = records_of(w.document(1, {"list"}), "fault 2000");
    const json first = w.document(1, {"import", file});
    CHECK(first.at("imported") == true);
    CHECK(first.at("jobs").at("added") == 1);
    CHECK(first.at("jobs").at("known") == 1);
    CHECK(first.at("machines").at("toy") == 2);
    const json merged = w.document(1, {"list"});
    CHECK(records_of(merged, "fault 2000") == before + records_of(w.document(0, {"list"}), "fault 2000"));
    CHECK(w.document(1, {"check"}).at("whole") == true);
    const json again = w.document(1, {"import", file});
    for (const char* what : {"jobs", "runs", "records", "history"}) CHECK(again.at(what).at("added") == 0);
    CHECK(w.document(1, {"list"}).at("jobs") == merged.at("jobs"));
    CHECK_THAT(w.run(1, {"import", file}).out, Contains("nothing was changed") && Contains("never mix"));
    // One job alone, into a folder without a store.
    const std::string one = w.folder / "one.db";
    CHECK(w.document(0, {"export", "--store", one, "--job", "fault 1000"}).at("jobs") == 1);
    const Finished fresh = run({program(), "results", "import", one, "--results", w.folder / "fresh"});
    INFO(fresh.error);
    CHECK(fresh.status == 0);
    CHECK(run({program(), "results", "check", w.folder / "fresh/rooftune.db"}).status == 0);
}

TEST_CASE("results: a tune goes on from what was imported") {
    const World w;
    const std::string file = w.folder / "moved.db", results = w.folder / "elsewhere";
    REQUIRE(w.run(0, {"export", "--store", file}).status == 0);
    REQUIRE(run({program(), "results", "import", file, "--results", results}).status == 0);
    std::vector<std::string> words = tune_words("n=2000");
    words.insert(words.begin(), program());
    words.insert(words.end(), {"--machine", tuned(0).machine(), "--results", results, "--threads", "1"});
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    CHECK(json::parse(f.out).at("resumed").get<int>() > 0);
}

TEST_CASE("results: an import beside a tune, both whole") {
    const World w;
    const TemporaryFolder outputs;
    std::vector<std::string> words = {program(),  "tune",   "fault",   "n=200000",
                                      "--budget", "24s,40", "--quiet", "--json"};
    words.insert(words.end(), {"--machine", tuned(0).machine(), "--results", w.results(1), "--threads", "1"});
    const pid_t pid = start(words, outputs);
    REQUIRE(pid > 0);
    for (int i = 0; i < 4; ++i) CHECK(w.run(1, {"import", w.store(0)}).status == 0);
    const Finished pruned = w.run(1, {"prune", "--job", "1", "--yes"});
    const Finished f = finish(pid, outputs);
    INFO(f.error << pruned.error);
    CHECK(f.status == 0);
    // The tune may have ended before the prune; if not, nothing went.
    CHECK((pruned.status == 0 ||
           (pruned.status == 3 && pruned.told().find("another process") != std::string::npos)));
    CHECK(w.document(1, {"check"}).at("whole") == true);
    CHECK(w.document(1, {"list"}).at("jobs").size() == 3);
}

TEST_CASE("results: a damaged file is refused, salvaged on request, and check says so") {
    const World w;
    const std::string file = w.folder / "moved.db";
    REQUIRE(w.run(0, {"export", "--store", file}).status == 0);
    fs::resize_file(file, fs::file_size(file) - 20'000);
    const json before = w.document(1, {"list"});
    const Finished refused = w.run(1, {"import", file});
    CHECK(refused.status == 2);
    CHECK_THAT(refused.told(), Contains(file) && Contains("bytes of the") && Contains("--salvage"));
    CHECK(w.document(1, {"list"}).at("jobs") == before.at("jobs"));
    const Finished check = run({program(), "results", "check", file});
    CHECK(check.status == 1);
    CHECK_THAT(check.out, Contains("is not whole") && Contains("Nothing was changed"));
    const json checked = w.document(1, {"check", file}, 1);
    CHECK(checked.at("whole") == false);
    CHECK_FALSE(checked.at("damage").empty());
    const json salvaged = w.document(1, {"import", file, "--salvage"});
    REQUIRE(salvaged.at("left_out").size() >= 1);
    CHECK_THAT(salvaged.at("left_out").at(0).get<std::string>(), Contains("were kept"));
    CHECK(w.document(1, {"check"}).at("whole") == true);

    // The store itself, cut: check changes nothing, the next command repairs and says what is lost.
    fs::resize_file(w.store(0), fs::file_size(w.store(0)) - 20'000);
    CHECK(w.run(0, {"check"}).status == 1);
    CHECK(w.run(0, {"check"}).status == 1);
    const Finished repaired = w.run(0, {"list"});
    CHECK(repaired.status == 0);
    CHECK_THAT(repaired.told(), Contains("was damaged") && Contains("could not be read"));
    CHECK(w.run(0, {"check"}).status == 0);
    fs::resize_file(file, fs::file_size(file) - 20'000);
    const Finished mended = w.run(0, {"check", file, "--repair"});
    CHECK(mended.status == 0);
    // An exported file has no mark beside it that knows how much it held. Where the cut took whole tables'
    // ends and no gap shows, the number is not known, and that is said.
    CHECK_THAT(mended.told(), Contains("was damaged") && (Contains("could not be read") ||
                                                          Contains("how many are lost cannot be told")));
    CHECK_THAT(mended.out, Contains("is whole"));
}

TEST_CASE("results: prune says what would go, and deletes it with --yes") {
    const World w;
    const json planned = w.document(0, {"prune", "--job", "fault 2000", "--newest-too"});
    CHECK(planned.at("deleted") == false);
    CHECK(planned.at("runs") == 1);
    CHECK(w.document(0, {"list"}).at("jobs").size() == 2);
    const Finished said = w.run(0, {"prune", "--job", "fault 2000", "--newest-too"});
    CHECK_THAT(said.out, Contains("Nothing was deleted yet") && Contains("--yes"));
    const auto bytes = fs::file_size(w.store(0));
    const json deleted = w.document(0, {"prune", "--job", "fault 2000", "--newest-too", "--yes"});
    CHECK(deleted.at("deleted") == true);
    CHECK(deleted.at("records") == planned.at("records"));
    CHECK(w.document(0, {"list"}).at("jobs").size() == 1);
    CHECK(fs::file_size(w.store(0)) < bytes);
    CHECK(w.run(0, {"check"}).status == 0);
    CHECK(w.run(0, {"list"}).error.empty());

    CHECK_THAT(w.run(0, {"prune", "--before", "2000-01-01"}).out, Contains("Nothing that may go fits"));
    CHECK_THAT(w.run(0, {"prune", "--build", "other"}).out, Contains("Nothing that may go fits"));
    CHECK(w.document(0, {"prune", "--machine", "other", "--newest-too"}).at("jobs").size() == 1);
    for (const std::vector<std::string>& wrong : {std::vector<std::string>{"prune"},
                                                  {"prune", "--before", "May"},
                                                  {"prune", "--superseded", "--damaged"}}) {
        const Finished f = w.run(0, wrong);
        CHECK(f.status == 2);
        CHECK_FALSE(f.error.empty());
    }
}

TEST_CASE("results: words that do not fit together, and folders without a store") {
    const World w;
    const std::string nowhere = w.folder / "nowhere";
    for (const char* command : {"list", "show", "check"}) {
        const Finished f = run({program(), "results", command, "--results", nowhere});
        INFO(command << f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains("there is no store yet"));
        CHECK_FALSE(fs::exists(nowhere));
    }
    const auto refused = [&](const std::vector<std::string>& words, const std::string& why) {
        const Finished f = w.run(0, words);
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains(why));
    };
    refused({"export"}, "--csv, or --store FILE");
    refused({"export", "--csv", "--store", "x"}, "--csv, or --store FILE");
    refused({"export", "--store", "x", "--file", "y"}, "--store names its file");
    refused({"import", w.store(0)}, "is the store itself");
    refused({"import", w.results(1)}, "rooftune.db");
    refused({"import", w.folder / "none.db"}, "no such file");
    const Finished f = run({program(), "results", "import", w.folder / "none.db", "--results", nowhere});
    CHECK(f.status == 2);
    CHECK_FALSE(fs::exists(nowhere));
}
