// From planted rounds to what a ladder says, to JSON and back.
#include "tuner/ladder/result.h"

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/members.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tests/unit/ladder/ladder_fixtures.h"
#include "tuner/formats/result_json.h"
#include "tuner/ladder/json.h"

using namespace rooftune;
using namespace rooftune::ladder;
using namespace rooftune::test;
using Catch::Contains;

namespace {

constexpr double kNoTime = std::numeric_limits<double>::quiet_NaN();

std::vector<std::string> schema_faults(const Json& json) {
    return SchemaCheck("configs/schema").faults(json, "ladder.schema.json");
}

void lose(MeasuredRounds& m, std::size_t variant, const std::string& why) {
    m.failures[variant] = why;
    for (double& seconds : m.times[variant]) seconds = kNoTime;
}

}  // namespace

TEST_CASE("factors of the steps, and their product is the whole") {
    const Result r = made_up_ladder(made_up_rounds(8, 0.0));
    REQUIRE(r.steps.size() == 4);
    CHECK(r.steps[0].gain->factor == Approx(2.0));
    CHECK(r.steps[0].over == "the triple loop on 1 thread");
    CHECK(r.steps[1].state == StepState::unchanged);
    CHECK(r.steps[1].gain->factor == 1.0);
    CHECK(r.steps[1].gain->rounds == 0);
    CHECK(r.steps[1].time.median == Approx(0.05));
    CHECK(r.steps[2].gain->factor == Approx(4.0));
    CHECK(r.steps[2].over == "prefetch");
    CHECK(r.steps[3].gain->factor == Approx(1.25));
    CHECK(r.whole->factor == Approx(10.0));
    CHECK(r.product->factor == Approx(10.0));
    CHECK(r.agrees);
    CHECK(r.best_time().median == Approx(0.01));
    CHECK(r.fraction(r.best_time()) == Approx(0.8));
    CHECK(r.fraction({}) == 0.0);
}

TEST_CASE("what steps are still worth: the best's time against that without them") {
    const Result r = made_up_ladder(made_up_rounds(8, 0.0));
    CHECK(r.steps[0].worth->gain->factor == Approx(1.8));
    CHECK_FALSE(r.steps[1].worth);
    CHECK(r.steps[2].worth->gain->factor == Approx(6.0));
    CHECK(r.steps[2].worth->adapted == "prefetch_c no instead of yes");
    CHECK(r.steps[3].worth->gain->factor == Approx(1.25));
}

TEST_CASE("the ladder goes on around a step that failed") {
    MeasuredRounds m = made_up_rounds(8, 0.0);
    lose(m, 2, "wrong: element 3");
    const Result r = made_up_ladder(m);
    CHECK(r.steps[2].state == StepState::failed);
    CHECK_FALSE(r.steps[2].gain);
    CHECK(r.steps[2].failure == "wrong: element 3");
    // The next step is told over the last that works, so that the product is still the whole.
    CHECK(r.steps[3].over == "prefetch");
    CHECK(r.steps[3].gain->factor == Approx(5.0));
    CHECK(r.product->factor == Approx(10.0));
    CHECK(r.agrees);
    CHECK_FALSE(r.steps[3].worth->gain);
    CHECK(r.steps[3].worth->failure == "wrong: element 3");
    CHECK(schema_faults(to_json(r)).empty());
}

TEST_CASE("without the bottom or without the best there is no whole") {
    MeasuredRounds bottomless = made_up_rounds();
    lose(bottomless, 0, "timed_out: 120 s");
    const Result a = made_up_ladder(bottomless);
    CHECK_FALSE(a.whole);
    CHECK_FALSE(a.product);
    CHECK(a.agrees);
    CHECK(a.bottom_failure == "timed_out: 120 s");
    CHECK(a.steps[0].state == StepState::failed);
    CHECK(a.steps[0].failure == "nothing below it gives a time");
    CHECK(a.steps[2].gain);
    MeasuredRounds topless = made_up_rounds();
    lose(topless, 3, "crashed: SIGILL");
    const Result b = made_up_ladder(topless);
    CHECK_FALSE(b.whole);
    CHECK(b.best_time().median == 0.0);
    CHECK(b.steps[0].worth->failure == "the best variant gives no time");
    for (const Result& r : {a, b}) {
        const Json json = to_json(r);
        CHECK(schema_faults(json).empty());
        CHECK(to_json(ladder::result_from(json, "x")) == json);
    }
}

TEST_CASE("steps that do not make the whole are told") {
    // The machine became twice as fast between the turns of the tile and those of its neighbours, in ways
    // that medians of rounds cannot hide: planted by giving each pair other rounds.
    MeasuredRounds m = made_up_rounds(8, 0.0);
    for (std::size_t v = 0; v < m.times.size(); ++v) {
        for (std::size_t r = 0; r < 8; ++r) {
            const bool early = r < 4;
            // The bottom has late rounds only for the best, early ones only for its neighbour.
            if (v == 1 && !early) m.times[v][r] = kNoTime;
            if (v == 3 && early) m.times[v][r] = kNoTime;
            if (v == 0 && !early) m.times[v][r] *= 4.0;
        }
    }
    const Result r = made_up_ladder(m);
    REQUIRE(r.whole);
    CHECK(r.whole->factor == Approx(40.0));
    CHECK(r.product->factor == Approx(10.0));
    CHECK_FALSE(r.agrees);
    CHECK(to_json(r).at("agree") == false);
}

