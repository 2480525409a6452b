// Tuning problems in T1: what a file says becomes the annotations of an OpenCL kernel, and what has no
// counterpart is refused with its key, in an expression with its character.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/runtime/error.h"
#include "tests/support/catch.h"
#include "tests/unit/formats/temporary_folder.h"
#include "tuner/external/declared_space.h"
#include "tuner/external/kernel_document.h"
#include "tuner/external/problem.h"
#include "tuner/formats/strict_json.h"
#include "tuner/search/enumerate/expression.h"

using namespace rooftune;
using namespace rooftune::external;
using Catch::Contains;

namespace {

constexpr const char* kT1 = R"t1({
  "ConfigurationSpace": {
    "TuningParameters": [
      {"Name": "bx", "Type": "int", "Values": "[16, 32, 64]", "Default": 32},
      {"Name": "tile", "Type": "uint", "Values": "list(range(1, 4))"},
      {"Name": "scale", "Type": "float", "Values": "[0.5, 2.0]"},
      {"Name": "pad", "Type": "bool", "Values": "[True, False]"},
      {"Name": "mode", "Type": "string", "Values": "['row', 'in columns']"}
    ],
    "Conditions": [{"Parameters": ["bx", "tile"], "Expression": "16 < bx * tile <= 128"}]
  },
  "KernelSpecification": {
    "Language": "OpenCL", "KernelName": "f", "KernelFile": "f.cl",
    "GlobalSizeType": "OpenCL",
    "GlobalSize": {"X": "1024 // tile", "Y": "8", "Z": "1"},
    "LocalSize": {"X": "bx", "Y": "1", "Z": "1"},
    "CompilerOptions": ["-cl-mad-enable -cl-fast-relaxed-math", "-DNAME='a b'", " -DX"],
    "Arguments": [
      {"Name": "n", "Type": "int32", "MemoryType": "Scalar", "FillType": "Constant", "FillValue": 1024},
      {"Name": "x", "Type": "float4", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Random",
       "Size": 256},
      {"Name": "g", "Type": "double", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Generator",
       "DataSource": "i % 5 - 2", "Size": 10},
      {"Type": "float", "MemoryType": "Local", "Size": "bx * tile"},
      {"Name": "bx", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "FillType": "Constant",
       "FillValue": 0.5, "Size": 1024},
      {"Name": "z", "Type": "uint8", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": 8}
    ]
  },
  "General": {"FormatVersion": 1}, "Search": {"Name": "Random"}
})t1";

class T1Files {
public:
    T1Files() { folder_.write("f.cl", "__kernel void f() {}\n"); }
    KernelDocument read(const std::string& patch = "{}") {
        Json document = Json::parse(kT1);
        if (patch.starts_with('['))
            document = document.patch(Json::parse(patch));
        else
            document.merge_patch(Json::parse(patch));
        return kernel_document(folder_.write("t1.json", document.dump()));
    }
    // Without the folder before the file's name.
    std::string refused(const std::string& patch) {
        try {
            read(patch);
        } catch (const InputError& error) {
            return std::string(error.what()).substr(folder_.path().size() + 1);
        }
        return "nothing";
    }
    std::vector<std::string> lines(const std::string& patch = "{}") {
        std::vector<std::string> all;
        for (const Text& line : read(patch).lines) all.push_back(line.text);
        return all;
    }
    std::string line(const std::string& begin, const std::string& patch) {
        for (const std::string& text : lines(patch)) {
            if (text.starts_with(begin)) return text;
        }
        return "none";
    }
    const test::TemporaryFolder& folder() const { return folder_; }

private:
    test::TemporaryFolder folder_;
};

std::string replace(const std::string& path, const std::string& value) {
    return R"([{"op": "add", "path": ")" + path + R"(", "value": )" + value + "}]";
}
const std::string kKernel = "/KernelSpecification/";
const std::string kArguments = "/KernelSpecification/Arguments/";
const std::string kParameters = "/ConfigurationSpace/TuningParameters/";
const std::string kRule = "/ConfigurationSpace/Conditions/0/Expression";

}  // namespace

