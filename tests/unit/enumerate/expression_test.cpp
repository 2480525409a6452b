#include "tuner/search/enumerate/expression.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/depends_on_check.h"

using namespace rooftune;

namespace {

/// format {csr, sell}; chunk {4, 8, whole=100} only for sell; threads {1, 2}; scale {0.5, 1.5}; huge {false,
/// true}; min {1, 2}, named like a function.
Space space() {
    Space s("made-up", 1);
    s.add(Parameter("format", "", names({"csr", "sell"})));
    s.add(Parameter("chunk", "", {{"4", 4}, {"8", 8}, {"whole", 100}})
              .when("sell", {0}, [](const PartialVariant& v) { return v[0] == 1; }));
    s.add(Parameter("threads", "", numbers({1, 2})));
    s.add(Parameter("scale", "", reals({0.5, 1.5})));
    s.add(Parameter("huge", "", booleans()));
    s.add(Parameter("min", "", numbers({1, 2})));
    return s;
}

std::uint64_t left(const std::string& text) {
    Space s = space();
    s.add(constraint_from(s, text, "--where"));
    return s.count(PartialVariant{});
}

std::string refusal(const std::string& text) {
    try {
        const Space s = space();
        constraint_from(s, text, "--where");
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

}  // namespace

TEST_CASE("expressions leave the variants for which they hold") {
    // Each way to decide the others: csr 1, sell 3; threads 2; scale 2; huge 2; min 2.
    const std::vector<std::pair<std::string, std::uint64_t>> cases{
        {"threads == 2", 32},
        {"threads==2", 32},
        {"threads * 2 <= 2", 32},
        {"threads != 1 && scale < 1", 16},
        {"threads != 1 and scale < 1", 16},
        {"threads == 1 || scale > 1", 48},
        {"threads == 1 or scale > 1", 48},
        {"!huge", 32},
        {"not huge", 32},
        {"huge == true", 32},
        {"huge", 32},
        {"format == 'sell'", 48},
        {"format == \"sell\"", 48},
        {"'sell' != format", 16},
        {"!(format == 'sell')", 16},
        {"format == 'csr' || threads == 2", 40},
        // csr has no chunk, so the rule says nothing of its 16 variants.
        {"chunk <= 8", 48},
        {"chunk == 'whole'", 32},
        {"chunk == 100", 32},
        {"chunk * threads <= 8", 40},
        {"scale == 1.5", 32},
        {"scale * 2 == 1", 32},
        {"threads % 2 == 0", 32},
        {"chunk % 8 == 0", 32},
        {"min(threads, 2) == 2", 32},
        {"min == 2 && max(min, threads) == 2", 32},
        {"floor(scale) == 1", 32},
        {"ceil(scale) == 1", 32},
        {"log2(threads) == 1", 32},
        {"threads ^ 2 == 4", 32},
        {"threads == 2 ? scale < 1 : scale > 1", 32},
        {"(threads < 2) == (scale < 1)", 32},
        {"-threads < -1", 32},
        {"threads / 0 > 1", 64},  // infinite
        {"threads % 0 == 0", 0},  // no number
        {"threads > 2", 0},
        {"1e0 * threads >= 1", 64},
        {"threads - .5 > 1", 32},
    };
    CHECK(space().count(PartialVariant{}) == 64);
    for (const auto& [text, count] : cases) {
        INFO(text);
        CHECK(left(text) == count);
    }
}

TEST_CASE("a constraint knows what it looks at, and is decided by the last of that") {
    Space s = space();
    const Constraint c = constraint_from(s, "threads == 2 || format == 'sell'", "--where");
    CHECK(c.text == "threads == 2 || format == 'sell'");
    CHECK(c.decided_by == 2);
    CHECK(c.depends_on == ParameterSet{0, 2});
    CHECK(constraint_from(s, "huge && huge", "--where").depends_on == ParameterSet{4});
    s.add(c);
    s.add(constraint_from(s, "chunk * scale < 100", "--where"));
    CHECK(test::DependsOnCheck(s, 3).undeclared(50).empty());
}

TEST_CASE("a constraint's copies do not disturb each other") {
    const Space s = space();
    const Constraint one = constraint_from(s, "threads == 2", "--where");
    const Constraint other = one;
    PartialVariant v;
    v.fix(2, 1);
    PartialVariant w;
    w.fix(2, 0);
    CHECK(one.holds(v));
    CHECK_FALSE(other.holds(w));
    CHECK(one.holds(v));
}

TEST_CASE("every mistake is named with its place") {
    const std::vector<std::pair<std::string, std::string>> cases{
        {"thread == 2",
         "--where \"thread == 2\": at character 1: there is no parameter 'thread'; did you mean 'threads'?"},
        {"threads == 2 && quux < 1", "at character 17: there is no parameter 'quux'; known: format, chunk"},
        {"format == sell",
         "at character 11: 'sell' is a value of format; names stand in quotes: format == 'sell'"},
        {"format == slel",
         "at character 11: 'slel' is no value of format here; did you mean 'sell'? Known: csr, sell"},
        {"threads == sell", "at character 12: 'sell' is a value of format; names stand in quotes"},
        {"format == threads", "at character 1: format has names for values"},
        {"format == 'slel'",
         "at character 11: 'slel' is no value of format here; did you mean 'sell'? Known: csr, sell"},
        {"format == 1", "at character 1: format has names for values, compare it with one: format == 'csr'"},
        {"format", "at character 1: format has names for values"},
        {"threads == '3'", "at character 12: '3' is no value of threads here; known: 1, 2"},
        {"chunk == 12x4", "at character 10: '12x4' is no number"},
        {"threads == 1.2.3", "'1.2.3' is no number"},
        {"threads = 2", "at character 9: a single '='; write == to compare"},
        {"threads & 2", "a single '&'; write &&"},
        {"threads | 2", "a single '|'; write ||"},
        {"threads # 2", "at character 9: '#' means nothing here"},
        {"1 < threads < 3", "at character 13: comparisons in a row; write 1 < a && a < 4"},
        {"format == 'sell", "at character 11: the name that begins here has no closing quote"},
        {"'sell'", "at character 1: a name in quotes is compared with a parameter"},
        {"threads + format == 'sell'", "at character 11: a comparison with a name stands for itself"},
        {"!format == 'sell'", "a comparison with a name stands for itself; put it into parentheses"},
        {"maximum(threads, 2) == 2", "at character 1: there is no function 'maximum'"},
        {"sin(threads) == 2", "there is no function 'sin'"},
        {"threads == 2, scale < 1", "at character 13: a comma between rules; write &&"},
        {"(threads == 2", "at character 14: a parenthesis is not closed"},
        {"threads ==", "at character 11: it ends where a parameter, a number or a name is missing"},
        {"threads == 2)", "at character 13: ')' cannot stand here"},
        {"threads == * 2", "at character 12: '*' cannot stand here"},
        {"threads 2", "at character 9: '2' cannot stand here"},
        {"threads scale", "at character 9: 'scale' cannot stand here"},
        {"threads == 2 && && scale < 1", "at character 17: '&&' cannot stand here"},
        {"sqrt(threads, 2) == 2", "too many or too few arguments"},
        {"sqrt() == threads", "too many or too few arguments"},
        {"1 < 2", "at character 1: it names no parameter; there are format chunk threads"},
        {"", "at character 1: it is empty; write something like"},
        {"  ", "it is empty"},
        {"()", "at character"},
        {"threads == 2 ? 1", "at character"},
        {"threads == 99999999999999999999999999999", "accepted"},
    };
    for (const auto& [text, part] : cases) {
        INFO(text);
        CHECK_THAT(refusal(text), Catch::Contains(part));
    }
}

TEST_CASE("no expression at all gets past the messages") {
    // Random strings of pieces: accepted or refused, nothing else is thrown.
    const std::vector<std::string> pieces{"threads", "format", "'sell'", "==",  "<", "(", ")", "!",
                                          "-",       "2",      "+",      "min", ",", "?", ":", "&&",
                                          "^",       "%",      ".5",     "\"",  " ", "=", "e"};
    unsigned state = 7;
    int accepted = 0;
    for (int i = 0; i < 3000; ++i) {
        std::string text;
        for (unsigned n = 0; n < 1 + i % 9u; ++n) {
            state = state * 1664525u + 1013904223u;
            text += pieces[(state >> 16) % pieces.size()] + ((state >> 12) % 2 ? " " : "");
        }
        const std::string answer = refusal(text);
        accepted += answer == "accepted" ? 1 : 0;
        if (answer != "accepted" && answer.find(": at character ") == std::string::npos)
            FAIL(text << ": " << answer);
    }
    CHECK(accepted > 10);
}
