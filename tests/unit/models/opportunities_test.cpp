// Opportunities of a bound, with figures that can be checked by hand.
#include "models/opportunities.h"

#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Term term(TermKind kind, double seconds, bool demoted = false) {
    return {.kind = kind, .seconds = Seconds(seconds), .demoted = demoted};
}

/// Terms in any order but largest first, as explain() has them.
Bound bound_of(std::vector<Term> terms) {
    Bound bound;
    bound.terms = std::move(terms);
    for (int i = 0; i < static_cast<int>(bound.terms.size()) && bound.binding < 0; ++i) {
        if (!bound.terms[static_cast<std::size_t>(i)].demoted) bound.binding = i;
    }
    if (bound.binding >= 0)
        bound.seconds_lower = bound.terms[static_cast<std::size_t>(bound.binding)].seconds;
    return bound;
}

Topology two_cores() {
    Topology t;
    t.threads = 2;
    t.width_bits = {128, 256};
    t.caches = {{.level = 3, .reported = Bytes(32e6), .probed = Bytes(8e6), .shared_by = 2},
                {.level = 1, .reported = Bytes(32e3), .probed = Bytes(16e3)},
                {.level = 2, .probed = Bytes(500e3)}};
    return t;
}

Ceiling bandwidth(int streams, int threads, double footprint, double rate) {
    Conditions when;
    when.mix = Mix::load;
    when.streams = streams;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    return toy::ceiling(Resource::bandwidth, when, rate);
}

Ceiling peak(int width, int threads, double rate) {
    Conditions when;
    when.mix = Mix::fma;
    when.width_bits = width;
    when.chains = 8;
    when.threads = threads;
    return toy::ceiling(Resource::compute, when, rate);
}

}  // namespace

TEST_CASE("lifting a bottleneck leaves the largest term of another one") {
    // Reads and writes share memory with reads: making memory free leaves the loads.
    const Bound b =
        bound_of({term(TermKind::reads, 8.0), term(TermKind::both, 7.0), term(TermKind::reads_thread, 6.0),
                  term(TermKind::loads, 4.0), term(TermKind::fmas, 2.0), term(TermKind::compute, 1.0)});
    const std::vector<Lift> all = lifts(b);
    REQUIRE(all.size() == 3);
    CHECK(all[0].lifted == std::vector{Bottleneck::memory});
    CHECK(all[0].then.value == 4.0);
    CHECK(all[0].binding == 3);
    CHECK(all[1].lifted == std::vector{Bottleneck::memory, Bottleneck::loads});
    CHECK(all[1].then.value == 2.0);
    CHECK(b.terms[static_cast<std::size_t>(all[1].binding)].kind == TermKind::fmas);
    CHECK(all[2].binding == -1);
    CHECK(all[2].then.value == 0.0);
}

TEST_CASE("demoted terms neither bind nor are left") {
    const Bound b = bound_of({term(TermKind::reads, 8.0, true), term(TermKind::compute, 4.0),
                              term(TermKind::loads, 3.0, true), term(TermKind::chain, 1.0)});
    const std::vector<Lift> all = lifts(b);
    REQUIRE(all.size() == 2);
    CHECK(all[0].lifted == std::vector{Bottleneck::arithmetic});
    CHECK(all[0].then.value == 1.0);
    CHECK(lifts(Bound{}).empty());
    CHECK(lifts(bound_of({term(TermKind::reads, 1.0, true)})).empty());
}

TEST_CASE("every kind of term has a bottleneck with words") {
    for (int k = 0; k < kTermKinds; ++k) {
        const auto kind = static_cast<TermKind>(k);
        const Bottleneck b = bottleneck_of(kind);
        CHECK_FALSE(to_text(b).empty());
        CHECK_FALSE(relief_of(b).empty());
        if (b == Bottleneck::memory) CHECK(is_traffic(kind));
    }
    CHECK(bottleneck_of(TermKind::link) == Bottleneck::link);
    CHECK(bottleneck_of(TermKind::both_thread) == Bottleneck::memory);
}

TEST_CASE("an even partition leaves each thread its share, and never more than it had") {
    Work work;
    work.total = {Operations(100), Operations(60), Operations(40), Operations(20)};
    work.heaviest = {Operations(80), Operations(20), Operations(25), Operations(10)};
    work.traffic.reads = Bytes(1000);
    work.heaviest_traffic.reads = Bytes(700);
    work.heaviest_traffic.writes = Bytes(0);
    const Work even = evened(work, 2);
    CHECK(even.heaviest.ops.value == 50.0);
    CHECK(even.heaviest.instructions.value == 20.0);  // had less than its share: kept
    CHECK(even.heaviest.loads.value == 20.0);
    CHECK(even.heaviest.fmas.value == 10.0);
    CHECK(even.heaviest_traffic.reads.value == 500.0);
    CHECK(even.heaviest_traffic.writes.value == 0.0);
    CHECK(even.total.ops.value == 100.0);
}

