// Which rates make a roof for a number of threads, and which only raise one.
#include "models/bound.h"
#include "tests/support/catch.h"
#include "tests/support/published.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

Ceiling walk(double footprint, int threads, double rate, Mix mix = Mix::load) {
    Conditions when;
    when.mix = mix;
    when.footprint = Bytes(footprint);
    when.threads = threads;
    return toy::ceiling(Resource::bandwidth, when, rate);
}

Ceiling peak(DType dtype, int width, int threads, double rate, Mix mix = Mix::fma) {
    Conditions when;
    when.dtype = dtype;
    when.width_bits = width;
    when.threads = threads;
    when.mix = mix;
    return toy::ceiling(Resource::compute, when, rate);
}

Machine with(std::vector<Ceiling> ceilings) {
    Machine m;
    m.ceilings = std::move(ceilings);
    return m;
}

}  // namespace

TEST_CASE("of what more threads reached, fewer had at least their share, over their share of the bytes") {
    const Machine m = with({walk(1e6, 1, 5.0), walk(4e6, 4, 40.0)});
    const auto one = Roofs(m).bandwidth(1);
    REQUIRE(one.size() == 1);  // a quarter of the walk of four threads is as long as that of one
    CHECK(one[0].from == 1e6);
    CHECK(one[0].read == 10.0);
    const auto two = Roofs(m).bandwidth(2);  // answered by what is known of four
    CHECK(two.back().read == 40.0);
    CHECK(two.back().from == 4e6);

    const Machine peaks = with({peak(DType::f64, 256, 1, 3.0), peak(DType::f64, 256, 4, 16.0)});
    CHECK(Roofs(peaks).compute(DType::f64, 256, 1).rate == 4.0);
    CHECK(Roofs(peaks).compute(DType::f64, 256, 3).rate == 16.0);
}

TEST_CASE("what fewer threads reached is within reach of more") {
    // A noisy host: one thread was once faster than two together.
    const Machine m = with({walk(1e6, 1, 30.0), walk(1e6, 2, 20.0)});
    CHECK(Roofs(m).bandwidth(2).front().read == 30.0);
    const Machine peaks = with({peak(DType::f64, 256, 1, 9.0), peak(DType::f64, 256, 2, 8.0)});
    CHECK(Roofs(peaks).compute(DType::f64, 256, 2).rate == 9.0);
}

TEST_CASE("a footprint that only fewer threads walked makes no roof for more") {
    const Machine m = with({walk(1e5, 1, 50.0), walk(1e5, 2, 100.0), walk(1e8, 1, 10.0)});
    // What two threads reached at their last footprint goes on, as far as anybody knows.
    const auto two = Roofs(m).bandwidth(2);
    REQUIRE_FALSE(two.empty());
    for (const BandwidthStep& step : two) CHECK(step.read == 100.0);
    const auto one = Roofs(m).bandwidth(1);
    CHECK(one.back().from == 1e8);
    CHECK(one.back().read == 50.0);  // half of what two had, for the same reason
}

TEST_CASE("a direction that only fewer threads took makes no roof for more") {
    const Machine m = with({walk(1e5, 2, 100.0), walk(1e7, 2, 30.0), walk(1e7, 1, 7.0, Mix::nt_store)});
    const auto two = Roofs(m).bandwidth(2);
    REQUIRE(two.size() == 2);
    CHECK(two[1].read == 30.0);
    for (const BandwidthStep& step : two) {
        CHECK(step.write == 0.0);  // one thread's stores say nothing of two
        CHECK(step.write_ceiling == -1);
    }
    CHECK(Roofs(m).bandwidth(1).back().write == 7.0);
}

TEST_CASE("a type or a width that only fewer threads used makes no roof for more") {
    const Machine m = with({peak(DType::f64, 256, 1, 4.0), peak(DType::f64, 256, 2, 8.0),
                            peak(DType::f64, 512, 1, 8.0), peak(DType::int8, 256, 1, 64.0)});
    const Roofs roofs(m);
    CHECK(roofs.compute(DType::f64, 256, 2).rate == 8.0);
    CHECK_FALSE(roofs.compute(DType::f64, 512, 2));  // two threads at 512 bits may reach 16
    CHECK(roofs.compute(DType::f64, 512, 1).rate == 8.0);
    CHECK_FALSE(roofs.compute(DType::int8, 256, 2));
    CHECK(roofs.compute(DType::int8, 256, 1).rate == 64.0);
}

