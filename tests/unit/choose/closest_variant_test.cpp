#include "tuner/choose/closest_variant.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

std::string closest(const Space& space, const std::map<std::string, std::string>& wanted, int changed) {
    const auto found = closest_variant(space, wanted);
    REQUIRE(found);
    CHECK(space.valid(found->variant));
    CHECK(found->changed == changed);
    return space.to_text(found->variant);
}

}  // namespace

TEST_CASE("distance of values") {
    CHECK(value_distance("8x6", "8x6") == 0.0);
    CHECK(value_distance("255", "511") == Approx(1.0));
    CHECK(value_distance("7x6", "15x13") == Approx(2.0));
    CHECK(value_distance("0.5", "2") == Approx(1.0));
    CHECK(value_distance("whole", "255") == 100.0);
    CHECK(value_distance("yes", "no") == 100.0);
    CHECK(value_distance("sell", "csr") == 100.0);
}

TEST_CASE("a variant that exists is itself") {
    const Space s = toy::space();
    CHECK(closest(s, {{"format", "padded"}, {"pad", "2"}, {"threads", "1"}, {"unroll", "9"}}, 0) ==
          "format=padded,pad=2,threads=1,unroll=9");
}

TEST_CASE("values that do not exist give the nearest, whatever else is kept") {
    const Space s = toy::space();
    CHECK(closest(s, {{"format", "narrow"}, {"threads", "16"}, {"unroll", "4"}}, 1) ==
          "format=narrow,threads=2,unroll=4");
    // A constraint forbids unroll above 7 here.
    CHECK(closest(s, {{"format", "wide"}, {"threads", "1"}, {"unroll", "9"}}, 1) ==
          "format=wide,threads=1,unroll=7");
    // Parameters that came and went.
    CHECK(closest(s, {{"format", "padded"}, {"threads", "1"}, {"unroll", "0"}, {"gone", "1"}}, 2) ==
          "format=padded,pad=1,threads=1,unroll=0");
    CHECK(closest(s, {}, 3).substr(0, 12) == "format=wide,");
}

TEST_CASE("a number behind a name is as good as the number") {
    Space s("blocks", 1);
    s.add(Parameter("kc", "", {{"192", 192}, {"whole", 260}}));
    s.add(Parameter("dead", "", numbers({1, 2})));
    s.add(Constraint{"dead end", 1, [](const PartialVariant& v) { return v[0] != 0 || v[1] == 5; }});
    // 192 would be nearest, but no variant has it: back, and the other way.
    CHECK(closest(s, {{"kc", "200"}, {"dead", "1"}}, 1) == "kc=whole,dead=1");
    Space open("blocks", 1);
    open.add(Parameter("kc", "", {{"192", 192}, {"whole", 260}}));
    CHECK(closest(open, {{"kc", "256"}}, 1) == "kc=whole");
    CHECK(closest(open, {{"kc", "170"}}, 1) == "kc=192");
}

TEST_CASE("an empty space has none") {
    Space s("empty", 1);
    s.add(Parameter("a", "", numbers({1, 2})));
    s.add(Constraint{"never", 0, [](const PartialVariant&) { return false; }});
    CHECK_FALSE(closest_variant(s, {{"a", "1"}}));
}
