// Baselines from outside: named when they are recorded, listed, run again against what there is now; what
// differs since; and the drawing of the turns. Which verdict real times get is not asserted.
#include <fstream>
#include <set>

#include "tests/support/schema_check.h"
#include "tests/support/session.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/store/store.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;
using nlohmann::json;

namespace {

json baseline_document(const Finished& f, const std::string& schema) {
    INFO(f.error << f.out);
    for (const std::string& fault : SchemaCheck("configs/schema").faults(Json::parse(f.out), schema))
        FAIL_CHECK(fault);
    return json::parse(f.out);
}

std::string small_tune(const Session& s, const std::string& n) {
    const Finished f = s.run({"tune", "fault", "n=" + n + ",single=1", "--budget", "5s,20", "--json"});
    INFO(f.error);
    REQUIRE(f.status == 0);
    return json::parse(f.out).at("files").at("config").get<std::string>();
}

Finished record_named(const Session& s, std::vector<std::string> more) {
    std::vector<std::string> words = {"track", "record", "--seconds", "0.05"};
    words.insert(words.end(), more.begin(), more.end());
    return s.run(words);
}

Finished compare_quickly(const Session& s, std::vector<std::string> more) {
    std::vector<std::string> words = {"compare", "--limit", "0.02", "--quiet"};
    words.insert(words.end(), more.begin(), more.end());
    return s.run(words);
}

const std::set<int> kDone = {0, 1, 3};

}  // namespace

TEST_CASE("a baseline is recorded, listed, and its config of then is run against the one of now") {
    const Session s;
    const std::string config = small_tune(s, "1000");
    const Finished recorded =
        record_named(s, {config, "--revision", "v1.0", "--baseline", "good", "--json", "--quiet"});
    REQUIRE(recorded.status == 0);
    const json entry = baseline_document(recorded, "track-record.schema.json").at("entries").at(0);
    CHECK(entry.at("baseline") == "good");
    CHECK_FALSE(entry.contains("tuned_config"));
    CHECK(entry.at("environment").at("processors").get<int>() >= 1);
    // Without a name nothing is kept of the config.
    REQUIRE(record_named(s, {config, "--revision", "v1.1", "--quiet"}).status == 0);

    std::vector<std::string> words = {program(), "track", "report", "--results", s.results()};
    CHECK_THAT(run(words).out, Contains("Baselines: good is v1.0 of "));
    words.insert(words.end(), {"--baseline", "good"});
    CHECK_THAT(run(words).out, Contains("of the baseline good."));
    words.back() = "other";
    CHECK_THAT(run(words).told(),
               Contains("--baseline other: no history that is shown has that name; there is "
                        "good"));
    CHECK(run(words).status == 2);
    words.resize(words.size() - 2);
    words.emplace_back("--json");
    const json kernel = baseline_document(run(words), "track-report.schema.json").at("kernels").at(0);
    CHECK(kernel.at("baselines") == json::parse(R"([{"name": "good", "at": 0}])"));
    CHECK_FALSE(kernel.at("entries").at(0).at("entry").contains("tuned_config"));

    // The file of then may be gone: the history holds what is run again.
    json now = json::parse(contents(config));
    std::filesystem::remove(config);
    now["compiler"] = "Another 1.0";
    const std::string moved = s.folder / "now.json";
    std::ofstream(moved) << now.dump();
    const std::string svg = s.folder / "turns.svg";
    const Finished f = compare_quickly(s, {"--baseline", "good", moved, "--json", "--svg", svg});
    CHECK(kDone.contains(f.status));
    const json v = baseline_document(f, "compare.schema.json").at("verdicts").at(0);
    CHECK_THAT(v.at("base").at("from").get<std::string>(), Contains("baseline good (v1.0 of "));
    CHECK(v.at("new").at("from") == moved);
    CHECK(v.at("rounds").get<int>() >= 10);
    // Of the one of then nothing differs; the other was built by another compiler.
    REQUIRE(v.at("environment").at("changes").size() == 1);
    CHECK(v.at("environment").at("changes").at(0).at("arms") == "B");
    CHECK(v.at("environment").at("changes").at(0).at("then") == "Another 1.0");
    CHECK(xml_fault(contents(svg)).empty());
    CHECK(occurrences(contents(svg), "<circle") >= 25);
    CHECK(compare_quickly(s, {"--baseline", "good", moved, "--svg", s.folder / "none/turns.svg"}).status ==
          3);
}

TEST_CASE("a name that is given again moves, and says so; the results folder is what it is compared with") {
    const Session s;
    small_tune(s, "1000");
    REQUIRE(record_named(s, {"--revision", "v1.0", "--baseline", "best"}).status == 0);
    const Finished again = record_named(s, {"--revision", "v2.0", "--baseline", "best"});
    CHECK(again.status == 0);
    CHECK_THAT(again.told(), Contains("baseline best (v1.0 of ") && Contains("the name moves to this entry"));
    const Finished f = compare_quickly(s, {"--baseline", "best"});
    CHECK(kDone.contains(f.status));
    CHECK_THAT(f.out, Contains("A baseline best (v2.0 of ") &&
                          Contains("differs from when A was recorded and B was tuned (machine"));
}

TEST_CASE("a history of which nothing can be read is told, and recording goes on") {
    const Session s;
    const std::string config = small_tune(s, "1000");
    Store(s.results() + "/rooftune.db")
        .add_history(
            {{0, "m", "k", "v0", "2026-01-01T00:00:00Z", R"({"schema": "rooftune/track-entry/99"})"}});
    const Finished unread = compare_quickly(s, {"--baseline", "good", config});
    CHECK(unread.status == 2);
    CHECK_THAT(unread.told(), Contains("its only history entry cannot be read"));
    const Finished recorded = record_named(s, {config, "--revision", "v1.0", "--baseline", "good"});
    CHECK(recorded.status == 0);
    CHECK_THAT(recorded.told(), Contains("its only history entry cannot be read"));
    CHECK(kDone.contains(compare_quickly(s, {"--baseline", "good", config}).status));
}

TEST_CASE("baselines that are none are refused: status 2") {
    const Session s;
    const auto refused = [&](const Finished& f, const std::string& part) {
        INFO(f.error);
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains(part));
    };
    refused(compare_quickly(s, {"--baseline", "good", "new.json"}), "there is no store yet");
    refused(compare_quickly(s, {"--baseline", "a b", "new.json"}), "--baseline 'a b'");
    refused(compare_quickly(s, {"--baseline", "good", "a.json", "b.json"}), "only NEW is given");
    refused(compare_quickly(s, {"--baseline", "good", "--command-a", "true", "--command-b", "true"}),
            "--baseline");
    refused(record_named(s, {"--baseline", "no/good"}), "--baseline 'no/good'");
    const std::string config = small_tune(s, "1000");
    REQUIRE(record_named(s, {config, "--revision", "v1.0", "--baseline", "good"}).status == 0);
    refused(compare_quickly(s, {"--baseline", "bad", config}), "there is good");
    refused(compare_quickly(s, {"--baseline", "good", small_tune(s, "2000")}), "have no problem in common");
}
