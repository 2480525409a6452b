// Python expressions of other tuners' files: lists of values, and rules that hold for the same variants in
// our language. The judge holds every rule against a function in C++ over a whole space, planted wrong ones
// too.
#include <cmath>
#include <functional>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/external/python_rule.h"
#include "tuner/external/python_values.h"
#include "tuner/search/enumerate/expression.h"

using namespace rooftune;
using namespace rooftune::external;
using Catch::Contains;

namespace {

std::string values(const std::string& text) {
    std::string all;
    const PythonValue found = python_value(python_from(text));
    for (const PythonValue& v : found.elements) all += (all.empty() ? "" : " ") + macro_text(v);
    return found.kind == PythonValue::Kind::list ? all : "= " + macro_text(found);
}

// "5: what is wrong", with the character from 1 on.
template <typename Act>
std::string fault_of(const Act& act) {
    try {
        act();
    } catch (const PythonFault& fault) {
        return std::to_string(fault.at + 1) + ": " + fault.what;
    }
    return "nothing";
}
std::string no_values(const std::string& text) {
    return fault_of([&] { values(text); });
}

struct Point {
    double a, b, c;
    std::string mode;
};

// a, b: whole numbers, b negative as well; c: fractions; mode: texts.
class Judge {
public:
    Judge() {
        space_.add(Parameter("a", "", numbers({0, 1, 2, 3, 7, 8, 64, 1024})));
        space_.add(Parameter("b", "", numbers({-3, -1, 1, 2, 5})));
        space_.add(Parameter("c", "", reals({0.5, 1.0, 2.25})));
        space_.add(Parameter("mode", "", rooftune::names({"row", "col", "don't"})));
        names_.numbers = {{"a", {0, 1024, true}}, {"b", {-3, 5, true}}, {"c", {0.5, 2.25, false}}};
        names_.texts = {{"mode", {"row", "col", "don't"}}};
        names_.values["ProblemSize"] = python_value(python_from("[4096, 512]"));
    }

    std::string said(const std::string& python) const {
        return rule_from_python(python_from(python), names_);
    }
    std::string refused(const std::string& python) const {
        return fault_of([&] { said(python); });
    }

    // Whether the rule holds exactly where the function is true.
    bool agrees(const std::string& python, const std::function<bool(const Point&)>& truth) const {
        const std::string rule = said(python);
        const Expression ours = expression_from(space_, {}, rule, "rule");
        bool same = true;
        space_.each(PartialVariant(), [&](const Variant& v) {
            const Point p{space_.real(v, 0, 0.0), space_.real(v, 1, 0.0), space_.real(v, 2, 0.0),
                          space_.value(v, 3)->text};
            const double found = ours.value(v);
            same = same && (found != 0.0 && !std::isnan(found)) == truth(p);
            return same;
        });
        return same;
    }

private:
    Space space_{"python", 1};
    PythonNames names_;
};

// What Python's % and // are.
double modulo(double a, double b) {
    return a - b * std::floor(a / b);
}

}  // namespace

