// Walks with loads besides: what a variant does at least, held against the fastest walk that does as much.
#include "models/joint_rate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "models/bound.h"
#include "models/conditions.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

constexpr double kFootprint = 1e8;

Ceiling joint(Mix mix, const LoadsBesides& besides, double rate, double footprint = kFootprint,
              int threads = 2) {
    Conditions when;
    when.mix = mix;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = 1;
    when.besides = besides;
    return toy::ceiling(Resource::joint, when, rate);
}

Ceiling walk(Mix mix, double rate, double footprint = kFootprint) {
    Conditions when;
    when.mix = mix;
    when.threads = 2;
    when.footprint = Bytes(footprint);
    when.streams = 1;
    return toy::ceiling(Resource::bandwidth, when, rate);
}

Machine machine_of(std::vector<Ceiling> ceilings) {
    Machine m;
    m.ceilings = std::move(ceilings);
    return m;
}

/// Reads `reads` bytes in vectors of 512 bits, with `loads` more vectors and `gathered` elements a line.
Work reading(double reads, double loads, double gathered = 0.0, double writes = 0.0) {
    Work work;
    work.total.loads = Operations((loads + 1.0) * reads / 64.0);
    work.traffic.reads = Bytes(reads);
    work.traffic.writes = Bytes(writes);
    work.traffic.apart = writes > 0.0;
    work.total.wide_loads = Operations((loads + 1.0) * reads / 64.0);
    work.total.gathered = Operations(gathered * reads / 64.0);
    return work;
}

Traits on_two(int load_bits = 512) {
    Traits traits;
    traits.threads = 2;
    traits.load_bits = load_bits;
    return traits;
}

double seconds_of(const Machine& m, const Work& work, const Traits& traits = on_two(), double writes = 0.0) {
    return joint_seconds(joint_rates(m, traits.threads), work, traits, writes).value;
}

}  // namespace

TEST_CASE("joint rates: a variant is held against walks that do as much besides, or less") {
    const Machine m =
        machine_of({joint(Mix::load, {.vectors = 3}, 50.0), joint(Mix::load, {.vectors = 7}, 30.0),
                    joint(Mix::load, {.vectors = 24}, 10.0), joint(Mix::load, {.gathered = 6}, 20.0)});
    const double reads = kFootprint;
    CHECK(seconds_of(m, reading(reads, 2.6)) == 0.0);
    CHECK(seconds_of(m, reading(reads, 2.85)) == Approx(0.95 * reads / 50.0));  // nearly as much: its share
    CHECK(seconds_of(m, reading(reads, 3.0)) == Approx(reads / 50.0));
    CHECK(seconds_of(m, reading(reads, 21.0)) == Approx(reads / 30.0));
    CHECK(seconds_of(m, reading(reads, 24.0)) == Approx(reads / 10.0));
    CHECK(seconds_of(m, reading(reads, 0.0, 5.3)) == 0.0);
    CHECK(seconds_of(m, reading(reads, 0.0, 6.0)) == Approx(reads / 20.0));
    // Twice as many vectors bring the line in where they are half as wide.
    CHECK(besides(reading(reads, 3.0), on_two(256)).vectors == Approx(2.0));
    CHECK(besides(reading(reads, 3.0), on_two(64)).vectors == 0.0);  // scalars
    Traits narrow = on_two();
    narrow.dtype = DType::f32;
    CHECK(seconds_of(m, reading(reads, 0.0, 6.0), narrow) == 0.0);
    CHECK(seconds_of(m, reading(0.0, 3.0)) == 0.0);
    CHECK(seconds_of(machine_of({}), reading(reads, 3.0)) == 0.0);
}

TEST_CASE("joint rates: vectors across lines and scalars are conditions of their own") {
    const Machine m = machine_of({joint(Mix::load, {.vectors = 5}, 50.0),
                                  joint(Mix::load, {.vectors = 5, .crossing = 2}, 40.0),
                                  joint(Mix::load, {.scalars = 15}, 30.0)});
    const double reads = kFootprint, lines = reads / 64.0;
    Work work = reading(reads, 6.0);
    CHECK(seconds_of(m, work) == Approx(reads / 50.0));
    work.total.split_loads = Operations(1.7 * lines);
    CHECK(seconds_of(m, work) == Approx(reads / 50.0));
    work.total.split_loads = Operations(1.95 * lines);
    CHECK(seconds_of(m, work) == Approx(0.975 * reads / 40.0));
    work.total.split_loads = Operations(2.0 * lines);
    CHECK(seconds_of(m, work) == Approx(reads / 40.0));
    // No more of them can straddle lines than there are besides.
    work.total.split_loads = Operations(9.0 * lines);
    CHECK(besides(work, on_two()).crossing == Approx(6.0));
    // Where vectors bring lines in, all other loads are besides; where scalars do, four of them may do it.
    Work mixed = reading(reads, 4.0);
    mixed.total.loads = Operations(20.0 * lines);
    CHECK(besides(mixed, on_two()).scalars == Approx(15.0));
    CHECK(seconds_of(m, mixed) == Approx(reads / 30.0));
    mixed.total.wide_loads = Operations(0.0);
    mixed.total.loads = Operations(19.0 * lines);
    CHECK(besides(mixed, on_two(64)).scalars == Approx(15.0));
    CHECK(seconds_of(m, mixed, on_two(64)) == Approx(reads / 30.0));
    mixed.total.loads = Operations(17.0 * lines);
    CHECK(seconds_of(m, mixed, on_two(64)) == 0.0);
}

