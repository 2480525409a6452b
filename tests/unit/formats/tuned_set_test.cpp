#include "tuner/formats/tuned_set.h"

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/golden.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/members.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_set_header.h"

using namespace rooftune;
using Catch::Contains;

namespace {

TunedProblem problem(const std::string& m, std::vector<double> features, const std::string& tile) {
    TunedProblem p;
    p.problem = {{"m", m}};
    p.title = "matmul " + m;
    p.digest = "d" + m;
    p.features = std::move(features);
    p.best = {{"method", "tiled"}, {"tile", tile}};
    p.fallback = {{"method", "tiled"}, {"tile", "1x1"}};
    p.seconds = {1.5e-5, 1.4e-5, 1.6e-5, 1.3e-5, 40};
    p.stopped_by = "patience";
    p.gap = 0.5;
    p.audited = 3;
    p.regrets = 1;
    p.config = "matmul_" + m + ".json";
    return p;
}

TunedSet example_set() {
    TunedSet set;
    set.created = "2024-05-31T17:04:59Z";
    set.machine_id = "amd-25-1";
    set.machine_name = "Some EPYC \\";
    set.compiler = "g++ 12.2.0";
    set.kernels_build = "b41ld";
    set.complete = true;
    TunedGroup g;
    g.family = "matmul";
    g.space_version = 2;
    g.dtype = "f64";
    g.state = "warm";
    g.threads = 2;
    g.features = {"log2(m)", "2*transa"};
    g.scales = {1.5, 1.0};
    g.reach = 2.0;
    g.problems = {problem("16", {4.0, 0.0}, "4x8"), problem("128", {7.0, 0.0}, "12x4"),
                  problem("1024", {10.0, 2.0}, "6x8")};
    LeftOut l;
    l.nearest = 1;
    l.distance = 2.0;
    l.variant = {{"method", "tiled"}, {"tile", "12x4"}};
    l.changed = 1;
    l.works = true;
    l.ratio = {1.07, 1.05, 1.1, 0.0, 12};
    l.default_ratio = 1.9;
    g.problems[0].left_out = l;
    LeftOut broken;
    broken.nearest = 0;
    broken.distance = 2.0;
    g.problems[1].left_out = broken;
    g.problems[2].gap = std::numeric_limits<double>::infinity();
    set.groups = {g};
    set.untuned = {{"spmv", {{"gen", "rmat"}}, "No variant works."}};
    return set;
}

std::string set_complaint(const Json& document) {
    try {
        tuned_set_from(document, "shapes.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

std::string set_complaint(const std::string& pointer, Json value) {
    Json document = to_json(example_set());
    document.at(Json::json_pointer(pointer)) = std::move(value);
    return set_complaint(document);
}

std::vector<std::string> set_faults(const Json& document) {
    return test::SchemaCheck("configs/schema").faults(document, "tuned-set.schema.json");
}

}  // namespace

TEST_CASE("tuned set: each member of each struct is a key of the document, which is as it is",
          "[tuned_set]") {
    using test::keys;
    using test::members;
    TunedSet set = example_set();
    set.untuned = {{"spmv", {{"matrix", "ship.mtx"}}, "there is no such file"}};
    const Json json = to_json(set);
    test::check_golden("documents/tuned_set.json", json_text(json));
    CHECK(members<TunedSet>() == keys(json, {""}) - 1);  // "schema"
    // Less the group of the rule itself, its text, and that names and scales stand in one list.
    CHECK(members<TunedGroup>() ==
          keys(json, {"/groups/0", "/groups/0/rule", "/groups/0/rule/features/0"}) - 3);
    CHECK(members<TunedProblem>() == keys(json, {"/groups/0/problems/0", "/groups/0/problems/0/audit"}) - 1);
    CHECK(members<LeftOut>() == keys(json, {"/groups/0/problems/0/left_out"}));
    CHECK(members<UntunedProblem>() == keys(json, {"/untuned/0"}));
}

TEST_CASE("tuned set: written, read, and the same again", "[tuned_set]") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("shapes.json");
    write_tuned_set(path, example_set());
    CHECK(is_tuned_set(path));
    const TunedSet back = read_tuned_set(path);
    CHECK(to_json(back) == to_json(example_set()));
    CHECK(back.groups[0].problems[0].left_out->ratio.high == 1.1);
    CHECK_FALSE(back.groups[0].problems[1].left_out->works);
    CHECK_FALSE(back.groups[0].problems[2].left_out);
    for (const std::string& fault : set_faults(to_json(example_set()))) CHECK(fault.empty());
    CHECK(set_faults(to_json(TunedSet{})).empty());
    CHECK_FALSE(is_tuned_set(folder.write("other.json", R"({"schema": "rooftune/tuned-config/3"})")));
    CHECK_FALSE(is_tuned_set(folder.write("array.json", "[]")));
}

TEST_CASE("tuned set: planted faults", "[tuned_set]") {
    CHECK_THAT(set_complaint("/schema", "rooftune/tuned-set/9"),
               Contains("shapes.json: at /schema: expected the text \"rooftune/tuned-set/1\""));
    CHECK_THAT(
        set_complaint("/groups/0/problems/0/features", Json::array({4.0})),
        Contains("at /groups/0/problems/0/features: expected as many numbers as the rule has features, 2"));
    CHECK_THAT(set_complaint("/groups/0/rule/features/0/scale", 0.0),
               Contains("at /groups/0/rule/features/0/scale"));
    CHECK_THAT(set_complaint("/groups/0/rule/reach", -1.0), Contains("at /groups/0/rule/reach"));
    CHECK_THAT(set_complaint("/groups/0/rule/text", "take any"), Contains("the rule of this version"));
    CHECK_THAT(set_complaint("/groups/0/problems/0/variant", Json::object()), Contains("expected a variant"));
    CHECK_THAT(set_complaint("/groups/0/problems/0/left_out/nearest", 3),
               Contains("the place of another problem"));
    CHECK_THAT(set_complaint("/groups/0/problems/0/left_out/nearest", 0),
               Contains("the place of another problem"));
    CHECK_THAT(set_complaint("/groups/0/problems/0/left_out/works", false),
               Contains("/time_over_best: expected null"));
    CHECK_THAT(set_complaint("/groups/0/problems/1/left_out/works", true), Contains("/time_over_best"));
    CHECK_THAT(set_complaint("/groups/0/problems/0/seconds/low", 1.0), Contains("/seconds/low"));
    CHECK_THAT(set_complaint("/groups/0/dtype", "f16"), Contains("at /groups/0/dtype"));
    CHECK_THAT(set_complaint("/complete", "yes"), Contains("at /complete"));
    Json extra = to_json(example_set());
    extra["groups"][0]["problems"][0]["speed"] = 1;
    CHECK_THAT(set_complaint(extra), Contains("at /groups/0/problems/0/speed: unknown key"));
    CHECK_FALSE(set_faults(extra).empty());
    Json fewer = to_json(example_set());
    fewer["groups"][0]["rule"].erase("reach");
    CHECK_THAT(set_complaint(fewer), Contains("expected the key \"reach\""));
    CHECK_FALSE(set_faults(fewer).empty());
}

TEST_CASE("tuned set: the header compiles alone, and its rule is the set's", "[tuned_set]") {
    const test::TemporaryFolder folder;
    TunedSet set = example_set();
    set.groups.push_back(set.groups[0]);  // a name that is taken
    set.groups.push_back({});             // nothing in it: left out
    folder.write("shapes.h", tuned_set_header(set, "all shapes"));
    const char* named = std::getenv("CXX");
    const std::string compiler = named && *named ? named : "c++";
    if (std::system(("command -v " + compiler + " > /dev/null 2>&1").c_str()) != 0) {
        WARN("skipped: no C++ compiler found (set CXX)");
        return;
    }
    folder.write("unit.cpp", R"(
#include "shapes.h"
#include "shapes.h"
namespace t = rooftune_tuned::all_shapes;
namespace g = t::matmul_f64_cpu_warm;
static_assert(t::fingerprint == "amd-25-1");
static_assert(g::problem_count == 3 && g::feature_count == 2);
static_assert(g::feature_names[1] == "2*transa");
static_assert(g::problems[1].variant == "method=tiled,tile=12x4");
static_assert(g::problems[2].seconds == 1.5e-5);
constexpr int nearest(double m, double transa) {
    const double features[] = {m, transa};
    return g::nearest(features);
}
static_assert(nearest(4.0, 0.0) == 0);
static_assert(nearest(6.0, 0.0) == 1);
static_assert(nearest(9.9, 2.5) == 2);
static_assert(nearest(1.0, 0.0) == 0, "just at the reach of 2 scales of 1.5");
static_assert(nearest(0.9, 0.0) == -1);
static_assert(nearest(4.0, 3.0) == -1);
static_assert(t::matmul_f64_cpu_warm_2::problem_count == 3);
int main() { return 0; }
)");
    const std::string command = compiler + " -std=c++17 -Wall -Wextra -Werror -pedantic -fsyntax-only -I'" +
                                folder.path() + "' '" + folder.file("unit.cpp") + "' 2> '" +
                                folder.file("said") + "'";
    const int status = std::system(command.c_str());
    INFO(folder.read("said"));
    CHECK(status == 0);
}
