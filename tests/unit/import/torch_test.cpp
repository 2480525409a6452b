#include "tuner/import/torch.h"

#include "tests/support/catch.h"
#include "tests/unit/import/support.h"
#include "tuner/base/text_lines.h"
#include "tuner/import/torch_shapes.h"

using namespace rooftune;
using namespace rooftune::imports;
using test::complaint;
using test::named;

namespace {

MeasuredPoints import_torch(const std::string& name) {
    const std::string file = "tests/golden/import/" + name;
    return read_torch(read_import(file), file);
}

}  // namespace

TEST_CASE("flops and least bytes of operators by their shapes") {
    const std::vector<std::string> floats(3, "float");
    CHECK(flops_by_shape({"aten::mm", {{2, 3}, {3, 5}}, floats, {}}) == 60.0);
    CHECK(bytes_by_shape({"aten::mm", {{2, 3}, {3, 5}}, floats, {}}) == 4.0 * (6 + 15 + 10));
    CHECK(flops_by_shape({"aten::addmm", {{5}, {2, 3}, {3, 5}}, floats, {}}) == 60.0);
    CHECK(bytes_by_shape({"aten::addmm", {{5}, {2, 3}, {3, 5}}, floats, {}}) == 4.0 * (5 + 6 + 15 + 10));
    CHECK(flops_by_shape({"aten::bmm", {{7, 2, 3}, {7, 3, 5}}, floats, {}}) == 420.0);
    CHECK(flops_by_shape({"aten::linear", {{7, 2, 3}, {5, 3}, {5}}, floats, {}}) == 420.0);
    CHECK(flops_by_shape({"aten::matmul", {{7, 1, 2, 3}, {4, 3, 5}}, floats, {}}) == 28.0 * 60.0);
    CHECK(flops_by_shape({"aten::relu_", {{4, 4}}, floats, {}}) == 16.0);
    CHECK(flops_by_shape({"aten::add", {{4, 1}, {5}}, floats, {}}) == 20.0);
    // 3×3 over 8 channels, stride 2, padding 1: 4×4 results of each of 6 filters.
    const Operator conv{"aten::conv2d",
                        {{1, 8, 8, 8}, {6, 8, 3, 3}, {6}, {}, {}, {}, {}},
                        floats,
                        {"", "", "", "[2, 2]", "[1, 1]", "[1, 1]", "1"}};
    CHECK(flops_by_shape(conv) == 2.0 * 6 * 16 * 8 * 9);
}

TEST_CASE("shapes that do not fit give nothing rather than something") {
    const std::vector<std::string> floats(3, "float");
    CHECK_FALSE(flops_by_shape({"aten::mm", {{2, 3}, {4, 5}}, floats, {}}));
    CHECK_FALSE(flops_by_shape({"aten::mm", {{2, 3}}, floats, {}}));
    CHECK_FALSE(flops_by_shape({"aten::matmul", {{3, 2, 3}, {4, 3, 5}}, floats, {}}));
    CHECK_FALSE(flops_by_shape({"aten::conv2d", {{1, 8, 8, 8}, {6, 8, 3, 3}}, floats, {}}));
    CHECK_FALSE(flops_by_shape({"aten::softmax", {{4, 4}}, floats, {}}));
    CHECK_FALSE(bytes_by_shape({"aten::mm", {{2, 3}, {3, 5}}, {"mystery", "float"}, {}}));
}

TEST_CASE("device time counts, once for operators inside each other") {
    const MeasuredPoints points = import_torch("torch.json");
    const MeasuredPoint& addmm = named(points, "aten::addmm");
    CHECK(addmm.launches == 2);
    CHECK(addmm.seconds == Approx(436e-6));
    CHECK(addmm.flops == 2.0 * 137438953472.0);
    CHECK(addmm.flops_by_type.at(0).first == "bf16");
    CHECK(addmm.bytes == Approx(2.0 * 2.0 * (4096.0 + 3.0 * 4096.0 * 4096.0)));
    for (const MeasuredPoint& p : points.points) CHECK(p.name != "aten::linear");
    CHECK(points.points.front().name == "aten::addmm");
    CHECK(named(points, "aten::relu").seconds == Approx(24.5e-6));
    CHECK(named(points, "aten::conv2d").flops == 2.0 * 8 * 128 * 28 * 28 * 64 * 9);
}

TEST_CASE("a trace of the CPU alone takes the innermost operator's own time") {
    const MeasuredPoints points = import_torch("torch_cpu.json");
    REQUIRE(points.points.size() == 1);
    CHECK(points.points[0].name == "aten::mm");
    CHECK(points.points[0].seconds == Approx(4e-3));
    CHECK(points.points[0].flops == 2.0 * 512 * 512 * 512);
}

TEST_CASE("traces that are none are refused with place and remedy") {
    CHECK_THAT(complaint([] { read_torch("{\"traceEvents\": [\n  {\"ph\": \"X\",]}", "f"); }),
               Catch::Contains("line 2"));
    CHECK_THAT(complaint([] { read_torch("{\"events\": []}", "f"); }), Catch::Contains("/traceEvents"));
    CHECK_THAT(complaint([] { read_torch("{\"traceEvents\": []}", "f"); }), Catch::Contains("cpu_op"));
    CHECK_THAT(complaint([] {
                   read_torch(R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","dur":1}]})", "f");
               }),
               Catch::Contains("record_shapes=True"));
    CHECK_THAT(complaint([] {
                   read_torch(R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","dur":"long"}]})", "f");
               }),
               Catch::Contains("/traceEvents/0/dur"));
}

TEST_CASE("another kind of file than a trace: what is expected, and how it is made") {
    for (const char* text : {"#include <cmath>\n", "  \n// a kernel\n", "\"a\""}) {
        const std::string said = complaint([&] { (void)read_torch(text, "mine.cpp"); });
        CHECK(said.find("mine.cpp: no trace of PyTorch's profiler") == 0);
        CHECK(said.find("export_chrome_trace(FILE)") != std::string::npos);
    }
}
