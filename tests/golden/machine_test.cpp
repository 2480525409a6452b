// Machines as they are shown and compared, from files: what a measured machine would say differs by the day.
#include <cstdlib>
#include <regex>
#include <tuple>

#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/support/session.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

const std::string kA = "tests/golden/machines/a.json";
const std::string kB = "tests/golden/machines/b.json";

Finished diff(const std::string& a, const std::string& b, std::vector<std::string> more = {}) {
    std::vector<std::string> words{program(), "machine", "--diff", a, b};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
}

}  // namespace

TEST_CASE("two machines side by side") {
    std::string text;
    for (const auto& [a, b] : {std::pair{kA, kB}, {kA, kA}, {kB, std::string("h100-sxm")}}) {
        const Finished f = diff(a, b);
        INFO(f.error);
        CHECK(f.status == 0);
        CHECK(f.error.empty());
        text += f.out + "\n----\n";
    }
    check_golden("cli/machine_diff.txt", text);
    const Finished json = diff(kA, kB, {"--json"});
    CHECK(json.status == 0);
    check_golden("cli/machine_diff.json", json.out);
    CHECK(SchemaCheck("configs/schema").faults(Json::parse(json.out), "machine-diff.schema.json").empty());
}

TEST_CASE("a machine from its file") {
    const Finished f = run({program(), "machine", "--show", "--machine", kA});
    INFO(f.error);
    CHECK(f.status == 0);
    // How many ceilings are old depends on the day.
    check_golden("cli/machine_show.txt",
                 std::regex_replace(f.out, std::regex("; [0-9]+ of them more"), "; N of them more"));
}

TEST_CASE(
    "what a machine reached and what it may reach are the same in its summary, the list and a comparison") {
    using Catch::Contains;
    // Two threads were never probed undisturbed: they count as twice one, 80 Gflop/s.
    Machine m = read_machine_file(kA);
    for (Ceiling& c : m.ceilings) {
        if (c.resource != Resource::compute || c.when.threads != 2) continue;
        for (double* rate : {&c.max, &c.p95, &c.median}) *rate *= 0.9;
        c.undisturbed = 0;
    }
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder / "results/machines");
    const std::string file = folder / "results/machines/disturbed.json";
    write_machine_file(file, m);
    const auto answer = [&](std::vector<std::string> words) {
        words.insert(words.begin(), program());
        words.insert(words.end(), {"--results", folder / "results"});
        const Finished f = run(words);
        INFO(f.error);
        REQUIRE(f.status == 0);
        return f.out;
    };
    // Wherever its lines end.
    const std::string summary =
        std::regex_replace(answer({"machine", "--show", "--machine", file}), std::regex("\\s+"), " ");
    CHECK_THAT(summary, Contains("at most 80.0 (seen 72.0)") && Contains("What is marked"));
    const std::smatch ridge = [&] {
        std::smatch found;
        REQUIRE(std::regex_search(
            summary, found,
            std::regex("f64, 2 threads: ([0-9.]+) flop/byte in bounds \\(([0-9.]+) flop/byte of rates "
                       "seen\\), by at most 80.0 Gflop/s \\(seen 72.0 Gflop/s\\) over ([0-9.]+) GB/s")));
        return found;
    }();
    setenv("COLUMNS", "400", 1);  // so that no cell is broken
    CHECK_THAT(answer({"list", "machines"}), Contains("f64 at most 80.0 Gflop/s (seen 72.0 Gflop/s)"));
    setenv("COLUMNS", "100", 1);
    bool listed = false;
    for (const auto& entry : Json::parse(answer({"list", "machines", "--json"}))) {
        if (entry.at("machine") != "disturbed") continue;
        listed = true;
        CHECK(entry.at("peaks").at("f64").get<double>() == Approx(72e9));
        CHECK(entry.at("peaks_at_most").at("f64").get<double>() == Approx(80e9));
        CHECK(entry.at("bandwidth").get<double>() / 1e9 == Approx(std::stod(ridge[3])).epsilon(0.01));
        CHECK_FALSE(entry.contains("bandwidth_at_most"));
    }
    CHECK(listed);
    int compared = 0;
    const Json difference = Json::parse(answer({"machine", "--diff", file, kB, "--json"}));
    for (const auto& rate : difference.at("rates")) {
        const std::string name = rate.at("name");
        if (rate.at("group") == "peak" && name == "f64, all threads") {
            ++compared;
            CHECK(rate.at("a").get<double>() == Approx(72e9));
            CHECK(rate.at("at_most_a").get<double>() == Approx(80e9));
            CHECK_FALSE(rate.at("judged").get<bool>());
            CHECK(rate.at("ratio").is_null());
        }
        if (rate.at("group") == "ridge point" && name == "f64") {
            ++compared;
            CHECK(rate.at("in_bounds_a").get<double>() == Approx(std::stod(ridge[1])).epsilon(0.01));
            CHECK(rate.at("a").get<double>() == Approx(std::stod(ridge[2])).epsilon(0.01));
        }
    }
    CHECK(compared == 2);
    CHECK(SchemaCheck("configs/schema").faults(difference, "machine-diff.schema.json").empty());
}

TEST_CASE("machines that cannot be compared: status 2, which flag, and the nearest preset") {
    using Catch::Contains;
    const std::string none = "tests/golden/machines/none.json";
    const std::string text = "tests/golden/cli_test.cpp";
    for (const auto& [a, b, what] : {std::tuple{std::string("h100-smx"), kA, std::string("'h100-sxm'")},
                                     {kA, none, "--diff " + none},
                                     {kA, text, text}}) {
        const Finished f = diff(a, b);
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        CHECK_THAT(f.told(), Contains(what));
    }
    for (const char* other : {"--quick", "--show"}) {
        const Finished f = diff(kA, kB, {other});
        CHECK(f.status == 2);
        CHECK_THAT(f.told(), Contains("--diff") && Contains(other));
    }
    const Finished one = run({program(), "machine", "--diff", kA});
    CHECK(one.status == 2);
    CHECK_THAT(one.told(), Contains("--diff"));
}
