// Which files are asked about: torn ones, other kinds, older versions, sets with and without their configs.
#include "tuner/verify/files.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tests/unit/verify/planted.h"
#include "tuner/formats/result_json.h"
#include "tuner/verify/tune_again.h"

using namespace rooftune;
using namespace rooftune::verify;
using namespace rooftune::test;
using Catch::Contains;

namespace {

TunedConfig config(const std::string& problem, const std::string& created = "2026-11-20T10:00:00Z") {
    TunedConfig c{example_result(), created, "GNU 12.2.0", "b41ld"};
    c.result.problem["matrix"] = problem + ".mtx";
    c.result.title = "spmv " + problem + ", f64";
    c.result.digest = "digest of " + problem;
    return c;
}

void write(const TemporaryFolder& folder, const std::string& name, const TunedConfig& c) {
    write_tuned_config(folder.file(name), c);
}

// A set of the same problems.
TunedSet set_of(const std::vector<std::pair<std::string, TunedConfig>>& configs) {
    const TuneResult& r = configs.front().second.result;
    TunedSet set;
    set.created = "2026-11-20T11:00:00Z";
    set.machine_id = r.machine_id;
    set.machine_name = r.machine_name;
    set.compiler = "GNU 12.2.0";
    set.kernels_build = "b41ld";
    set.complete = true;
    TunedGroup group;
    group.family = r.family;
    group.space_version = r.space_version;
    group.dtype = r.dtype;
    group.backend = r.backend;
    group.device = r.device;
    group.state = r.state;
    group.threads = r.threads;
    for (const auto& [name, c] : configs) {
        TunedProblem p;
        p.problem = c.result.problem;
        p.title = c.result.title;
        p.digest = c.result.digest;
        p.best = c.result.best;
        p.fallback = c.result.fallback;
        p.seconds = c.result.seconds;
        p.stopped_by = "budget";
        p.config = name;
        group.problems.push_back(p);
    }
    set.groups.push_back(group);
    return set;
}

}  // namespace

TEST_CASE("files: a folder gives its configs, and what is torn or old does not stop the others") {
    const TemporaryFolder folder;
    write(folder, "a.json", config("a"));
    write(folder, "b.json", config("b"));
    const std::string whole = folder.read("a.json");
    folder.write("torn.json", whole.substr(0, whole.size() / 2));
    folder.write("empty.json", "");
    folder.write("alien.json", "{\"x\": 1}");
    folder.write("list.json", "[1, 2]");
    std::string old = whole;
    old.replace(old.find("tuned-config/3"), 14, "tuned-config/2");
    folder.write("old.json", old);
    std::string edited = whole;
    edited.replace(edited.find("\"threads\": 2"), 12, "\"threads\": 4");
    folder.write("edited.json", edited);
    folder.write("result.json", json_text(to_json(example_result())));
    folder.write("notes.txt", "not JSON");
    const Found found = find_claims({folder.path()});
    REQUIRE(found.claims.size() == 2);
    CHECK(found.claims[0].file == folder.file("a.json"));
    CHECK_FALSE(found.claims[0].of_set);
    CHECK(found.claims[1].tuned.title == "spmv b, f64");
    REQUIRE(found.unreadable.size() == 6);
    std::string all;
    for (const auto& [file, why] : found.unreadable) all += file + " " + why + "\n";
    CHECK_THAT(all, Contains("torn.json") && Contains("empty.json") && Contains("alien.json: neither") &&
                        Contains("list.json: neither") &&
                        Contains("older version of this program wrote: tune again") &&
                        Contains("edited.json"));
    REQUIRE(found.passed_over.size() == 1);
    CHECK_THAT(found.passed_over[0], Contains("result.json: a result of a tune, neither"));
}

TEST_CASE("files: of a results folder those in tuned/, and of two for one problem the newer") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("tuned"));
    write(folder, "tuned/old.json", config("a", "2026-11-19T10:00:00Z"));
    write(folder, "tuned/new.json", config("a", "2026-11-21T10:00:00Z"));
    const Found found = find_claims({folder.path()});
    REQUIRE(found.claims.size() == 1);
    CHECK(found.claims[0].file == folder.file("tuned/new.json"));
    REQUIRE(found.passed_over.size() == 1);
    CHECK_THAT(found.passed_over[0], Contains("old.json") && Contains("new.json is newer"));
    SECTION("a file that is named is asked about, however old") {
        CHECK(find_claims({folder.file("tuned/old.json"), folder.path()}).claims.size() == 1);
        CHECK(find_claims({folder.file("tuned/old.json")}).claims.size() == 1);
    }
    SECTION("twice named is asked about once") {
        const Found twice = find_claims({folder.path(), folder.file("tuned/new.json"), folder.path()});
        CHECK(twice.claims.size() == 1);
    }
}