TEST_CASE("a T1 file is the annotations of an OpenCL kernel") {
    T1Files files;
    CHECK(files.lines() == std::vector<std::string>{
                               "parameter bx 32 16 64 (macro)", "parameter tile 1 2 3 (macro)",
                               "parameter scale 0.5 2.0 (macro)", "parameter pad 1 0 (macro)",
                               "parameter mode row \"in columns\" (macro)",
                               "where 16 < bx * tile && bx * tile <= 128", "global floor(1024 / tile), 8",
                               "local bx, 1",
                               "in x f32[4 * (256)] = (i % 65521) * (i % 32749 + 1) * 0.6180339887498949 % 1",
                               "in g f64[10] = i % 5 - 2", "inout argument_5 f32[1024] = 0.5", "out z u8[8]",
                               "call f(1024, x, g, local f32[bx * tile], argument_5, z)",
                               "flags -cl-mad-enable -cl-fast-relaxed-math \"-DNAME=a b\" -DX"});
    const KernelDocument d = files.read();
    CHECK(d.language == Language::opencl);
    CHECK_THAT(d.lines[5].flag, Contains("t1.json: at /ConfigurationSpace/Conditions/0/Expression"));
    const auto problem = ExternalProblem::load({{"source", d.reference}}, 1e12);
    CHECK(problem->title() == "f.cl t1");
    CHECK(problem->flops_nominal() == 0.0);
    CHECK_THAT(problem->verified_by(), Contains("against the kernel itself"));
    Target target;
    target.backend = Backend::opencl;
    target.device.max_work_group = 1024;
    // 3 · 3 pairs of bx and tile, without 16 · 1 and 64 · 3.
    CHECK(make_space(problem->instance(), target).count(PartialVariant()) == 7 * 2 * 2 * 2);
}

TEST_CASE("T1: a parameter that is named threads is a macro as any other, with its Default first") {
    T1Files files;
    const KernelDocument d = files.read(R"([
        {"op": "replace", "path": "/ConfigurationSpace/TuningParameters/1",
         "value": {"Name": "threads", "Type": "int", "Values": "[64, 128, 256]", "Default": 128}},
        {"op": "remove", "path": "/ConfigurationSpace/Conditions"},
        {"op": "replace", "path": "/KernelSpecification/GlobalSize/X", "value": "1024"},
        {"op": "replace", "path": "/KernelSpecification/Arguments/3/Size", "value": 64}])");
    const auto problem = ExternalProblem::load({{"source", d.reference}}, 1e12);
    Target target;
    target.backend = Backend::opencl;
    target.device.max_work_group = 1024;
    target.threads = 2;
    const Space space = make_space(problem->instance(), target);
    CHECK(space.to_map(first_variant(problem->instance(), space)).at("threads") == "128");
    CHECK(threads_of(problem->instance(), space, PartialVariant(), target.threads) == 2);
}

TEST_CASE("T1: a text with colons is a value and no range") {
    T1Files files;
    CHECK(files.line("parameter mode", replace(kParameters + "4/Values", R"("['1:4', '2:8', 'a:b']")")) ==
          "parameter mode \"1:4\" \"2:8\" \"a:b\" (macro)");
    const KernelDocument d = files.read(replace(kParameters + "4/Values", R"("['1:4', '2:8']")"));
    const auto problem = ExternalProblem::load({{"source", d.reference}}, 1e12);
    const std::vector<Text>& values = problem->instance().declaration.parameter("mode")->values;
    REQUIRE(values.size() == 2);
    CHECK(values[0].text == "1:4");
    CHECK(values[1].text == "2:8");
}

TEST_CASE("T1: work items by groups, by items, and by the size of the problem with its divisors") {
    T1Files files;
    CHECK(files.line("global", R"({"KernelSpecification": {"GlobalSizeType": "CUDA"}})") ==
          "global (floor(1024 / tile)) * (bx), (8) * (1)");
    CHECK(files.line("global", R"({"KernelSpecification": {"GlobalSize": null, "ProblemSize": [1000, 8],
              "GridDivX": ["bx", "tile"]}})") == "global (ceil(1000 / ((bx) * (tile)))) * (bx), (8) * (1)");
    CHECK(files.line("global", R"({"KernelSpecification": {"GlobalSize": null, "ProblemSize": 1000}})") ==
          "global (ceil(1000 / (bx))) * (bx)");
    CHECK(files.line("global", R"({"KernelSpecification": {"ProblemSize": [640], "GlobalSize":
              {"X": "ProblemSize[0] * 2", "Y": null, "Z": null}}})") == "global 640 * 2");
}

