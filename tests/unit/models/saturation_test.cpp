// Evidence for ceilings: which rates are the machine's, and what holds until that is known.
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

/// A peak of f64 FMAs with the undisturbed windows behind it.
Ceiling seen(int width, int threads, std::vector<double> top, int undisturbed = 10, Mix mix = Mix::fma) {
    Conditions when;
    when.width_bits = width;
    when.threads = threads;
    when.mix = mix;
    Ceiling c = toy::ceiling(Resource::compute, when, top.empty() ? 1.0 : top.front());
    c.undisturbed = undisturbed;
    c.top = std::move(top);
    return c;
}

Ceiling sure(int width, int threads, double rate) {
    return seen(width, threads, {rate, 0.99 * rate, 0.98 * rate});
}

Machine of(std::vector<Ceiling> ceilings) {
    Machine m;
    m.ceilings = std::move(ceilings);
    return m;
}

double roof(const Machine& m, int width, int threads) {
    return Roofs(m).compute(DType::f64, width, threads).rate;
}

}  // namespace

TEST_CASE("a rate is saturated when enough undisturbed windows are behind it and the fastest agree with it") {
    CHECK(sure(512, 2, 100.0).saturated());
    CHECK_FALSE(seen(512, 2, {100.0, 99.0, 96.0}).saturated());
    CHECK_FALSE(seen(512, 2, {100.0, 99.0}).saturated());
    CHECK_FALSE(seen(512, 2, {100.0, 99.0, 98.0}, kUndisturbedWindows - 1).saturated());
    CHECK_FALSE(seen(512, 2, {}, 0).saturated());
    // What a disturbed window reached is reached all the same, and the undisturbed ones no longer agree with
    // it.
    Ceiling above = sure(512, 2, 100.0);
    above.max = 110.0;
    CHECK_FALSE(above.saturated());
    // Not counted: published, or a file of before windows were.
    CHECK(seen(512, 2, {}, -1).saturated());
}

TEST_CASE("evidence adds up over probes, each window once") {
    Machine m = of({seen(512, 2, {100.0, 99.0}, 2)});
    CHECK_FALSE(m.ceilings[0].saturated());
    merge(m, seen(512, 2, {99.5, 90.0, 80.0}, 3));
    CHECK(m.ceilings[0].undisturbed == 5);
    CHECK(m.ceilings[0].top == std::vector<double>{100.0, 99.5, 99.0});
    CHECK(m.ceilings[0].saturated());
    // A faster one takes what agreed with the slower one away.
    merge(m, seen(512, 2, {120.0}, 1));
    CHECK_FALSE(m.ceilings[0].saturated());
    // An older file's rate is kept, and from now on windows count.
    Machine old = of({seen(512, 2, {}, -1)});
    old.ceilings[0].max = 100.0;
    merge(old, seen(512, 2, {50.0, 50.0, 50.0}, 8));
    CHECK(old.ceilings[0].max == 100.0);
    CHECK_FALSE(old.ceilings[0].saturated());
    // A preset's value, or an answer that counts nothing, takes no evidence away.
    merge(m, seen(512, 2, {}, -1));
    CHECK(m.ceilings[0].undisturbed == 6);
}

TEST_CASE("until two threads are saturated their roof is twice that of one, and that of one is none") {
    // Beside another process two threads reached what one does.
    const Ceiling halved = seen(256, 2, {47.0, 30.0, 28.0}, 3);
    CHECK(roof(of({sure(256, 1, 48.0), halved}), 256, 2) == 96.0);
    CHECK(roof(of({sure(256, 1, 48.0), sure(256, 2, 90.0)}), 256, 2) == 90.0);
    CHECK(roof(of({seen(256, 1, {48.0, 30.0}, 2), halved}), 256, 2) == 0.0);
    CHECK(roof(of({seen(256, 1, {48.0, 30.0}, 2), sure(256, 2, 90.0)}), 256, 1) == 0.0);
    CHECK(roof(of({halved}), 256, 2) == 0.0);
    // What was reached is within reach, with or without evidence.
    CHECK(roof(of({sure(256, 1, 40.0), seen(256, 2, {99.0, 50.0, 50.0}, 9)}), 256, 2) == 99.0);
    // One thread of narrower vectors says nothing of wider ones.
    CHECK(roof(of({sure(128, 1, 24.0), seen(512, 2, {47.0, 30.0}, 3)}), 512, 2) == 0.0);
    CHECK(roof(of({sure(128, 1, 24.0), seen(512, 2, {47.0, 30.0}, 3)}), 128, 1) == 24.0);
}

TEST_CASE("what may be of several widths has a roof where each of them has one") {
    const auto open = [](const Machine& m, int narrowest) {
        return Roofs(m).compute(DType::f64, 512, 1, narrowest).rate;
    };
    const Machine unseen = of({sure(512, 1, 60.0), seen(256, 1, {}, 0), sure(128, 1, 15.0)});
    CHECK(open(unseen, 0) == 60.0);
    CHECK(open(unseen, 512) == 60.0);
    CHECK(open(unseen, 256) == 0.0);
    CHECK(open(unseen, 64) == 0.0);
    // One that was disturbed sometimes borrows the wider ones' roof, and so do all.
    const Machine borrowed = of({sure(512, 1, 60.0), seen(256, 1, {29.0, 20.0}, 3), sure(128, 1, 15.0)});
    CHECK(open(borrowed, 64) == 60.0);
    // By operations of one kind alone.
    CHECK(Roofs(unseen).fused(DType::f64, 512, 1, 512).rate == 60.0);
    CHECK(Roofs(unseen).fused(DType::f64, 512, 1, 256).rate == 0.0);
}

TEST_CASE("beside a saturated rate another one that was never seen undisturbed could be higher") {
    const Ceiling never = seen(512, 2, {}, 0, Mix::fma_add);
    const Machine m = of({sure(512, 1, 60.0), sure(512, 2, 100.0), never});
    CHECK(roof(m, 512, 2) == 120.0);
    CHECK(Roofs(m).unsaturated() == std::vector<int>{2});
    // Divisions could not.
    const Machine divided = of({sure(512, 1, 60.0), sure(512, 2, 100.0), seen(512, 2, {}, 0, Mix::div)});
    CHECK(roof(divided, 512, 2) == 100.0);
    CHECK(Roofs(divided).unsaturated().empty());
}

TEST_CASE("a rate of writes by the updates of one thread counts both threads") {
    Conditions when;
    when.mix = Mix::update;
    when.threads = 1;
    when.footprint = Bytes(1e8);
    const Ceiling one = toy::ceiling(Resource::bandwidth, when, 40e9);
    // Half of what an update moves is written: two threads write as much as one of them moves.
    const Term writes{.kind = TermKind::writes, .amount = 8e8, .rate = 40e9};
    CHECK(rate_of_walk(writes, one) == 80e9);
    CHECK(describe(one, rate_of_walk(writes, one)).rfind("2 ×", 0) == 0);
    const Term both{.kind = TermKind::both, .amount = 8e8, .rate = 40e9};
    CHECK(rate_of_walk(both, one) == 40e9);
    const Term arithmetic{.kind = TermKind::compute, .amount = 1e9, .rate = 5e9};
    CHECK(rate_of_walk(arithmetic, sure(512, 1, 5e9)) == 5e9);
}
