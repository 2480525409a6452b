// `rooftune track` from outside: recording, what the reports say of it, and the self-test. Which verdict real
// times get is not asserted.
#include <signal.h>

#include <fstream>
#include <set>

#include "tests/support/schema_check.h"
#include "tests/support/scratch_repository.h"
#include "tests/support/session.h"
#include "tests/unit/chart/svg_check.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

json document(const Finished& f, const std::string& schema) {
    INFO(f.error << f.out);
    const Json parsed = Json::parse(f.out);
    for (const std::string& fault : SchemaCheck("configs/schema").faults(parsed, schema)) FAIL_CHECK(fault);
    return json::parse(f.out);
}

// Tunes the smallest problem, of one variant or of all, and returns its config.
std::string tuned(const Session& s, const std::string& n, const std::string& single = "1") {
    const Finished f = s.run({"tune", "fault", "n=" + n + ",single=" + single, "--budget", "5s,3", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    return json::parse(f.out).at("files").at("config").get<std::string>();
}

// The config with another variant as its best one.
void change_variant(const std::string& file, const char* behaviour, const char* level) {
    Json config = Json::parse(contents(file));
    for (Json* variant : {&config.at("variant"), &config.at("result").at("best").at("variant")}) {
        (*variant)["behaviour"] = behaviour;
        (*variant)["level"] = level;
    }
    std::ofstream(file) << config.dump(2);
}

// Makes the session's ceilings so many times as high.
void raise_machine(const Session& s, double factor) {
    Json machine = Json::parse(contents(s.machine()));
    for (Json& ceiling : machine.at("ceilings")) {
        for (const char* key : {"max", "p95", "median"}) {
            if (ceiling.contains(key) && ceiling[key].is_number())
                ceiling[key] = factor * ceiling[key].get<double>();
        }
    }
    std::ofstream(s.machine()) << machine.dump(2);
}

Finished record(const Session& s, std::vector<std::string> more, const std::string& folder = ".") {
    std::vector<std::string> words = {"track", "record", "--json", "--quiet", "--seconds", "0.05"};
    words.insert(words.end(), more.begin(), more.end());
    words = s.command(words);
    words.insert(words.begin(), {"/usr/bin/env", "-C", folder});
    return run(words);
}

// The config as if it had been tuned on an OpenCL device.
std::string on_no_device(const Session& s, const std::string& file) {
    Json config = Json::parse(contents(file));
    config["backend"] = config["result"]["backend"] = "opencl";
    config["device"] = config["result"]["device"] = "gone";
    const std::string path = s.folder / "gone.json";
    std::ofstream(path) << config.dump(2);
    return path;
}

// While it lives, programs that are started find no OpenCL device.
struct NoDevices {
    explicit NoDevices(const Session& s) { setenv("OCL_ICD_VENDORS", (s.folder / "no-vendors").c_str(), 1); }
    ~NoDevices() { unsetenv("OCL_ICD_VENDORS"); }
    NoDevices(const NoDevices&) = delete;
    NoDevices& operator=(const NoDevices&) = delete;
};

Finished report(const Session& s, std::vector<std::string> more) {
    std::vector<std::string> words = {program(), "track", "report", "--results", s.results()};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

}  // namespace

TEST_CASE("entries are recorded and reported: two revisions, a note, a release, the plot") {
    const Session s;
    const std::string config = tuned(s, "1000");
    const Finished first = record(s, {config, "--revision", "v1.0"});
    CHECK(first.status == 0);
    const json entry = document(first, "track-record.schema.json").at("entries").at(0);
    CHECK(entry.at("revision") == "v1.0");
    CHECK(entry.at("outcome") == "measured");
    CHECK(entry.at("processes") == 3);
    CHECK(entry.at("seconds").at("slots").get<int>() >= 8);
    CHECK(entry.at("seconds").at("median").get<double>() > 0.0);
    CHECK(entry.at("config") == config);
    // Without a name all configs of the results folder are meant.
    const Finished second = record(s, {"--revision", "v1.1", "--note", "does less"});
    CHECK(second.status == 0);

    const Finished shown = report(s, {"--json", "--release", "v1.0"});
    CHECK(shown.status == 0);
    const json kernel = document(shown, "track-report.schema.json").at("kernels").at(0);
    REQUIRE(kernel.at("entries").size() == 2);
    CHECK(kernel.at("first") == 0);
    CHECK(kernel.at("latest") == 1);
    CHECK(kernel.at("release") == 0);
    CHECK(kernel.at("gains").at(0).at("note") == "does less");
    CHECK(kernel.at("kernel").get<std::string>().starts_with("fault 1000 (f64, warm, cpu, 1 thread)"));

    const std::string svg = s.folder / "history.svg";
    const Finished text = report(s, {"--svg", svg, "--kernel", "fault"});
    CHECK(text.status == 0);
    CHECK_THAT(text.out, Contains("v1.0") && Contains("v1.1") && Contains("does less") &&
                             Contains("of attainable") && Contains("this machine"));
    CHECK(xml_fault(contents(svg)).empty());
    CHECK(report(s, {"--svg", s.folder / "none/history.svg"}).status == 3);
    CHECK_THAT(report(s, {"--markdown", "--since", "v1.1"}).out,
               Contains("### fault 1000") && !Contains("| v1.0"));
    // A kernel that came later was not recorded then.
    REQUIRE(record(s, {tuned(s, "2000"), "--revision", "v1.2"}).status == 0);
    CHECK_THAT(report(s, {"--markdown", "--since", "v1.1"}).out,
               Contains("### fault 1000") && Contains("### fault 2000") && !Contains("| v1.0"));
    CHECK(report(s, {"--since", "v1."}).status == 2);
}

TEST_CASE("a wrong answer and a crash are recorded as failed and not as fast: status 1") {
    const Session s;
    const std::string config = tuned(s, "1000", "0");
    change_variant(config, "good", "9");
    REQUIRE(record(s, {config, "--revision", "right"}).status == 0);
    for (const char* behaviour : {"wrong", "crash"}) {
        change_variant(config, behaviour, "0");
        const Finished f = record(s, {config, "--revision", "broken", "--note", "faster!"});
        INFO(f.error);
        CHECK(f.status == 1);
        const json entry = document(f, "track-record.schema.json").at("entries").at(0);
        CHECK(entry.at("outcome") == (std::string(behaviour) == "wrong" ? "wrong" : "crashed"));
        CHECK(entry.at("seconds").is_null());
        CHECK(entry.at("fraction_of_roof_now").is_null());
    }
    const json kernel = document(report(s, {"--json"}), "track-report.schema.json").at("kernels").at(0);
    CHECK(kernel.at("entries").size() == 3);
    CHECK(kernel.at("latest") == 0);
    CHECK(kernel.at("best") == 0);
    CHECK(kernel.at("gains").empty());
    CHECK_THAT(report(s, {}).out, Contains("wrong") && Contains("crashed") && Contains("faster!"));
}

TEST_CASE("a time that the bound calls impossible is recorded as invalid: status 3") {
    const Session s;
    const std::string config = tuned(s, "1000");
    raise_machine(s, 1e-6);
    const Finished f = record(s, {config, "--revision", "a"});
    CHECK(f.status == 3);
    const json entry = document(f, "track-record.schema.json").at("entries").at(0);
    CHECK(entry.at("outcome") == "invalid");
    CHECK_THAT(entry.at("detail").get<std::string>(), Contains("under suspicion"));
}

TEST_CASE("the revision is the checkout's commit, and dirty where files differ") {
    if (!has_git()) return;
    const Session s;
    const std::string config = tuned(s, "1000");
    const ScratchRepository repository;
    const std::string hash = repository.commit({{"kernel.c", "1"}}, "First");
    const json clean = document(record(s, {config}, repository.path()), "track-record.schema.json");
    CHECK(clean.at("entries").at(0).at("revision") == hash);
    CHECK(clean.at("entries").at(0).at("revision_date") == "2026-01-01T00:00:01Z");
    repository.write("kernel.c", "2");
    const json dirty = document(record(s, {config}, repository.path()), "track-record.schema.json");
    CHECK(dirty.at("entries").at(0).at("revision") == hash + "-dirty");
    CHECK(dirty.at("entries").at(0).at("revision_date") == dirty.at("entries").at(0).at("at"));
    const TemporaryFolder nowhere;
    const Finished none = record(s, {config}, nowhere.path());
    CHECK(none.status == 2);
    CHECK_THAT(none.told(), Contains("--revision"));
}

TEST_CASE("the steps of a ladder are kept with the entry") {
    const Session s;
    const std::string config = tuned(s, "1000");
    std::ofstream(s.folder / "ladder.json")
        << R"({"digest": "singlefault1000", "steps": [{"name": "naive", "factor": 1.0, "low": 1.0, "high": 1.0}]})";
    const Finished f = record(s, {config, "--revision", "a", "--ladder", s.folder / "ladder.json"});
    CHECK(document(f, "track-record.schema.json").at("entries").at(0).at("steps").at(0).at("name") ==
          "naive");
    tuned(s, "2000");
    const Finished two = record(s, {"--revision", "a", "--ladder", s.folder / "ladder.json"});
    CHECK(two.status == 2);
    CHECK_THAT(two.told(), Contains("--ladder") && Contains("one kernel"));
}

TEST_CASE("a change of variants is confirmed by a fresh comparison; one of commits is told how to be found") {
    const Session s;
    const std::string config = tuned(s, "1000000", "0");
    // Ceilings far above this machine's, so that no time is impossible.
    raise_machine(s, 1000.0);
    change_variant(config, "good", "0");
    const json first = document(record(s, {config, "--revision", "aaaa"}), "track-record.schema.json");
    // The machine's own model, so that none has to be measured.
    const std::string here = first.at("entries").at(0).at("machine").at("id");
    Json machine = Json::parse(contents(s.machine()));
    machine["id"] = here;
    fs::create_directories(s.results() + "/machines");
    std::ofstream(s.results() + "/machines/" + here + ".json") << machine.dump(2);
    // Ten passes instead of one.
    change_variant(config, "good", "9");
    REQUIRE(record(s, {config, "--revision", "bbbb"}).status == 0);
    const Finished f = report(s, {"--json", "--confirm", "--limit", "0.05", "--delta", "0.2"});
    INFO(f.error);
    const json kernel = document(f, "track-report.schema.json").at("kernels").at(0);
    if (kernel.at("changes").empty()) {
        WARN("skipped: on a machine as busy as this one, ten passes cannot be told from one");
        CHECK(kernel.at("confirmed").is_null());
        return;
    }
    CHECK(kernel.at("changes").at(0).at("variant_changed") == true);
    CHECK(kernel.at("changes").at(0).at("p").is_null());
    CHECK_THAT(kernel.at("changes").at(0).at("confirm").get<std::string>(),
               Contains("--confirm --kernel 'fault"));
    REQUIRE_FALSE(kernel.at("confirmed").is_null());
    const std::string verdict = kernel.at("confirmed").at("verdicts").at(0).at("verdict");
    CHECK(f.status == (verdict == "REGRESSED" ? 1 : verdict == "INVALID" ? 3 : 0));
    CHECK(std::set<std::string>{"REGRESSED", "INVALID"}.contains(verdict));
    // Its device is gone: the report is there all the same.
    fs::rename(on_no_device(s, config), config);
    const NoDevices none(s);
    const Finished unmeasured = report(s, {"--json", "--confirm", "--limit", "0.05", "--delta", "0.2"});
    CHECK(unmeasured.status == 3);
    CHECK_THAT(unmeasured.told(), Contains("cannot be compared"));
    CHECK(document(unmeasured, "track-report.schema.json").at("kernels").at(0).at("confirmed").is_null());
}

TEST_CASE("a device that is not there: status 3, with the entries of the other kernels and the report") {
    const Session s;
    const std::string good = tuned(s, "1000");
    const std::string gone = on_no_device(s, tuned(s, "2000", "0"));
    const NoDevices none(s);
    const Finished f = record(s, {good, gone, "--revision", "a"});
    INFO(f.error);
    CHECK(f.status == 3);
    CHECK(document(f, "track-record.schema.json").at("entries").size() == 1);
    const Finished alone = record(s, {gone, "--revision", "a"});
    CHECK(alone.status == 3);
    CHECK(alone.out.empty());
    // A problem that is another one by now: no for that config, and the other is recorded.
    Json stale = Json::parse(contents(good));
    stale["digest"] = stale["result"]["digest"] = "another";
    stale["result"]["title"] = "fault of before";
    std::ofstream(s.folder / "stale.json") << stale.dump(2);
    const Finished both = record(s, {good, s.folder / "stale.json", "--revision", "a"});
    INFO(both.error);
    CHECK(both.status == 1);
    const json recorded = document(both, "track-record.schema.json");
    CHECK(recorded.at("entries").size() == 1);
    REQUIRE(recorded.at("left_out").size() == 1);
    CHECK(recorded.at("left_out").at(0).at("kernel") == "fault of before");
    CHECK_THAT(recorded.at("left_out").at(0).at("reason").get<std::string>(),
               Contains("its content changed"));
    CHECK(record(s, {s.folder / "stale.json", "--revision", "a"}).status == 2);
}

TEST_CASE("what cannot be recorded or reported is refused: status 2") {
    const Session s;
    const auto refused = [&](const Finished& f, const std::string& part) {
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains(part));
        CHECK(f.out.empty());
    };
    refused(report(s, {}), "there is no store yet");
    refused(record(s, {"--revision", "a", s.folder / "none.json"}), "none.json");
    const std::string config = tuned(s, "1000");
    refused(report(s, {}), "holds no history yet");
    refused(record(s, {"--revision", "a", "--kernels", "no such"}), "--kernels");
    REQUIRE(record(s, {"--revision", "a"}).status == 0);
    refused(report(s, {"--kernel", "no such"}), "fault 1000");
    refused(report(s, {"--machine", "elsewhere"}), "--machine all");
    refused(report(s, {"--since", "yesterday"}), "--since yesterday");
    refused(report(s, {"--since", "2999"}), "nothing was recorded since");
    refused(report(s, {"--release", "nope"}),
            "--release nope: no history that is shown was measured at that revision; there is a");
    CHECK(report(s, {"--release", "a"}).status == 0);
    refused(report(s, {"--json", "--markdown"}), "give one");
    CHECK(report(s, {"--machine", "all"}).status == 0);
}

TEST_CASE("the self-test says what this machine detects, and its noise is remembered") {
    const Session s;
    const Finished f = run({program(), "track", "selftest", "--runs", "1", "--limit", "0.001", "--json",
                            "--results", s.results()});
    CHECK(std::set{0, 1, 3}.contains(f.status));
    const json d = document(f, "track-selftest.schema.json");
    CHECK(d.at("cut_short") == true);
    CHECK(d.at("kinds").size() == 3);
    CHECK(d.at("kinds").at(0).at("n") == 1);
    CHECK_THAT(f.told(), Contains("6 comparisons, which take"));
    CHECK(fs::exists(s.results() + "/noise/" + d.at("machine").get<std::string>() + ".json"));
    const Finished bad = run({program(), "track", "selftest", "--runs", "0"});
    CHECK(bad.status == 2);
}

TEST_CASE("Ctrl-C during the self-test gives what was seen so far: status 130") {
    const Session s;
    const TemporaryFolder output;
    const pid_t pid = start({program(), "track", "selftest", "--runs", "1000", "--limit", "100000", "--json",
                             "--results", s.results()},
                            output);
    for (int i = 0; i < 600 && !fs::exists(s.results() + "/noise"); ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    kill(pid, SIGINT);
    const Finished f = finish(pid, output);
    CHECK(f.status == 130);
    const json d = document(f, "track-selftest.schema.json");
    CHECK(d.at("cut_short") == true);
    CHECK(d.at("kinds").at(0).at("n").get<int>() >= 1);
}
