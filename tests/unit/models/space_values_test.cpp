#include <cmath>
#include <limits>

#include "models/emptied_by.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

TEST_CASE("real values are spelled as they are read back, and booleans are 0 and 1") {
    Space space("kinds", 1);
    space.add(Parameter("scale", "", reals({0.5, 0.1, 1e-9, -2.0, -0.0})));
    space.add(Parameter("fast", "", booleans()));
    space.add(Parameter("way", "", names({"left", "right"})));
    CHECK(space.parameters()[0].values[1].text == "0.1");
    CHECK(space.parameters()[0].values[4].text == "0");
    Variant v = toy::variant(space, {{"scale", "1e-09"}, {"fast", "true"}, {"way", "right"}});
    CHECK(space.real(v, 0, 7.0) == 1e-9);
    CHECK(space.real(v, 1, 7.0) == 1.0);
    CHECK(space.number(v, 1, 7) == 1);
    CHECK(space.number(v, 2, 7) == 1);
    v.free(0);
    CHECK(space.real(v, 0, 7.0) == 7.0);
    CHECK(space.count(PartialVariant{}) == 20);
}

TEST_CASE("values that cannot be told apart or are no numbers are refused, and so are names used twice") {
    CHECK_THROWS_AS(reals({1.0, std::nan("")}), std::logic_error);
    CHECK_THROWS_AS(reals({std::numeric_limits<double>::infinity()}), std::logic_error);
    Space space("wrong", 1);
    CHECK_THROWS_AS(space.add(Parameter("a", "", numbers({1, 2, 1}))), std::logic_error);
    CHECK_THROWS_AS(space.add(Parameter("a", "", reals({0.0, -0.0}))), std::logic_error);
    CHECK_THROWS_AS(space.add(Parameter("a", "", names({"x", ""}))), std::logic_error);
    CHECK_THROWS_AS(space.add(Parameter("a", "", numbers({}))), std::logic_error);
    CHECK_THROWS_AS(space.add(Parameter("", "", numbers({1}))), std::logic_error);
    CHECK_THROWS_AS(space.add(Parameter("a", "", {{"nan", 0, ValueKind::real, std::nan("")}})),
                    std::logic_error);
    CHECK(space.size() == 0);
    space.add(Parameter("a", "", numbers({1, 2})));
    CHECK_THROWS_AS(space.add(Parameter("a", "", numbers({1}))), std::logic_error);
    CHECK_THROWS_AS(space.add(Constraint{"later", 1, [](const PartialVariant&) { return true; }}),
                    std::logic_error);
    CHECK(space.constraints().empty());
}

TEST_CASE("what emptied a space: one rule, or several together") {
    Space space = toy::space();
    CHECK(emptied_by(space).empty());
    const auto only = [&](std::string text, int p, int value) {
        space.add(
            Constraint{std::move(text), p, [=](const PartialVariant& v) { return v[p] == value; }, {p}});
    };
    only("one thread", 2, 0);
    CHECK(emptied_by(space).empty());
    Space nothing = space;
    nothing.add(Constraint{"never", 0, [](const PartialVariant&) { return false; }, {}});
    CHECK(emptied_by(nothing) == std::vector<std::string>{"never"});

    // Of two that contradict each other, the first without which something is left.
    only("unroll 9", 3, 9);
    Space contradiction = space;
    contradiction.add(Constraint{"wide", 0, [](const PartialVariant& v) { return v[0] == 0; }, {0}});
    CHECK(emptied_by(contradiction) == std::vector<std::string>{"wide needs unroll <= 7"});

    // Each of two contradictions alone leaves nothing, so no single rule is to blame.
    only("unroll 8", 3, 8);
    only("two threads", 2, 1);
    CHECK(emptied_by(space) == std::vector<std::string>{"unroll 9", "unroll 8"});
}
