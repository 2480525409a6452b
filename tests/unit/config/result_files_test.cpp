#include "tuner/config/result_files.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/unit/config/example_result.h"
#include "tests/unit/config/temporary_folder.h"
#include "tuner/config/result_json.h"
#include "tuner/config/tuned_config.h"
#include "tuner/config/tuned_set.h"

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

}  // namespace

TEST_CASE("files of every kind, in the order in which they are named", "[result_files]") {
    const test::TemporaryFolder folder;
    write_config(folder, "one.json");
    write_config(folder, "two.json");
    write_tuned_set(folder.file("set.json"), set_of({"two.json", "one.json"}));
    folder.write("printed.json", json_text(to_json(std::vector{titled("first"), titled("second")})));
    const std::vector<ResultFile> all =
        read_result_files({folder.file("printed.json"), folder.file("set.json"), folder.file("one.json")});
    std::string titles;
    for (const ResultFile& file : all) titles += file.result.title + " ";
    CHECK(titles == "first second two.json one.json one.json ");
    CHECK(all[0].file == folder.file("printed.json"));
    CHECK(all[0].created.empty());
    CHECK(all[2].file == folder.file("two.json"));
    CHECK_FALSE(all[2].created.empty());
    CHECK(all[2].compiler == "g++ 12");
    CHECK(all[4].kernels_build == "b41ld");
}

TEST_CASE("files that hold no results are refused, with what to do", "[result_files]") {
    const test::TemporaryFolder folder;
    write_tuned_set(folder.file("lost.json"), set_of({"gone.json"}));
    CHECK_THROWS_AS(read_result_files({folder.file("lost.json")}), InputError);
    CHECK_THROWS_WITH(read_result_files({folder.file("lost.json")}),
                      Contains("names the config gone.json") && Contains("in one folder"));
    write_tuned_set(folder.file("self.json"), set_of({"self.json"}));
    CHECK_THROWS_WITH(read_result_files({folder.file("self.json")}), Contains("which is a set"));
    write_tuned_set(folder.file("empty.json"), set_of({}));
    CHECK_THROWS_WITH(read_result_files({folder.file("empty.json")}), Contains("no tuned problem"));
    CHECK_THROWS_AS(read_result_files({folder.file("none.json")}), InputError);
    CHECK_THROWS_AS(read_result_files({folder.write("other.json", "[1, 2]")}), InputError);
    Json old = to_json(tuned_config_of(example_result(), "g++", "b"));
    old["schema"] = "rooftune/tuned-config/1";
    CHECK_THROWS_WITH(read_result_files({folder.write("old.json", old.dump())}), Contains("older version"));
}
