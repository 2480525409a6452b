#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Conditions load_at(double footprint, int threads) {
    Conditions when;
    when.mix = Mix::load;
    when.footprint = Bytes(footprint);
    when.threads = threads;
    when.streams = 1;
    return when;
}

}  // namespace

TEST_CASE("traffic of a warm start: up to w bytes may be there, up to w dirty bytes may stay") {
    const TrafficProfile p{Bytes(100), Bytes(40), 1.0, State::warm};
    CHECK(p.reads_beyond(Bytes(30)).value == 70.0);
    CHECK(p.writes_beyond(Bytes(30)).value == 10.0);
    CHECK(p.sum_beyond(Bytes(30)).value == 80.0);
    CHECK(p.reads_beyond(Bytes(100)).value == 0.0);
    // Nothing need be written, and still the reads that did not fit must come in.
    CHECK(p.sum_beyond(Bytes(80)).value == 20.0);
    CHECK(p.sum_beyond(Bytes(100)).value == 0.0);
}

TEST_CASE("traffic of a cold start: every byte read comes in") {
    const TrafficProfile p{Bytes(100), Bytes(40), 1.0, State::cold};
    CHECK(p.reads_beyond(Bytes(1e9)).value == 100.0);
    CHECK(p.writes_beyond(Bytes(30)).value == 10.0);
    CHECK(p.sum_beyond(Bytes(30)).value == 110.0);
}

TEST_CASE("passes after the first start warm") {
    const TrafficProfile p{Bytes(100), Bytes(40), 3.0, State::cold};
    CHECK(p.reads_beyond(Bytes(30)).value == 100.0 + 2 * 70.0);
    CHECK(p.writes_beyond(Bytes(30)).value == 30.0);
    CHECK(p.sum_beyond(Bytes(30)).value == 110.0 + 2 * 80.0);
}

TEST_CASE("traffic never grows with the capacity") {
    for (const State state : {State::warm, State::cold}) {
        for (const double passes : {1.0, 4.0}) {
            const TrafficProfile p{Bytes(1000), Bytes(333), passes, state};
            double sum = p.sum_beyond(Bytes(0)).value;
            for (double w = 1; w < 2000; w *= 1.3) {
                CHECK(p.sum_beyond(Bytes(w)).value <= sum);
                sum = p.sum_beyond(Bytes(w)).value;
                CHECK(p.reads_beyond(Bytes(w)).value + p.writes_beyond(Bytes(w)).value >= sum - 1e-9);
            }
        }
    }
}

TEST_CASE("B* is the running maximum from the right") {
    Machine m;
    m.ceilings = {
        toy::ceiling(Resource::bandwidth, load_at(1e3, 1), 50.0),
        toy::ceiling(Resource::bandwidth, load_at(1e4, 1), 20.0),
        toy::ceiling(Resource::bandwidth, load_at(1e5, 1), 30.0),  // a probe further right was faster
        toy::ceiling(Resource::bandwidth, load_at(1e6, 1), 10.0)};
    const Roofs roofs(m);
    const auto& steps = roofs.bandwidth(1);
    REQUIRE(steps.size() == 4);
    CHECK(steps[0].read == 50.0);
    CHECK(steps[1].read == 30.0);
    CHECK(steps[1].read_ceiling == 2);
    CHECK(steps[2].read == 30.0);
    CHECK(steps[3].read == 10.0);
    CHECK(steps[0].write == 0.0);  // never measured: no term
}

TEST_CASE("a thread count that was never probed is not bounded by fewer threads") {
    const Machine m = toy::machine();
    const Roofs roofs(m);
    CHECK(roofs.bandwidth(3).empty());
    CHECK_FALSE(roofs.compute(DType::f64, 512, 3));
    CHECK(roofs.compute(DType::f64, 512, 2).rate == 16e9);
    CHECK(roofs.compute(DType::f64, 128, 1).rate == 2e9);
    CHECK_FALSE(roofs.compute(DType::f32, 512, 1));
}

TEST_CASE("no ceiling, no term: an unmeasured machine excludes nothing") {
    const Machine empty;
    const Roofs roofs(empty);
    const BoundModel bound(roofs);
    const Space space = toy::space();
    const toy::Model model(space);
    const PartialVariant root;
    CHECK(bound.seconds(model.work(root), model.traits(root)).value == 0.0);
    const Bound b = bound.explain(model.work(root), model.traits(root));
    CHECK(b.binding == -1);
    CHECK(b.terms.empty());
    CHECK(bound.margin(b) == Approx(0.03));
}

TEST_CASE("hot and cold path agree, and T_serial lies between T_lower and twice that") {
    const Machine m = toy::machine();
    const Roofs roofs(m);
    const BoundModel bound(roofs);
    const Space space = toy::space();
    const toy::Model model(space);
    space.each(PartialVariant{}, [&](const Variant& v) {
        const Bound b = bound.explain(model.work(v), model.traits(v));
        CHECK(b.seconds_lower == bound.seconds(model.work(v), model.traits(v)));
        CHECK(b.seconds_serial >= b.seconds_lower);
        CHECK(b.seconds_serial.value <= 2.0 * b.seconds_lower.value);
        REQUIRE(b.binding >= 0);
        CHECK(b.terms[static_cast<std::size_t>(b.binding)].seconds == b.seconds_lower);
        CHECK(b.terms[static_cast<std::size_t>(b.binding)].ceiling >= 0);
        const RankParts rank = bound.rank(model.work(v), model.traits(v));
        CHECK(std::max(rank.in_core, rank.traffic) >= b.seconds_lower);
        return true;
    });
}