TEST_CASE("Python's lists of values: brackets, ranges, comprehensions, sums of lists") {
    CHECK(values("[1, 2, 4]") == "1 2 4");
    CHECK(values("(1, 2, 4,)") == "1 2 4");
    CHECK(values("[]").empty());
    CHECK(values("list(range(1, 5))") == "1 2 3 4");
    CHECK(values("range(3)") == "0 1 2");
    CHECK(values("range(9, 0, -4)") == "9 5 1");
    CHECK(values("range(5, 5)").empty());
    CHECK(values("[2**i for i in range(5)]") == "1 2 4 8 16");
    CHECK(values("[i for i in range(1, 13) if 12 % i == 0 and not i == 6]") == "1 2 3 4 12");
    CHECK(values("[1] + [16 * i for i in range(1, 3)]") == "1 16 32");
    CHECK(values("list(i * i for i in range(4))") == "0 1 4 9");
    CHECK(values("sorted([3, 1, 2])") == "1 2 3");
    CHECK(values("[1 << 4, 256 >> 2, 7 // 2, -7 // 2, -7 % 3, 7 % -3]") == "16 64 3 -4 2 -2");
    CHECK(values("[1.0 // 0.1, -1.0 // 0.1, 1 // 0.1, 7.5 // -2, -7.5 // -2, 6.0 // 2]") ==
          "9.0 -10.0 9.0 -4.0 3.0 3.0");
    CHECK(values("[min(3, 1), max([2, 5])]") == "1 5");
    CHECK(values("['a', \"b c\"]") == "a b c");
    CHECK(values("[True, False]") == "1 0");
    CHECK(values("[-1, +2, -2**2, 2**-1, 0**0, (-1)**3, 1_000]") == "-1 2 -4 0.5 1 -1 1000");
    CHECK(values("[10, 20, 30][-1]") == "= 30");
    CHECK(values("[4 if i > 1 else 5 for i in range(3)]") == "5 5 4");
    CHECK(values("[1 < i <= 3 for i in range(5)]") == "0 0 1 1 0");
}

TEST_CASE("a fraction stays one: a macro of 2.0 is another than one of 2") {
    CHECK(values("[4 / 2, 2.0, 0.1, 1e3, 1e30, 3, int(2.9), float(2)]") ==
          "2.0 2.0 0.1 1000.0 1e+30 3 2 2.0");
}

TEST_CASE("what is no list of values: what, and at which character") {
    CHECK_THAT(no_values("[1, 2"), Contains("6: ']' is missing here"));
    CHECK_THAT(no_values("[1, 2 3]"), Contains("7: ']' is missing"));
    CHECK_THAT(no_values("[1, n]"), Contains("5: 'n' has no value here"));
    CHECK_THAT(no_values("numpy.arange(3)"), Contains("1: the function 'numpy.arange' is not known"));
    CHECK_THAT(no_values("[1, 1/0]"), Contains("6: something is divided by 0"));
    CHECK_THAT(no_values("[2**70]"), Contains("larger than 64 bits"));
    CHECK_THAT(no_values("[9223372036854775807 + 1]"), Contains("larger than 64 bits"));
    CHECK_THAT(no_values("[99999999999999999999]"), Contains("larger than a number of 64 bits"));
    CHECK_THAT(no_values("range(10**9)"), Contains("more than 100000 elements"));
    for (const char* list : {"[[0 for j in range(100000)] for i in range(100000)]",
                             "[0 for i in range(100000) if -1 in range(100000)]",
                             "[[0 for i in range(100000) if -1 in l] for l in [range(100000)]]"}) {
        INFO(list);
        CHECK_THAT(no_values(list), Contains("more than 1000000 elements together"));
    }
    CHECK(values("[min([j for j in range(1000)]) for i in range(9)]") == "0 0 0 0 0 0 0 0 0");
    CHECK(values("[i + min([i for i in range(3)]) for i in range(4)]") == "0 1 2 3");
    CHECK_THAT(no_values("range(1, 9, 0)"), Contains("never ends"));
    CHECK_THAT(no_values("['a' < 1]"), Contains("only numbers"));
    CHECK_THAT(no_values("[1, 0x10]"), Contains("5: '0'"));
    CHECK_THAT(no_values("lambda x: x"), Contains("1: a lambda"));
    CHECK_THAT(no_values("[1, 2]["), Contains("8: it ends where"));
    CHECK_THAT(no_values("[1, 2][0:1]"), Contains("part of a list"));
    CHECK_THAT(no_values("'a"), Contains("1: the quote"));
    CHECK_THAT(no_values(""), Contains("1: it ends where"));
    CHECK_THAT(no_values(std::string(3000, '(')), Contains("more is nested"));
    CHECK_THAT(no_values(std::string(3000, '-') + "1"), Contains("more is nested"));
    std::string powers = "2", sums = "1", elements = "[[1]";
    for (int i = 0; i < 900; ++i) {
        powers += "**1";
        sums += " + 1";
        elements += "[0]";
    }
    CHECK_THAT(no_values(powers), Contains("more is nested"));
    CHECK(values(sums) == "= 901");
    CHECK_THAT(no_values(elements + "]"), Contains("this is no list"));
    CHECK_THAT(no_values(sums + std::string(5000, ' ')), Contains("4001: the expression goes on"));
    CHECK(no_values("[1, 2]") == "nothing");
}