TEST_CASE("surplus operations are those beyond the nominal ones") {
    Work work;
    work.flops_nominal = Operations(80);
    work.total.ops = Operations(100);
    work.heaviest.ops = Operations(60);
    work.heaviest.fmas = Operations(10);
    const Work least = without_surplus(work);
    CHECK(least.total.ops.value == Approx(80.0));
    CHECK(least.heaviest.ops.value == Approx(48.0));
    CHECK(least.heaviest.fmas.value == Approx(8.0));
    work.flops_nominal = Operations(200);
    CHECK(without_surplus(work).total.ops.value == 100.0);
    work.flops_nominal = Operations(0);
    CHECK(without_surplus(work).total.ops.value == 100.0);
}

TEST_CASE("the level that holds some bytes counts the caches of all threads") {
    const Topology t = two_cores();
    CHECK(level_holding(t, 1, Bytes(32e3)) == "L1");
    CHECK(level_holding(t, 1, Bytes(33e3)) == "L2");
    CHECK(level_holding(t, 2, Bytes(64e3)) == "L1");
    CHECK(level_holding(t, 1, Bytes(501e3)) == "L3");  // nothing is reported: the probed size counts
    CHECK(level_holding(t, 2, Bytes(1e6)) == "L2");
    CHECK(level_holding(t, 2, Bytes(8e6)) == "L3");          // shared: one instance
    CHECK(level_holding(t, 2, Bytes(9e6)) == "L3 or DRAM");  // more than was probed of it
    CHECK(level_holding(t, 2, Bytes(32e6)) == "L3 or DRAM");
    CHECK(level_holding(t, 2, Bytes(33e6)) == "DRAM");
    CHECK(level_holding(t, 64, Bytes(65e3)) == "L2");  // no more caches than the machine has
    CHECK(level_holding(Topology{}, 2, Bytes(1)) == "DRAM");
}

TEST_CASE("a variant's own streams are a lower ceiling; the roof's own are none") {
    Machine m;
    m.topology = two_cores();
    m.ceilings = {bandwidth(1, 2, 1e8, 3e10), bandwidth(4, 2, 1e8, 4e10), bandwidth(1, 2, 1e4, 9e10),
                  bandwidth(1, 1, 1e8, 2e10)};
    const Roofs roofs(m);
    const Term reads{
        .kind = TermKind::reads, .amount = 1e8, .rate = 4e10, .beyond = Bytes(1e6), .ceiling = 1};
    const std::vector<Missing> found = ceilings_above(roofs, reads, {.threads = 2, .streams = 1}, 0.03);
    REQUIRE(found.size() == 1);
    CHECK(found[0].what == "streams");
    CHECK(found[0].own == 1);
    CHECK(found[0].best == 4);
    CHECK(found[0].rate == 3e10);  // not the cache's rate, nor that of one thread
    CHECK(found[0].roof == 4e10);
    CHECK(found[0].ceiling == 0);
    CHECK(ceilings_above(roofs, reads, {.threads = 2, .streams = 4}, 0.03).empty());
    CHECK(ceilings_above(roofs, reads, {.threads = 2, .streams = 0}, 0.03).empty());  // not known
    CHECK(ceilings_above(roofs, reads, {.threads = 2, .streams = 1}, 0.4).empty());   // within noise
    CHECK(ceilings_above(roofs, reads, {.threads = 2, .streams = 2}, 0.03).empty());  // never probed
}

TEST_CASE("narrow vectors and idle threads are lower ceilings, on machines that have more") {
    Machine m;
    m.topology = two_cores();
    m.ceilings = {peak(128, 2, 2e10), peak(256, 2, 4e10), peak(128, 1, 1e10), peak(256, 1, 2e10)};
    const Roofs roofs(m);
    const auto compute = [](double rate, int ceiling) {
        return Term{.kind = TermKind::compute, .rate = rate, .ceiling = ceiling};
    };
    const std::vector<Missing> narrow =
        ceilings_above(roofs, compute(2e10, 0), {.width_bits = 128, .threads = 2}, 0.03);
    REQUIRE(narrow.size() == 1);
    CHECK(narrow[0].what == "simd");
    CHECK(narrow[0].roof == 4e10);
    const std::vector<Missing> idle =
        ceilings_above(roofs, compute(2e10, 3), {.width_bits = 256, .threads = 1}, 0.03);
    REQUIRE(idle.size() == 1);
    CHECK(idle[0].what == "threads");
    CHECK(idle[0].best == 2);
    // Nothing that this machine has not: the widest vectors on all threads miss nothing.
    CHECK(ceilings_above(roofs, compute(4e10, 1), {.width_bits = 256, .threads = 2}, 0.03).empty());
    // Nor does width help where memory binds.
    const Term reads{.kind = TermKind::reads, .rate = 1e10, .ceiling = 0};
    CHECK(ceilings_above(roofs, reads, {.width_bits = 128, .threads = 2}, 0.03).empty());
}
