// Points kept in files, and where they stand under a roofline.
#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/support/catch.h"
#include "tests/support/process.h"
#include "tests/support/schema_check.h"
#include "tests/unit/import/support.h"
#include "tuner/base/text_lines.h"
#include "tuner/formats/strict_json.h"
#include "tuner/import/points_text.h"

using namespace rooftune;
using test::complaint;

namespace {

MeasuredPoint point(double seconds, double flops, double bytes, const std::string& type = "f32") {
    MeasuredPoint p;
    p.name = "k";
    p.seconds = seconds;
    p.flops = flops;
    p.bytes = bytes;
    if (!type.empty() && flops > 0.0) p.flops_by_type = {{type, flops}};
    return p;
}

/// 1e12 flop/s in f32, half of it in f64, 1e11 byte/s.
Machine machine() {
    Machine m;
    const auto add = [&](Resource resource, DType dtype, Mix mix, double rate) {
        Ceiling c;
        c.resource = resource;
        c.when.dtype = dtype;
        c.when.mix = mix;
        c.when.threads = 0;
        c.max = c.p95 = c.median = rate;
        m.ceilings.push_back(c);
    };
    add(Resource::compute, DType::f32, Mix::fma, 1e12);
    add(Resource::compute, DType::f64, Mix::fma, 5e11);
    add(Resource::bandwidth, DType::f64, Mix::update, 1e11);
    return m;
}

}  // namespace

TEST_CASE("a point stands under the lower of compute and memory roof") {
    const PointStanding memory = standing_of(point(1.0, 1e10, 5e10), machine(), {});
    CHECK(memory.bound == "memory");
    CHECK(memory.fraction == Approx(0.5));
    CHECK(memory.attainable == Approx(2e10));
    const PointStanding compute = standing_of(point(1.0, 2.5e11, 1e9, "f64"), machine(), {});
    CHECK(compute.bound == "compute");
    CHECK(compute.fraction == Approx(0.5));
    CHECK(compute.attainable == Approx(5e11));
}

TEST_CASE("what cannot be placed is not: no time, no peak of its type, no bytes and no flops") {
    CHECK(standing_of(point(0.0, 1e10, 1e9), machine(), {}).attainable == 0.0);
    CHECK(standing_of(point(1.0, 1e10, 1e9, "bf16"), machine(), {}).attainable == 0.0);
    CHECK(standing_of(point(1.0, 0.0, 0.0), machine(), {}).attainable == 0.0);
    CHECK(standing_of(point(1.0, 1e10, 1e9, ""), machine(), {}).attainable == 0.0);
    CHECK(standing_of(point(1.0, 1e10, 1e9, ""), machine(), DType::f32).attainable > 0.0);
    // Without flops the bandwidth is what counts.
    const PointStanding copy = standing_of(point(1.0, 0.0, 5e10), machine(), {});
    CHECK(copy.bound == "memory");
    CHECK(copy.fraction == Approx(0.5));
    CHECK(standing_of(point(1.0, 1e10, 1e9), Machine{}, {}).attainable == 0.0);
}

TEST_CASE("points survive a file, which obeys its schema") {
    test::TemporaryFolder folder;
    MeasuredPoints points{"ncu", "a.csv", {point(0.25, 1e9, 3e8), point(0.125, 0.0, 7.0)}};
    points.points[0].note = "4096×4096";
    const std::string text = points_to_json(points);
    const std::string path = folder / "points.json";
    std::ofstream(path) << text;
    CHECK(points_to_json(read_points_file(path)) == text);
    test::SchemaCheck check("configs/schema");
    CHECK(check.faults(parse_json(text, "points"), "points.schema.json").empty());
    std::ofstream(path) << "{\"schema\": \"rooftune/points/2\"}";
    CHECK_THAT(complaint([&] { read_points_file(path); }), Catch::Contains("rooftune/points/1"));
}

TEST_CASE("cells, quotes and packed files") {
    const auto cells = cells_of("f", {3, R"(a,"b, ""c""",,"d")"});
    REQUIRE(cells.size() == 4);
    CHECK(cells[1].text == R"(b, "c")");
    CHECK(cells[1].at.column == 3);
    CHECK(cells[2].text.empty());
    CHECK_THAT(complaint([] { cells_of("f", {7, R"(a,"b)"}); }), Catch::StartsWith("f:7:3: "));
    CHECK_THAT(complaint([] { cells_of("f", {7, R"("b"c)"}); }), Catch::StartsWith("f:7:4: "));
    CHECK(lines_of("a.csv",
                   "\xEF\xBB\xBF"
                   "a\r\nb")
              .size() == 2);
    CHECK(lines_of("a.csv", "a\r\n").front().text == "a");
    CHECK_THROWS_WITH(lines_of("a.csv", std::string(kMostLines + 1, '\n')),
                      Catch::Contains("a.csv: 20000001 lines") && Catch::Contains("has at most 20000000"));
    test::TemporaryFolder folder;
    std::ofstream(folder / "x.gz") << "plain";
    CHECK_THAT(complaint([&] { read_import(folder / "x.gz"); }), Catch::Contains("not compressed"));
    std::ofstream(folder / "y.gz", std::ios::binary)
        << std::string("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03zz", 12);
    CHECK_THAT(complaint([&] { read_import(folder / "y.gz"); }), Catch::Contains("cut short"));
}