TEST_CASE("a rule in Python holds for the same variants in our language") {
    const Judge judge;
    CHECK(judge.agrees("a * 2 >= 16", [](const Point& p) { return p.a * 2 >= 16; }));
    CHECK(judge.agrees("1 < a < 64", [](const Point& p) { return 1 < p.a && p.a < 64; }));
    CHECK(judge.agrees("0 <= a < 8 > c", [](const Point& p) { return p.a < 8; }));
    CHECK(judge.agrees("a == 8 or b == 2 and c == 1",
                       [](const Point& p) { return p.a == 8 || (p.b == 2 && p.c == 1); }));
    CHECK(judge.agrees("(a == 8 or b == 2) and c == 1",
                       [](const Point& p) { return (p.a == 8 || p.b == 2) && p.c == 1; }));
    CHECK(judge.agrees("not a == 8 and b > 0", [](const Point& p) { return p.a != 8 && p.b > 0; }));
    CHECK(judge.agrees("not (a == 8 and b > 0)", [](const Point& p) { return !(p.a == 8 && p.b > 0); }));
    CHECK(judge.agrees("not not a", [](const Point& p) { return p.a != 0; }));
    CHECK(judge.agrees("not a", [](const Point& p) { return p.a == 0; }));
    CHECK(judge.agrees("a", [](const Point& p) { return p.a != 0; }));
    CHECK(judge.agrees("a and b > 0", [](const Point& p) { return p.a != 0 && p.b > 0; }));
    CHECK(judge.agrees("a % 4 == 3", [](const Point& p) { return modulo(p.a, 4) == 3; }));
    CHECK(judge.agrees("a % b == 0", [](const Point& p) { return modulo(p.a, p.b) == 0; }));
    CHECK(judge.agrees("(a - 5) % 3 == 1", [](const Point& p) { return modulo(p.a - 5, 3) == 1; }));
    CHECK(judge.agrees("b % 2 == 1", [](const Point& p) { return modulo(p.b, 2) == 1; }));
    CHECK(judge.agrees("a % b >= 0", [](const Point& p) { return modulo(p.a, p.b) >= 0; }));
    CHECK(judge.agrees("a // b < 0", [](const Point& p) { return std::floor(p.a / p.b) < 0; }));
    CHECK(judge.agrees("b // 2 == -1", [](const Point& p) { return std::floor(p.b / 2) == -1; }));
    // What Python says of these, which is not the quotient rounded down.
    CHECK(judge.agrees("1.0 // 0.1 == 9", [](const Point&) { return true; }));
    CHECK(judge.agrees("c // 0.1 == 9", [](const Point& p) { return p.c == 1; }));
    CHECK(judge.agrees("c // 0.1 == 4", [](const Point& p) { return p.c == 0.5; }));
    CHECK(judge.agrees("-c // 0.1 == -5", [](const Point& p) { return p.c == 0.5; }));
    CHECK(judge.agrees("-c // -0.1 == 9", [](const Point& p) { return p.c == 1; }));
    CHECK(judge.agrees("a // c == 3", [](const Point& p) { return std::floor(p.a / p.c) == 3; }));
    CHECK(judge.agrees("a / 2 == 3.5", [](const Point& p) { return p.a == 7; }));
    CHECK(judge.agrees("a - (b - c) > 4", [](const Point& p) { return p.a - (p.b - p.c) > 4; }));
    CHECK(judge.agrees("a - b - c > 4", [](const Point& p) { return p.a - p.b - p.c > 4; }));
    CHECK(judge.agrees("a / (2 * 2) == 2", [](const Point& p) { return p.a == 8; }));
    CHECK(judge.agrees("-a ** 2 == -4", [](const Point& p) { return p.a == 2; }));
    CHECK(judge.agrees("(-a) ** 2 == 4", [](const Point& p) { return p.a == 2; }));
    CHECK(judge.agrees("2 ** a == 128", [](const Point& p) { return p.a == 7; }));
    CHECK(judge.agrees("a << 1 == 16", [](const Point& p) { return p.a == 8; }));
    CHECK(judge.agrees("a >> 1 == 3", [](const Point& p) { return p.a == 7; }));
    CHECK(judge.agrees("a in [1, 8, 9]", [](const Point& p) { return p.a == 1 || p.a == 8; }));
    CHECK(judge.agrees("a not in (1, 8)", [](const Point& p) { return p.a != 1 && p.a != 8; }));
    CHECK(judge.agrees("a + b in range(3, 6) and c > 1",
                       [](const Point& p) { return p.a + p.b >= 3 && p.a + p.b < 6 && p.c > 1; }));
    CHECK(judge.agrees("a in [2**i for i in range(4)]",
                       [](const Point& p) { return p.a == 1 || p.a == 2 || p.a == 8; }));
    CHECK(judge.agrees("b in [-3, -1]", [](const Point& p) { return p.b < 0; }));
    CHECK(judge.agrees("a in []", [](const Point&) { return false; }));
    CHECK(judge.agrees("a not in []", [](const Point&) { return true; }));
    CHECK(judge.agrees("mode == 'row'", [](const Point& p) { return p.mode == "row"; }));
    CHECK(judge.agrees("'row' != mode", [](const Point& p) { return p.mode != "row"; }));
    CHECK(judge.agrees("mode in ['col', \"don't\"] and a > 1",
                       [](const Point& p) { return p.mode != "row" && p.a > 1; }));
    CHECK(judge.agrees("mode == 'diagonal' or a == 1", [](const Point& p) { return p.a == 1; }));
    CHECK(judge.agrees("mode != 'diagonal'", [](const Point&) { return true; }));
    CHECK(judge.agrees("(b > 0) + (a > 2) == 1", [](const Point& p) { return (p.b > 0) != (p.a > 2); }));
    CHECK(judge.agrees("(a > 2) == True", [](const Point& p) { return p.a > 2; }));
    CHECK(judge.agrees("a > 2 if b > 0 else a < 2",
                       [](const Point& p) { return p.b > 0 ? p.a > 2 : p.a < 2; }));
    CHECK(judge.agrees("max(a, b, c) == 5", [](const Point& p) { return std::max({p.a, p.b, p.c}) == 5; }));
    CHECK(judge.agrees("min([a, 4]) == 4", [](const Point& p) { return p.a >= 4; }));
    CHECK(judge.agrees("int(c) == 2", [](const Point& p) { return p.c == 2.25; }));
    CHECK(judge.agrees("int(b / 2) == -1", [](const Point& p) { return p.b == -3; }));
    CHECK(judge.agrees("math.ceil(c) == 1 and abs(b) == 3",
                       [](const Point& p) { return p.c <= 1 && p.b == -3; }));
    CHECK(judge.agrees("ProblemSize[0] % a == 0",
                       [](const Point& p) { return p.a != 0 && modulo(4096, p.a) == 0; }));
    std::string sum = "a";
    while (sum.size() < 3980) sum += "+1";
    CHECK(judge.agrees(sum + " > 1993", [](const Point& p) { return p.a + 1990 > 1993; }));
    CHECK(judge.agrees("a * a <= ProblemSize[-1]", [](const Point& p) { return p.a * p.a <= 512; }));
}