TEST_CASE("divisions and roots alone make no roof: other operations are faster") {
    const Machine m =
        with({peak(DType::f64, 256, 1, 4.0, Mix::div), peak(DType::f64, 256, 1, 3.0, Mix::sqrt)});
    CHECK_FALSE(Roofs(m).compute(DType::f64, 256, 1));
}

TEST_CASE(
    "a published rate is the whole machine's: it bounds any number of threads, and is one step from 0") {
    const Machine m = test::tpu_v5e();
    const Roofs roofs(m);
    for (const int threads : {1, 2, 7, 1000, 1 << 20}) {
        CHECK(roofs.compute(DType::bf16, 1 << 20, threads).rate == 1.97e14);
        REQUIRE(roofs.bandwidth(threads).size() == 1);
        CHECK(roofs.bandwidth(threads).front().from == 0.0);
        CHECK(roofs.bandwidth(threads).front().both == 8.2e11);
    }
    CHECK(roofs.link().rate == 4.5e10);
}

TEST_CASE("a share of more threads makes no roof for a count that was not measured itself") {
    // Memory that one thread can saturate: half of what two threads drew is no limit of one.
    const Machine m = with({walk(1e6, 1, 20.0), walk(1e6, 2, 20.0), walk(1e6, 2, 12.0, Mix::nt_store)});
    CHECK(Roofs(m).bandwidth(1).back().read == 20.0);
    CHECK(Roofs(m).bandwidth(1).back().write == 12.0);  // not 6: one thread's stores were never measured
    const Machine peaks = with({peak(DType::f64, 256, 1, 4.0), peak(DType::f64, 256, 2, 8.0),
                                peak(DType::f32, 256, 2, 16.0), peak(DType::f64, 512, 2, 12.0)});
    CHECK(Roofs(peaks).compute(DType::f64, 256, 1).rate == 4.0);
    CHECK(Roofs(peaks).compute(DType::f32, 256, 1).rate == 16.0);
    CHECK(Roofs(peaks).compute(DType::f64, 512, 1).rate == 12.0);
}

TEST_CASE("below the first footprint that was walked in a direction it has no roof") {
    const Machine m = with({walk(1e4, 1, 90.0), walk(1e6, 1, 20.0), walk(1e6, 1, 9.0, Mix::nt_store)});
    const auto steps = Roofs(m).bandwidth(1);
    REQUIRE(steps.size() == 2);
    CHECK(steps[0].write == 0.0);  // stores into a cache may be faster
    CHECK(steps[1].write == 9.0);
    CHECK(steps[0].read == 90.0);
}

TEST_CASE("a ceiling that only ranks decides nothing, not even for how many threads there are roofs") {
    Machine m = with({walk(1e6, 1, 10.0), walk(1e6, 4, 20.0), peak(DType::f64, 256, 1, 1.0),
                      peak(DType::f64, 256, 4, 3.0)});
    Ceiling ranks = walk(1e6, 3, 1.0);
    ranks.excludes = false;
    m.ceilings.push_back(ranks);
    ranks = peak(DType::f64, 512, 3, 1.0);
    ranks.excludes = false;
    m.ceilings.push_back(ranks);
    CHECK(Roofs(m).bandwidth(3).back().read == 20.0);
    CHECK(Roofs(m).compute(DType::f64, 256, 3).rate == 3.0);
    CHECK(Roofs(m).compute(DType::f64, kAnyWidth, 3).rate == 3.0);
}

TEST_CASE("a peak is that of the width asked for: what other vectors reached bounds nothing") {
    const Machine m = with({peak(DType::f64, 128, 1, 4.0), peak(DType::f64, 512, 1, 9.0),
                            peak(DType::f32, 256, 1, 20.0), peak(DType::bf16, 0, 1, 100.0)});
    const Roofs roofs(m);
    CHECK(roofs.compute(DType::f64, 128, 1).rate == 4.0);
    CHECK(roofs.compute(DType::f64, 512, 1).rate == 9.0);
    // A processor whose probes of 256 bits were missing once had its kernels bounded by those of 128.
    CHECK_FALSE(roofs.compute(DType::f64, 256, 1));
    CHECK_FALSE(roofs.compute(DType::f32, 512, 1));
    CHECK_FALSE(roofs.compute(DType::f64, 64, 1));
    CHECK(roofs.compute(DType::f64, kAnyWidth, 1).rate == 9.0);
    CHECK(roofs.compute(DType::f32, kAnyWidth, 1).rate == 20.0);
    // Published for any width.
    CHECK(roofs.compute(DType::bf16, 512, 1).rate == 100.0);
    CHECK(roofs.compute(DType::bf16, kAnyWidth, 1).rate == 100.0);
}

