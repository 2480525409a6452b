// The peak and the memory's bandwidth of a machine: the roofs that bounds rest on, proven or not.
#include "tuner/ceilings/best_rates.h"

#include "tests/support/catch.h"

using namespace rooftune;

namespace {

Ceiling probed(Resource resource, const Conditions& when, double rate, bool undisturbed = true) {
    Ceiling c;
    c.resource = resource;
    c.when = when;
    c.max = c.p95 = c.median = rate;
    c.windows = 20;
    c.undisturbed = undisturbed ? 20 : 0;
    if (undisturbed) c.top = {rate, rate, rate};
    c.source = "probe";
    return c;
}

Ceiling peak_on(double rate, int threads, bool undisturbed = true) {
    return probed(Resource::compute,
                  {.dtype = DType::f64, .width_bits = 256, .mix = Mix::fma, .chains = 12, .threads = threads},
                  rate, undisturbed);
}

Ceiling walk_at(double rate, double footprint, int threads, bool undisturbed = true) {
    return probed(Resource::bandwidth,
                  {.mix = Mix::update, .threads = threads, .footprint = Bytes(footprint), .streams = 1}, rate,
                  undisturbed);
}

Machine two_threads(bool undisturbed) {
    Machine m;
    m.topology.threads = m.topology.cores = 2;
    m.topology.width_bits = {256};
    m.ceilings = {peak_on(200e9, 1),     peak_on(364e9, 2, undisturbed), walk_at(60e9, 1e5, 1),
                  walk_at(12e9, 1e9, 1), walk_at(90e9, 1e5, 2),          walk_at(20e9, 1e9, 2)};
    return m;
}

}  // namespace

TEST_CASE("best rates: what two threads reached where they were undisturbed", "[best_rates]") {
    const Machine m = two_threads(true);
    const Roofs roofs(m);
    const BestRate best = peak_of(m, roofs, DType::f64, kAnyWidth, 2);
    CHECK(best.seen == 364e9);
    CHECK(best.at_most == 364e9);
    CHECK(best.proven);
    CHECK(peak_of(m, roofs, DType::f64, kAnyWidth, 1).seen == 200e9);
    CHECK(peak_of(m, roofs, DType::f32, kAnyWidth, 2).seen == 0.0);
    CHECK(memory_bandwidth_of(m, roofs, 2).seen == 20e9);
    CHECK(memory_bandwidth_of(m, roofs, 1).seen == 12e9);
    CHECK(all_threads(m) == 2);
}

TEST_CASE("best rates: what is not proven of two threads is that of one, twice", "[best_rates]") {
    const Machine m = two_threads(false);
    const Roofs roofs(m);
    const BestRate best = peak_of(m, roofs, DType::f64, kAnyWidth, 2);
    CHECK(best.at_most == roofs.compute(DType::f64, kAnyWidth, 2).rate);
    CHECK(best.at_most == 400e9);
    CHECK(best.seen == 364e9);
    CHECK_FALSE(best.proven);
    // Where not even one thread is proven, there is no roof, and what was seen is shown.
    Machine none = m;
    none.ceilings[0] = peak_on(200e9, 1, false);
    const BestRate unknown = peak_of(none, Roofs(none), DType::f64, kAnyWidth, 2);
    CHECK(unknown.seen == 364e9);
    CHECK(unknown.at_most == 0.0);
    CHECK_FALSE(unknown.proven);
}

TEST_CASE("best rates: of a machine known on fewer threads than it has, and of a published one",
          "[best_rates]") {
    Machine one = two_threads(true);
    std::erase_if(one.ceilings, [](const Ceiling& c) { return c.when.threads == 2; });
    CHECK(all_threads(one) == 1);
    CHECK(peak_of(one, Roofs(one), DType::f64, kAnyWidth, all_threads(one)).seen == 200e9);
    Machine published;
    published.topology.threads = 132;
    Ceiling c = peak_on(50e12, 0);
    c.undisturbed = -1;
    published.ceilings = {c};
    CHECK(all_threads(published) == 132);
    CHECK(peak_of(published, Roofs(published), DType::f64, kAnyWidth, 132).seen == 50e12);
    CHECK(all_threads(Machine{}) == Machine{}.topology.threads);
}

TEST_CASE("best rates: of a memory that two threads never had for themselves", "[best_rates]") {
    Machine m = two_threads(true);
    for (Ceiling& c : m.ceilings) {
        if (c.resource == Resource::bandwidth && c.when.threads == 2) c.undisturbed = 0, c.top.clear();
    }
    const BestRate best = memory_bandwidth_of(m, Roofs(m), 2);
    CHECK(best.seen == 20e9);
    CHECK(best.at_most == 120e9);  // twice what one thread has at the next smaller footprint
    CHECK_FALSE(best.proven);
    const BestRate ridge = ridge_of(peak_of(m, Roofs(m), DType::f64, kAnyWidth, 2), best);
    CHECK(ridge.seen == Approx(18.2));
    CHECK(ridge.at_most == Approx(364.0 / 120.0));  // as `bound` says it, of the roofs
    CHECK_FALSE(ridge.proven);
}

TEST_CASE("best rates: half of what two threads reached is what one did", "[best_rates]") {
    Machine m = two_threads(true);
    m.ceilings[1] = peak_on(404e9, 2);
    const BestRate best = peak_of(m, Roofs(m), DType::f64, kAnyWidth, 1);
    CHECK(best.seen == 202e9);
    CHECK(best.proven);
}

TEST_CASE("best rates: the mark of what is not proven", "[best_rates]") {
    const auto text = [](double rate) { return std::to_string(static_cast<int>(rate)); };
    for (const auto& [rate, wanted] :
         {std::pair{BestRate{.seen = 72.0, .at_most = 72.0, .proven = true}, "72"},
          {BestRate{.seen = 72.0, .at_most = 80.0}, "at most 80 (seen 72)"},
          {BestRate{.seen = 72.0, .at_most = 72.0}, "at most 72"},
          {BestRate{.seen = 72.0}, "seen 72"}}) {
        CHECK(best_rate_text(rate, text) == wanted);
    }
    // A ridge of roofs may lie below that of rates seen: it is no limit, and is not called one.
    for (const auto& [rate, wanted] :
         {std::pair{BestRate{.seen = 72.0, .at_most = 72.0, .proven = true}, "72"},
          {BestRate{.seen = 72.0, .at_most = 12.0}, "12 in bounds (72 of rates seen)"},
          {BestRate{.seen = 72.0, .at_most = 72.0}, "72 in bounds"},
          {BestRate{.seen = 72.0}, "seen 72"}}) {
        CHECK(ridge_text(rate, text) == wanted);
    }
}
