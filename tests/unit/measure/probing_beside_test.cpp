#include "tuner/measure/probing_beside.h"

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Matchers::WithinRel;

TEST_CASE("Probing beside the least rounds takes no longer than they are given") {
    for (const double seconds : {0.05, 0.18, 0.48, 2.0, 60.0}) {
        for (const std::size_t ceilings : {1u, 3u, 12u, 40u}) {
            const double each = probing_seconds_beside(seconds, ceilings);
            CHECK(each > 0.0);
            CHECK(each * static_cast<double>(ceilings) * kLeastRounds <= seconds * (1.0 + 1e-12));
        }
    }
    CHECK_THAT(probing_seconds_beside(0.96, 12), WithinRel(0.01, 1e-12));
}

TEST_CASE("With time for it each ceiling has as long as before, and without any nothing is asked for") {
    CHECK(probing_seconds_beside(60.0, 12) == probing_seconds_beside(600.0, 12));
    CHECK(probing_seconds_beside(0.0, 12) == 0.0);
    CHECK(probing_seconds_beside(-1.0, 12) == 0.0);
    CHECK(probing_seconds_beside(1.0, 0) == 0.0);
}
