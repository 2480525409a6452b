#include "tests/structure/guarantees.h"
#include "tests/structure/planted_tree.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

Complaints of(const std::string& page) {
    // Put together here so that this file itself has no such test.
    const PlantedTree planted{
        {"tests/unit/x/test.cpp", "TEST_" + std::string("CASE(\"a store survives\") {\n}\n")},
        {"docs/guarantees.md", page}};
    return guarantees_tested(planted.tree());
}

const std::string kHead = "# What holds\n\n| what | test |\n|---|---|\n";

}  // namespace

TEST_CASE("a promise with a test passes, one without is named with its line") {
    CHECK(of(kHead + "| It lives. | `a store survives` |\n").empty());
    check_one(of(kHead + "| It lives. | `a store survives`, `a store dies` |\n"),
              "docs/guarantees.md:5: no test is called \"a store dies\"");
    check_one(of(kHead + "| It lives. | `a store survives` |\n| It flies. | certainly |\n"),
              "docs/guarantees.md:6: a promise without a test");
    check_one(of(kHead + "| It lives. | `a store survives` |\n|It flies --- now | certainly\n"),
              "docs/guarantees.md:6: a promise without a test");
    check_one(of(kHead + "| It lives. | `a store survives`, `a store |\n"), "a backquote that is not closed");
    check_one(of("# What holds\n\nAll of it.\n"), "names no test");
    check_one(guarantees_tested(PlantedTree{{"README.md", ""}}.tree()), "missing");
}

}  // namespace rooftune::structure
