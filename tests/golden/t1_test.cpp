// Golden output for tuning problems in T1: every mistake that can be made in one, with its key, and in an
// expression with its character.
#include "tests/support/devices.h"
#include "tests/support/golden.h"
#include "tests/support/mistakes.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

const std::string kT1Document = R"doc({
  "ConfigurationSpace": {
    "TuningParameters": [{"Name": "T", "Type": "int", "Values": "[1, 2, 4]"}],
    "Conditions": [{"Parameters": ["T"], "Expression": "T <= 4"}]
  },
  "KernelSpecification": {
    "Language": "OpenCL", "KernelName": "f", "KernelFile": "mine.cl",
    "GlobalSize": {"X": "64"}, "LocalSize": {"X": "16 * T"},
    "Arguments": [{"Type": "float", "MemoryType": "Vector", "AccessType": "ReadWrite", "FillType": "Random", "Size": 64}]
  }
})doc";

std::string at(const std::string& path, const std::string& value) {
    return R"([{"op": "add", "path": "/)" + path + R"(", "value": )" + value + "}]";
}
const std::string kRule = "ConfigurationSpace/Conditions/0/Expression";
const std::string kValues = "ConfigurationSpace/TuningParameters/0/Values";
const std::string kArgument = "KernelSpecification/Arguments/0/";

const std::vector<Change> kT1Mistakes{
    {"another language", at("KernelSpecification/Language", R"("CUDA")")},
    {"no kernel", R"({"KernelSpecification": null})"},
    {"a file that is not there", at("KernelSpecification/KernelFile", R"("other.cl")")},
    {"an unknown key", at("KernelSpecification/Foo", "1")},
    {"no work items", R"({"KernelSpecification": {"GlobalSize": null}})"},
    {"shared memory", at("KernelSpecification/SharedMemory", "1024")},
    {"a list that is not closed", at(kValues, R"("[1, 2")")},
    {"values that are none", at(kValues, R"("T + 1")")},
    {"a function that is not known", at(kValues, R"p("numpy.arange(4)")p")},
    {"values of another type", at(kValues, R"("[0.5]")")},
    {"a rule by bits", at(kRule, R"("T & 1")")},
    {"a rule of an unknown parameter", at(kRule, R"("2 * TT <= 4")")},
    {"a rule by a lambda", at(kRule, R"("lambda p: p['T'] < 4")")},
    {"a rule that ends early", at(kRule, R"("T <=")")},
    {"an argument of an unknown type", at(kArgument + "Type", R"("custom")")},
    {"a size that depends on a parameter", at(kArgument + "Size", R"("64 * T")")},
    {"an array of a script", at(kArgument + "FillType", R"("Script")")},
    {"no output", at(kArgument + "AccessType", R"("ReadOnly")")},
};

}  // namespace

TEST_CASE("a mistake in a T1 file: the same, and in an expression the character") {
    check_golden("own/t1_mistakes.txt", told_of_changes(kT1Mistakes, kT1Document));
}

TEST_CASE("a rule of a T1 file that leaves nothing on a device") {
    if (devices_or_warn().empty()) return;
    CHECK(
        told_of_changes({{"a rule that leaves nothing", at(kRule, R"("T > 4")")}}, kT1Document) ==
        "a rule that leaves nothing\n  rooftune: mine.cl: no variant obeys all of its rules for these sizes; "
        "loosen a `where`\n");
}