TEST_CASE(
    "T1: what divides no axis by name is the axis' own parameter of work items, and an empty list nothing") {
    T1Files files;
    const auto global = [&](const std::string& local, const std::string& divisors) {
        return files.line("global", R"([{"op": "remove", "path": "/KernelSpecification/GlobalSize"},
            {"op": "add", "path": "/KernelSpecification/ProblemSize", "value": [1000, 600, 8]},
            {"op": "add", "path": "/KernelSpecification/LocalSize", "value": )" +
                                        local + "}" + divisors + "]");
    };
    const auto divided = [](const std::string& axis, const std::string& by) {
        return R"(, {"op": "add", "path": "/KernelSpecification/GridDiv)" + axis + R"(", "value": )" + by +
               "}";
    };
    const std::string local = R"({"X": "bx", "Y": "tile", "Z": "2"})";
    const std::string by_parameters =
        "global (ceil(1000 / (bx))) * (bx), (ceil(600 / (tile))) * (tile), (8) * (2)";
    CHECK(global(local, "") == by_parameters);
    CHECK(global(local, divided("X", "null") + divided("Y", "null")) == by_parameters);
    CHECK(global(local, divided("X", "[]") + divided("Y", "[]")) ==
          "global (1000) * (bx), (600) * (tile), (8) * (2)");
    CHECK(global(local, divided("Y", R"(["8"])") + divided("Z", R"(["tile"])")) ==
          "global (ceil(1000 / (bx))) * (bx), (ceil(600 / ((8)))) * (tile), (ceil(8 / ((tile)))) * (2)");
}

TEST_CASE("T1: null says no more than a key that is not there") {
    T1Files files;
    for (const char* key : {"GlobalSizeType", "GlobalSize/Y", "GlobalSize/Z", "LocalSize/Y"}) {
        INFO(key);
        CHECK_THAT(files.line("global", replace(kKernel + key, "null")), Contains("floor(1024 / tile)"));
    }
    CHECK_THAT(files.refused(replace(kKernel + "GlobalSize", "null")),
               Contains("nothing says how many work items there are"));
}

TEST_CASE("T1: what collections of problems have besides") {
    T1Files files;
    CHECK(files.refused(R"({"BenchmarkConfig": {"iterations": 32}})") == "nothing");
    CHECK(files.line("parameter scale", replace(kParameters + "2/Default", "2")) ==
          "parameter scale 2.0 0.5 (macro)");
    const auto typed = [&](const std::string& type) {
        return files.line("inout", replace(kArguments + "4/Type", type));
    };
    CHECK(typed(R"("half8")") == "inout argument_5 f16[8 * (1024)] = 0.5");
    CHECK(typed(R"("float3")") == "inout argument_5 f32[4 * (1024)] = 0.5");
    CHECK(files.line("in x", R"([{"op": "remove", "path": "/KernelSpecification/Arguments/1/FillType"}])") ==
          "in x f32[4 * (256)] = 0");
    CHECK(files.line("inout", R"([{"op": "remove", "path": "/KernelSpecification/Arguments/4/FillType"}])") ==
          "inout argument_5 f32[1024] = 0.5");
}

TEST_CASE("T1: Random draws from 0 to FillValue, without it to 1; each array its own") {
    T1Files files;
    const auto fill = [&](const std::string& begin, const std::string& type, const std::string& value) {
        const std::string path = "/KernelSpecification/Arguments/1/";
        const std::string line = files.line(
            begin, R"([{"op": "add", "path": ")" + path + R"(Type", "value": ")" + type +
                       R"("}, {"op": "add", "path": ")" + path + R"(FillValue", "value": )" + value + "}]");
        return line.substr(line.find("] = ") + 4);
    };
    // Of 10000 elements: whether all are in the interval, and evenly in its tenths.
    const auto are_spread = [](const std::string& text, double end, bool is_whole) {
        const auto element = function_from("i", {}, text, "fill");
        std::vector<int> tenths(10);
        for (int i = 0; i < 10000; ++i) {
            const double value = element(1e6 + i);
            if (!(value >= 0.0 && value < end) || (is_whole && value != std::floor(value))) return false;
            ++tenths[static_cast<std::size_t>(10.0 * value / end)];
        }
        return std::all_of(tenths.begin(), tenths.end(), [](int n) { return n > 850 && n < 1150; });
    };
    CHECK(are_spread(fill("in x", "float", "null"), 1.0, false));
    CHECK(are_spread(fill("in x", "float", "255"), 255.0, false));
    CHECK(are_spread(fill("in x", "double", R"("2 ** 10")"), 1024.0, false));
    CHECK(are_spread(fill("in x", "int32", "1000"), 1000.0, true));
    CHECK(files.line("in x", replace(kArguments + "1/Type", R"("int32")")) == "in x i32[256]");
    const std::string two = files.line("in g", replace(kArguments + "2/FillType", R"("Random")"));
    CHECK_THAT(two, Contains("(i % 32749 + 2)"));
    // The judge of this test.
    CHECK_FALSE(are_spread("i % 100 / 200", 1.0, false));
    CHECK_FALSE(are_spread("i % 11 / 10", 1.0, false));
    CHECK_FALSE(are_spread("i % 1000 + 0.5", 1000.0, true));
}

