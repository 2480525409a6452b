// What is said where the folder of presets and job files is missing.
#include "tuner/engine/configs_folder.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"

using namespace rooftune;
using Catch::Contains;

TEST_CASE("a home without configs is named, and so is the variable that names another") {
    const char* before = std::getenv("ROOFTUNE_HOME");
    const std::string kept = before != nullptr ? before : "";
    const test::TemporaryFolder folder;
    setenv("ROOFTUNE_HOME", (folder / "home").c_str(), 1);
    CHECK_THAT(missing_configs(),
               Contains((folder / "home") + "/configs, is not there") && Contains("ROOFTUNE_HOME"));
    std::filesystem::create_directories(folder / "home/configs");
    CHECK(missing_configs().empty());
    if (before != nullptr)
        setenv("ROOFTUNE_HOME", kept.c_str(), 1);
    else
        unsetenv("ROOFTUNE_HOME");
}
