// What the rules of a source do to its space, as `check` says it.
#include "tests/support/catch.h"
#include "tuner/external/declared_space.h"

using namespace rooftune;
using namespace rooftune::external;

namespace {

Instance instance_with(const std::string& lines) {
    return instance_of(declaration_from("// rooftune: size n = 100\n// rooftune: out y f64[n] all\n"
                                        "// rooftune: call f(n, y)\n" +
                                            lines,
                                        "mine.cpp"),
                       {}, 1e12);
}

Target four_threads() {
    Target target;
    target.threads = 4;
    return target;
}

std::vector<RuleEffect> effects_of(const std::string& lines) {
    const Instance instance = instance_with(lines);
    return rule_effects(instance, make_space(instance, four_threads()));
}

}  // namespace

TEST_CASE("each rule is told with the variants that it alone leaves out") {
    const auto effects = effects_of(
        "// rooftune: parameter T 1 2 4 8\n// rooftune: parameter U 1 2 4 8\n"
        "// rooftune: where T * U <= 16\n// rooftune: where n > 10\n// rooftune: where T <= 4\n"
        "// rooftune: where U <= 8\n");
    REQUIRE(effects.size() == 4);
    CHECK(effects[0].text == "T * U <= 16");
    // Of the twelve with T <= 4 only 4 * 8; those with 8 the other rule leaves out as well.
    CHECK(effects[0].left_out == 1u);
    CHECK_FALSE(effects[0].of_sizes);
    CHECK(effects[1].of_sizes);
    CHECK(effects[1].left_out == 0u);
    CHECK(effects[2].left_out == 2u);  // 8 * 1 and 8 * 2
    CHECK(effects[3].left_out == 0u);
    CHECK(effects_of("").empty());
}

TEST_CASE("rules of a space with too many combinations are told without their counts") {
    std::string lines = "// rooftune: where A * B <= 100\n";
    for (const char* name : {"A", "B", "C", "D"})
        lines = std::string("// rooftune: parameter ") + name + " 1:50\n" + lines;
    const auto effects = effects_of(lines);
    REQUIRE(effects.size() == 1);
    CHECK_FALSE(effects[0].left_out);
    CHECK_FALSE(effects[0].of_sizes);
}

TEST_CASE("beyond 0 and 1 a source can offer nothing, beyond its other numbers it could") {
    const Space space = make_space(
        instance_with("// rooftune: parameter TILE 0 1\n// rooftune: parameter WIDE 1 2\n"), four_threads());
    REQUIRE(space.size() == 2);
    CHECK(space.parameters()[0].is_ordered);
    CHECK(space.parameters()[0].ends_because.empty());
    CHECK(space.parameters()[1].is_ordered);
    CHECK(space.parameters()[1].ends_because == "mine.cpp offers no more");
}
