// B*(w) and the windows behind it: what two ways of walking agree on is a roof, what one lucky or halved
// window showed is none.
#include "models/staircase.h"

#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

constexpr double kNear = 1e6, kFar = 1e8;

/// A walk with its undisturbed windows.
Ceiling walked(int threads, double footprint, double rate, std::vector<double> top, int undisturbed,
               int streams = 1, Mix mix = Mix::load) {
    Conditions when;
    when.mix = mix;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = streams;
    Ceiling c = toy::ceiling(Resource::bandwidth, when, rate);
    c.undisturbed = undisturbed;
    c.top = std::move(top);
    return c;
}
Ceiling agreed(int threads, double footprint, double rate, Mix mix = Mix::load) {
    return walked(threads, footprint, rate, {rate, 0.99 * rate, 0.98 * rate}, 6, 1, mix);
}
Ceiling halved(int threads, double footprint, double rate, Mix mix = Mix::load) {
    return walked(threads, footprint, rate, {}, 0, 8, mix);
}

Machine with_walks(std::vector<Ceiling> ceilings) {
    Machine m;
    m.ceilings = std::move(ceilings);
    return m;
}

/// B* of reads at a footprint of at least `w`; 0 where nothing is known.
double read_roof(const Machine& m, int threads, double w) {
    const Roofs roofs(m);
    double rate = 0.0;
    for (const BandwidthStep& step : roofs.bandwidth(threads)) {
        if (step.from <= w) rate = step.read;
    }
    return rate;
}

}  // namespace

TEST_CASE("walks: ways that agree are evidence, one after the other or side by side") {
    CHECK(read_roof(with_walks({agreed(1, kNear, 50.0)}), 1, kNear) == 50.0);
    // Three numbers of streams with two windows each, and the fastest of each agree.
    const Machine several =
        with_walks({walked(1, kNear, 50.0, {50.0, 48.0}, 2, 1), walked(1, kNear, 49.5, {49.5}, 2, 2),
                    walked(1, kNear, 49.0, {49.0, 45.0}, 2, 4)});
    CHECK(read_roof(several, 1, kNear) == 50.0);
    CHECK(Roofs(several).unsaturated_walks().empty());
    // As many that do not.
    const Machine apart =
        with_walks({walked(1, kNear, 50.0, {50.0, 48.0}, 2, 1), walked(1, kNear, 40.0, {40.0}, 2, 2),
                    walked(1, kNear, 39.0, {39.0, 35.0}, 2, 4)});
    CHECK(read_roof(apart, 1, kNear) == 0.0);
    CHECK(Roofs(apart).unsaturated_walks() == std::vector<int>{0});
    // What a larger footprint reached is evidence for a smaller one, never the other way round.
    const Machine beyond = with_walks({walked(1, kNear, 50.0, {50.0}, 1), agreed(1, kFar, 49.0)});
    CHECK(read_roof(beyond, 1, kNear) == 50.0);
    const Machine before = with_walks({agreed(1, kNear, 50.0), walked(1, kFar, 20.0, {20.0}, 1)});
    CHECK(read_roof(before, 1, kFar) == 50.0);
    // Published rates count as they are.
    CHECK(read_roof(with_walks({walked(1, kNear, 50.0, {}, -1)}), 1, kNear) == 50.0);
}

TEST_CASE("walks: until two threads are saturated they have twice what one reaches over its share") {
    const Ceiling one = agreed(1, kNear / 2.0, 30.0);
    CHECK(read_roof(with_walks({one, halved(2, kNear, 31.0)}), 2, kNear) == 60.0);
    CHECK(read_roof(with_walks({one, agreed(2, kNear, 45.0)}), 2, kNear) == 45.0);
    CHECK(read_roof(with_walks({halved(1, kNear / 2.0, 30.0), halved(2, kNear, 31.0)}), 2, kNear) == 0.0);
    // One thread that walked a larger footprint alone says nothing of this one.
    CHECK(read_roof(with_walks({agreed(1, kFar, 30.0), halved(2, kNear, 31.0)}), 2, kNear) == 0.0);
    // Two that reached more than twice what one did say that one was not at its best.
    CHECK(read_roof(with_walks({agreed(1, kNear / 2.0, 10.0), halved(2, kNear, 31.0)}), 2, kNear) == 0.0);
    // One thread that reached as much over the same footprint is no evidence for two.
    CHECK(read_roof(with_walks({one, agreed(1, kNear, 30.0), halved(2, kNear, 20.0)}), 2, kNear) == 60.0);
    // A smaller footprint of two threads allows less than twice one does.
    const Machine stairs = with_walks({one, agreed(2, kNear, 45.0), halved(2, kFar, 12.0)});
    CHECK(read_roof(stairs, 2, kFar) == 45.0);
    // And one thread less than a smaller footprint: it is alone in the shared cache, with half of the data.
    const Machine memory =
        with_walks({one, agreed(1, kFar / 2.0, 9.0), agreed(2, kNear, 45.0), halved(2, kFar, 12.0)});
    CHECK(read_roof(memory, 2, kFar) == 18.0);
}

TEST_CASE("walks: a mix that nobody saw undisturbed could be the fastest") {
    const Machine unseen = with_walks(
        {agreed(1, kNear / 2.0, 30.0), agreed(2, kNear, 45.0), halved(2, kNear, 20.0, Mix::two_loads_store)});
    CHECK(read_roof(unseen, 2, kNear) == 60.0);
    const Machine seen = with_walks(
        {agreed(1, kNear / 2.0, 30.0), agreed(2, kNear, 45.0), agreed(2, kNear, 20.0, Mix::two_loads_store)});
    CHECK(read_roof(seen, 2, kNear) == 45.0);
    // One that moves nothing in this direction cannot.
    const Machine stores = with_walks(
        {agreed(1, kNear / 2.0, 30.0), agreed(2, kNear, 45.0), halved(2, kNear, 20.0, Mix::nt_store)});
    CHECK(read_roof(stores, 2, kNear) == 45.0);
}

TEST_CASE("walks: whatever is saturated, B* falls with the footprint and is never below what was reached") {
    std::uint64_t state = 7;
    const auto draw = [&](int n) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(n));
    };
    for (int machine = 0; machine < 300; ++machine) {
        std::vector<Ceiling> ceilings;
        for (const int threads : {1, 2, 4}) {
            for (double footprint = 1e5; footprint < 1e9; footprint *= 4.0) {
                for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy}) {
                    const double rate = 1.0 + draw(50);
                    const int windows = draw(4);
                    const std::vector<double> top(static_cast<std::size_t>(windows),
                                                  rate * (draw(2) ? 1.0 : 0.9));
                    ceilings.push_back(walked(threads, footprint, rate, top, 2 * windows, 1 + draw(3), mix));
                }
            }
        }
        const Machine m = with_walks(std::move(ceilings));
        const Roofs roofs(m);
        for (const int threads : {1, 2, 4}) {
            const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
            for (double BandwidthStep::*rate :
                 {&BandwidthStep::read, &BandwidthStep::write, &BandwidthStep::both}) {
                double before = 0.0;
                for (const BandwidthStep& step : steps) {
                    if (before > 0.0) {
                        CHECK(step.*rate > 0.0);
                        CHECK(step.*rate <= before);
                    }
                    before = step.*rate;
                }
            }
            for (const Ceiling& c : m.ceilings) {
                if (c.when.threads != threads) continue;
                for (const BandwidthStep& step : steps) {
                    if (step.both > 0.0 && step.from <= c.when.footprint.value) CHECK(step.both >= c.max);
                }
            }
        }
    }
}
