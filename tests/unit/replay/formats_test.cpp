// Recorded spaces as Kernel Tuner, T4 and KTT write them, whole, cut short and broken.
#include <fstream>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tuner/replay/recorded_space.h"

using namespace rooftune;
using Catch::Contains;

namespace {

const std::string kHead =
    R"({"device_name": "D", "kernel_name": "k", "tune_params_keys": ["x", "m"],
        "tune_params": {"x": [16, 32], "m": ["a", "b"]}, "objective": "time", "cache": {)";
const std::string kGood =
    R"("16,a": {"x": 16, "m": "a", "time": 2.0, "times": [2.5, 1.5], "compile_time": 900, "benchmark_time": 100,
        "note": "a } in \"text\""})";
const std::string kFailed =
    R"("32,b": {"x": 32, "m": "b", "time": "CompilationFailedConfig", "compile_time": 50})";

class File {
public:
    explicit File(const std::string& text) : path(folder_ / "space.json") { std::ofstream(path) << text; }

private:
    test::TemporaryFolder folder_;

public:
    const std::string path;
};

RecordedSpace read(const std::string& text) {
    const File file(text);
    return read_recorded_space(file.path);
}

std::string complaint(const std::string& text) {
    try {
        read(text);
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a cache of Kernel Tuner: milliseconds, failures as texts, what finding out took") {
    const RecordedSpace s = read(kHead + kGood + "," + kFailed + "}}");
    CHECK(s.name == "k on D");
    REQUIRE(s.configurations.size() == 2);
    CHECK(s.configurations[0].values == std::vector<int>{0, 0});
    CHECK(*s.configurations[0].seconds == 2e-3);
    CHECK(s.configurations[0].samples == std::vector<double>{2.5e-3, 1.5e-3});
    CHECK(s.configurations[0].cost == Approx(1.0));
    CHECK(s.configurations[1].values == std::vector<int>{1, 1});
    CHECK_FALSE(s.configurations[1].seconds);
    CHECK(s.configurations[1].failure == "CompilationFailedConfig");
    CHECK(s.parameters[1].values == std::vector<std::string>{"a", "b"});
}

TEST_CASE("a newer cache of Kernel Tuner has failures apart from the time") {
    const RecordedSpace s =
        read(kHead + kGood + R"(,"32,b": {"x": 32, "m": "b", "__error__": "InvalidConfig"}}})");
    CHECK(s.configurations.at(1).failure == "InvalidConfig");
    CHECK_FALSE(s.configurations.at(1).seconds);
    CHECK_THAT(complaint(kHead + R"("32,b": {"x": 32, "m": "b"}}})"), Contains("a time"));
}

TEST_CASE("a cache that was never closed is read as far as it is whole") {
    const RecordedSpace whole = read(kHead + kGood + "," + kFailed + "}}");
    CHECK(whole.drawn == Drawn::unknown);
    for (const char* end :
         {"", ",", "}", ",\n", ",\n\"16,b\": {\"x\": 16, \"m\": \"b\", \"ti", ", \"16,b\": {\"x\": [1,"}) {
        INFO(end);
        const RecordedSpace cut = read(kHead + kGood + "," + kFailed + end);
        CHECK(cut.configurations == whole.configurations);
        CHECK(cut.drawn == Drawn::cut_short);
    }
    // Cut within the first entry there is nothing whole.
    CHECK_FALSE(complaint(kHead + "\"16,a\": {\"x\": 16").empty());
}

TEST_CASE("T4: the objective among the measurements, invalid results, the unit of the metadata") {
    const std::string text =
        R"({"metadata": {"timeunit": "miliseconds"}, "schema_version": "1.0.0", "results": [
        {"configuration": {"x": 1}, "invalidity": "correct", "times": {"compilation": 10, "runtimes": [3, 5]},
         "measurements": [{"name": "power", "value": 9}, {"name": "time", "value": 4}], "objectives": ["time"]},
        {"configuration": {"x": 2}, "invalidity": "runtime", "times": {"compilation": 20},
         "measurements": [{"name": "time", "value": "RuntimeFailedConfig"}], "objectives": ["time"]},
        {"configuration": {"x": 3}, "invalidity": "timeout"}]})";
    const RecordedSpace s = read(text);
    REQUIRE(s.configurations.size() == 3);
    CHECK(*s.configurations[0].seconds == 4e-3);
    CHECK(s.configurations[0].cost == Approx(18e-3));
    CHECK(s.configurations[1].failure == "RuntimeFailedConfig");
    CHECK(s.configurations[2].failure == "timeout");
}

