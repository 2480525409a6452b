// Suggestions for mistyped words.
#include "kernels/runtime/nearest.h"

#include <vector>
#include "tests/support/catch.h"

namespace rooftune {

TEST_CASE("the nearest word is found by edits", "[nearest]") {
    const std::vector<std::string> known{"matrix", "dtype", "nx", "ny", "--budget", "--json"};
    CHECK(nearest("matrx", known) == "matrix");
    CHECK(nearest("matrices", known) == "matrix");
    CHECK(nearest("MATRIX", known) == "matrix");
    CHECK(nearest("dtpye", known) == "dtype");
    CHECK(nearest("type", known) == "dtype");
    CHECK(nearest("--bugdet", known) == "--budget");
    CHECK(nearest("-json", known) == "--json");
    CHECK(nearest("nz", known) == "nx");
    CHECK(nearest("--b", known) == "--budget");
}

TEST_CASE("of two words as near, the one with the same digits is meant", "[nearest]") {
    CHECK(nearest("poisson72", std::vector<std::string>{"poisson5", "poisson7", "poisson27"}) == "poisson27");
    CHECK(nearest("poisson8", std::vector<std::string>{"poisson27", "poisson7"}) == "poisson7");
}

TEST_CASE("flags are as near as their letters are, whatever dashes they share", "[nearest]") {
    const std::vector<std::string> flags{"--quiet", "--seed", "--json", "--out"};
    CHECK(nearest("--budget", flags).empty());
    CHECK(nearest("--seconds", flags).empty());
    CHECK(nearest("--job", flags).empty());
    CHECK(nearest("--jsno", flags) == "--json");
    CHECK(nearest("--sed", flags) == "--seed");
    CHECK(nearest("--", flags).empty());
}

TEST_CASE("nothing far-fetched is suggested", "[nearest]") {
    const std::vector<std::string> known{"matrix", "dtype", "n"};
    CHECK(nearest("", known).empty());
    CHECK(nearest("q", known).empty());
    CHECK(nearest("ma", known).empty());
    CHECK(nearest("temperature", known).empty());
    CHECK(nearest(std::string(1'000'000, 'm'), known).empty());
    CHECK(nearest("matrix", {}).empty());
}

TEST_CASE("a suggestion always lists what is known", "[nearest]") {
    const std::vector<std::string> known{"nx", "ny"};
    CHECK(suggestion("nz", known) == "did you mean 'nx'? Known: nx, ny");
    CHECK(suggestion("pressure", known) == "known: nx, ny");
}

}  // namespace rooftune
