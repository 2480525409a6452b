#include "tuner/import/ncu.h"

#include "tests/support/catch.h"
#include "tests/unit/import/support.h"
#include "tuner/base/text_lines.h"

using namespace rooftune;
using namespace rooftune::imports;
using test::complaint;

namespace {

const std::string kFolder = "tests/golden/import/";

MeasuredPoints import(const std::string& name, const Times& times = {}) {
    const std::string file = kFolder + name;
    return points_of(read_ncu(read_import(file), file), file, times);
}

std::string broken(const std::string& name, const std::string& what, const std::string& by) {
    std::string text = read_import(kFolder + name);
    const std::size_t at = text.find(what);
    REQUIRE(at != std::string::npos);
    text.replace(at, what.size(), by);
    return complaint([&] { points_of(read_ncu(text, "f"), "f", {}); });
}

constexpr const char* kHeader = "\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n";

Launch with(std::map<std::string, double> metrics) {
    Launch launch{"k", {}, {}};
    for (const auto& [name, value] : metrics) launch.metrics[name] = {value, {}};
    return launch;
}

}  // namespace

TEST_CASE("counters give F = 2a + b + c and Q = 32 (r + w), of every precision") {
    const std::string op = "smsp__sass_thread_inst_executed_op_";
    const Launch launch = with({{op + "ffma_pred_on.sum", 1e6},
                                {op + "fadd_pred_on.sum", 3e5},
                                {op + "fmul_pred_on.sum", 2e5},
                                {op + "dfma_pred_on.sum", 10},
                                {op + "hmul_pred_on.sum", 7},
                                {"dram__sectors_read.sum", 1000},
                                {"dram__sectors_write.sum", 500},
                                {"gpu__time_duration.sum", 1e-3}});
    const auto flops = flops_of(launch);
    REQUIRE(flops.size() == 3);
    CHECK(flops[0] == std::pair<std::string, double>("f16", 7.0));
    CHECK(flops[1] == std::pair<std::string, double>("f32", 2.5e6));
    CHECK(flops[2] == std::pair<std::string, double>("f64", 20.0));
    CHECK(bytes_of(launch) == 48000.0);
    CHECK(seconds_of(launch) == 1e-3);
    const MeasuredPoints points = points_of({launch}, "f", {});
    CHECK(points.points[0].flops == 2.5e6 + 27.0);
    CHECK(points.points[0].intensity() == Approx((2.5e6 + 27.0) / 48000.0));
    CHECK(points.points[0].flops_per_second() == Approx(2.500027e9));
}

TEST_CASE("bytes by sum, apart, or by sectors; time by its metric or by cycles") {
    CHECK(bytes_of(with({{"dram__bytes.sum", 7}, {"dram__sectors_read.sum", 1}})) == 7.0);
    CHECK(bytes_of(with({{"dram__bytes_read.sum", 5}, {"dram__bytes_write.sum", 2}})) == 7.0);
    CHECK(bytes_of(with({{"dram__sectors_write.sum", 2}})) == 64.0);
    CHECK(bytes_of(with({})) == 0.0);
    CHECK(seconds_of(with({{"sm__cycles_elapsed.avg", 2e6}, {"sm__cycles_elapsed.avg.per_second", 1e9}})) ==
          2e-3);
    CHECK(seconds_of(with({{"sm__cycles_elapsed.avg", 2e6}})) == 0.0);
    CHECK(seconds_of(with({{"Duration", 3e-6}})) == 3e-6);
}

