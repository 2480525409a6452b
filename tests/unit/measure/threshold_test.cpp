// The threshold and the history that it follows.
#include "tuner/measure/threshold.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/measure/noise_history.h"

using namespace rooftune;
using namespace rooftune::track;
using Catch::Contains;

TEST_CASE("3 % until a 99th percentile can be known") {
    CHECK(delta_of_history({}) == kFirstDelta);
    CHECK(delta_of_history(std::vector<double>(99, 0.5)) == kFirstDelta);
    CHECK(delta_of_history(std::vector<double>(99, 0.0)) == kFirstDelta);
}

TEST_CASE("then the 99th percentile, and never below 1 %") {
    CHECK(delta_of_history(std::vector<double>(100, 0.002)) == kLeastDelta);
    CHECK(delta_of_history(std::vector<double>(100, 0.02)) == 0.02);
    // Of 100 the 99th: one outlier does not rule, two do.
    std::vector<double> history(100, 0.02);
    history[40] = 0.9;
    CHECK(delta_of_history(history) == 0.02);
    history[70] = 0.8;
    CHECK(delta_of_history(history) == 0.8);
    std::vector<double> ascending;
    for (int i = 1; i <= 500; ++i) ascending.push_back(i * 1e-3);
    CHECK(delta_of_history(ascending) == Approx(0.495));
}

TEST_CASE("what is no difference is not counted") {
    std::vector<double> history(100, 0.02);
    history[3] = std::numeric_limits<double>::quiet_NaN();
    CHECK(delta_of_history(history) == kFirstDelta);
    history[3] = -0.5;
    CHECK(delta_of_history(history) == kFirstDelta);
    history[3] = std::numeric_limits<double>::infinity();
    CHECK(delta_of_history(history) == kFirstDelta);
}

TEST_CASE("two steps of the clock") {
    CHECK(delta_of_clock(0.01, 0.001, 0.1) == Approx(0.02));
    CHECK(delta_of_clock(0.03, 0.001, 0.1) == 0.03);
    CHECK(delta_of_clock(0.03, 0.0, 0.1) == 0.03);
    CHECK(delta_of_clock(0.03, 0.001, 0.0) == 0.03);
    CHECK(delta_of_clock(0.03, std::nan(""), 0.1) == 0.03);
}

TEST_CASE("history: entries come back in order, the oldest go first") {
    const test::TemporaryFolder folder;
    const std::string path = noise_file(folder.path(), "m1");
    CHECK(path == folder.file("noise/m1.json"));
    CHECK(read_noise(path, "m1").entries.empty());
    const auto entry = [](std::size_t i) {
        return NoiseEntry{"2026-01-01T00:00:00Z", "spmv", 1e-4 * static_cast<double>(i)};
    };
    add_noise(path, "m1", entry(0));
    // As if many more had been added one by one.
    Json document = read_json_file(path);
    const Json first = document["comparisons"][0];
    for (std::size_t i = 1; i < kMostNoise; ++i) {
        document["comparisons"].push_back(first);
        document["comparisons"][i]["difference"] = entry(i).difference;
    }
    folder.write("noise/m1.json", document.dump());
    for (std::size_t i = kMostNoise; i < kMostNoise + 3; ++i) add_noise(path, "m1", entry(i));
    const NoiseHistory history = read_noise(path, "m1");
    REQUIRE(history.entries.size() == kMostNoise);
    CHECK(history.entries.front().difference == Approx(3e-4));
    CHECK(history.entries.back().difference == Approx(1e-4 * (kMostNoise + 2)));
    CHECK(history.differences().size() == kMostNoise);
    CHECK(test::SchemaCheck("configs/schema").faults(read_json_file(path), "noise.schema.json").empty());
}

TEST_CASE("history: a file that is none, or of another machine, is refused and left alone") {
    const test::TemporaryFolder folder;
    const auto refused = [&](const std::string& text) {
        const std::string path = folder.write("m1.json", text);
        CHECK_THROWS_AS(read_noise(path, "m1"), InputError);
        CHECK_THROWS_AS(add_noise(path, "m1", {"", "", 0.1}), InputError);
        CHECK(folder.read("m1.json") == text);
    };
    refused("");
    refused("{");
    refused(R"({"schema": "rooftune/noise/9", "machine": "m1", "comparisons": []})");
    refused(R"({"schema": "rooftune/noise/1", "machine": "m2", "comparisons": []})");
    refused(
        R"({"schema": "rooftune/noise/1", "machine": "m1", "comparisons": [{"when": "", "kernel": ""}]})");
    refused(
        R"({"schema": "rooftune/noise/1", "machine": "m1", "comparisons": [{"when": "", "kernel": "", "difference": -1}]})");
    try {
        read_noise(
            folder.write("m1.json", R"({"schema": "rooftune/noise/1", "machine": "m2", "comparisons": []})"),
            "m1");
    } catch (const InputError& error) {
        CHECK_THAT(error.what(), Contains("m1.json") && Contains("/machine") && Contains("remove the file"));
    }
}
