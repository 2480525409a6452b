// `rooftune replay` on the recorded spaces of real kernels.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

Json document_of(std::vector<std::string> words) {
    words.insert(words.begin(), {program(), "replay"});
    words.emplace_back("--json");
    const Finished f = run(words);
    INFO(f.error);
    REQUIRE(f.status == 0);
    const Json document = Json::parse(f.out);
    const auto faults = SchemaCheck("configs/schema").faults(document, "replay.schema.json");
    CHECK((faults.empty() ? std::string() : faults.front()) == "");
    return document;
}

// The figure with as many significant digits as it is published with.
bool shows(double milliseconds, const std::string& published) {
    const auto digits = static_cast<int>(published.size() - published.find('.') - 1);
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", published.find('.') == std::string::npos ? 0 : digits,
                  milliseconds);
    return text == published;
}

}  // namespace

TEST_CASE("replay: the recorded spaces have the best, median and worst that are published of them") {
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (!data) {
        WARN("skipped: ROOFTUNE_DATA is not set");
        return;
    }
    struct Published {
        const char *file, *best, *median, *worst;
        int configurations;
    };
    const std::vector<Published> all{
        {"convolution/A100.json.gz", "0.5536", "1.834", "32.2", 4362},
        {"convolution/A100_T4.json.gz", "0.5536", "1.834", "32.2", 4362},
        {"convolution/A4000.json.gz", "1.0212", "3.305", "107.7", 4362},
        {"convolution/MI250X.json.gz", "0.6588", "19.84", "100.3", 4362},
        {"dedispersion/A100.json.gz", "68.12", "72.50", "119.9", 11130},
        {"dedispersion/A4000.json.gz", "147.7", "167.0", "300.6", 11130},
        {"dedispersion/MI250X.json.gz", "49.57", "117.8", "283.3", 11130},
        {"pnpoly/RTX_3090.json.gz", "8.714", "13.54", "46.8", 4092},
    };
    for (const Published& p : all) {
        const std::string file = std::string(data) + "/spaces/" + p.file;
        INFO(file);
        const Json d = document_of({file, "--strategy", "random", "--runs", "1"});
        CHECK(d.at("space").at("configurations") == p.configurations);
        CHECK(shows(1e3 * d.at("best").get<double>(), p.best));
        CHECK(shows(1e3 * d.at("median").get<double>(), p.median));
        CHECK(shows(1e3 * d.at("worst").get<double>(), p.worst));
    }
    const std::string ktt = std::string(data) + "/spaces/coulomb/RTX_2080_ktt.json.gz";
    CHECK(document_of({ktt, "--runs", "2"}).at("space").at("configurations") == 210);
}

TEST_CASE("replay: trajectories tell what each run evaluated, and what was to be found") {
    const Json d = document_of(
        {"results/spaces/matmul_256.json.gz", "--strategy", "random", "--runs", "3", "--trajectories"});
    const Json& recorded = d.at("recorded");
    CHECK(recorded.size() == d.at("space").at("configurations"));
    const Json& runs = d.at("strategies").at(0).at("runs");
    REQUIRE(runs.size() == 3);
    for (const Json& run : runs) {
        double spent = 0.0, best = 1e300;
        const Json& points = run.at("configurations");
        REQUIRE(run.at("spent").size() == points.size());
        REQUIRE(run.at("best").size() == points.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            // It goes on while the budget lasts, and no longer.
            CHECK(spent <= d.at("budget").get<double>());
            const Json& point = recorded.at(points[i].get<std::size_t>());
            spent += point.at("cost").get<double>();
            if (point.at("seconds").is_number()) best = std::min(best, point.at("seconds").get<double>());
            CHECK(run.at("spent").at(i).get<double>() == Approx(spent));
            if (run.at("best").at(i).is_number()) CHECK(run.at("best").at(i).get<double>() == best);
        }
        CHECK(spent > d.at("budget").get<double>());
    }
}

TEST_CASE("replay: wrong words: status 2, and what there is") {
    const auto complaint = [](std::vector<std::string> words) {
        words.insert(words.begin(), {program(), "replay"});
        const Finished f = run(words);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        return f.told();
    };
    using Catch::Contains;
    CHECK_THAT(complaint({"/no/such/file.json"}), Contains("/no/such/file.json"));
    CHECK_THAT(complaint({"tests/golden/machines/a.json"}), Contains("not a recorded space"));
    CHECK_THAT(complaint({"tests/golden/machines/a.json", "--strategy", "genetics"}), Contains("genetic"));
    CHECK_THAT(complaint({"tests/golden/machines/a.json", "--runs", "0"}), Contains("--runs"));
    CHECK_THAT(complaint({"results/spaces/matmul_256.json.gz", "--trajectories"}), Contains("--json"));
    CHECK_THAT(complaint({"--results", "/no/such/folder"}),
               Contains("/no/such/folder/rooftune.db") && Contains("no store yet"));
}