TEST_CASE("joint rates: on as many threads, at a footprint no larger, and with evidence") {
    std::vector<Ceiling> all{joint(Mix::load, {.vectors = 3}, 50.0),
                             joint(Mix::load, {.vectors = 3}, 90.0, 1e6),
                             joint(Mix::load, {.vectors = 3}, 40.0, 2.0 * kFootprint),
                             joint(Mix::load, {.vectors = 3}, 7.0, 1e6, 1)};
    const Machine m = machine_of(all);
    CHECK(seconds_of(m, reading(kFootprint, 4.0)) == Approx(kFootprint / 50.0));
    CHECK(seconds_of(m, reading(5e7, 4.0)) == Approx(5e7 / 90.0));  // the next smaller one stands for it
    CHECK(seconds_of(m, reading(1e5, 4.0)) == 0.0);
    // A faster walk further out, or with more besides, raises the rate: this one was too low.
    all.push_back(joint(Mix::load, {.vectors = 5}, 60.0, 2.0 * kFootprint));
    CHECK(seconds_of(machine_of(all), reading(kFootprint, 4.0)) == Approx(kFootprint / 60.0));
    Ceiling few = joint(Mix::load, {.vectors = 3}, 50.0);
    few.undisturbed = kUndisturbedWindows - 1;
    // What others were seen to do says nothing of this one, which may have been disturbed each time.
    const std::vector<Ceiling> others{joint(Mix::load, {.vectors = 5}, 40.0),
                                      joint(Mix::load, {.vectors = 3}, 40.0, 2.0 * kFootprint)};
    const auto first_of = [&](const Ceiling& own) {
        const auto rates = joint_rates(machine_of({own, others[0], others[1]}), 2);
        return std::count_if(rates.begin(), rates.end(), [](const JointRate& r) {
            return r.from == kFootprint && r.besides.vectors == 3;
        });
    };
    CHECK(first_of(few) == 0);
    few.undisturbed = kUndisturbedWindows;
    CHECK(first_of(few) == 1);
    CHECK(joint_rates(machine_of({few}), 1).empty());
    CHECK_FALSE(may_exclude(Resource::joint, few.when));
}

TEST_CASE("joint rates: copies need both kinds of store, and reading and writing in turn may be faster") {
    const Machine one_kind =
        machine_of({joint(Mix::load, {.vectors = 3}, 50.0), joint(Mix::nt_copy, {.vectors = 3}, 20.0)});
    const double half = kFootprint / 2.0;
    const Work work = reading(half, 4.0, 0.0, half);
    // Stores that pass the caches by leave more of them to what is read.
    CHECK(seconds_of(one_kind, work, on_two(), 100.0) == 0.0);
    CHECK(seconds_of(one_kind, reading(0.95e8, 4.0, 0.0, 0.05e8), on_two(), 100.0) == Approx(0.95e8 / 50.0));
    std::vector<Ceiling> all = one_kind.ceilings;
    all.push_back(joint(Mix::copy, {.vectors = 3}, 25.0));
    const Machine m = machine_of(all);
    CHECK(seconds_of(m, work, on_two(), 30.0) == Approx(half / 50.0 + half / 30.0));
    CHECK(seconds_of(m, work, on_two(), 10.0) == Approx(kFootprint / 25.0));
    CHECK(seconds_of(m, work, on_two(), 0.0) == Approx(half / 50.0));  // writes of no known rate
    Work in_place = work;
    in_place.traffic.apart = false;
    CHECK(seconds_of(m, in_place, on_two(), 10.0) == Approx(half / 50.0));
    // Copies that read faster than walks that only read.
    all.push_back(joint(Mix::nt_copy, {.vectors = 5}, 140.0));
    CHECK(seconds_of(machine_of(all), work, on_two(), 1e3) == Approx(half / 70.0));
}