TEST_CASE("narrower vectors whose own windows do not agree are bounded by the next wider ones") {
    Machine m = with({peak(DType::f64, 64, 2, 20.0), peak(DType::f64, 256, 2, 80.0),
                      peak(DType::f64, 512, 2, 170.0), peak(DType::f32, 512, 2, 1.0)});
    const auto rate = [&](int width) { return Roofs(m).compute(DType::f64, width, 2).rate; };
    CHECK(rate(64) == 20.0);
    m.ceilings[0].undisturbed = 37;  // and its top ones differ
    CHECK(rate(64) == 80.0);
    m.ceilings[1].undisturbed = 2;
    CHECK(rate(64) == 170.0);
    CHECK(rate(256) == 170.0);
    CHECK(rate(512) == 170.0);
    // No variant of a width that is fixed is bounded by less than one whose width is open.
    for (const int width : {64, 256, 512}) CHECK(rate(width) <= rate(kAnyWidth));
    // Of what somebody halved each time nobody knows that it is lower.
    m.ceilings[0].undisturbed = 0;
    CHECK(rate(64) == 0.0);
    CHECK(rate(256) == 0.0);
    CHECK(rate(512) == 170.0);
    // Nor of a width that was never probed.
    CHECK(rate(128) == 0.0);
}

TEST_CASE("narrower additions and fused multiply-adds are bounded by the next wider ones of their kind") {
    Machine m = with({peak(DType::f64, 64, 2, 20.0), peak(DType::f64, 512, 2, 170.0),
                      peak(DType::f64, 64, 2, 10.0, Mix::add), peak(DType::f64, 512, 2, 85.0, Mix::add)});
    const auto added = [&](int width) { return Roofs(m).added(DType::f64, width, 2).rate; };
    const auto fused = [&](int width) { return Roofs(m).fused(DType::f64, width, 2).rate; };
    CHECK(added(64) == 10.0);
    CHECK(fused(64) == 20.0);
    m.ceilings[2].undisturbed = 37;
    CHECK(added(64) == 85.0);
    CHECK(fused(64) == 20.0);
    m.ceilings[0].undisturbed = 37;
    CHECK(fused(64) == 170.0);
    for (const int width : {64, 512}) {
        CHECK(added(width) <= added(kAnyWidth));
        CHECK(fused(width) <= fused(kAnyWidth));
    }
    m.ceilings[2].undisturbed = 0;
    CHECK(added(64) == 0.0);
    CHECK(fused(64) == 170.0);
}

TEST_CASE("what was never probed so narrow on so many threads has no roof of wider vectors") {
    Machine m = with(
        {peak(DType::f64, 64, 1, 10.0), peak(DType::f64, 512, 1, 85.0), peak(DType::f64, 512, 2, 170.0)});
    m.ceilings[0].undisturbed = 37;
    CHECK(Roofs(m).compute(DType::f64, 64, 1).rate == 85.0);
    CHECK(Roofs(m).compute(DType::f64, 64, 2).rate == 0.0);
}