TEST_CASE("files: in order of their paths, however the folder is named, and no folders among them") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("tuned/odd.json"));
    write(folder, "x.json", config("x"));
    write(folder, "tuned/a.json", config("a"));
    const Found found = find_claims({folder.path() + "/.", folder.path() + "/tuned/../x.json"});
    REQUIRE(found.claims.size() == 2);
    CHECK(found.claims[0].file == folder.file("tuned/a.json"));
    CHECK(found.claims[1].file == folder.file("x.json"));
    CHECK(found.unreadable.empty());
}

TEST_CASE("files: what is not there, and a folder without configs, are the user's mistakes") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(find_claims({folder.file("none")}), Contains("there is no such file or folder"));
    CHECK_THROWS_WITH(find_claims({folder.path()}),
                      Contains("no tuned config in this folder") && Contains("rooftune tune"));
    folder.write("result.json", json_text(to_json(example_result())));
    CHECK_THROWS_WITH(find_claims({folder.path()}), Contains("no tuned config in this folder"));
    // Named itself, it is a file that is no config.
    const Found found = find_claims({folder.file("result.json")});
    CHECK(found.claims.empty());
    REQUIRE(found.unreadable.size() == 1);
    CHECK_THAT(found.unreadable[0].second, Contains("but a result of a tune"));
}

TEST_CASE("files: each problem of a set, with what its own config adds") {
    const TemporaryFolder folder;
    const std::vector<std::pair<std::string, TunedConfig>> configs = {
        {"a.json", config("a")}, {"b.json", config("b")}, {"c.json", config("c")}, {"d.json", config("d")}};
    write(folder, "a.json", configs[0].second);
    TunedConfig other = configs[1].second;
    other.result.best["chunk"] = "4";
    write(folder, "b.json", other);
    TunedConfig foreign = configs[2].second;
    foreign.result.digest = "of another matrix";
    write(folder, "c.json", foreign);
    write_tuned_set(folder.file("set.json"), set_of(configs));
    const Found found = find_claims({folder.file("set.json")});
    REQUIRE(found.claims.size() == 4);
    for (const Claim& claim : found.claims) {
        CHECK(claim.of_set);
        CHECK(claim.file == folder.file("set.json"));
        CHECK(claim.tuned.best == example_result().best);
    }
    CHECK(found.claims[0].tuned.runner_up == example_result().runner_up);
    CHECK(found.claims[0].outdated.empty());
    CHECK(found.claims[1].outdated == "b.json");
    // Of others the set alone is known.
    for (const std::size_t i : {1U, 2U, 3U}) {
        CHECK(found.claims[i].tuned.runner_up.empty());
        CHECK(found.claims[i].tuned.fraction_of_roof_now == 0.0);
        CHECK(found.claims[i].tuned.seconds.median == example_result().seconds.median);
    }
    SECTION("the same claim in config and set is known as one") {
        const Found both = find_claims({folder.path()});
        REQUIRE(both.claims.size() == 7);
        CHECK(identity(both.claims[0]) == identity(both.claims[3]));
        CHECK(identity(both.claims[1]) != identity(both.claims[4]));
        CHECK(identity(both.claims[0]) != identity(both.claims[1]));
    }
}

TEST_CASE("the command that tunes again says what a shell must be told") {
    Claim claim = sound_claim();
    CHECK(tune_again_command(claim) == "rooftune tune matmul k=64,m=64,n=64 --threads 2 --out tuned");
    claim.file = "product.json";
    claim.tuned.state = "cold";
    claim.tuned.problem = {{"matrix", "it's my, matrix.mtx"}, {"dtype", "f32"}};
    CHECK(
        tune_again_command(claim) ==
        "rooftune tune matmul --matrix 'it'\\''s my, matrix.mtx' dtype=f32 --state cold --threads 2 --out .");
    claim.tuned.backend = "opencl";
    claim.tuned.device = "Some GPU";
    CHECK_THAT(tune_again_command(claim),
               Contains("--backend opencl --device 'Some GPU'") && !Contains("--threads"));
}
