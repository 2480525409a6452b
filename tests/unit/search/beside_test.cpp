// Rates beside a rotation: which are asked for, and what they say about times of the same rounds.
#include "tuner/search/beside.h"

#include <algorithm>
#include <set>

#include "models/bound.h"
#include "models/roofs.h"
#include "tests/support/catch.h"
#include "tests/support/toy.h"

using namespace rooftune;

namespace {

constexpr double kFootprint = 1e8;

Ceiling walk(Mix mix, double rate, int streams = 1, double footprint = kFootprint, int threads = 2) {
    Conditions when;
    when.mix = mix;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = streams;
    when.huge_pages = true;
    return toy::ceiling(Resource::bandwidth, when, rate);
}

Ceiling peak(int width, double rate, int threads = 2) {
    Conditions when;
    when.dtype = DType::f64;
    when.mix = Mix::fma;
    when.width_bits = width;
    when.threads = threads;
    when.chains = 8;
    return toy::ceiling(Resource::compute, when, rate);
}

Work moving(double reads, double writes) {
    Work work;
    work.traffic.reads = Bytes(reads);
    work.traffic.writes = Bytes(writes);
    work.traffic.apart = true;
    return work;
}

Traits on_two() {
    return {.dtype = DType::f64, .width_bits = 256, .threads = 2};
}

std::vector<Slot> slots_of(const std::vector<double>& seconds) {
    std::vector<Slot> slots;
    for (const double s : seconds) slots.push_back({s, 1, false});
    return slots;
}

}  // namespace

TEST_CASE("beside: the fastest ways at the variant's footprint, on its threads, of its width") {
    Machine m;
    m.ceilings = {walk(Mix::load, 40.0, 1),
                  walk(Mix::load, 50.0, 2),
                  walk(Mix::load, 45.0, 4),
                  walk(Mix::load, 400.0, 1, 1e6),
                  walk(Mix::load, 30.0, 1, 2.0 * kFootprint),
                  walk(Mix::load, 99.0, 1, kFootprint, 1),
                  walk(Mix::update, 60.0),
                  walk(Mix::nt_store, 30.0),
                  walk(Mix::nt_copy, 50.0),
                  walk(Mix::copy, 45.0),
                  walk(Mix::store, 20.0),
                  peak(512, 200.0),
                  peak(256, 100.0),
                  peak(128, 50.0),
                  peak(64, 25.0),
                  peak(256, 60.0, 1)};
    const std::vector<Ceiling> reading = ceilings_beside(m, moving(kFootprint, 1e3), on_two());
    std::vector<double> rates;
    for (const Ceiling& c : reading) rates.push_back(c.max);
    CHECK(rates == std::vector<double>{50.0, 45.0, 40.0, 60.0, 100.0, 50.0});

    const std::vector<Ceiling> copying = ceilings_beside(m, moving(kFootprint / 2, kFootprint / 2), on_two());
    std::set<Mix> mixes;
    for (const Ceiling& c : copying) mixes.insert(c.when.mix);
    CHECK(mixes == std::set<Mix>{Mix::load, Mix::update, Mix::copy, Mix::nt_copy, Mix::store, Mix::nt_store,
                                 Mix::fma});

    Work product = moving(kFootprint, 1e3);
    product.traffic.products = 1e9;
    for (const Ceiling& c : ceilings_beside(m, product, on_two())) CHECK(c.resource == Resource::compute);

    SECTION("nothing for cold caches, and nothing for a device") {
        Work cold = moving(kFootprint, 1e3);
        cold.traffic.state = State::cold;
        CHECK(ceilings_beside(m, cold, on_two()).empty());
        m.ceilings.back().when.device = "ocl:0";
        CHECK(ceilings_beside(m, moving(kFootprint, 1e3), on_two()).empty());
    }
}

TEST_CASE("beside: of walks with loads besides those with the most that the variant has, at its footprint") {
    const auto joint = [](Mix mix, const LoadsBesides& besides, double rate, double footprint = kFootprint) {
        Ceiling c = walk(mix, rate, 1, footprint);
        c.resource = Resource::joint;
        c.excludes = false;
        c.when.besides = besides;
        return c;
    };
    Machine m;
    m.ceilings = {joint(Mix::load, {.vectors = 3}, 50.0),
                  joint(Mix::load, {.vectors = 5}, 40.0),
                  joint(Mix::load, {.vectors = 7}, 30.0),
                  joint(Mix::load, {.vectors = 5}, 45.0, 1e6),
                  joint(Mix::load, {.vectors = 5}, 20.0, 2.0 * kFootprint),
                  joint(Mix::copy, {.vectors = 5}, 41.0),
                  joint(Mix::nt_copy, {.vectors = 3}, 60.0),
                  joint(Mix::load, {.gathered = 6}, 10.0)};
    Ceiling more_streams = m.ceilings[1];
    more_streams.when.streams = 4;
    more_streams.max = 42.0;
    m.ceilings.push_back(more_streams);
    const auto rates_of = [&](const Work& work, const Traits& traits) {
        std::vector<double> rates;
        for (const Ceiling& c : ceilings_beside(m, work, traits)) {
            if (c.resource == Resource::joint) rates.push_back(c.max);
        }
        return rates;
    };
    Traits traits = on_two();
    traits.load_bits = 512;
    Work work = moving(kFootprint / 2.0, kFootprint / 2.0);
    const double lines = work.traffic.reads.value / 64.0;
    work.total.wide_loads = Operations(6.0 * lines);  // five besides
    CHECK(rates_of(work, traits) == std::vector<double>{42.0, 41.0, 60.0});
    work.traffic.apart = false;
    CHECK(rates_of(work, traits) == std::vector<double>{42.0});
    work.traffic.apart = true;
    work.total.wide_loads = Operations(3.5 * lines);
    CHECK(rates_of(work, traits).empty());
    work.total.gathered = Operations(6.5 * lines);
    CHECK(rates_of(work, traits) == std::vector<double>{10.0});
    work.traffic.products = 1e9;
    CHECK(rates_of(work, traits).empty());
    work.traffic.products = 0.0;
    traits.threads = 1;
    CHECK(rates_of(work, traits).empty());
}