TEST_CASE("the judge of rules finds a translation that is another one") {
    const Judge judge;
    CHECK_FALSE(judge.agrees("a * 2 >= 16", [](const Point& p) { return p.a * 2 > 16; }));
    CHECK_FALSE(judge.agrees("b % 2 == 1", [](const Point& p) { return std::fmod(p.b, 2) == 1; }));
    CHECK_FALSE(judge.agrees("b // 2 == -1", [](const Point& p) { return std::trunc(p.b / 2) == -1; }));
    CHECK_FALSE(judge.agrees("a == 8 or b == 2 and c == 1",
                             [](const Point& p) { return (p.a == 8 || p.b == 2) && p.c == 1; }));
    CHECK_FALSE(judge.agrees("1 < a < 64", [](const Point& p) { return (1 < p.a ? 1 : 0) < 64; }));
}

TEST_CASE("what a rule says stays readable") {
    const Judge judge;
    CHECK(judge.said("(a * b) <= 1024") == "a * b <= 1024");
    CHECK(judge.said("a % 32 == 0") == "a % 32 == 0");
    CHECK(judge.said("a // 4 > 1") == "floor(a / 4) > 1");
    CHECK(judge.said("32 <= a <= 64") == "32 <= a && a <= 64");
    CHECK(judge.said("a in [1, 2]") == "a == 1 || a == 2");
    CHECK(judge.said("not a == 1") == "!(a == 1)");
}

