// Baselines: who has a name, what may be one, and the configs that are run again.
#include "tuner/track/baselines.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/track/track_examples.h"

using namespace rooftune;
using namespace rooftune::track;
using namespace rooftune::test;
using Catch::Contains;

namespace {

// The n-th entry, with a name and a config of this variant.
Entry named(int n, const std::string& name, const std::string& title = "matmul 512x512x512") {
    Entry e = entry_of(n, 1.0);
    e.baseline = name;
    e.title = title;
    TunedConfig config{example_result(), "2026-01-01T00:00:00Z", "GNU 12.2.0", "build"};
    config.result.title = title;
    config.result.digest = e.digest = "digest of " + title;
    e.tuned_config = to_json(config).dump();
    e.environment = environment_of_then();
    return e;
}

template <typename Action>
std::string baseline_complaint(Action action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<BaselineConfig> configs_of(const std::vector<Entry>& entries, const std::string& name,
                                       const std::vector<std::string>& kernels = {},
                                       std::string* notices = nullptr) {
    return baseline_configs(entries, {name, "some-machine", kernels, "/r/rooftune.db"},
                            [notices](const std::string& text) {
                                if (!notices) FAIL_CHECK(text);
                                if (notices) *notices += text + "\n";
                            });
}

std::string refused(const std::vector<Entry>& entries, const std::string& name,
                    const std::vector<std::string>& kernels = {}) {
    return baseline_complaint([&] { configs_of(entries, name, kernels); });
}

}  // namespace

TEST_CASE("names of baselines are letters, digits and a few signs") {
    for (const char* good : {"v1.2", "before-blocking", "2026-01-04", "A", "x_+"})
        CHECK(baseline_complaint([&] { check_baseline_name(good, "--baseline"); }) == "accepted");
    for (const std::string& bad :
         {std::string(), std::string(65, 'a'), std::string("a b"), std::string("-x"), std::string(".x"),
          std::string("a/b"), std::string("a\nb"), std::string("é")})
        CHECK_THAT(baseline_complaint([&] { check_baseline_name(bad, "--baseline"); }),
                   Contains("--baseline '" + bad + "'") && Contains("like v1.2"));
}

TEST_CASE("the last measured of those that were given a name has it, whatever their order") {
    std::vector<Entry> entries = {named(0, "a"), named(1, ""), named(2, "b"), named(3, "a")};
    CHECK(baselines_of(entries) == std::map<std::string, std::size_t>{{"a", 3}, {"b", 2}});
    CHECK(holder_of(entries, "a", entries[1]) == &entries[3]);
    std::swap(entries[0], entries[3]);
    CHECK(baselines_of(entries).at("a") == 0);
    CHECK(holder_of(entries, "a", entries[1]) == &entries[0]);
    CHECK(holder_of(entries, "c", entries[1]) == nullptr);
    // Of one second the one that was recorded behind the other.
    entries[3].at = entries[0].at;
    CHECK(baselines_of(entries).at("a") == 3);
    CHECK(holder_of(entries, "a", entries[1]) == &entries[3]);
    entries[3].at = "2025-01-01T00:00:00Z";
    entries[1].state = "cold";
    CHECK(holder_of(entries, "a", entries[1]) == nullptr);
    entries[1].state = "warm";
    entries[1].machine = "another";
    CHECK(holder_of(entries, "a", entries[1]) == nullptr);
    // Another number of threads is the same problem.
    entries[1].machine = "some-machine";
    entries[1].threads = 7;
    CHECK(holder_of(entries, "a", entries[1]) == &entries[0]);
}

TEST_CASE("the configs of then, one a problem, with what was recorded beside them") {
    std::vector<Entry> entries = {named(0, "v1", "z"), named(1, "v1", "a"), named(2, "v1", "z"),
                                  named(3, "v2", "a")};
    const auto configs = configs_of(entries, "v1");
    REQUIRE(configs.size() == 2);
    CHECK(configs[0].file.config.result.title == "a");
    CHECK(configs[1].file.config.result.title == "z");
    CHECK_THAT(configs[1].file.path, Contains("baseline v1 (02aaaaaaaaaa of 2026-01-03)"));
    CHECK(configs[0].environment.libc == "glibc 2.36");
    entries[1].environment = {};
    CHECK(configs_of(entries, "v1")[0].environment.machine.empty());
}

TEST_CASE("a config that cannot be run again is left out with a notice, and only the last one ends it all") {
    std::vector<Entry> entries = {named(0, "v1", "a"), named(1, "v1", "b"), named(2, "v1", "c")};
    entries[0].tuned_config.clear();
    entries[2].tuned_config = "{";
    std::string notices;
    const auto configs = configs_of(entries, "v1", {}, &notices);
    REQUIRE(configs.size() == 1);
    CHECK(configs[0].file.config.result.title == "b");
    CHECK_THAT(notices, Contains("holds no tuned config") && Contains("(02aaaaaaaaaa") &&
                            Contains("record it anew") && Contains("it is left out"));
    // What --kernels does not ask for is not even read.
    CHECK(configs_of(entries, "v1", {"b"}).size() == 1);
    entries[1].tuned_config = "{";
    notices.clear();
    CHECK_THAT(baseline_complaint([&] { configs_of(entries, "v1", {}, &notices); }),
               Contains("(02aaaaaaaaaa") && !Contains("left out"));
    CHECK_THAT(notices, Contains("(00aaaaaaaaaa") && Contains("(01aaaaaaaaaa"));
    CHECK_THAT(refused(entries, "v1", {"other"}), Contains("--kernels leaves none of the baseline v1"));
}

TEST_CASE("each baseline of a problem in several states keeps what was recorded beside it") {
    std::vector<Entry> entries;
    for (const char* state : {"warm", "cold"}) {
        for (const char* backend : {"cpu", "opencl"}) {
            Entry e = named(0, "v1");
            TunedConfig config = tuned_config_from(parse_json(e.tuned_config, "planted"), "planted");
            config.result.state = e.state = state;
            config.result.backend = e.backend = backend;
            e.tuned_config = to_json(config).dump();
            e.environment.libc = std::string(state) + " " + backend;
            entries.push_back(e);
        }
    }
    const auto then = configs_of(entries, "v1");
    REQUIRE(then.size() == 4);
    std::vector<ConfigFile> now;
    for (const BaselineConfig& config : then) now.push_back({"now.json", config.file.config});
    const Pairing pairing = pair_with_baseline(then, now, {});
    REQUIRE(pairing.pairs.size() == 4);
    for (const ConfigPair& pair : pairing.pairs) {
        const TuneResult& result = pair.base.config.result;
        CHECK(pair.base_environment.libc == result.state + " " + result.backend);
        CHECK(pair.candidate.config.result.state == result.state);
    }
}

TEST_CASE("a baseline that cannot be run again is refused, with what to do") {
    std::vector<Entry> entries = {named(0, "v1"), named(1, "v2"), named(2, "far")};
    entries[2].machine = "another";
    entries[2].machine_name = "Another machine";
    CHECK_THAT(refused(entries, "v3"), Contains("--baseline v3: nothing was recorded under that name") &&
                                           Contains("/r/rooftune.db") && Contains("there is v1, v2") &&
                                           Contains("track record --baseline v3"));
    CHECK_THAT(refused(entries, "far"), Contains("it was on Another machine, compare there"));
    CHECK_THAT(refused({entry_of(0, 1.0)}, "v1"), Contains("there is no baseline of this machine"));
    entries[0].tuned_config.clear();
    CHECK_THAT(refused(entries, "v1"), Contains("holds no tuned config") && Contains("record it anew with") &&
                                           Contains("baseline v1"));
    entries[0].tuned_config = R"({"schema": "rooftune/tuned-config/1"})";
    CHECK_THAT(refused(entries, "v1"), Contains("/schema") && Contains("record it anew with"));
    entries[0].tuned_config = "{";
    CHECK_THAT(refused(entries, "v1"), Contains("baseline v1 (00aaaaaaaaaa") && Contains("record it anew"));
    // One that a later entry took over is not asked.
    entries.push_back(named(5, "v1"));
    entries[0].digest = entries.back().digest;
    CHECK(refused(entries, "v1") == "accepted");
}