TEST_CASE("stopped in the first round: what came to a time is told, the rest is not blamed") {
    MeasuredRounds m = made_up_rounds(1);
    m.rounds = 0;
    m.interrupted = true;
    for (std::size_t v = 2; v < m.times.size(); ++v) m.times[v] = {kNoTime};
    const Result r = made_up_ladder(m);
    CHECK(r.steps[0].gain->rounds == 1);
    CHECK(r.steps[2].state == StepState::failed);
    CHECK_THAT(r.steps[2].failure, Contains("before the ladder was stopped"));
    CHECK_FALSE(r.whole);
    CHECK(schema_faults(to_json(r)).empty());
}

TEST_CASE("JSON: keeps the schema, and is read back as it was written") {
    const Result r = made_up_ladder();
    const Json json = to_json(r);
    for (const std::string& fault : schema_faults(json)) FAIL_CHECK(fault);
    CHECK(to_json(ladder::result_from(json, "ladder.json")) == json);
    const Json& step = json.at("steps").at(0);
    for (const char* key : {"name", "factor", "low", "high", "seconds", "fraction", "worth"})
        CHECK(step.contains(key));
    CHECK(json.at("agree") == true);
    // Without a roof, without flops: null, not nothing and not 0.
    Result bare = r;
    bare.roof_now_seconds = bare.roof_seconds = 0.0;
    bare.subject.flops_nominal = 0.0;
    bare.ceiling.clear();
    const Json other = to_json(bare);
    CHECK(schema_faults(other).empty());
    CHECK(other.at("steps").at(0).at("fraction").is_null());
    CHECK(other.at("bottom").at("flops_per_second").is_null());
    CHECK(to_json(ladder::result_from(other, "x")) == other);
}

TEST_CASE("JSON: each member of each struct is a key of the document, which is as it is") {
    Result full = made_up_ladder();
    full.subject.backend = "opencl";
    full.subject.device = "Some GPU";
    full.retaken = 3;
    full.bottom_failure = "why the bottom failed";
    full.steps[0].failure = "why a step failed";
    full.steps[0].worth->failure = "why its worth is not known";
    full.steps[0].adapted = "what had to change";
    full.steps[0].worth->adapted = "what else had to change";
    const Json json = to_json(full);
    check_golden("documents/ladder.json", json_text(json));
    CHECK(members<Gain>() == keys(json, {"/whole"}));
    // Four keys of a gain are one member, and five of a time, of which two follow from the others.
    CHECK(members<Worth>() == keys(json, {"/steps/0/worth"}) - 3);
    CHECK(members<Step>() == keys(json, {"/steps/0"}) - 3 - 4);
    // The subject's keys are the document's; "schema" and the four groups themselves are no members.
    CHECK(members<Result>() - 1 + members<Subject>() ==
          keys(json, {"", "/machine", "/config", "/roof", "/bottom"}) - 4 - 1 - 4);
}

TEST_CASE("JSON: what does not fit together is refused with its place") {
    const Json good = to_json(made_up_ladder());
    const auto refused = [](const Json& json, const std::string& part) {
        try {
            ladder::result_from(json, "ladder.json");
            FAIL_CHECK("not refused: " << part);
        } catch (const InputError& error) {
            CHECK_THAT(error.what(), Contains("ladder.json") && Contains(part));
        }
    };
    Json j = good;
    j["schema"] = "rooftune/ladder/9";
    refused(j, "rooftune/ladder/1");
    j = good;
    j["more"] = 1;
    refused(j, "more");
    j = good;
    j["steps"][0]["factor"] = nullptr;
    refused(j, "/steps/0/");
    j = good;
    j["steps"][0]["factor"] = 0.1;
    refused(j, "between low and high");
    j = good;
    for (const char* key : {"factor", "low", "high", "rounds"}) j["steps"][0][key] = nullptr;
    refused(j, "did not fail");
    j = good;
    j["steps"][0]["state"] = "perhaps";
    refused(j, "/steps/0/state");
    j = good;
    j["whole"] = nullptr;
    refused(j, "product");
    j = good;
    j["agree"] = nullptr;
    refused(j, "agree");
    j = good;
    j["bottom"]["seconds"] = -1.0;
    refused(j, "/bottom/seconds");
}

TEST_CASE("files: a ladder among them, and those that lie beside the others, each once") {
    const TemporaryFolder folder;
    const std::string config = folder.file("a.json"), beside = folder.file("a.ladder.json");
    CHECK(ladder_file_of(config) == beside);
    folder.write("a.json", R"({"schema": "rooftune/tuned-config/3"})");
    CHECK(read_ladders({config}).empty());
    folder.write("a.ladder.json", json_text(to_json(made_up_ladder())));
    CHECK(is_ladder(beside));
    CHECK_FALSE(is_ladder(config));
    REQUIRE(read_ladders({config}).size() == 1);
    CHECK(read_ladders({config}).front().file == beside);
    CHECK(read_ladders({beside, config, config}).size() == 1);
    CHECK(read_ladders({beside, std::filesystem::relative(beside).string()}).size() == 1);
    folder.write("a.ladder.json", R"({"schema": "rooftune/ladder/1"})");
    CHECK_THROWS_AS(read_ladders({config}), InputError);
}