TEST_CASE(
    "chains, windows and issue rates make roofs where they are saturated, and are asked for elsewhere") {
    Machine m;
    Conditions chain;
    chain.width_bits = 256;
    chain.chains = 1;
    chain.mix = Mix::fma;
    Conditions added = chain;
    added.mix = Mix::add;
    Conditions issue;
    issue.mix = Mix::mixed;
    Conditions loads;
    loads.mix = Mix::loads;
    m.ceilings = {toy::ceiling(Resource::compute, chain, 8e9), toy::ceiling(Resource::compute, added, 3e9),
                  toy::ceiling(Resource::window, {}, 512.0), toy::ceiling(Resource::issue, issue, 16e9),
                  toy::ceiling(Resource::issue, loads, 8e9)};
    {
        const Roofs roofs(m);
        CHECK(roofs.fused_chain(DType::f64, 256).rate == 1e9);
        CHECK(roofs.chain(DType::f64, 256).rate == 1e9);
        CHECK(roofs.window().rate == 512.0);
        CHECK(roofs.issue(Mix::mixed).rate == 16e9);
        CHECK(roofs.unsaturated().empty());
    }
    const auto at = [](Machine machine, std::size_t index, int undisturbed) {
        machine.ceilings[index].undisturbed = undisturbed;
        return machine;
    };
    // Enough windows, and no two that agree.
    for (const int undisturbed : {0, 2, 9}) {
        const Machine doubtful = at(m, 0, undisturbed);
        CHECK_FALSE(Roofs(doubtful).fused_chain(DType::f64, 256));
        CHECK_FALSE(Roofs(doubtful).chain(DType::f64, 256));
        CHECK(Roofs(doubtful).unsaturated().front() == 0);
        CHECK_FALSE(Roofs(at(m, 2, undisturbed)).window());
        CHECK(Roofs(at(m, 2, undisturbed)).unsaturated() == std::vector<int>{2});
        CHECK_FALSE(Roofs(at(m, 3, undisturbed)).issue(Mix::mixed));
        CHECK(Roofs(at(m, 3, undisturbed)).issue(Mix::loads).rate == 8e9);
    }
    // What was never seen undisturbed might be higher; what was seen and is lower is not.
    CHECK_FALSE(Roofs(at(m, 1, 0)).chain(DType::f64, 256));
    CHECK(Roofs(at(m, 1, 0)).fused_chain(DType::f64, 256).rate == 1e9);
    CHECK(Roofs(at(m, 1, 2)).chain(DType::f64, 256).rate == 1e9);
    CHECK_FALSE(Roofs(at(m, 4, 0)).issue(Mix::mixed));
    CHECK(Roofs(at(m, 4, 2)).issue(Mix::mixed).rate == 16e9);
}

TEST_CASE("gathers are charged by how far apart the uses of an element are") {
    Machine m = toy::machine();
    for (const auto& [footprint, rate] : {std::pair{16384.0, 1e9}, {1e6, 2.5e8}, {1e8, 1e7}}) {
        Conditions when;
        when.footprint = Bytes(footprint);
        when.threads = 2;
        m.ceilings.push_back(toy::ceiling(Resource::gather, when, rate));
        m.ceilings.back().excludes = false;
    }
    const Roofs roofs(m);
    const auto all_at = [&](double bytes_between) {
        return roofs
            .gather_seconds(DType::f64, 2, [&](Bytes w) { return w.value < bytes_between ? 1e6 : 0.0; })
            .value;
    };
    // Near ones cost what the smallest footprint does, wherever x as a whole lies.
    CHECK(all_at(100.0) == Approx(1e6 / 1e9));
    CHECK(all_at(5e5) == Approx(1e6 / 1e9));
    CHECK(all_at(2e6) == Approx(1e6 / 2.5e8));
    CHECK(all_at(1e9) == Approx(1e6 / 1e7));
    // A mixture is the sum of its parts.
    const double mixed =
        roofs.gather_seconds(DType::f64, 2, [](Bytes w) { return w.value < 1e6 ? 1e6 : 1e5; }).value;
    CHECK(mixed == Approx(9e5 / 1e9 + 1e5 / 1e7));
    // Nothing is known of another type.
    CHECK(roofs.gather_seconds(DType::f32, 2, [](Bytes) { return 1e6; }).value == 0.0);
}

TEST_CASE("a gather over more bytes that was seen as fast as over fewer costs no more") {
    Machine m = toy::machine();
    for (const auto& [footprint, rate] : {std::pair{16384.0, 1e8}, {1e6, 4e8}, {1e8, 1e7}}) {
        Conditions when;
        when.footprint = Bytes(footprint);
        m.ceilings.push_back(toy::ceiling(Resource::gather, when, rate));
        m.ceilings.back().excludes = false;
    }
    const Roofs roofs(m);
    CHECK(roofs.gather_seconds(DType::f64, 1, [](Bytes w) { return w.value < 5e7 ? 4e8 : 0.0; }).value ==
          Approx(1.0));
}

