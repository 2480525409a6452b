// Which ceilings a plot shows, what a point could reach under them, and which points have a place at all.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/support/catch.h"
#include "tests/unit/chart/svg_check.h"
#include "tuner/chart/plot_ceilings.h"
#include "tuner/chart/plot_regions.h"
#include "tuner/chart/roofline_svg.h"

using namespace rooftune;
using namespace rooftune::test;
using Catch::Contains;

namespace {

Ceiling ceiling(Resource resource, Conditions when, double rate) {
    Ceiling c;
    c.resource = resource;
    c.when = when;
    c.max = c.p95 = c.median = rate;
    c.source = "probe";
    return c;
}

Ceiling peak(DType dtype, int width, int chains, int threads, double rate, Mix mix = Mix::fma) {
    return ceiling(Resource::compute,
                   {.dtype = dtype, .width_bits = width, .mix = mix, .chains = chains, .threads = threads},
                   rate);
}

Ceiling walk(double bytes, int threads, int streams, double rate, Mix mix = Mix::load) {
    return ceiling(Resource::bandwidth,
                   {.mix = mix, .threads = threads, .footprint = Bytes(bytes), .streams = streams}, rate);
}

/// Two cores with 256-bit FMA; caches of 32 KiB, 512 KiB and 16 MiB.
Machine host() {
    Machine m;
    m.id = "host";
    m.name = "A host";
    m.topology.cores = m.topology.threads = 2;
    for (const auto& [level, size] : {std::pair(1, 32e3), std::pair(2, 512e3), std::pair(3, 16e6)})
        m.topology.caches.push_back({.level = level, .reported = Bytes(size)});
    m.ceilings = {peak(DType::f64, 256, 12, 2, 100e9),
                  peak(DType::f64, 256, 12, 1, 50e9),
                  peak(DType::f64, 128, 12, 2, 51e9),
                  peak(DType::f64, 64, 12, 2, 25e9),
                  peak(DType::f64, 256, 1, 2, 12e9),
                  peak(DType::f64, 256, 12, 2, 98e9, Mix::fma_add),
                  peak(DType::f64, 256, 12, 2, 48e9, Mix::add),
                  peak(DType::f32, 256, 12, 2, 200e9),
                  walk(32e3, 2, 4, 600e9),
                  walk(500e3, 2, 4, 300e9),
                  walk(4e6, 2, 4, 295e9),
                  walk(256e6, 2, 4, 40e9),
                  walk(256e6, 1, 4, 25e9),
                  walk(256e6, 2, 1, 38e9),
                  walk(256e6, 2, 4, 20e9, Mix::nt_store)};
    return m;
}

const PlotLine* find_line(const std::vector<PlotLine>& lines, std::string_view label) {
    for (const PlotLine& line : lines) {
        if (line.label == label) return &line;
    }
    return nullptr;
}

MeasuredPoint point(const char* name, double seconds, double flops, double bytes) {
    return {
        .name = name, .seconds = seconds, .flops = flops, .bytes = bytes, .flops_by_type = {}, .note = ""};
}

RooflinePlot plot_on(const Machine& machine, const MeasuredPoints& points) {
    RooflinePlot plot;
    plot.title = "Roofline: " + machine.name;
    plot.lines = machine_lines(machine, {});
    add_points(plot, points);
    return plot;
}

}  // namespace

TEST_CASE("a cache that both threads share is one level of its own size") {
    Machine m = host();
    m.topology.caches[2].shared_by = 2;
    m.ceilings.push_back(walk(20e6, 2, 4, 500e9));  // faster than any, and beyond the cache
    const std::vector<PlotLine> lines = machine_lines(m, {});
    const PlotLine* l3 = find_line(lines, "L3");
    REQUIRE(l3);
    CHECK(l3->rate == 295e9);
}