TEST_CASE("a demoted term is shown and bounds nothing") {
    const Machine m = toy::machine();
    const Roofs roofs(m);
    const Space space = toy::space();
    const toy::Model model(space);
    const PartialVariant root;
    const Bound before = BoundModel(roofs).explain(model.work(root), model.traits(root));
    const TermKind kind = before.terms[static_cast<std::size_t>(before.binding)].kind;
    const BoundModel without(roofs, {kind});
    const Bound after = without.explain(model.work(root), model.traits(root));
    CHECK(after.terms.size() == before.terms.size());
    CHECK(after.terms.front().demoted);
    CHECK(after.terms[static_cast<std::size_t>(after.binding)].kind != kind);
    CHECK(after.seconds_lower <= before.seconds_lower);
}

TEST_CASE("chain: steps of the fastest dependent operation, counted per vector") {
    Machine m;
    Conditions when;
    when.width_bits = 512;
    when.chains = 1;
    when.mix = Mix::fma;
    m.ceilings.push_back(toy::ceiling(Resource::compute, when, 16e9));  // 1e9 steps/s: 8 lanes × 2 flops
    when.mix = Mix::add;
    m.ceilings.push_back(toy::ceiling(Resource::compute, when, 12e9));  // 1.5e9 steps/s
    when.mix = Mix::fma_add;
    m.ceilings.push_back(
        toy::ceiling(Resource::compute, when, 900e9));  // two instructions a step: not a chain
    const Roofs roofs(m);
    CHECK(roofs.chain(DType::f64, 512).rate == Approx(1.5e9));
    CHECK_FALSE(roofs.chain(DType::f64, 256));
    CHECK(roofs.fused_chain(DType::f64, 512).rate == Approx(1e9));
    CHECK_FALSE(roofs.fused_chain(DType::f64, 256));

    // Chains that are certainly fused have their own latency, where the widest vectors were probed with it.
    Work work;
    work.chain_steps = Operations(3e9);
    const Traits traits{.dtype = DType::f64, .width_bits = 512, .threads = 1};
    CHECK(BoundModel(roofs).seconds(work, traits).value == Approx(2.0));
    work.chain_fused = true;
    CHECK(BoundModel(roofs).seconds(work, traits).value == Approx(3.0));
    CHECK(BoundModel(roofs).explain(work, traits).terms.front().ceiling == 0);
    CHECK(BoundModel(roofs, {TermKind::chain}).seconds(work, traits).value == 0.0);
    m.ceilings[0].when.width_bits = 256;
    m.ceilings[0].max = 8e9;
    const Roofs narrower(m);
    CHECK(narrower.fused_chain(DType::f64, 256).rate == Approx(1e9));
    CHECK_FALSE(narrower.fused_chain(DType::f64, 512));
    CHECK(BoundModel(narrower).seconds(work, traits).value == Approx(2.0));
}

TEST_CASE(
    "what replacement allows: all bytes of a pass at the rate of a walk over as many, in the proven terms' "
    "place") {
    Machine m;
    m.ceilings = {
        toy::ceiling(Resource::bandwidth, load_at(1e6, 1), 1e11),
        toy::ceiling(Resource::bandwidth, load_at(1e7, 1), 4e10),
        toy::ceiling(Resource::bandwidth, load_at(1e8, 1), 1e10),
    };
    const Roofs roofs(m);
    const BoundModel bound(roofs);
    Work work;
    work.traffic.reads = Bytes(1e8);
    Traits traits;
    // Any cache: up to w bytes may have stayed, so 9e7 at 4e10 and nothing at 1e10.
    CHECK(bound.seconds(work, traits).value == Approx(9e7 / 4e10));
    CHECK(bound.with_replacement(work, traits, true).value == Approx(1e8 / 1e10));
    // Between two footprints the smaller one stands for what was not walked; they are whole kilobytes.
    work.traffic.reads = Bytes(9e7);
    CHECK(bound.with_replacement(work, traits, true).value == Approx(9e7 / 4e10));
    work.traffic.reads = Bytes(1e8 - 500.0);
    CHECK(bound.with_replacement(work, traits, true).value == Approx((1e8 - 500.0) / 1e10));
    // Less than was ever walked could be faster than any walk.
    work.traffic.reads = Bytes(1e5);
    CHECK(bound.with_replacement(work, traits, true).value == bound.seconds(work, traits).value);
    // Beyond all that was walked: the largest of it.
    work.traffic.reads = Bytes(1e10);
    CHECK(bound.with_replacement(work, traits, true).value == Approx(1e10 / 1e10));
    work.traffic.passes = 3.0;
    CHECK(bound.with_replacement(work, traits, true).value == Approx(3.0));
    // A demoted term is none here either.
    CHECK(BoundModel(roofs, {TermKind::reads, TermKind::both}).with_replacement(work, traits, true).value ==
          0.0);
    // A product uses what it has loaded again: its proven bound stands alone.
    work.traffic.passes = 1.0;
    work.traffic.products = 1e9;
    CHECK(bound.with_replacement(work, traits, true).value == bound.seconds(work, traits).value);
    // Without a ceiling there is no term.
    const Machine empty;
    const Roofs none(empty);
    CHECK(BoundModel(none).with_replacement(work, traits, true).value == 0.0);
}
