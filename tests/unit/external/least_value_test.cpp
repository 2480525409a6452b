// A user's formula as a bound: never above a completion, never lower when more is decided.
#include "tuner/external/least_value.h"

#include <random>

#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::external;

namespace {

// a {1, 2, 4}, b {3, 5} where a > 1, c {x, y}, d {0.5, 2}; a * d < 8.
Space space() {
    Space s("made-up", 1);
    s.add(Parameter("a", "", numbers({1, 2, 4})));
    s.add(Parameter("b", "", numbers({3, 5})).when("a > 1", {0}, [](const PartialVariant& v) {
        return v[0] > 0;
    }));
    s.add(Parameter("c", "", names({"x", "y"})));
    s.add(Parameter("d", "", reals({0.5, 2.0})));
    s.add(constraint_from(s, "a * d < 8", "test"));
    return s;
}

LeastValue least(const Space& s, const std::string& text, int* refused = nullptr) {
    return {s, expression_from(s, {{"n", 100.0}}, text, "test"), [refused](const PartialVariant&, double) {
                if (refused) ++*refused;
            }};
}

}  // namespace

TEST_CASE("the least below a partial variant is at most its completions', and grows as more is decided") {
    const Space s = space();
    for (const char* text :
         {"n", "n*a", "n/d + a*b", "(c == 'x') * n + d", "abs(a - 2) * n", "b", "min(a, b)*d"}) {
        const Expression expression = expression_from(s, {{"n", 100.0}}, text, "test");
        const LeastValue value = least(s, text);
        REQUIRE(value.claims());
        INFO(text);
        s.each({}, [&](const Variant& v) {
            double before = value.of({});
            PartialVariant at;
            for (int p = 0; p < s.size(); ++p) {
                at.fix(p, v[p]);
                const double now = value.of(at);
                CHECK(now >= before);
                before = now;
            }
            // Of a variant that lacks what the formula names, nothing is claimed.
            const double exact = expression.value(v);
            CHECK(value.of(v) == (std::isnan(exact) ? 0.0 : exact));
            CHECK(value.of({}) <= value.of(v));
            return true;
        });
    }
    CHECK(least(s, "n*a").of({}) == 100.0);
    PartialVariant at;
    at.fix(0, 2);
    CHECK(least(s, "n*a").of(at) == 400.0);
    CHECK(least(s, "n").of(at) == 100.0);
    // b does not exist where a is 1, and may not below: only where it is decided is anything claimed.
    CHECK(least(s, "n*b").of({}) == 0.0);
    CHECK(least(s, "n*b").of(at) == 0.0);
    at.fix(1, 1);
    CHECK(least(s, "n*b").of(at) == 500.0);
}

TEST_CASE("values that are no work are told, unless the rules leave no such variant") {
    const Space s = space();
    int refused = 0;
    CHECK(least(s, "2 - a", &refused).of({}) == 0.0);
    CHECK(refused == 1);  // a = 4
    refused = 0;
    least(s, "n / (a - 1)", &refused);
    CHECK(refused == 1);
    refused = 0;
    // a = 4 with d = 2 is not allowed: nobody needs its -1.
    least(s, "7 - a*d", &refused);
    CHECK(refused == 0);
}

TEST_CASE("no expression, and one of too many ways, claim nothing") {
    CHECK_FALSE(LeastValue().claims());
    CHECK(LeastValue().of({}) == 0.0);
    Space s("large", 1);
    std::vector<std::int64_t> hundred;
    for (int i = 1; i <= 100; ++i) hundred.push_back(i);
    for (const char* name : {"a", "b", "c"}) s.add(Parameter(name, "", numbers(hundred)));
    const LeastValue value = least(s, "a*b*c");
    CHECK_FALSE(value.claims());
    CHECK(value.of({}) == 0.0);
    CHECK(least(s, "a*b").claims());
}