TEST_CASE("T4: what a benchmark took is not counted twice") {
    const RecordedSpace s = read(R"({"metadata": {"timeunit": "milliseconds", "device": "D"}, "results": [
        {"configuration": {"x": 1}, "invalidity": "correct", "objectives": ["time"],
         "times": {"compilation_time": 10, "benchmark": 30, "framework": 2, "data": 1, "search_algorithm": 99,
                   "runtimes": [3, 5]},
         "measurements": [{"name": "time", "value": 4}]}]})");
    CHECK(s.name == "a space in T4 on D");
    CHECK(s.configurations.at(0).cost == Approx(42e-3));
}

TEST_CASE("KTT: names and values in pairs, the unit of the metadata, states") {
    const std::string text = R"({"Metadata": {"TimeUnit": "Microseconds", "Device": "D"}, "Results": [
        {"Configuration": [{"Name": "x", "Value": 1}], "KernelName": "k", "Status": "Ok", "TotalDuration": 5.0,
         "TotalOverhead": 95.0},
        {"Configuration": [{"Name": "x", "Value": 2}], "KernelName": "k", "Status": "ValidationFailed"}]})";
    const RecordedSpace s = read(text);
    CHECK(s.name == "k on D");
    CHECK(*s.configurations.at(0).seconds == Approx(5e-6));
    CHECK(s.configurations.at(0).cost == Approx(1e-4));
    CHECK(s.configurations.at(1).failure == "ValidationFailed");
}

TEST_CASE("what is wrong is named with its place") {
    CHECK_THAT(complaint("{}"), Contains("not a recorded space"));
    CHECK_THAT(complaint("["), Contains("space.json"));
    CHECK_THAT(complaint("[1]"), Contains("not a recorded space"));
    CHECK_THAT(complaint("\n// rooftune: size n = 64\n"),
               Contains("not a recorded space; expected a Kernel"));
    CHECK_THAT(complaint(kHead + kFailed + "}}"), Contains("nothing to find"));
    CHECK_THAT(complaint(kHead + kGood + "," + R"("q": {"x": 16, "m": "a", "time": 3})" + "}}"),
               Contains("x 16, m a is there twice"));
    CHECK_THAT(complaint(kHead + R"("q": {"x": 16, "time": 3}}})"), Contains("the parameter 'm'"));
    for (const char* time : {"0", "-1", "null", "[]", "true"}) {
        INFO(time);
        CHECK_THAT(complaint(kHead + R"("q": {"x": 16, "m": "a", "time": )" + time + "}}}"),
                   Contains("/cache/q/time") && Contains("a time above 0"));
    }
    CHECK_THAT(complaint(R"({"cache": {"a": {"time": 1}}})"), Contains("/tune_params_keys"));
    CHECK_THAT(complaint(R"({"metadata": {"timeunit": "fortnights"}, "results": []})"),
               Contains("fortnights"));
    CHECK_THAT(complaint(R"({"metadata": {"timeunit": 3}, "results": []})"), Contains("of another kind"));
    CHECK_THAT(complaint(R"({"results": [{"configuration": {"x": 1}}]})"), Contains("invalidity"));
    CHECK_THROWS_AS(read_recorded_space("/no/such/file.json"), InputError);
}
