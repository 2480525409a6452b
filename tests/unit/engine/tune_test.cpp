// What rooftune::tune() asks of the program that calls it.
#include "tuner/engine/tune.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("a program that cannot be its own worker is told what to call") {
    // These tests never call serve_worker(): workers of theirs would run all tests again.
    CHECK_THROWS_AS(tune({"matmul", {{"m", "8"}, {"n", "8"}, {"k", "8"}}}), EnvironmentError);
}