TEST_CASE("joint rates: the second tier takes them, proofs do not") {
    const Machine m = machine_of({walk(Mix::load, 100.0), walk(Mix::load, 200.0, kFootprint / 2.0),
                                  joint(Mix::load, {.vectors = 3}, 50.0)});
    const Machine without = machine_of({m.ceilings[0], m.ceilings[1]});
    const Roofs roofs(m), before(without);
    const BoundModel bound(roofs), plain(before);
    const Work work = reading(kFootprint, 3.0);
    CHECK(bound.seconds(work, on_two()).value == plain.seconds(work, on_two()).value);
    CHECK(bound.seconds(work, on_two()).value > 0.0);
    CHECK(bound.with_replacement(work, on_two(), true).value == Approx(kFootprint / 50.0));
    CHECK(plain.with_replacement(work, on_two(), true).value == Approx(kFootprint / 100.0));
    CHECK(bound.with_replacement(reading(kFootprint, 2.0), on_two(), true).value ==
          Approx(kFootprint / 100.0));
    CHECK(BoundModel(roofs, {TermKind::loads}).with_replacement(work, on_two(), true).value ==
          Approx(kFootprint / 100.0));
    // The loads of a partial variant may be those of one completion and its lines those of another.
    CHECK(bound.with_replacement(work, on_two(), false).value == Approx(kFootprint / 100.0));
    for (const TermKind kind : {TermKind::reads, TermKind::both})
        CHECK(BoundModel(roofs, {kind}).with_replacement(work, on_two(), true).value <
              1.001 * kFootprint / 100.0);
    Traits alone = on_two();
    alone.threads = 1;
    CHECK(bound.with_replacement(work, alone, true).value == plain.with_replacement(work, alone, true).value);
}

TEST_CASE("joint rates: more work takes no less, a faster ceiling makes nothing slower, the truth is met") {
    // A core that takes `part` of the loads' time on top of the walk's.
    std::mt19937_64 random(11);
    std::uniform_real_distribution<double> up_to_one(0.0, 1.0);
    const auto truth = [](double part, double loads, double gathered, double crossing = 0.0,
                          double scalars = 0.0) {  // seconds a line
        return 64.0 / 60e9 + part * ((loads + crossing) / 8e9 + gathered / 5e9 + scalars / 12e9);
    };
    for (int machine = 0; machine < 200; ++machine) {
        const double part = up_to_one(random);
        std::vector<Ceiling> all;
        for (const double footprint : {1e6, 1e7, 1e8}) {
            for (const int n : {3, 5, 7, 11, 16, 24}) {
                if (up_to_one(random) < 0.7)
                    all.push_back(joint(Mix::load, {.vectors = n}, 64.0 / truth(part, n, 0), footprint));
                if (up_to_one(random) < 0.7)
                    all.push_back(joint(Mix::load, {.vectors = n, .crossing = 2}, 64.0 / truth(part, n, 0, 2),
                                        footprint));
                if (up_to_one(random) < 0.7)
                    all.push_back(
                        joint(Mix::load, {.scalars = n}, 64.0 / truth(part, 0, 0, 0, n), footprint));
            }
            for (const int n : {4, 5, 6, 7}) {
                if (up_to_one(random) < 0.7)
                    all.push_back(joint(Mix::load, {.gathered = n}, 64.0 / truth(part, 0, n), footprint));
            }
        }
        const Machine m = machine_of(all);
        for (int variant = 0; variant < 50; ++variant) {
            const double reads = std::pow(10.0, 6.0 + 2.5 * up_to_one(random));
            const double loads = 30.0 * up_to_one(random), gathered = 8.0 * up_to_one(random);
            const double crossing = std::min(loads, 5.0 * up_to_one(random)),
                         scalars = 30.0 * up_to_one(random);
            const auto work_of = [&](double more_loads, double more_gathered, double more_crossing,
                                     double more_scalars) {
                Work work = reading(reads, loads + more_loads, gathered + more_gathered);
                work.total.split_loads = Operations((crossing + more_crossing) * reads / 64.0);
                work.total.loads = Operations(std::max(4.0, loads + more_loads + 1.0) * reads / 64.0 +
                                              (scalars + more_scalars) * reads / 64.0);
                return work;
            };
            const double least = seconds_of(m, work_of(0.0, 0.0, 0.0, 0.0));
            CHECK(least <= reads / 64.0 * truth(part, loads, gathered, crossing, scalars) * (1.0 + 1e-9));
            for (const auto& [l, g, c, s] : {std::array{1.0, 0.0, 0.0, 0.0},
                                             {0.0, 1.0, 0.0, 0.0},
                                             {0.0, 0.0, 1.0, 0.0},
                                             {0.0, 0.0, 0.0, 1.0}})
                CHECK(least <= seconds_of(m, work_of(l, g, c, s)) * (1.0 + 1e-9));
        }
        if (all.empty()) continue;
        Machine faster = m;
        faster.ceilings[random() % all.size()].max *= 1.5;
        const Work work = reading(1e8, 12.0, 5.5);
        CHECK(seconds_of(faster, work) <= seconds_of(m, work) * (1.0 + 1e-9));
    }
}
