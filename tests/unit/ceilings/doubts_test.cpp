// What speaks against a machine's model: planted models with and without each reason.
#include <algorithm>

#include "tests/support/catch.h"
#include "tuner/ceilings/doubts.h"

using namespace rooftune;

namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
const std::string kToday = "2026-11-25T12:00:00Z";

Ceiling proven(Resource resource, const Conditions& when, double rate) {
    Ceiling c;
    c.resource = resource;
    c.when = when;
    c.max = c.p95 = c.median = rate;
    c.windows = c.undisturbed = 20;
    c.top = {rate, rate, rate};
    c.seen = kToday;
    c.source = "probe";
    return c;
}

Ceiling peak(double rate, int threads, Mix mix = Mix::fma) {
    return proven(Resource::compute,
                  {.dtype = DType::f64, .width_bits = 256, .mix = mix, .chains = 12, .threads = threads},
                  rate);
}

Ceiling walked(Mix mix, double rate, int threads, double mib = 256.0) {
    return proven(Resource::bandwidth,
                  {.mix = mix, .threads = threads, .footprint = Bytes(mib * kMebibyte), .streams = 1}, rate);
}

// Full, of today, undisturbed, and in itself consistent.
Machine sound() {
    Machine m;
    m.topology.threads = m.topology.cores = 2;
    m.topology.width_bits = {256};
    m.ceilings = {peak(30e9, 1), peak(60e9, 2), peak(4e9, 1, Mix::div), peak(8e9, 2, Mix::div)};
    for (const Mix mix : {Mix::load, Mix::store, Mix::update}) {
        m.ceilings.push_back(walked(mix, 15e9, 1));
        m.ceilings.push_back(walked(mix, 20e9, 2));
    }
    return m;
}

bool says(const Machine& m, const std::string& words) {
    const std::vector<std::string> all = model_doubts(m, kToday);
    return std::any_of(all.begin(), all.end(),
                       [&](const std::string& text) { return text.find(words) != std::string::npos; });
}

}  // namespace

TEST_CASE("nothing speaks against a full model of today", "[doubts]") {
    CHECK(model_doubts(sound(), kToday).empty());
    CHECK(model_doubts(Machine{}, kToday).empty());
}

TEST_CASE("two threads that read less than one contradict themselves", "[doubts]") {
    Machine m = sound();
    for (Ceiling& c : m.ceilings) {
        if (c.resource == Resource::bandwidth && c.when.mix == Mix::load && c.when.threads == 2) c.max = 13e9;
    }
    REQUIRE(contradictions(m).size() == 1);
    CHECK(contradictions(m).front().more->when.threads == 2);
    CHECK(says(m, "2 threads load 13.0 GB/s of 256 MiB, one alone 15.0 GB/s"));
    // Within the noise of the probes, and by rates of data that threads share, it does not.
    m = sound();
    for (Ceiling& c : m.ceilings) {
        if (c.resource == Resource::bandwidth && c.when.threads == 2) c.max = 14.5e9;
    }
    m.ceilings.push_back(walked(Mix::load, 2e9, 2, 512.0));
    m.ceilings.back().when.shared = true;
    CHECK(contradictions(m).empty());
}

TEST_CASE("other pairs that contradict are counted in words", "[doubts]") {
    Machine m = sound();
    const auto slow = [&](Mix mix) {
        for (Ceiling& c : m.ceilings) {
            if (c.resource == Resource::bandwidth && c.when.mix == mix && c.when.threads == 2) c.max = 12e9;
        }
    };
    slow(Mix::load);
    CHECK_FALSE(says(m, "more such pair"));
    slow(Mix::store);
    CHECK(says(m, "(and 1 more such pair)."));
    slow(Mix::update);
    CHECK(says(m, "(and 2 more such pairs)."));
}

TEST_CASE("arithmetic is compared over all widths and chains", "[doubts]") {
    Machine m = sound();
    m.ceilings[1].max = 29e9;
    CHECK(contradictions(m).empty());
    m.ceilings[1].max = 25e9;
    CHECK(says(m, "2 threads compute f64 in 25.0 Gflop/s, one alone 30.0 Gflop/s"));
    // A wider or longer probe of two threads that is higher takes the reason away.
    m.ceilings.push_back(peak(55e9, 2, Mix::fma_add));
    CHECK(contradictions(m).empty());
}

TEST_CASE("walks are compared over the largest footprint that both have", "[doubts]") {
    Machine m = sound();
    // One thread in its cache is faster than two in memory; two were never probed there.
    m.ceilings.push_back(walked(Mix::load, 100e9, 1, 1.0));
    // Two were probed beyond what one was, and slower.
    m.ceilings.push_back(walked(Mix::load, 10e9, 2, 1024.0));
    CHECK(contradictions(m).empty());
}

TEST_CASE("what was never probed undisturbed is counted", "[doubts]") {
    Machine m = sound();
    m.ceilings[1].undisturbed = 0;
    m.ceilings[1].top.clear();
    CHECK(unproven(m) == 1);
    CHECK(says(m, "1 of 10 ceilings was never probed undisturbed"));
    CHECK(unproven(sound()) == 0);
}

TEST_CASE("old and quick models say so, and published ones do not", "[doubts]") {
    Machine m = sound();
    m.ceilings[0].seen = "2026-10-01T12:00:00Z";
    CHECK(says(m, "1 of 10 ceilings were last seen more than 30 days ago"));
    CHECK(model_doubts(m, "").empty());
    m = sound();
    std::erase_if(m.ceilings, [](const Ceiling& c) { return c.when.mix == Mix::div; });
    CHECK(says(m, "This is the quick model"));
    m.topology.source = "a data sheet";
    CHECK(model_doubts(m, kToday).empty());
}
