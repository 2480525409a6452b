#include "tests/structure/planted_tree.h"
#include "tests/structure/test_names.h"
#include "tests/support/catch.h"

namespace rooftune::structure {
namespace {

// Put together here so that this file itself has no such name.
std::string test_named(const std::string& name) {
    return "TEST_" + std::string("CASE(\"") + name + "\") {\n}\n";
}

Complaints of(const std::string& text) {
    const PlantedTree planted{{"tests/unit/x/test.cpp", text}};
    return names_without_end(planted.tree());
}

}  // namespace

TEST_CASE("names of tests: a long part before the colon is found, a long one behind it is not") {
    const std::string most(kMostColumnsBeforeColon, 'a');
    CHECK(of(test_named(most + ": b")).empty());
    CHECK(of(test_named("a: " + most + most + ": b")).empty());
    CHECK(of(test_named(most + most)).empty());
    check_one(of(test_named(most + "a: b")), "71 columns");
    check_one(of(test_named(most + "\"\n    \"a: b")), "71 columns");
    check_one(of(test_named("x") + "    SEC" + "TION(\"" + most + "a: b\") {}\n"), "71 columns");
}

}  // namespace rooftune::structure