TEST_CASE("fused multiply-adds alone have a roof of their own, where they were probed") {
    const auto peak = [](Mix mix, double rate, int width = 512, int threads = 2) {
        Conditions when;
        when.mix = mix;
        when.width_bits = width;
        when.threads = threads;
        return toy::ceiling(Resource::compute, when, rate);
    };
    // A core with adders beside its multipliers.
    Machine m;
    m.ceilings = {peak(Mix::fma, 117.0), peak(Mix::add, 59.0), peak(Mix::fma_add, 176.0),
                  peak(Mix::fma, 60.0, 128), peak(Mix::fma_add, 62.0, 512, 1)};
    const Roofs roofs(m);
    CHECK(roofs.compute(DType::f64, 512, 2).rate == 176.0);
    CHECK(roofs.fused(DType::f64, 512, 2).rate == 117.0);
    CHECK(roofs.fused(DType::f64, 128, 2).rate == 60.0);
    CHECK_FALSE(roofs.fused(DType::f64, 256, 2));
    CHECK_FALSE(roofs.fused(DType::f32, 512, 2));

    const BoundModel bound(roofs);
    const Traits traits{.dtype = DType::f64, .width_bits = 512, .threads = 2};
    Work work;
    work.total.ops = Operations(1170.0);
    CHECK(bound.seconds(work, traits).value == Approx(1170.0 / 176.0));
    work.total.fused = Operations(1170.0);
    CHECK(bound.seconds(work, traits).value == Approx(10.0));
    CHECK(bound.explain(work, traits).terms.size() == 1);
    CHECK(bound.explain(work, traits).terms.front().ceiling == 0);
    // Few of them among many others: all are the longer term.
    work.total.fused = Operations(100.0);
    CHECK(bound.seconds(work, traits).value == Approx(1170.0 / 176.0));

    SECTION(
        "where the widest vectors were probed with other operations alone, narrower fused ones do not "
        "bound") {
        m.ceilings.erase(m.ceilings.begin());
        CHECK_FALSE(Roofs(m).fused(DType::f64, 512, 2));
        CHECK(Roofs(m).fused(DType::f64, 128, 2).rate == 60.0);
    }

    SECTION("without evidence they have none, and all operations bound") {
        m.ceilings[0].undisturbed = 0;
        m.ceilings.erase(m.ceilings.begin() + 3);
        const Roofs doubtful(m);
        CHECK_FALSE(doubtful.fused(DType::f64, 512, 2));
        work.total.fused = work.total.ops;
        CHECK(BoundModel(doubtful).seconds(work, traits).value == Approx(1170.0 / 176.0));
    }
}

TEST_CASE("additions alone have a roof of their own as well, and the longest of the three bounds") {
    const auto peak = [](Mix mix, double rate, int width = 512) {
        Conditions when;
        when.mix = mix;
        when.width_bits = width;
        return toy::ceiling(Resource::compute, when, rate);
    };
    // Two adders and two multipliers, 8 lanes, a cycle a second.
    Machine m;
    m.ceilings = {peak(Mix::fma, 32.0), peak(Mix::add, 16.0), peak(Mix::fma_add, 48.0)};
    const Roofs roofs(m);
    CHECK(roofs.added(DType::f64, 512, 1).rate == 16.0);
    CHECK_FALSE(roofs.added(DType::f64, 512, 2));
    const BoundModel bound(roofs);
    const Traits traits{.dtype = DType::f64, .width_bits = 512, .threads = 1};
    const auto seconds = [&](double ops, double fused, double added) {
        Work work;
        work.total.ops = Operations(ops);
        work.total.fused = Operations(fused);
        work.total.added = Operations(added);
        const Bound b = bound.explain(work, traits);
        CHECK(b.seconds_lower == bound.seconds(work, traits));
        CHECK(b.terms.size() == 1);
        CHECK(BoundModel(roofs, {TermKind::compute}).seconds(work, traits).value == 0.0);
        return b.seconds_lower.value;
    };
    // The seven points of a stencil: five additions and a fused one of eight operations.
    CHECK(seconds(480.0, 0.0, 0.0) == Approx(10.0));
    CHECK(seconds(480.0, 120.0, 300.0) == Approx(300.0 / 16.0));
    CHECK(seconds(480.0, 400.0, 80.0) == Approx(400.0 / 32.0));
    CHECK(seconds(480.0, 200.0, 100.0) == Approx(10.0));
    // Where the widest vectors were probed with other operations alone, narrower additions bound nothing.
    m.ceilings[1].when.width_bits = 256;
    CHECK_FALSE(Roofs(m).added(DType::f64, 512, 1));
}

namespace {

Ceiling loads_of(int width_bits, double rate) {
    Conditions when;
    when.mix = Mix::loads;
    when.width_bits = width_bits;
    return toy::ceiling(Resource::issue, when, rate);
}

}  // namespace