TEST_CASE("operations of the tensor path are those of its source type, once") {
    const auto flops = flops_of(with({{"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 100},
                                      {"sm__ops_path_tensor_src_fp8.sum", 50},
                                      {"sm__ops_path_tensor_src_fp8_dst_fp16.sum", 20},
                                      {"sm__ops_path_tensor_src_fp8_dst_fp32.sum", 30}}));
    REQUIRE(flops.size() == 2);
    CHECK(flops[0] == std::pair<std::string, double>("bf16", 100.0));
    CHECK(flops[1] == std::pair<std::string, double>("f8", 50.0));
}

TEST_CASE("text and CSV of the same run give the same points, launches of a kernel added up") {
    const MeasuredPoints text = import("ncu.txt"), csv = import("ncu.csv");
    REQUIRE(text.points.size() == 2);
    REQUIRE(csv.points.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(text.points[i].name == csv.points[i].name);
        CHECK(text.points[i].seconds == csv.points[i].seconds);
        CHECK(text.points[i].flops == csv.points[i].flops);
        CHECK(text.points[i].bytes == csv.points[i].bytes);
        CHECK(text.points[i].launches == csv.points[i].launches);
    }
    CHECK(text.points[0].name == "void gemm<128, 64>(const double *, const double *, double *, int)");
    CHECK(text.points[0].flops == 2.0 * 8589934592.0 + 1048576.0 + 2097152.0);
    CHECK(text.points[0].seconds == Approx(1.75e-3));
    const MeasuredPoint& triad = text.points[1];
    CHECK(triad.launches == 2);
    CHECK(triad.seconds == Approx(312.5e-6));
    CHECK(triad.bytes == 2.0 * 32.0 * (8388608.0 + 4194304.0));
    CHECK(triad.flops_by_type == std::vector<std::pair<std::string, double>>{{"f32", 4.0 * 33554432.0}});
}

TEST_CASE("decimal commas, wide CSV with its line of units, and the older text") {
    const MeasuredPoint comma = import("ncu_comma.csv").points.at(0);
    CHECK(comma.seconds == Approx(1250.5e-6));
    CHECK(comma.bytes == 32.0 * (27595520.0 + 1048576.0));
    CHECK(comma.flops == 2.0 * 2097152.0 + 1099511627776.0);
    const MeasuredPoint raw = import("ncu_raw.csv").points.at(0);
    CHECK(raw.seconds == Approx(2e-3));
    CHECK(raw.bytes == Approx(3.2e9));
    CHECK(raw.flops == Approx(2.0 * 1024.0 * 3.4e6));
    const MeasuredPoint old = import("ncu_2022.txt", {{"", 2e-3, 0.0}}).points.at(0);
    CHECK(old.name == "axpy(double *, const double *, double, int)");
    CHECK(old.flops == Approx(2.0 * 8388.61e3));
    CHECK(old.bytes == Approx(201.33e6));
    CHECK(old.flops_per_second() == Approx(8388.61e6));
}

TEST_CASE("time from a summary of Nsight Systems counts the launches that were profiled") {
    const Times times = read_nsys(read_import(kFolder + "nsys.csv"), "nsys.csv");
    REQUIRE(times.size() == 2);
    CHECK(times[0].seconds == Approx(1.824e-3));
    CHECK(times[0].instances == 4.0);
    const MeasuredPoint axpy = import("ncu_2022.txt", times).points.at(0);
    CHECK(axpy.seconds == Approx(456e-6));
}

TEST_CASE("a kernel without a time says where it stands and what to do") {
    const std::string said = complaint([] { import("ncu_2022.txt"); });
    CHECK_THAT(said, Catch::Contains("ncu_2022.txt:3:3: no time for 'axpy("));
    CHECK_THAT(said, Catch::Contains("--time"));
    CHECK_THAT(complaint([] { import("ncu.txt", {{ "", 1.0, 0.0 }}); }), Catch::Contains("name the kernel"));
}

TEST_CASE("broken reports are refused with line and column") {
    CHECK_THAT(broken("ncu.txt", "8,388,608", "8,38x,608"), Catch::StartsWith("f:11:"));
    CHECK_THAT(broken("ncu.txt", "8,388,608", "8,38,608"), Catch::Contains("'8,38,608' is not a figure"));
    CHECK_THAT(broken("ncu.txt", "     usecond", "   fortnight"), Catch::Contains("unit 'fortnight'"));
    CHECK_THAT(broken("ncu.txt", "    8,388,608", ""), Catch::Contains("f:11:"));
    CHECK_THAT(broken("ncu.csv", "\"8,388,608\"", "\"8,388,608"), Catch::StartsWith("f:3:"));
    CHECK_THAT(broken("ncu.csv", "\"8,388,608\"", "\"-5\""), Catch::Contains("negative"));
    CHECK_THAT(broken("ncu.csv", ",\"sector\",\"8,388,608\"", ""), Catch::Contains("expected 15 cells"));
    CHECK_THAT(broken("ncu.csv", "\"Metric Unit\",", ""), Catch::StartsWith("f:2:1: the heading lacks"));
    CHECK_THAT(broken("ncu.csv", "\"Kernel Name\",", "\"Kernel\","),
               Catch::StartsWith("f:2:1: the heading lacks \"ID\" or \"Kernel Name\""));
    CHECK_THAT(broken("ncu_raw.csv", "\"Kernel Name\",", "\"Kernel\","),
               Catch::Contains("the heading lacks"));
    CHECK_THAT(broken("ncu_comma.csv", "\"1.250,5\"", "\"1,250.5\""), Catch::Contains("separates thousands"));
    for (const char* text : {"", "hello\n", kHeader}) {
        CHECK_THAT(complaint([&] { read_ncu(text, "f"); }), Catch::Contains("no kernel found"));
    }
    CHECK_THAT(complaint([] { read_nsys("nothing\n", "f"); }), Catch::Contains("no kernel summary"));
    const std::string row = std::string(kHeader) + "\"0\",\"k\",\"dram__bytes.sum\",\"byte\"\n";
    CHECK_THAT(complaint([&] { read_ncu(row, "f"); }), Catch::StartsWith("f:2:"));
}

TEST_CASE("rows of the text: columns, marks, and what is no row") {
    const auto launches = [](const std::string& first, const std::string& row) {
        return read_ncu(
            "  " + first + "\n    Section: S\n    --------  ------\n" + row + "\n    --------  ------\n",
            "f");
    };
    const auto metrics = [&](const std::string& row) { return launches("k, Context 1", row).at(0).metrics; };
    const auto value = [&](const std::string& row, const std::string& name) {
        return metrics(row).at(name).value;
    };
    CHECK(value("    dram__bytes.sum   Kbyte   1.5", "dram__bytes.sum") == 1500.0);
    CHECK(value("    dram__bytes.sum byte 7", "dram__bytes.sum") == 7.0);
    // A mark belongs to the figure, whether a unit stands before it or not.
    CHECK(metrics("    dram__bytes.sum byte (!) n/a  ").empty());
    CHECK_THAT(complaint([&] { metrics("    dram__bytes.sum byte (!) 7  "); }),
               Catch::StartsWith("f:4:26: '(!) 7' is not"));
    CHECK_THAT(complaint([&] { metrics("    dram__bytes.sum (!) 7"); }),
               Catch::StartsWith("f:4:21: '(!) 7' is not"));
    CHECK(value("    Duration    usecond    8", "Duration") == Approx(8e-6));
    // A name of several words is none that points are made of, whatever stands behind it.
    CHECK(metrics("    DRAM Throughput   %   (!) 12").empty());
    CHECK(metrics("    Duration usecond 8").empty());
    CHECK(metrics("    dram bytes   a   b   c").empty());
    for (const char* cut :
         {"    dram__bytes.sum", "    dram__bytes.sum byte 7 8", "    dram__bytes.sum byte 7 8 9"})
        CHECK_THAT(complaint([&] { metrics(cut); }), Catch::StartsWith("f:4:5: expected a metric's name"));

    const auto name = [&](const std::string& line) { return launches(line, "").at(0).kernel; };
    CHECK(name("k(int) (1, 1, 1)x(32, 1, 1), Context 1, Stream 7") == "k(int)");
    CHECK(name("k(int), 2022-May-31 10:00:00, Context 1, Stream 7") == "k(int)");
    CHECK(name("k(int), Context 1") == "k(int)");
    CHECK(name("k (1, 1)x(2, 2, 2), 22-May-31 , Context x, Context 1") ==
          "k (1, 1)x(2, 2, 2), 22-May-31 , Context x");
    CHECK(name("k (1, 1, 1) x(2, 2, 2) (1, 1, 1)x(2, , 2), Context 1") ==
          "k (1, 1, 1) x(2, 2, 2) (1, 1, 1)x(2, , 2)");
}

TEST_CASE("a line of a megabyte is a line") {
    const std::string much(1 << 20, 'x');
    const std::string text = "  " + much + ", Context 1\n    Section: S\n    --------  ------\n    " + much +
                             "   " + much + "   1\n    dram__bytes.sum   byte   7\n";
    const std::vector<Launch> launches = read_ncu(text, "f");
    CHECK(launches.at(0).kernel == much);
    CHECK(launches.at(0).metrics.at("dram__bytes.sum").value == 7.0);
}

TEST_CASE("metrics that points do not need may hold anything") {
    const std::string text = std::string(kHeader) +
                             "\"0\",\"k\",\"launch__grid\",\"furlong\",\"(1, 2)\"\n"
                             "\"0\",\"k\",\"gpu__time_duration.sum\",\"ns\",\"100\"\n";
    CHECK(points_of(read_ncu(text, "f"), "f", {}).points.at(0).seconds == Approx(1e-7));
}
