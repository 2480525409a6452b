// What files that are made from titles are called.
#include "tuner/base/plain_name.h"

#include "tests/support/catch.h"

using namespace rooftune;

TEST_CASE("a name of a file has one underscore wherever its title has something else", "[plain_name]") {
    CHECK(plain_name("matmul 64x64x64 f64, beta 2") == "matmul_64x64x64_f64_beta_2");
    CHECK(plain_name("external mine.cpp n=1e6") == "external_mine.cpp_n_1e6");
    CHECK(plain_name("a__b") == "a_b");
    CHECK(plain_name(" (a) ") == "a");
    CHECK(plain_name("7-point 64x64x64, 4 steps f64") == "7-point_64x64x64_4_steps_f64");
    CHECK(plain_name("größer/kleiner") == "gr_er_kleiner");
    CHECK(plain_name("").empty());
}