TEST_CASE("a machine's lines are its roofs and the few ceilings that differ") {
    const std::vector<PlotLine> lines = machine_lines(host(), {});
    const PlotLine* f64 = find_line(lines, "f64 peak, 256-bit SIMD");
    REQUIRE(f64);
    CHECK(f64->roof);
    CHECK(f64->basis);
    CHECK(f64->rate == 100e9);
    const PlotLine* f32 = find_line(lines, "f32 peak, 256-bit SIMD");
    REQUIRE(f32);
    CHECK_FALSE(f32->basis);
    CHECK(find_line(lines, "no SIMD"));
    CHECK(find_line(lines, "one chain"));
    // Half of the cores and half of the lanes are one line; half of the flops lie too near to be another.
    const PlotLine* half = find_line(lines, "one thread or 128-bit SIMD");
    REQUIRE(half);
    CHECK(half->rate == 50e9);
    // The L3 is as fast as the L2 here: the farther one stays.
    CHECK(find_line(lines, "L1"));
    CHECK_FALSE(find_line(lines, "L2"));
    CHECK(find_line(lines, "L3"));
    const PlotLine* memory = find_line(lines, "memory");
    REQUIRE(memory);
    CHECK(memory->basis);
    CHECK(memory->rate == 40e9);
    CHECK(find_line(lines, "memory, one thread"));
    CHECK_FALSE(find_line(lines, "memory, one stream"));  // 5 % below the roof
    CHECK(find_line(lines, "memory, writes only"));
    CHECK(std::is_sorted(lines.begin(), lines.end(),
                         [](const PlotLine& a, const PlotLine& b) { return a.rate > b.rate; }));
    for (std::size_t i = 0; i < lines.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (lines[i].bandwidth != lines[j].bandwidth || lines[i].group != lines[j].group) continue;
            CHECK(lines[j].rate / lines[i].rate >= 1.15);
        }
    }
}

TEST_CASE("element types and levels can be chosen") {
    LineChoice choice;
    choice.dtypes = {DType::f32};
    choice.level = "L3";
    const std::vector<PlotLine> lines = machine_lines(host(), choice);
    for (const PlotLine& line : lines) CHECK((line.bandwidth ? line.group == "L3" : line.group == "f32"));
    CHECK(basis_of(lines, true)->rate == 295e9);
    CHECK(basis_of(lines, false)->group == "f32");
    CHECK(level_names(host()) == std::vector<std::string>{"L1", "L2", "L3", "memory"});
    CHECK(compute_types(host()) == std::vector<DType>{DType::f32, DType::f64});
    choice = {};
    choice.main_type = "f32";
    CHECK(basis_of(machine_lines(host(), choice), false)->group == "f32");
}

TEST_CASE("published machines: several precisions and units, no sparsity, one bandwidth") {
    Machine m;
    m.name = "An accelerator";
    const auto published = [&](DType dtype, const char* unit, double rate, bool sparse) {
        Ceiling c = ceiling(Resource::compute, {.dtype = dtype, .threads = 0}, rate);
        c.when.unit = unit;
        c.when.sparse = sparse;
        m.ceilings.push_back(c);
    };
    published(DType::bf16, "matrix", 2e14, false);
    published(DType::bf16, "matrix", 4e14, true);
    published(DType::bf16, "vector", 7e12, false);
    published(DType::f16, "matrix", 2e14, false);
    published(DType::int8, "matrix", 4e14, false);
    m.ceilings.push_back(ceiling(Resource::bandwidth, {.threads = 0}, 8e11));
    const std::vector<PlotLine> lines = machine_lines(m, {{}, {}, "bf16"});
    CHECK(find_line(lines, "bf16 peak, matrix")->rate == 2e14);
    CHECK(find_line(lines, "vector unit")->rate == 7e12);
    CHECK(find_line(lines, "int8 peak, matrix")->unit == "op/s");
    CHECK(find_line(lines, "memory")->rate == 8e11);
    CHECK(lines.size() == 5);
    const std::string svg = draw_roofline(plot_on(m, {})).svg;
    CHECK_THAT(svg, Contains("200 Tflop/s, f16 and bf16 peak, matrix</text>"));
    CHECK_THAT(svg, Contains("400 Top/s, int8 peak, matrix</text>"));
    CHECK_THAT(svg, Contains("stroke-dasharray=\"12 3 2 3 2 3\""));
}

TEST_CASE("a machine with one ceiling has a plot, one without any has no lines") {
    Machine m;
    m.name = "One";
    CHECK(machine_lines(m, {}).empty());
    CHECK(level_names(m).empty());
    for (const Ceiling& only : {peak(DType::f64, 256, 12, 2, 100e9), walk(256e6, 2, 4, 40e9)}) {
        m.ceilings = {only};
        RooflinePlot plot = plot_on(m, {.tool = "x", .file = "x", .points = {point("k", 1.0, 1e9, 1e9)}});
        CHECK(plot.lines.size() == 1);
        const RooflineDrawing drawing = draw_roofline(plot);
        CHECK(xml_fault(drawing.svg).empty());
        CHECK(drawing.svg.find("nan") == std::string::npos);
        CHECK(layout_faults(drawing.texts, drawing.page, drawing.area) == std::vector<std::string>{});
    }
}

