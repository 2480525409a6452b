// Suggested commands name the results folder that they are about, where it is not the usual one.
#include "tuner/base/suggested.h"

#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("a suggested command names the results folder of the process, as a shell takes it") {
    CHECK(suggested("machine") == "`rooftune machine`");
    suggest_results_folder("/tmp/mine");
    CHECK(suggested("results show --records") == "`rooftune results show --records --results /tmp/mine`");
    CHECK(command_here("machine") == "rooftune machine --results /tmp/mine");
    suggest_results_folder("/tmp/two words");
    CHECK(suggested("machine") == "`rooftune machine --results '/tmp/two words'`");
    suggest_results_folder("");
    CHECK(suggested("machine") == "`rooftune machine`");
}
