// The fuzzer itself: planted faults are found, right readers are left alone, and every target begins with
// something that its reader takes.
#include <csignal>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <thread>

#include "kernels/runtime/error.h"
#include "tests/fuzz/watch.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using namespace rooftune::fuzz;

namespace {

Target reader(std::function<void(const nlohmann::json&)> read) {
    return {"planted",
            {{"{", "}"}, {R"({"a": 5, "names": ["one", "two"]})"}},
            [read = std::move(read)](const std::string& bytes) {
                const auto document = nlohmann::json::parse(bytes, nullptr, false);
                if (document.is_discarded() || !document.is_object()) throw InputError("no object");
                read(document);
                return std::string();
            }};
}

Outcome of(const Target& target, int seconds = 20) {
    return watched(target, {.executions = 200'000, .seconds_an_input = seconds, .most_findings = 1});
}

}  // namespace

TEST_CASE("a reader without fault: as many inputs as were asked for, and no finding") {
    const Outcome outcome = watched(reader([](const nlohmann::json&) {}), {.executions = 5'000});
    CHECK(outcome.findings.empty());
    CHECK(outcome.executions == 5'001);
}

TEST_CASE("planted faults of a reader are found, with the input that shows them") {
    SECTION("a crash at a negative number") {
        const Outcome outcome = of(reader([](const nlohmann::json& document) {
            if (document.contains("a") && document["a"].is_number() && document["a"] < 0) raise(SIGSEGV);
        }));
        REQUIRE(outcome.findings.size() == 1);
        CHECK(nlohmann::json::parse(outcome.findings[0].input).at("a") < 0);
    }
    SECTION("an exception that is no message for users") {
        const Outcome outcome = of(reader([](const nlohmann::json& document) {
            if (document.value("names", nlohmann::json::array()).size() > 20)
                throw std::logic_error("too many");
        }));
        REQUIRE(outcome.findings.size() == 1);
        CHECK(outcome.findings[0].what == "an exception that no user is told: too many");
    }
    SECTION("one of a kind that readers throw for nobody") {
        const Outcome outcome = of(reader([](const nlohmann::json& document) { document.at("a"); }));
        REQUIRE(outcome.findings.size() == 1);
        CHECK_THAT(outcome.findings[0].what, Catch::Contains("key 'a' not found"));
    }
    SECTION("something else that is thrown, and an end in the middle") {
        for (const bool throws : {true, false}) {
            const Outcome outcome = of(reader([throws](const nlohmann::json& document) {
                if (!document.contains("names")) return;
                if (document["names"].is_array()) return;
                if (throws) throw 7;
                std::_Exit(0);
            }));
            REQUIRE(outcome.findings.size() == 1);
            CHECK(outcome.findings[0].what == (throws
                                                   ? "an exception that no user is told: of no standard type"
                                                   : "status 0, before its end"));
        }
    }
    SECTION("an input for which it takes for ever") {
        const Outcome outcome = of(reader([](const nlohmann::json& document) {
                                       while (document.contains("names") && document["names"].is_null())
                                           std::this_thread::sleep_for(std::chrono::milliseconds(10));
                                   }),
                                   1);
        REQUIRE(outcome.findings.size() == 1);
        CHECK(outcome.findings[0].what == "took longer than 1 s");
    }
}

TEST_CASE("after a finding a new process goes on, and a seed that fails is read once") {
    Target target = reader([](const nlohmann::json& document) {
        if (document.contains("bad")) throw std::runtime_error("bad");
    });
    target.material.seeds = {R"({"bad": 1})", R"({"a": 2})", R"({"bad": 3})"};
    const Outcome outcome = watched(target, {});
    CHECK(outcome.findings.size() == 2);
    CHECK(outcome.executions == 1);
}

TEST_CASE("every target has a seed that its reader takes") {
    const test::TemporaryFolder folder;
    const std::vector<Target> targets = all_targets(ROOFTUNE_SOURCE_DIR, folder.path());
    CHECK(targets.size() >= 20);
    for (const Target& target : targets) {
        CHECK_FALSE(target.deep.empty());
        int taken = 0;
        std::string complaint = "no seed";
        for (const std::string& seed : target.material.seeds) {
            try {
                target.read(seed);
                ++taken;
            } catch (const InputError& error) {
                complaint = error.what();
            }
        }
        INFO(target.name << ": " << complaint);
        CHECK(taken >= 1);
    }
}
