#include "tuner/import/likwid.h"

#include "tests/support/catch.h"
#include "tests/unit/import/support.h"
#include "tuner/base/text_lines.h"

using namespace rooftune;
using namespace rooftune::imports;
using test::complaint;
using test::named;

namespace {

const std::string kFile = "tests/golden/import/likwid.csv";

std::string broken(const std::string& what, const std::string& by) {
    std::string text = read_import(kFile);
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), by);
    return complaint([&] { read_likwid(text, "f"); });
}

}  // namespace

TEST_CASE("regions with threads summed, and one region's flops and bytes from two groups") {
    const MeasuredPoints points = read_likwid(read_import(kFile), kFile);
    REQUIRE(points.points.size() == 2);
    const MeasuredPoint& triad = named(points, "triad");
    CHECK(triad.seconds == 1.25);
    CHECK(triad.flops == Approx(1e6 * (1000.5 * 1.25 + 1010.25 * 1.20)));
    CHECK(triad.bytes == Approx(30e9));
    CHECK(triad.note.empty());
    const MeasuredPoint& spmv = named(points, "spmv");
    CHECK(spmv.seconds == 2.0);
    CHECK(spmv.flops == Approx(3e9));
    CHECK(spmv.bytes == Approx(21e9));
    CHECK_THAT(spmv.note, Catch::Contains("two runs"));
    CHECK(points.points.front().name == "spmv");
}

TEST_CASE("a whole program has one point, and names of older versions are understood") {
    const std::string text =
        "STRUCT,Info,3,\nTABLE,Group 1 Metric,FLOPS_SP,2,\nMetric,Core 0,\nRuntime (RDTSC) [s],2,\n"
        "SP MFLOP/s,500,\nMemory bandwidth [MBytes/s],1000,\n";
    const MeasuredPoint p = read_likwid(text, "f").points.at(0);
    CHECK(p.name == "whole program");
    CHECK(p.flops == Approx(1e9));
    CHECK(p.flops_by_type.at(0).first == "f32");
    CHECK(p.bytes == Approx(2e9));
}

TEST_CASE("broken tables are refused with line and column") {
    CHECK_THAT(broken("DP [MFLOP/s],1000.5,1010.25", "DP [MFLOP/s],1000.5x,1010.25"),
               Catch::StartsWith("f:15:14: '1000.5x' is not a figure"));
    CHECK_THAT(broken("DP [MFLOP/s],1000.5,1010.25,,", "DP [MFLOP/s],1000.5"),
               Catch::Contains("expected 2 values of \"DP [MFLOP/s]\", found 1"));
    CHECK_THAT(broken("Metric,HWThread 0,HWThread 1,,\nRuntime", "Runtime"), Catch::Contains("the heading"));
    CHECK_THAT(broken("Runtime (RDTSC) [s],1.25,1.20", "Runtime (RDTSC) [s],0,0"), Catch::Contains("zero"));
    for (const char* text : {"", "hello\n", "TABLE,Group 1 Raw,X,1\nEvent,Counter,Core 0\nA,B,1\n"}) {
        CHECK_THAT(complaint([&] { read_likwid(text, "f"); }), Catch::Contains("likwid-perfctr"));
    }
    CHECK_THAT(complaint([] {
                   read_likwid("TABLE,Group 1 Metric,CLOCK,1\nMetric,Core 0\nRuntime (RDTSC) [s],2\n", "f");
               }),
               Catch::Contains("neither flops nor memory traffic"));
}
