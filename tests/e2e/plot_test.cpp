// `rooftune plot` through the program: machines, points and results in one plot, and what it refuses.
#include <fstream>
#include <string>

#include "tests/support/catch.h"
#include "tests/support/session.h"
#include "tuner/formats/measured_points.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

Finished plot_of(std::vector<std::string> words) {
    words.insert(words.begin(), {program(), "plot"});
    return run(words);
}

bool holds(const std::string& text, const std::string& part) {
    INFO(text << "\nlacks " << part);
    CHECK(text.find(part) != std::string::npos);
    return text.find(part) != std::string::npos;
}

// Two kernels and a copy, which has no place on the plot.
std::string points_file(const TemporaryFolder& folder) {
    MeasuredPoints points{.tool = "ncu", .file = "step.csv", .points = {}};
    for (const auto& [name, flops] :
         {std::pair("gemm", 1e12), std::pair("norm", 1e10), std::pair("copy", 0.0)}) {
        MeasuredPoint point;
        point.name = name;
        point.seconds = 0.01;
        point.flops = flops;
        point.bytes = 1e10;
        points.points.push_back(point);
    }
    const std::string path = folder / "points.json";
    std::ofstream(path) << points_to_json(points);
    return path;
}

void refused(const std::vector<std::string>& words, const std::string& part) {
    const Finished f = plot_of(words);
    INFO(f.error);
    CHECK(f.status == 2);
    CHECK(f.out.empty());
    holds(f.told(), part);
}

}  // namespace

TEST_CASE("plot: a machine alone, by its name as a flag or a word") {
    const Finished flag = plot_of({"--machine", "tpu-v5e"});
    CHECK(flag.status == 0);
    holds(flag.out, "197 Tflop/s, bf16 peak");
    holds(flag.out, "820 GB/s, memory");
    CHECK(plot_of({"tpu-v5e"}).out == flag.out);
    const Finished chosen = plot_of({"h100-sxm", "--dtype", "bf16", "--title", "Only one <precision>"});
    CHECK(chosen.status == 0);
    holds(chosen.out, "989 Tflop/s, bf16 peak");
    holds(chosen.out, "Only one &lt;precision&gt;");
    CHECK(chosen.out.find("f64 peak") == std::string::npos);
}

TEST_CASE("plot: points under a machine's roofs, with what was left out") {
    const TemporaryFolder folder;
    const std::string points = points_file(folder), out = folder / "plot.svg";
    const Finished f = plot_of({points, "--machine", "h100-sxm", "--out", out});
    INFO(f.error);
    CHECK(f.status == 0);
    CHECK(f.out.empty());
    holds(f.told(), "1 point left out: no floating-point operations counted.");
    holds(f.told(), "wrote " + out);
    const std::string svg = contents(out);
    holds(svg, ">gemm</text>");
    holds(svg, ">norm</text>");
    // Another order, another look at the same thing.
    CHECK(plot_of({"h100-sxm", points}).out == svg);
}

TEST_CASE("plot: a machine file, and levels of it") {
    const Session s;
    const Finished all = plot_of({s.machine()});
    INFO(all.error);
    CHECK(all.status == 0);
    const Finished memory = plot_of({s.machine(), "--level", "memory"});
    CHECK(memory.status == 0);
    holds(memory.out, ", memory");
}

TEST_CASE("plot: what it refuses, and what to do") {
    const TemporaryFolder folder;
    const std::string points = points_file(folder);
    refused({points}, "--machine");
    refused({points, "--machine", "h100-sx"}, "h100-sxm");
    refused({"tpu-v5e", "h100-sxm"}, "machine --diff");
    // No flag was given: none is blamed.
    refused({"nofile"}, "rooftune: nofile: there is no such file or preset");
    refused({"--machine", "nofile"}, "rooftune: --machine nofile: there is no such file or preset");
    refused({"--machine", "tpu-v5e", "--dtype", "f64"}, "it has bf16, int8");
    refused({"--machine", "tpu-v5e", "--dtype", "f65"}, "f65");
    refused({"--machine", "tpu-v5e", "--level", "L7"}, "it has memory");
    refused({"--machine", "m1-max", "--metric", "ops"}, "no peak of integers");
    refused({"--machine", "tpu-v5e", "--metric", "pixels"}, "--metric");
    refused({"--results", folder.path()}, "rooftune machine --quick");
    refused({folder / "nothing.json", "--machine", "tpu-v5e"}, "nothing.json");
    Machine empty = toy::machine();
    empty.ceilings.clear();
    empty.name = "Nothing known";
    write_machine_file(folder / "empty.json", empty);
    refused({folder / "empty.json"}, "Nothing known has neither peaks nor bandwidths");
}