TEST_CASE("a rule that has no counterpart: what, and at which character") {
    const Judge judge;
    CHECK_THAT(judge.refused("a * d <= 8"), Contains("5: there is no parameter 'd'"));
    CHECK_THAT(judge.refused("mdoe == 'row'"), Contains("did you mean 'mode'?"));
    CHECK_THAT(judge.refused("a & 1"), Contains("3: '&'"));
    CHECK_THAT(judge.refused("a = 1"), Contains("3: a single '='"));
    CHECK_THAT(judge.refused("a == 1 &&"), Contains("8: '&'"));
    CHECK_THAT(judge.refused("(a or b) == 8"), Contains("'or' gives in Python one of what it joins"));
    CHECK_THAT(judge.refused("mode"), Contains("1: mode has texts"));
    CHECK_THAT(judge.refused("mode < 'row'"), Contains("texts are compared by"));
    CHECK_THAT(judge.refused("a == 'row'"), Contains("1: a text is compared"));
    CHECK_THAT(judge.refused("round(c) == 1"), Contains("1: the function 'round'"));
    CHECK_THAT(judge.refused("lambda p: p['a'] > 1"), Contains("1: a lambda"));
    CHECK_THAT(judge.refused("3 ** 40 % 7 == a"), Contains("3: whole numbers beyond 2^53"));
    CHECK_THAT(judge.refused("10 ** a % 7 == 1"), Contains("9: whole numbers beyond 2^53"));
    CHECK_THAT(judge.refused("a * 10 ** 15 // 7 == 1"), Contains("14: whole numbers beyond 2^53"));
    CHECK_THAT(judge.refused("a < 9007199254740993"), Contains("5: whole numbers beyond 2^53"));
    CHECK(judge.refused("a < 2 ** 53 and a * 10 ** 12 % 7 == 1 and 3.0 ** 40 % 7 > a") == "nothing");
    CHECK_THAT(judge.refused("a is None"), Contains("3: 'is'"));
    CHECK_THAT(judge.refused("a in b"), Contains("6: 'b' has no value here"));
    CHECK_THAT(judge.refused("a > 1 b"), Contains("7: 'b' cannot stand here"));
    CHECK_THAT(judge.refused("a >"), Contains("4: it ends where"));
    CHECK_THAT(judge.refused("p['a'] > 1"), Contains("1: 'p' has no value here"));
    std::string nested = "a";
    for (int i = 0; i < 60; ++i) nested = "0 < (" + nested + ") < 3";
    CHECK_THAT(judge.refused(nested), Contains("becomes too long"));
    CHECK_THAT(judge.refused("((a in range(900)) in range(900)) in range(900)"),
               Contains("becomes too long"));
    CHECK(judge.refused("a > 1") == "nothing");
}
