#include "tuner/formats/tuned_config.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/schema_check.h"
#include "tests/unit/formats/example_result.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/result_json.h"
#include "tuner/formats/tuned_header.h"

using namespace rooftune;
using Catch::Contains;

namespace {

TunedConfig example() {
    return {test::example_result(), "2024-05-31T17:04:59Z", "g++ 12.2.0", "b41ld"};
}

std::string config_complaint(const Json& document) {
    try {
        tuned_config_from(document, "ship.json");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

Json changed_config(const std::string& pointer, Json value) {
    Json document = to_json(example());
    document.at(Json::json_pointer(pointer)) = std::move(value);
    return document;
}

std::vector<std::string> config_faults(const Json& document) {
    return test::SchemaCheck("configs/schema").faults(document, "tuned-config.schema.json");
}

/// Compiles a translation unit with warnings as errors; "" when fine, else what the compiler said,
/// and "no compiler" when there is none.
std::string compile(const test::TemporaryFolder& folder, const std::string& source) {
    const char* named = std::getenv("CXX");
    const std::string compiler = named && *named ? named : "c++";
    if (std::system(("command -v " + compiler + " > /dev/null 2>&1").c_str()) != 0) return "no compiler";
    folder.write("unit.cpp", source);
    const std::string command = compiler + " -std=c++17 -Wall -Wextra -Werror -pedantic -I'" + folder.path() +
                                "' -o '" + folder.file("unit") + "' '" + folder.file("unit.cpp") + "' 2> '" +
                                folder.file("said") + "'";
    if (std::system(command.c_str()) != 0) return "refused: " + folder.read("said");
    return std::system(("'" + folder.file("unit") + "'").c_str()) == 0 ? "" : "wrong value";
}

}  // namespace

TEST_CASE("tuned config: written, read, and the same again", "[tuned_config]") {
    const test::TemporaryFolder folder;
    write_tuned_config(folder.file("ship.json"), example());
    const TunedConfig back = read_tuned_config(folder.file("ship.json"));
    CHECK(to_json(back) == to_json(example()));
    CHECK(back.result.best == example().result.best);
    CHECK(back.compiler == "g++ 12.2.0");
    CHECK(config_faults(to_json(example())).empty());
}

TEST_CASE("tuned config: applies only to its own machine", "[tuned_config]") {
    CHECK(applies_to(example(), "intel-6-143-8-2t"));
    CHECK_FALSE(applies_to(example(), "intel-6-143-8-4t"));
    CHECK_FALSE(applies_to(example(), ""));
}

TEST_CASE("tuned config: without a winner there is none", "[tuned_config]") {
    TuneResult none = test::example_result();
    none.best.clear();
    CHECK_THROWS_AS(tuned_config_of(none, "", ""), std::invalid_argument);
    CHECK(tuned_config_of(test::example_result(), "c", "b").created.size() == 20);
    Json document = to_json(example());
    document["result"]["best"] = nullptr;
    document["result"]["bound"] = document["result"]["explanation"] = nullptr;
    CHECK_THAT(config_complaint(document), Contains("at /result/best: expected a winner"));
}

TEST_CASE("tuned config: planted faults", "[tuned_config]") {
    CHECK_THAT(config_complaint(changed_config("/schema", "rooftune/tuned-config/9")),
               Contains("ship.json: at /schema: expected the text \"rooftune/tuned-config/3\""));
    CHECK_THAT(config_complaint(changed_config("/schema", "rooftune/tuned-config/2")),
               Contains("older version of this program wrote: tune again"));
    CHECK_THAT(config_complaint(to_json(test::example_result())),
               Contains("is a result of a tune; expected a tuned config"));
    CHECK_THAT(config_complaint(changed_config("/compiler", 12)), Contains("at /compiler: expected a text"));
    CHECK_THAT(
        config_complaint(changed_config("/fingerprint", "amd")),
        Contains(
            "at /fingerprint: expected what \"result\" says, \"intel-6-143-8-2t\", found the text \"amd\""));
    CHECK_THAT(config_complaint(changed_config("/variant/chunk", "32")),
               Contains("at /variant: expected what \"result\" says"));
    CHECK_THAT(config_complaint(changed_config("/threads", 4)), Contains("at /threads"));
    CHECK_THAT(config_complaint(changed_config("/seconds/median", 1e-6)), Contains("at /seconds"));
    CHECK_THAT(config_complaint(changed_config("/result/certificate/space", 1)),
               Contains("at /result/certificate/space"));
    Json extra = to_json(example());
    extra["compilers"] = "x";
    CHECK_THAT(config_complaint(extra),
               Contains("at /compilers: unknown key") && Contains("did you mean \"compiler\"?"));
    CHECK_FALSE(config_faults(extra).empty());
    Json fewer = to_json(example());
    fewer.erase("default_variant");
    CHECK_THAT(config_complaint(fewer), Contains("expected the key \"default_variant\""));
    CHECK_FALSE(config_faults(fewer).empty());
    Json reordered = to_json(example());
    reordered["variant"] = parse_json(R"({"threads": "2", "format": "sell", "chunk": "16"})", "f");
    CHECK(config_complaint(reordered) == "accepted");
}

TEST_CASE("identifiers", "[tuned_header]") {
    CHECK(identifier_of("ship_001_mesh") == "ship_001_mesh");
    CHECK(identifier_of("CONT-300_A.mtx") == "CONT_300_A_mtx");
    CHECK(identifier_of("27-point") == "n27_point");
    CHECK(identifier_of("__a__b__") == "a_b");
    CHECK(identifier_of("_Upper") == "Upper");
    CHECK(identifier_of("register") == "register_");
    CHECK(identifier_of("").substr(0) == "tuned");
    CHECK(identifier_of("\xc3\xa9\xe2\x82\xac") == "tuned");
}

TEST_CASE("tuned header: compiles alone, twice included, with the right values", "[tuned_header]") {
    const test::TemporaryFolder folder;
    TunedConfig config = example();
    // Awkward corners: keywords, clashes, text that looks like a number, quotes, a backslash before
    // the end of a comment line, and digits behind an escape.
    config.result.best = {{"chunk", "16"},
                          {"int", "-3"},
                          {"a-b", "first"},
                          {"a_b", "second"},
                          {"lead", "007"},
                          {"huge", "99999999999"},
                          {"odd",
                           "\"\\\n\x01"
                           "1?\?/"},
                          {"9lives", ""}};
    config.result.title = "a title with a backslash \\";
    config.result.machine_name = "two\nlines */ // ?\?/";
    folder.write("ship.h", tuned_header(config, "ship-001"));
    const std::string said = compile(folder, R"(
#include "ship.h"
#include "ship.h"
namespace t = rooftune_tuned::ship_001;
static_assert(t::family == "spmv");
static_assert(t::fingerprint == "intel-6-143-8-2t");
static_assert(t::seconds == 1.25e-5 && t::seconds_low == 1.2e-5);
static_assert(t::most_threads == 2);
static_assert(t::variant::chunk == 16);
static_assert(t::variant::int_ == -3);
static_assert(t::variant::a_b == "first" && t::variant::a_b_2 == "second");
static_assert(t::variant::lead == "007");
static_assert(t::variant::huge == "99999999999");
static_assert(t::variant::odd == "\"\\\n\x01" "1?" "?/");
static_assert(t::variant::n9lives.empty());
static_assert(t::default_variant::format == "csr" && t::default_variant::threads == 2);
int main() { return 0; }
)");
    if (said == "no compiler")
        WARN("skipped: no C++ compiler found (set CXX)");
    else
        CHECK(said == "");
}

TEST_CASE("tuned header: the judge of headers refuses a wrong value", "[tuned_header]") {
    const test::TemporaryFolder folder;
    folder.write("ship.h", tuned_header(example(), "ship"));
    const std::string said = compile(
        folder, "#include \"ship.h\"\nint main() { return rooftune_tuned::ship::variant::chunk == 16; }\n");
    if (said == "no compiler")
        WARN("skipped: no C++ compiler found (set CXX)");
    else
        CHECK(said == "wrong value");
}

TEST_CASE("tuned config: files of either kind are read, and old ones are called old", "[tuned_config]") {
    const test::TemporaryFolder folder;
    write_tuned_config(folder.file("config.json"), example());
    CHECK(read_results_or_config(folder.file("config.json")).size() == 1);
    const auto one = test::example_result();
    const std::string several = folder.write("several.json", json_text(to_json(std::vector{one, one})));
    CHECK(read_results_or_config(several).size() == 2);
    const Json old = changed_config("/schema", "rooftune/tuned-config/2");
    CHECK_THROWS_WITH(read_results_or_config(folder.write("old.json", json_text(old))),
                      Contains("tuned-config/3") && Contains("tune again"));
    CHECK_THROWS_AS(read_results_or_config(folder.write("array.json", "[]")), InputError);
    CHECK_THROWS_AS(read_results_or_config(folder.write("odd.json", R"({"schema": 3})")), InputError);
}
