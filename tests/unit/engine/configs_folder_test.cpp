// What is said where the folder of presets and job files is missing.
#include "tuner/engine/configs_folder.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/engine/machine_model.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("a home without configs is named, and so is the variable that names another") {
    const char* before = std::getenv("ROOFTUNE_HOME");
    const std::string kept = before != nullptr ? before : "";
    const test::TemporaryFolder folder;
    setenv("ROOFTUNE_HOME", (folder / "home").c_str(), 1);
    CHECK_THAT(missing_configs(),
               Contains((folder / "home") + "/configs, is not there") && Contains("ROOFTUNE_HOME"));
    CHECK_THROWS_WITH(
        machine_path("h100-sxm", "--machine"),
        Contains("--machine h100-sxm: there is no such file, and of presets nothing is known") &&
            Contains("ROOFTUNE_HOME"));
    CHECK(machine_path(folder.path(), "--machine") == folder.path());  // what is there needs no preset
    std::filesystem::create_directories(folder / "home/configs");
    CHECK(missing_configs().empty());
    CHECK_THROWS_WITH(machine_path("h100-sxm", "--machine"), Contains("there is no such file or preset"));
    if (before != nullptr)
        setenv("ROOFTUNE_HOME", kept.c_str(), 1);
    else
        unsetenv("ROOFTUNE_HOME");
}
