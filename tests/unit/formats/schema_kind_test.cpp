// A file of another kind than the one that is wanted is called what it is.
#include "tuner/formats/schema_kind.h"

#include <fstream>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/formats/machine_file.h"
#include "tuner/formats/measured_points.h"
#include "tuner/formats/tuned_config.h"
#include "tuner/formats/tuned_set.h"

using namespace rooftune;

namespace {

std::string refused(const std::string& text, std::string_view wanted) {
    const Json document = Json::parse(text);
    try {
        check_kind(document, "a.json", wanted);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a document of another kind is refused by both names, whatever its version") {
    CHECK(refused(R"({"schema": "rooftune/tuned-config/3"})", kMachineSchema) ==
          "a.json: is a tuned config; expected a machine file (`rooftune machine` makes one, `rooftune list "
          "machines` shows those there are)");
    CHECK(refused(R"({"schema": "rooftune/machine/99"})", kTunedConfigSchema) ==
          "a.json: is a machine file; expected a tuned config (`rooftune tune` writes one for each problem)");
    CHECK(
        refused("{}", kTunedSetSchema) ==
        "a.json: has no key \"schema\" that would say what it is; expected a tuned set (`rooftune tune --job "
        "FILE` writes one)");
    // The right kind, another version of it, a slip of the pen, and what no command reads, are the reader's.
    CHECK(refused(R"({"schema": "rooftune/machine/2"})", kMachineSchema) == "");
    CHECK(refused(R"({"schema": "rooftune/machine/9"})", kMachineSchema) == "");
    CHECK(refused(R"({"shcema": "rooftune/machine/2"})", kMachineSchema) == "");
    CHECK(refused(R"({"schema": "another/thing/1"})", kMachineSchema) == "");
    CHECK(refused(R"({"schema": 3})", kMachineSchema) == "");
    CHECK(refused(R"({"schema": "rooftune/machine/2"})", "another/thing/1") == "");
    CHECK(refused("[1]", kMachineSchema) == "");
}

TEST_CASE("every reader asks for the kind first") {
    const test::TemporaryFolder folder;
    const std::string file = folder / "ladder.json";
    std::ofstream(file) << R"({"schema": "rooftune/ladder/1"})";
    CHECK_THROWS_WITH(read_machine_file(file), Catch::Contains("is a ladder; expected a machine file"));
    CHECK_THROWS_WITH(read_tuned_config(file), Catch::Contains("is a ladder; expected a tuned config"));
    CHECK_THROWS_WITH(read_tuned_set(file), Catch::Contains("is a ladder; expected a tuned set"));
    CHECK_THROWS_WITH(read_points_file(file), Catch::Contains("is a ladder; expected a points file"));
    CHECK_THROWS_WITH(read_results_or_config(file),
                      Catch::Contains("is a ladder; expected a result of a tune (a tuned config, or what"));
}