TEST_CASE("T1: what is refused, where, and what to do") {
    T1Files files;
    const auto refused = [&](const std::string& path, const std::string& value) {
        return files.refused(replace(path, value));
    };
    CHECK(files.refused("{}") == "nothing");
    CHECK_THAT(refused(kKernel + "Language", R"("CUDA")"),
               Contains("t1.json: at /KernelSpecification/Language: kernels in CUDA cannot be run here"));
    CHECK_THAT(refused(kKernel + "KernelFile", R"("g.cl")"), Contains("/KernelFile: there is no file"));
    CHECK_THAT(refused(kKernel + "SharedMemory", "1024"), Contains("of MemoryType Local"));
    CHECK_THAT(refused(kKernel + "KernelTypeNames", R"(["float"])"), Contains("no template"));
    CHECK_THAT(refused(kKernel + "Strem", "1"), Contains("unknown key \"Strem\""));
    CHECK_THAT(refused(kKernel + "LocalSize/X", R"("by")"),
               Contains("/LocalSize/X: in \"by\", at character 1: there is no parameter 'by'"));
    CHECK_THAT(refused(kRule, R"("bx * tile & 1")"),
               Contains("t1.json: at /ConfigurationSpace/Conditions/0/Expression: in \"bx * tile & 1\", at "
                        "character 11: '&'"));
    CHECK_THAT(refused(kParameters + "0/Values", R"("[16, 32")"), Contains("at character 8: ']' is missing"));
    CHECK_THAT(refused(kParameters + "0/Values", R"("16")"), Contains("is no list"));
    CHECK_THAT(refused(kParameters + "0/Values", R"("[]")"), Contains("at least one value"));
    CHECK_THAT(refused(kParameters + "0/Values", R"("[16.5, 32]")"),
               Contains("16.5 is none of the type int"));
    CHECK_THAT(refused(kParameters + "1/Values", R"("[-1]")"), Contains("-1 is none of the type uint"));
    CHECK_THAT(refused(kParameters + "0/Default", "48"), Contains("48 is not among those of Values"));
    CHECK_THAT(refused(kParameters + "1/Name", R"("bx")"), Contains("there is a parameter 'bx' already"));
    CHECK_THAT(refused(kParameters + "1/Name", R"("b x")"), Contains("a name of letters"));
    CHECK_THAT(refused(kArguments + "0/MemoryType", R"("Symbol")"), Contains("no symbols"));
    CHECK_THAT(refused(kArguments + "1/Type", R"("custom")"), Contains("the type \"custom\""));
    CHECK_THAT(refused(kArguments + "1/FillType", R"("BinaryHDF")"), Contains("BinaryHDF cannot be read"));
    CHECK_THAT(refused(kArguments + "1/Size", R"("bx * 4")"),
               Contains("an array has one size for all variants"));
    CHECK_THAT(refused(kArguments + "1/Size", R"("by * 4")"), Contains("there is no parameter 'by'"));
    CHECK_THAT(refused(kArguments + "2/DataSource", R"("i * 10 ** 15 % 7")"),
               Contains("character 14: whole numbers beyond 2^53"));
    CHECK(refused(kArguments + "2/DataSource", R"("i * 10 ** 14 % 7")") == "nothing");
    CHECK_THAT(refused(kArguments + "2/DataSource", R"("j % 5")"), Contains("there is no parameter 'j'"));
    CHECK_THAT(refused(kParameters + "1/Values", "[1, 9223372036854775808]"),
               Contains("/TuningParameters/1/Values: the number 9223372036854775808 is larger"));
    CHECK_THAT(refused(kKernel + "ProblemSize", "9223372036854775808"), Contains("is larger than 64 bits"));
    CHECK_THAT(files.refused(R"({"KernelSpecification": {"GlobalSize": null}})"),
               Contains("nothing says how many work items there are"));
}

TEST_CASE("T1: a file of right answers takes the place of a reference") {
    T1Files files;
    const std::string arguments = R"("Arguments": [
        {"Name": "x", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Generator",
         "DataSource": "(i//4)*(0.1 + 0.05*(i%4)) if i%4 < 3 else ((i//4)%10)*0.1", "Size": 4},
        {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "FillType": "Constant",
         "FillValue": 0.0, "Size": 2}])";
    const auto patched = [&](const std::string& target, const std::string& type) {
        return R"({"KernelSpecification": {)" + arguments +
               R"(, "CompilerOptions": [""], "ReferenceArguments": [
            {"Name": "reference", "TargetName": ")" +
               target + R"(", "FillType": ")" + type + R"(", "DataSource": "y.bin",
             "ValidationMethod": "SideBySideComparison", "ValidationThreshold": 0.001}]}})";
    };
    files.folder().write("y.bin", std::string(8, '\0'));
    CHECK(files.line("out", patched("y", "BinaryRaw")) == "out y f32[2] = file y.bin");
    CHECK(files.line("flags", patched("y", "BinaryRaw")) == "none");
    const auto problem =
        ExternalProblem::load({{"source", files.read(patched("y", "BinaryRaw")).reference}}, 1e12);
    CHECK(problem->verified_by().empty());
    const std::string random = [&] {
        std::string patch = patched("y", "BinaryRaw");
        const std::string generator = "\"Generator\"";
        return patch.replace(patch.find(generator), generator.size(), "\"Random\"");
    }();
    CHECK_THAT(files.refused(random),
               Contains("/Arguments/0/FillType: ReferenceArguments has a right answer"));
    CHECK_THAT(files.refused(patched("z", "BinaryRaw")),
               Contains("/TargetName: no array among the Arguments"));
    CHECK_THAT(files.refused(patched("y", "Random")), Contains("a right answer is read from a file here"));
    CHECK_THAT(files.refused(patched("x", "BinaryRaw")), Contains("an array that is read as well"));
    // What it holds before the call would be poison.
    const auto with = [&](const std::string& access, const std::string& fill) {
        std::string patch = patched("y", "BinaryRaw");
        for (const auto& [from, to] :
             {std::pair<std::string, std::string>{R"("AccessType": "WriteOnly", )", access},
              {R"("FillType": "Constant",
         "FillValue": 0.0, )",
               fill}})
            patch.replace(patch.find(from), from.size(), to);
        return patch;
    };
    const std::string read_write = R"("AccessType": "ReadWrite", )", none;
    CHECK(files.line("out", with(read_write, R"("FillType": "Uninitialized", )")) ==
          "out y f32[2] = file y.bin");
    CHECK(files.line("out", with(none, none)) == "out y f32[2] = file y.bin");
    CHECK_THAT(files.refused(with(read_write, R"("FillValue": 0, )")), Contains("that is read as well"));
    CHECK_THAT(files.refused(with(none, R"("FillType": "Constant", )")), Contains("that is read as well"));
    std::string twice = patched("y", "BinaryRaw");
    const std::string list = R"("ReferenceArguments": [)";
    twice.replace(twice.find(list), list.size(),
                  list + R"({"TargetName": "y", "FillType": "BinaryRaw", "DataSource": "z.bin"}, )");
    CHECK_THAT(files.refused(twice),
               Contains("/ReferenceArguments/1/TargetName: there is an answer for \"y\" already"));
}

TEST_CASE("T1: annotations of the source add what the format has no word for") {
    T1Files files;
    files.folder().write("f.cl", "// rooftune: flops 1024 * 2\n// rooftune: reference g(x)\n");
    const auto problem = ExternalProblem::load({{"source", files.read().reference}}, 1e12);
    CHECK(problem->instance().declaration.flops->text == "1024 * 2");
    CHECK(problem->verified_by().empty());
}