TEST_CASE("beside: both kinds of copy have the same besides, whichever is faster") {
    Machine m;
    const auto add = [&](Mix mix, const LoadsBesides& besides, double rate) {
        Ceiling c = walk(mix, rate, 1, kFootprint);
        c.resource = Resource::joint;
        c.excludes = false;
        c.when.besides = besides;
        m.ceilings.push_back(c);
    };
    const LoadsBesides plain{.vectors = 7}, crossing{.vectors = 5, .crossing = 2},
        more{.vectors = 7, .crossing = 2};
    for (const Mix mix : {Mix::load, Mix::copy, Mix::nt_copy}) {
        add(mix, plain, mix == Mix::copy ? 40.0 : 60.0);
        add(mix, crossing, mix == Mix::copy ? 60.0 : 40.0);
    }
    Traits traits = on_two();
    traits.load_bits = 512;
    Work work = moving(kFootprint / 2.0, kFootprint / 2.0);
    const double lines = work.traffic.reads.value / 64.0;
    work.total.wide_loads = Operations(9.0 * lines);
    const auto kinds = [&] {
        std::set<LoadsBesides> all;
        for (const Ceiling& c : ceilings_beside(m, work, traits)) {
            if (c.resource == Resource::joint) all.insert(c.when.besides);
        }
        return all;
    };
    CHECK(kinds() == std::set{plain});
    work.total.split_loads = Operations(2.5 * lines);
    CHECK(kinds() == std::set{plain});
    for (const Mix mix : {Mix::load, Mix::copy, Mix::nt_copy}) add(mix, more, 10.0);
    CHECK(kinds() == std::set{more});
}

TEST_CASE("beside: where the machine changes its rate for both, the comparison does not change") {
    // A memory link that two processors share in some rounds; the variant always takes 1.25 times as long as
    // the walk of its bytes. Half of the times are those of the slow rounds: their median, over the highest
    // rate, would be 2.5.
    const std::vector<double> rates{40.0, 40.0, 80.0, 80.0, 80.0, 40.0, 40.0, 40.0, 80.0};
    std::vector<double> times;
    for (const double rate : rates) times.push_back(1.25 * kFootprint / rate);
    const Machine m = rates_beside({walk(Mix::load, 90.0)}, {rates}, slots_of(times));
    REQUIRE(m.ceilings.size() == 1);
    const Roofs roofs(m);
    const BoundModel bound(roofs);
    std::sort(times.begin(), times.end());
    const double middle = times[times.size() / 2];
    CHECK(middle / bound.with_replacement(moving(kFootprint, 0.0), on_two(), true).value == Approx(1.25));
}

TEST_CASE("beside: rounds without a rate or with a disturbed slot do not count, and few are none") {
    const Ceiling asked = walk(Mix::load, 90.0);
    std::vector<Slot> slots = slots_of({1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 9.0, 1.0});
    slots[6].disturbed = true;
    CHECK(rates_beside({asked}, {{5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 50.0, 0.0}}, slots).ceilings.front().max ==
          Approx(5.0));
    CHECK(rates_beside({asked}, {{5.0, 5.0, 5.0, 5.0, 5.0, 0.0, 50.0, 0.0}}, slots).ceilings.empty());
    CHECK(rates_beside({asked}, {{5.0, 5.0, 5.0}}, slots).ceilings.empty());
    CHECK(rates_beside({asked}, {}, slots).ceilings.empty());
}

TEST_CASE("beside: the ends of the interval are those of the rounds' own products") {
    // Times that double with their rates halved leave the products alone; one round in three is 4 % off.
    const std::vector<double> rates{40.0, 80.0, 40.0, 80.0, 40.0, 80.0, 40.0, 80.0, 40.0, 80.0, 40.0, 80.0};
    std::vector<double> times;
    for (std::size_t i = 0; i < rates.size(); ++i)
        times.push_back((i % 3 == 0 ? 1.04 : i % 3 == 1 ? 1.0 : 0.97) * kFootprint / rates[i]);
    const auto rate = [&](Part part) {
        const Machine m = rates_beside({walk(Mix::load, 90.0)}, {rates}, slots_of(times), part);
        REQUIRE(m.ceilings.size() == 1);
        return m.ceilings.front().max;
    };
    CHECK(rate(Part::low) / rate(Part::median) == Approx(0.97));
    CHECK(rate(Part::high) / rate(Part::median) == Approx(1.04));
}
