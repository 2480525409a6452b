// What annotations say: where they stand, how they are read, and what the sizes of a problem make of them.
#include "tuner/external/declaration.h"

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tuner/external/example.h"
#include "tuner/external/instance.h"

using namespace rooftune;
using namespace rooftune::external;
using Catch::Contains;

namespace {

constexpr double kPlenty = 1e12;

std::vector<std::string> texts(const std::vector<Text>& found) {
    std::vector<std::string> all;
    for (const Text& t : found) all.push_back(t.text);
    return all;
}

// A source with these annotations, one a line, behind what every kernel needs.
std::string source_of(const std::vector<std::string>& annotations) {
    std::string text;
    for (const std::string& a : annotations) text += "// rooftune: " + a + "\n";
    return text;
}

Declaration declared(const std::vector<std::string>& annotations) {
    return declaration_from(source_of(annotations), "mine.cpp");
}

std::vector<std::string> values_of(const std::string& parameter) {
    const Declaration d = declared({"out y f64[8]", "call f(y)", "parameter " + parameter});
    return texts(d.parameters.front().values);
}

Instance instance(const std::vector<std::string>& annotations,
                  const std::map<std::string, std::string>& given = {}) {
    return instance_of(declared(annotations), given, kPlenty);
}

}  // namespace

TEST_CASE("annotations are comments that begin with the mark, with line and column of what follows") {
    const auto found = annotations_of(
        "int x;  // rooftune: not at the beginning of its line\n"
        "  // rooftune: size n = 3  \n"
        "//rooftune:flops 2*n\r\n"
        "/* rooftune: call f(n) */ int y;\n"
        "/* rooftune:\n"
        " * in x f64[n]\n"
        "\n"
        "   out z f64[n]\n"
        " */\n"
        "// rooftune is a program\n"
        "/* a comment\n"
        "// rooftune: real a = 1\n"
        "*/\n");
    CHECK(texts(found) == std::vector<std::string>{"size n = 3", "flops 2*n", "call f(n)", "in x f64[n]",
                                                   "out z f64[n]", "real a = 1"});
    CHECK(found[0].line == 2);
    CHECK(found[0].column == 16);
    CHECK(found[1].column == 12);
    CHECK(found[2].line == 4);
    CHECK(found[3].line == 6);
    CHECK(found[3].column == 4);
    CHECK(found[4].line == 8);
    CHECK(annotations_of("").empty());
    CHECK(annotations_of("/* rooftune:").empty());
}

TEST_CASE("the example declares what its comments say") {
    const Declaration d = declaration_from(example_source(), "example.cpp");
    CHECK(d.language == Language::cpp);
    REQUIRE(d.numbers.size() == 2);
    CHECK(d.numbers[0].whole);
    CHECK_FALSE(d.numbers[1].whole);
    REQUIRE(d.arrays.size() == 2);
    CHECK(d.arrays[0].direction == Direction::in);
    CHECK(d.arrays[0].all);
    CHECK(d.arrays[1].direction == Direction::inout);
    REQUIRE(d.parameters.size() == 3);
    CHECK(d.parameters[0].kind == ParameterKind::macro);
    CHECK(d.parameters[1].kind == ParameterKind::flag);
    CHECK(texts(d.parameters[1].values) == std::vector<std::string>{"-O2", "-O3 -funroll-loops"});
    CHECK(d.thread_parameter() == &d.parameters[2]);
    CHECK(d.rules.size() == 1);
    CHECK(d.flops->text == "2*n");
    CHECK(d.call.text == "axpy(n, a, x, y)");
    CHECK(d.reference->text == "axpy_plain(n, a, x, y)");
    CHECK(texts(d.flags) == std::vector<std::string>{"-march=native", "-fopenmp"});
}

TEST_CASE("values of parameters: lists, ranges by steps and by factors, words and quotes") {
    CHECK(values_of("T 1 2 4") == std::vector<std::string>{"1", "2", "4"});
    CHECK(values_of("T 16:128:x2") == std::vector<std::string>{"16", "32", "64", "128"});
    CHECK(values_of("T 16:100:x2") == std::vector<std::string>{"16", "32", "64"});
    CHECK(values_of("T 1:4") == std::vector<std::string>{"1", "2", "3", "4"});
    CHECK(values_of("T \"1:4\" '2:8:x2' 3:4") == std::vector<std::string>{"1:4", "2:8:x2", "3", "4"});
    CHECK(values_of("T 0:20:+8 24") == std::vector<std::string>{"0", "8", "16", "24"});
    CHECK(values_of("T 0:8:4") == std::vector<std::string>{"0", "4", "8"});
    CHECK(values_of("T a::b c:d") == std::vector<std::string>{"a::b", "c:d"});
    CHECK(values_of("T \"-O3 -g\" '' (flag)") == std::vector<std::string>{"-O3 -g", ""});
    CHECK(values_of("T 1:9223372036854775807:x9223372036854775807") ==
          std::vector<std::string>{"1", "9223372036854775807"});
    const Declaration d =
        declared({"out y f64[8]", "call f(y)", "parameter A 1 2", "parameter B 3 4 (argument) when A > 1"});
    CHECK(d.parameters[1].kind == ParameterKind::argument);
    CHECK(d.parameters[1].when->text == "A > 1");
}

TEST_CASE("sizes are whole numbers, in terms of those before, and the command line's come first") {
    const Instance i = instance(
        {"size n = 1<<10", "real a = n/4", "size m = 2*n + 1", "inout y f32[m*n] = i % 3", "call f(y)"});
    CHECK(i.numbers == Constants{{"n", 1024.0}, {"a", 256.0}, {"m", 2049.0}});
    CHECK(i.counts == std::vector<std::int64_t>{2049 * 1024});
    CHECK(i.bytes_of_arrays() == 4 * 2049 * 1024);
    const Instance other =
        instance({"size n = 8", "size m = n", "out y f64[m]", "call f(y)"}, {{"n", "1e3"}});
    CHECK(other.counts == std::vector<std::int64_t>{1000});
    CHECK(instance({"size n = 0", "out y f64[n]", "call f(y)"}).counts == std::vector<std::int64_t>{0});
}

TEST_CASE("sizes that cannot be: what, where and what to do") {
    const auto why = [](const std::vector<std::string>& annotations,
                        const std::map<std::string, std::string>& given = {}, double available = kPlenty) {
        try {
            instance_of(declared(annotations), given, available);
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    const std::vector<std::string> fine{"size n = 10", "out y f64[n]", "call f(y)"};
    CHECK(why(fine) == "nothing");
    CHECK(why(fine, {{"n", "0.5"}}) == "mine.cpp: n='0.5' is 0.5, and a whole number from 0 on is needed");
    CHECK_THAT(why(fine, {{"n", "-1"}}), Contains("whole number from 0 on"));
    CHECK_THAT(why(fine, {{"n", "1e30"}}), Contains("more than can be counted"));
    CHECK_THAT(why(fine, {{"m", "1"}}), Contains("it declares no size 'm'"));
    CHECK_THAT(why(fine, {{"n", "10/0"}}), Contains("has no value"));
    CHECK_THAT(why(fine, {{"n", "1e9"}}, 1e9), Contains("GB of memory to tune") && Contains("smaller sizes"));
    CHECK_THAT(why({"size n = m", "size m = n", "out y f64[n]", "call f(y)"}),
               Contains("mine.cpp:1:23: \"m\""));
}
