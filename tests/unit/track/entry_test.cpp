// Entries of a history: written, read back, and refused where they are wrong.
#include "tuner/track/entry.h"
#include "tuner/formats/result_json.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/members.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tests/unit/track/track_examples.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

std::string complaint(const Json& document) {
    try {
        entry_from(document, "entry 7");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string ladder_complaint(const TemporaryFolder& folder, const std::string& text) {
    std::ofstream(folder / "ladder.json") << text;
    try {
        read_ladder_steps(folder / "ladder.json", "d1");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("an entry is read back as it was written, and is what its schema says") {
    SchemaCheck schema("configs/schema");
    Entry full = entry_of(3, 1.0, 0.8, "packs B | once \"and\" quoted");
    full.steps = {{"naive", 1.0, 1.0, 1.0}, {"packing", 2.5, 2.4, 2.6}};
    Entry bare = entry_of(4, 2.0);
    bare.problem_roof_seconds = bare.roof_now_seconds = bare.flops = 0.0;
    Entry named = entry_of(6, 1.0);
    named.baseline = "v1.2";
    named.tuned_config = "{\"schema\": \"rooftune/tuned-config/9\"}";
    named.environment = environment_of_then();
    for (const Entry& e : {full, bare, failed_entry(5, "wrong"), named}) {
        const Json json = to_json(e);
        CHECK(schema.faults(json, "track-entry.schema.json").empty());
        CHECK(to_json(entry_from(json, "entry")) == json);
    }
    CHECK(to_json(full)["fraction_of_roof_now"].get<double>() == Approx(0.8));
    CHECK(to_json(bare)["fraction_of_roof_now"].is_null());
    CHECK(to_json(failed_entry(5, "wrong"))["seconds"].is_null());
}

TEST_CASE("each member of an entry is a key of the document, which is as it is") {
    Entry full = entry_of(3, 1.0, 0.8, "packs B");
    full.steps = {{"packing", 2.5, 2.4, 2.6}};
    full.detail = "a detail";
    full.baseline = "v1.2";
    full.tuned_config = "{}";
    full.environment = environment_of_then();
    const Json json = to_json(full);
    check_golden("documents/track_entry.json", json_text(json));
    CHECK(members<LadderStep>() == keys(json, {"/steps/0"}));
    // "schema", "kernel", "fraction_of_roof_now" and the group of the machine itself are no members.
    CHECK(keys(json, {"/environment"}) + 2 == members<RunEnvironment>());
    CHECK(members<Entry>() == keys(json, {"", "/machine"}) - 4);
}

TEST_CASE("an entry that is not one is refused, with the place and what was expected") {
    const Json good = to_json(entry_of(1, 1.0));
    const auto with = [&](const char* key, const Json& value) {
        Json json = good;
        json[key] = value;
        return complaint(json);
    };
    CHECK(complaint(good) == "accepted");
    CHECK_THAT(with("colour", 3), Contains("entry 7") && Contains("colour"));
    CHECK_THAT(with("schema", "rooftune/track-entry/2"), Contains("/schema"));
    CHECK_THAT(with("threads", 0), Contains("/threads"));
    CHECK_THAT(with("seconds", nullptr), Contains("/seconds") && Contains("measured"));
    CHECK_THAT(with("flops", -1.0), Contains("/flops"));
    CHECK_THAT(with("kernel", "another"), Contains("/kernel"));
    Json time = good["seconds"];
    time["low"] = 2.0;
    CHECK_THAT(with("seconds", time), Contains("/seconds/low"));
    time = good["seconds"];
    time["median"] = 0.0;
    CHECK_THAT(with("seconds", time), Contains("/seconds/median"));
    Json missing = good;
    missing.erase("revision");
    CHECK_THAT(complaint(missing), Contains("revision"));
    CHECK_THAT(with("steps", Json::array({{{"name", "x"}, {"factor", 0.0}, {"low", 1.0}, {"high", 1.0}}})),
               Contains("/steps/0/factor"));
}

TEST_CASE("what moves the roof belongs to the kernel's name") {
    const Entry e = entry_of(0, 1.0);
    CHECK(kernel_key(e) == "matmul 512x512x512 (f64, warm, cpu, 2 threads) 0123456789ab");
    Entry one = e;
    one.threads = 1;
    CHECK(kernel_key(one) == "matmul 512x512x512 (f64, warm, cpu, 1 thread) 0123456789ab");
    Entry other = e;
    other.digest = "ffff";
    CHECK(kernel_key(other) != kernel_key(e));
}

TEST_CASE("a time that no kernel can reach is seen") {
    Entry e = entry_of(0, 1.0);
    e.problem_roof_seconds = 1.02;
    CHECK_FALSE(is_implausible(e));
    e.problem_roof_seconds = 1.04;
    CHECK(is_implausible(e));
    e.problem_roof_seconds = 0.0;
    CHECK_FALSE(is_implausible(e));
    Entry failed = failed_entry(0, "wrong");
    failed.problem_roof_seconds = 5.0;
    CHECK_FALSE(is_implausible(failed));
}

TEST_CASE("the steps of a ladder's file; what else is in it does not matter") {
    const TemporaryFolder folder;
    std::ofstream(folder / "ladder.json")
        << R"({"schema": "any", "digest": "d1", "steps": [{"name": "naive", "factor": 1, "low": 1, "high": 1, "seconds": 3},)"
        << R"({"name": "failed", "factor": null, "low": null, "high": null},)"
        << R"({"name": "blocking", "factor": 2.5, "low": 2.4, "high": 2.6}]})";
    const std::vector<LadderStep> steps = read_ladder_steps(folder / "ladder.json", "d1");
    REQUIRE(steps.size() == 2);
    CHECK(steps[1].name == "blocking");
    CHECK(steps[1].factor == 2.5);
    CHECK_THAT(ladder_complaint(folder, R"({"digest": "d1", "steps": []})"),
               Contains("/steps") && Contains("at least one"));
    CHECK_THAT(ladder_complaint(folder, R"({"digest": "d1", "rungs": 3})"), Contains("steps"));
    CHECK_THAT(ladder_complaint(
                   folder, R"({"digest": "d1", "steps": [{"name": "x", "factor": 1, "low": 2, "high": 1}]})"),
               Contains("/steps/0/low"));
    CHECK_THAT(
        ladder_complaint(folder,
                         R"({"digest": "d1", "steps": [{"name": "x", "factor": -1, "low": 1, "high": 1}]})"),
        Contains("/steps/0/factor"));
    CHECK_THAT(ladder_complaint(folder, R"({"digest": "d1", "steps": [{"name": "x", "factor": null}]})"),
               Contains("/steps") && Contains("at least one"));
    CHECK_THAT(ladder_complaint(folder, R"({"digest": "d2", "steps": []})"),
               Contains("/digest") && Contains("another problem"));
    CHECK_THAT(ladder_complaint(folder, "{"), Contains("ladder.json"));
}
