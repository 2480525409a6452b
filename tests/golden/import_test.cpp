// Golden output of `rooftune import`: what a user sees of each kind of file, and of broken ones.
#include <regex>

#include "tests/support/golden.h"
#include "tests/support/session.h"
#include "tuner/formats/measured_points.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

const std::string kFolder = "tests/golden/import/";

Finished import(std::vector<std::string> words) {
    words.insert(words.begin(), {program(), "import"});
    return run(words);
}

std::string content_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("points of each profiler, with and without a machine") {
    std::string text;
    const std::vector<std::vector<std::string>> commands = {
        {"ncu", kFolder + "ncu.txt", "--machine", "h100-sxm"},
        {"ncu", kFolder + "ncu_comma.csv"},
        {"ncu", kFolder + "ncu_2022.txt", "--time", "axpy=2ms"},
        {"ncu", kFolder + "ncu_2022.txt", "--nsys", kFolder + "nsys.csv"},
        {"torch", kFolder + "torch.json", "--machine", "h100-sxm"},
        {"torch", kFolder + "torch_cpu.json"},
        {"likwid", kFolder + "likwid.csv", "--machine", "opteron-2356"},
    };
    for (const std::vector<std::string>& words : commands) {
        const Finished f = import(words);
        INFO(f.error);
        CHECK(f.status == 0);
        text += "$ rooftune import";
        for (const std::string& word : words) text += " " + word;
        text += "\n" + f.out + "\n----\n";
    }
    check_golden("import/import.txt", text);
}

TEST_CASE("a machine that was measured is named as everywhere else, and its folder is left as it is") {
    const Session s;
    const std::string machines = s.results() + "/machines";
    std::filesystem::create_directories(machines);
    std::filesystem::copy_file(s.machine(), machines + "/node7.json");
    const std::vector<std::string> words = {"likwid", kFolder + "likwid.csv", "--results", s.results(),
                                            "--machine"};
    const auto with = [&](const std::string& name) {
        std::vector<std::string> all = words;
        all.push_back(name);
        return import(all);
    };
    const Finished named = with("node7");
    INFO(named.error);
    CHECK(named.status == 0);
    CHECK(named.out == with(s.machine()).out);
    const Finished unknown = with("this");
    CHECK(unknown.status == 2);
    CHECK_THAT(unknown.told(), Catch::Contains("this machine is not known yet"));
    CHECK_THAT(with("node8").told(), Catch::Contains("--machine node8: there is no such file or preset"));
    CHECK_FALSE(std::filesystem::exists(s.results() + "/rooftune.db"));
}

TEST_CASE("--json is a points file, and --out writes the same") {
    TemporaryFolder folder;
    const std::string out = folder / "points.json";
    const Finished f = import({"ncu", kFolder + "ncu.csv", "--json", "--out", out});
    REQUIRE(f.status == 0);
    const MeasuredPoints points = read_points_file(out);
    CHECK(points_to_json(points) == f.out);
    REQUIRE(points.points.size() == 2);
    // F = 2a + b + c and Q = 32 (r + w) of the counters in the file.
    CHECK(points.points[0].flops == 2.0 * 8589934592.0 + 1048576.0 + 2097152.0);
    CHECK(points.points[0].bytes == 32.0 * (1310720.0 + 131072.0));
    CHECK(points.points[0].flops_per_second() == Approx(points.points[0].flops / 1.75e-3));
}

TEST_CASE("broken files end with status 2 and name line and column") {
    TemporaryFolder folder;
    std::string text;
    const auto broken = [&](const std::string& tool, const std::string& from, const std::string& what,
                            const std::string& by) {
        std::string content = content_of(kFolder + from);
        const std::size_t at = content.find(what);
        REQUIRE(at != std::string::npos);
        content.replace(at, what.size(), by);
        const std::string path = folder / from;
        std::ofstream(path, std::ios::binary) << content;
        const Finished f = import({tool, path});
        CHECK(f.status == 2);
        CHECK(f.out.empty());
        std::string said = f.told();
        said.replace(said.find(path), path.size(), from);
        text += said;
    };
    broken("ncu", "ncu.txt", "8,388,608", "8,38x,608");
    broken("ncu", "ncu.txt", "    usecond", "  fortnight");
    broken("ncu", "ncu.csv", "\"8,388,608\"", "\"8,388,608");
    broken("ncu", "ncu.csv", ",\"sector\",\"8,388,608\"", "");
    broken("ncu", "ncu_2022.txt", "Section", "Sektion");
    broken("ncu", "ncu_comma.csv", "1.250,5", "1,250.5");
    broken("torch", "torch.json", "\"traceEvents\": [", "\"traceEvents\": [,");
    broken("torch", "torch.json", "traceEvents", "events");
    broken("likwid", "likwid.csv", "1000.5,1010.25", "1000.5x,1010.25");
    broken("likwid", "likwid.csv", "1.25,1.20,,", "1.25");
    for (const std::vector<std::string>& words : {std::vector<std::string>{"ncu", "missing.csv"},
                                                  {"ncu", kFolder + "ncu.txt", "--time", "soon"},
                                                  {"ncu", kFolder + "ncu_2022.txt"},
                                                  {"ncu", kFolder + "ncu.txt", "--machine", "h100-sx"},
                                                  {"torch", kFolder + "torch.json", "--dtype", "f33"},
                                                  {"perf", "x"}}) {
        const Finished f = import(words);
        CHECK(f.status == 2);
        text += f.told();
    }
    check_golden("import/broken.txt", text);
}
