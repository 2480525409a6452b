// What is said of roofs that could not be probed undisturbed.
#include "tuner/engine/roof_notice.h"

#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;

namespace {

Ceiling probed(int threads, double rate, bool undisturbed) {
    Ceiling c;
    c.when.width_bits = 256;
    c.when.threads = threads;
    c.when.mix = Mix::fma;
    c.max = c.p95 = c.median = rate;
    c.windows = 10;
    c.source = "probe";
    c.undisturbed = undisturbed ? 10 : 0;
    if (undisturbed) c.top = {rate, rate, rate};
    return c;
}

Target two_widths(int threads) {
    Target target;
    target.width_bits = {128, 256};
    target.threads = threads;
    return target;
}

Work of_flops(double flops) {
    Work least;
    least.total.ops = Operations(flops);
    return least;
}

std::string said(const Machine& m, int threads) {
    return roof_notice(m, two_widths(threads), DType::f64, of_flops(1e6), 64);
}

std::string said(bool one, bool two, int threads) {
    Machine m;
    m.ceilings = {probed(1, 50e9, one), probed(2, 60e9, two)};
    return said(m, threads);
}

}  // namespace

TEST_CASE("a roof that stands for another is told, and so is one that is missing") {
    CHECK(said(true, true, 2).empty());
    CHECK_THAT(said(true, false, 2), Contains("on 2 threads is not known") &&
                                         Contains("2 times that of one") && Contains("`rooftune machine`"));
    CHECK(said(true, false, 1).empty());
    CHECK_THAT(said(false, false, 2),
               Contains("arithmetic over all operations is not known") &&
                   Contains("no bound rests on such a peak") && Contains("says little") &&
                   Contains("`rooftune machine` probes it again when the machine is quiet"));
    CHECK_THAT(said(false, true, 1), Contains("no bound rests on such a peak"));
    CHECK(said(Machine{}, 2).empty());
    Machine other;
    other.ceilings = {probed(1, 50e9, false)};
    CHECK(roof_notice(other, two_widths(1), DType::f32, of_flops(1e6), 64).empty());
}

TEST_CASE("a missing peak of narrower vectors: the problem's roof has no arithmetic") {
    Machine m;
    Ceiling narrow = probed(1, 30e9, false);
    narrow.when.width_bits = 128;
    narrow.undisturbed = 0;
    m.ceilings = {probed(1, 60e9, true), narrow};
    CHECK_THAT(said(m, 1), Contains("by narrower vectors is not known") &&
                               Contains("the problem's roof leaves arithmetic out"));
    // Variants that are all of wider vectors have a roof.
    CHECK(roof_notice(m, two_widths(1), DType::f64, of_flops(1e6), 256).empty());
    m.ceilings.pop_back();
    CHECK(said(m, 1).empty());
}

TEST_CASE("a missing peak of arithmetic: what bounds without it is named") {
    Machine m;
    Ceiling both = probed(1, 60e9, false), added = probed(1, 25e9, true);
    both.when.mix = Mix::fma_add;
    added.when.mix = Mix::add;
    m.ceilings = {both, added};
    CHECK_THAT(said(m, 1),
               Contains("bounds of arithmetic rest on additions alone, and") && !Contains("no bound rests"));
    m.ceilings.push_back(probed(1, 50e9, true));
    CHECK_THAT(said(m, 1), Contains("rest on additions alone and multiply-adds alone, and"));
    // Variants of narrower vectors have a peak of their own.
    Ceiling narrow = probed(1, 25e9, true);
    narrow.when.width_bits = 128;
    m.ceilings = {both, narrow};
    CHECK_THAT(said(m, 1), Contains("the peak of vectors of up to 128 bits"));
}

TEST_CASE("a missing peak of arithmetic: of no interest where the problem declares none") {
    Machine m;
    m.ceilings = {probed(1, 50e9, false)};
    CHECK_FALSE(said(m, 1).empty());
    CHECK(roof_notice(m, two_widths(1), DType::f64, of_flops(0.0), 64).empty());
}

TEST_CASE("a missing peak of arithmetic: told of a device, too") {
    Machine m;
    m.ceilings = {probed(1, 50e9, false), probed(4, 150e9, false)};
    for (Ceiling& c : m.ceilings) {
        c.when.device = "gpu";
        c.when.width_bits = 1024;  // wider than any vector of the processors
    }
    Target target;
    target.backend = Backend::opencl;
    target.threads = 4;
    CHECK_THAT(roof_notice(m, target, DType::f64, of_flops(1e6), 64),
               Contains("of this device is not known") && Contains("says little") &&
                   Contains("`rooftune machine --backend opencl`"));
    m.ceilings.front() = probed(1, 50e9, true);
    m.ceilings.front().when.width_bits = 1024;
    CHECK_THAT(roof_notice(m, target, DType::f64, of_flops(1e6), 64), Contains("on 4 compute units"));
}