TEST_CASE("what a point could reach, and by which roof") {
    const std::vector<PlotLine> lines = machine_lines(host(), {});
    const auto reach = [&](double intensity, double rate, const char* type) {
        return attainable(lines, {.name = "k", .intensity = intensity, .rate = rate, .group = type});
    };
    CHECK(reach(0.5, 1e9, "f64").rate == Approx(20e9));
    CHECK(reach(0.5, 1e9, "f64").line->label == "memory");
    CHECK(reach(2.5, 1e9, "f64").rate == Approx(100e9));  // the ridge: both give the same
    CHECK(reach(100.0, 1e9, "f64").line->group == "f64");
    CHECK(reach(100.0, 1e9, "f32").rate == Approx(200e9));
    CHECK(reach(100.0, 1e9, "").rate == Approx(100e9));  // the basis
    // On the roof it is still memory's; above it a cache must be at work.
    CHECK(reach(0.5, 20e9, "f64").line->label == "memory");
    CHECK(reach(0.1, 10e9, "f64").line->label == "L3");
    CHECK(reach(0.1, 40e9, "f64").line->label == "L1");
    // Above every diagonal: nothing explains it, and the fraction shows that.
    CHECK(reach(0.1, 90e9, "f64").rate < 90e9);
    CHECK(attainable({}, {.name = "k", .intensity = 1.0, .rate = 1.0}).line == nullptr);
}

TEST_CASE("regions part where ceilings meet roofs") {
    const std::vector<PlotLine> lines = machine_lines(host(), {});
    const Regions regions = regions_under(lines);
    CHECK(regions.memory_only == Approx(12e9 / 40e9));    // one chain under the memory roof
    CHECK(regions.compute_only == Approx(100e9 / 20e9));  // writes only under the peak
    CHECK(regions_under({}).compute_only == 0.0);
    std::vector<PlotLine> roofs = lines;
    std::erase_if(roofs, [](const PlotLine& line) { return !line.basis; });
    CHECK(regions_under(roofs).memory_only == Approx(2.5));
    CHECK(regions_under(roofs).compute_only == Approx(2.5));  // both at the ridge
}

TEST_CASE("points without a place are left out and counted by reason") {
    constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
    MeasuredPoints points{.tool = "ncu", .file = "a/b.json", .points = {}};
    points.points = {point("good", 1.0, 1e9, 1e9),     point("copy", 1.0, 0.0, 1e9),
                     point("memset", 1.0, 0.0, 1e9),   point("uncounted", 1.0, 1e9, 0.0),
                     point("timeless", 0.0, 1e9, 1e9), point("broken", kNaN, 1e9, 1e9)};
    const RooflinePlot plot = plot_on(host(), points);
    REQUIRE(plot.series.size() == 1);
    CHECK(plot.series[0].marks.size() == 1);
    CHECK(plot.left_out == std::map<std::string, int>{{"no time", 2},
                                                      {"no floating-point operations counted", 2},
                                                      {"no bytes counted", 1}});
    const RooflineDrawing drawing = draw_roofline(plot);
    CHECK_THAT(drawing.svg, Contains("2 points left out: no floating-point operations counted."));
    CHECK(drawing.remarks.size() == 3);
}

TEST_CASE("two files with the same kernel are joined by an arrow") {
    MeasuredPoints before{.tool = "ncu", .file = "before.json", .points = {point("k", 2.0, 1e10, 1e10)}};
    MeasuredPoints after{.tool = "ncu", .file = "after.json", .points = {point("k", 1.0, 1e10, 5e9)}};
    RooflinePlot plot = plot_on(host(), before);
    add_points(plot, after);
    REQUIRE(plot.arrows.size() == 1);
    CHECK(plot.arrows[0].from.rate == Approx(5e9));
    CHECK(plot.arrows[0].to.rate == Approx(10e9));
    CHECK_THAT(draw_roofline(plot).svg, Contains(">2.00×</text>"));
}

TEST_CASE("a band spans the kernel's intensities, from the axis to the roof") {
    RooflinePlot plot = plot_on(host(), {.tool = "x", .file = "x", .points = {point("k", 1.0, 1e9, 1e9)}});
    CHECK(draw_roofline(plot).svg.find("between 0.3") == std::string::npos);
    plot.series[0].band = {0.3, 1.0, "write-allocate"};
    CHECK_THAT(draw_roofline(plot).svg,
               Contains("between 0.3 flop/byte with write-allocate and 1 where each byte moves once"));
    plot.series[0].band = {1e-9, 1e-8, ""};  // beyond the axes
    CHECK(xml_fault(draw_roofline(plot).svg).empty());
}
