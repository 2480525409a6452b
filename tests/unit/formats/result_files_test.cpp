#include "tuner/formats/result_files.h"

#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"

using namespace rooftune;
using Catch::Contains;
using test::example_result;

namespace {

TuneResult titled(const std::string& title) {
    TuneResult r = example_result();
    r.title = title;
    return r;
}

void write_config(const test::TemporaryFolder& folder, const std::string& name) {
    write_tuned_config(folder.file(name), tuned_config_of(titled(name), "g++ 12", "b41ld"));
}

TunedSet set_of(const std::vector<std::string>& configs) {
    TunedSet set;
    set.complete = true;
    TunedGroup group;
    group.family = "spmv";
    group.dtype = "f64";
    group.state = "warm";
    for (const std::string& config : configs) {
        TunedProblem p;
        p.title = config;
        p.best = {{"format", "csr"}};
        p.config = config;
        group.problems.push_back(p);
    }
    set.groups = {group};
    return set;
}

std::vector<ResultFile> results_at(const std::vector<std::string>& paths) {
    return read_result_files(paths, [](const std::string& text) { FAIL_CHECK(text); });
}

std::string titles_of(const std::vector<ResultFile>& all) {
    std::string titles;
    for (const ResultFile& file : all) titles += file.result.title + " ";
    return titles;
}

}  // namespace

TEST_CASE("files of every kind, in the order in which they are named", "[result_files]") {
    const test::TemporaryFolder folder;
    write_config(folder, "one.json");
    write_config(folder, "two.json");
    write_tuned_set(folder.file("set.json"), set_of({"two.json", "one.json"}));
    folder.write("printed.json", json_text(to_json(std::vector{titled("first"), titled("second")})));
    const std::vector<ResultFile> all =
        results_at({folder.file("printed.json"), folder.file("set.json"), folder.file("one.json")});
    CHECK(titles_of(all) == "first second two.json one.json one.json ");
    CHECK(all[0].file == folder.file("printed.json"));
    CHECK(all[0].created.empty());
    CHECK(all[2].file == folder.file("two.json"));
    CHECK_FALSE(all[2].created.empty());
    CHECK(all[2].compiler == "g++ 12");
    CHECK(all[4].kernels_build == "b41ld");
}

TEST_CASE("a ladder among several files is passed over, and named", "[result_files]") {
    const test::TemporaryFolder folder;
    write_config(folder, "one.json");
    const std::string ladder = folder.write("one.ladder.json", "{\"schema\": \"rooftune/ladder/1\"}");
    std::vector<std::string> told;
    const auto all = read_result_files({folder.file("one.json"), ladder},
                                       [&](const std::string& text) { told.push_back(text); });
    CHECK(titles_of(all) == "one.json ");
    REQUIRE(told.size() == 1);
    CHECK_THAT(told.front(), Contains("one.ladder.json") && Contains("passed over"));
    // Alone it is what was asked for, and wrong.
    CHECK_THROWS_AS(results_at({ladder}), InputError);
}

TEST_CASE("files that hold no results are refused, with what to do", "[result_files]") {
    const test::TemporaryFolder folder;
    write_tuned_set(folder.file("lost.json"), set_of({"gone.json"}));
    CHECK_THROWS_AS(results_at({folder.file("lost.json")}), InputError);
    CHECK_THROWS_WITH(results_at({folder.file("lost.json")}),
                      Contains("names the config gone.json") && Contains("in one folder"));
    write_tuned_set(folder.file("self.json"), set_of({"self.json"}));
    CHECK_THROWS_WITH(results_at({folder.file("self.json")}), Contains("which is a set"));
    write_tuned_set(folder.file("empty.json"), set_of({}));
    CHECK_THROWS_WITH(results_at({folder.file("empty.json")}), Contains("no tuned problem"));
    CHECK_THROWS_AS(results_at({folder.file("none.json")}), InputError);
    CHECK_THROWS_AS(results_at({folder.write("other.json", "[1, 2]")}), InputError);
    Json old = to_json(tuned_config_of(example_result(), "g++", "b"));
    old["schema"] = "rooftune/tuned-config/1";
    CHECK_THROWS_WITH(results_at({folder.write("old.json", old.dump())}), Contains("older version"));
}

TEST_CASE("a folder stands for the newest tuned config of each problem in it, beside files",
          "[result_files]") {
    const test::TemporaryFolder folder;
    std::filesystem::create_directories(folder.file("results/tuned"));
    const auto write = [&](const std::string& name, const std::string& matrix, const std::string& created) {
        TunedConfig config = tuned_config_of(titled(std::filesystem::path(name).stem().string()), "g++", "b");
        config.result.problem["matrix"] = matrix;
        config.created = created;
        write_tuned_config(folder.file(name), config);
    };
    write("results/tuned/ship.json", "ship.mtx", "2026-03-01T00:00:00Z");
    write("results/tuned/ship_before.json", "ship.mtx", "2026-01-01T00:00:00Z");
    write("results/tuned/wing.json", "wing.mtx", "2026-01-01T00:00:00Z");
    // Its configs are there themselves.
    write_tuned_set(folder.file("results/tuned/set.json"), set_of({"ship.json", "wing.json"}));
    folder.write("printed.json", json_text(to_json(titled("printed"))));
    const std::string results = folder.file("results"), printed = folder.file("printed.json");
    CHECK(titles_of(results_at({results})) == "ship wing ");
    CHECK(titles_of(results_at({folder.file("results/tuned/")})) == "ship wing ");
    CHECK(titles_of(results_at({printed, results})) == "printed ship wing ");
    CHECK(titles_of(results_at({results, folder.file("results/tuned/ship.json"), results})) == "wing ship ");
    CHECK(titles_of(results_at({folder.file("results/tuned/set.json"), results})) == "ship wing ");
    CHECK(results_at({results})[0].compiler == "g++");
    // However they are named, files are there once.
    const std::string absolute = folder.file("results/tuned/ship.json");
    const std::string relative = std::filesystem::relative(absolute).string();
    std::filesystem::create_symlink(absolute, folder.file("link.json"));
    CHECK(titles_of(results_at({results, relative})) == "wing ship ");
    CHECK(titles_of(results_at({folder.file("link.json"), results})) == "ship wing ");
    folder.write("results/tuned/torn.json", "{");
    std::string told;
    CHECK(titles_of(read_result_files({results}, [&](const std::string& text) { told += text; })) ==
          "ship wing ");
    CHECK_THAT(told, Contains("torn.json") && Contains("left out"));
    std::filesystem::create_directory(folder.file("empty"));
    CHECK_THROWS_WITH(results_at({folder.file("empty")}), Contains("no tuned config in this folder"));
}