TEST_CASE("wide loads have the roof of their own width, or of the next narrower one that was probed") {
    Machine m;
    m.ceilings = {loads_of(0, 4e9), loads_of(128, 3e9), loads_of(512, 2e9)};
    const Roofs roofs(m);
    CHECK(roofs.issue(Mix::loads).rate == 4e9);
    CHECK(roofs.wide_loads(128).rate == 3e9);
    CHECK(roofs.wide_loads(512).rate == 2e9);
    // Those of 512 bits would be too low a roof.
    CHECK(roofs.wide_loads(256).rate == 3e9);
    CHECK_FALSE(roofs.wide_loads(64));
    CHECK_FALSE(roofs.wide_loads(0));

    SECTION("a wider one that was seen faster raises it") {
        m.ceilings.push_back(loads_of(256, 1e9));
        CHECK(Roofs(m).wide_loads(256).rate == 2e9);
        CHECK(Roofs(m).wide_loads(256).ceiling == 2);
    }
    SECTION("without evidence of its own it has that of narrower ones, and its own is asked for") {
        m.ceilings[2].undisturbed = 1;
        // Fixing the width of a partial variant must not lose the term.
        CHECK(Roofs(m).wide_loads(512).rate == 3e9);
        CHECK(Roofs(m).unsaturated() == std::vector<int>{2});
        m.ceilings[2].excludes = false;
        CHECK(Roofs(m).unsaturated().empty());
    }
    SECTION("the term is the longer of all loads and the wide ones") {
        Work work;
        work.heaviest.loads = Operations(8e9);
        Traits traits{.dtype = DType::f64, .width_bits = 512, .threads = 1, .load_bits = 512};
        const BoundModel bound(roofs);
        CHECK(bound.seconds(work, traits).value == Approx(2.0));
        work.heaviest.wide_loads = Operations(3e9);
        CHECK(bound.seconds(work, traits).value == Approx(2.0));
        work.heaviest.wide_loads = Operations(6e9);
        CHECK(bound.seconds(work, traits).value == Approx(3.0));
        const Bound b = bound.explain(work, traits);
        REQUIRE(b.terms.size() == 1);
        CHECK(b.terms.front().ceiling == 2);
        CHECK(b.terms.front().kind == TermKind::loads);
        CHECK(BoundModel(roofs, {TermKind::loads}).seconds(work, traits).value == 0.0);
        // A subtree with narrower vectors is allowed their rate; one with scalar code promises none.
        traits.load_bits = 128;
        CHECK(bound.seconds(work, traits).value == Approx(2.0));
        // Those that straddle two lines have a rate of their own.
        traits.load_bits = 512;
        work.heaviest.split_loads = Operations(4e9);
        CHECK(bound.seconds(work, traits).value == Approx(3.0));
        m.ceilings.push_back(loads_of(512, 1e9));
        m.ceilings.back().when.mix = Mix::split_loads;
        const Roofs split(m);
        CHECK(split.split_loads(512).rate == 1e9);
        CHECK(split.wide_loads(512).rate == 2e9);
        CHECK_FALSE(split.split_loads(256));
        CHECK(BoundModel(split).seconds(work, traits).value == Approx(4.0));
        CHECK(BoundModel(split).explain(work, traits).terms.front().ceiling == 3);
        CHECK(BoundModel(split, {TermKind::loads}).seconds(work, traits).value == 0.0);
        // And so have elements that are gathered; they are none of the instructions of any kind.
        work.heaviest.gathered = Operations(5e9);
        CHECK(BoundModel(split).seconds(work, traits).value == Approx(4.0));
        m.ceilings.push_back(loads_of(0, 1e9));
        m.ceilings.back().when.mix = Mix::gathers;
        const Roofs gathering(m);
        CHECK(gathering.issue(Mix::gathers).rate == 1e9);
        CHECK(gathering.issue(Mix::mixed).rate == split.issue(Mix::mixed).rate);
        CHECK(BoundModel(gathering).seconds(work, traits).value == Approx(5.0));
        CHECK(BoundModel(gathering).explain(work, traits).terms.front().ceiling == 4);
        CHECK(opportunity_of(TermKind::loads, Mix::gathers) != opportunity_of(TermKind::loads, Mix::loads));
        work.heaviest.gathered = work.heaviest.split_loads = Operations(0.0);
        traits.load_bits = 0;
        CHECK(bound.seconds(work, traits).value == Approx(2.0));
        CHECK(bound.explain(work, traits).terms.front().ceiling == 0);
    }
}
