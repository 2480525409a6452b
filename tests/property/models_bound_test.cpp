// The bound's contract on machines and work at random. What is monotone, what is explained, what an
// unmeasured or a merely ranking ceiling may do: nothing.
#include <algorithm>
#include <vector>

#include "tests/support/catch.h"
#include "tests/support/random_models.h"

using namespace rooftune;
using rooftune::test::RandomModels;

namespace {

constexpr int kCases = 3000;
constexpr double kUlps = 1e-12;  // products in another order may differ in the last digits

double seconds(const Machine& machine, const Work& work, const Traits& traits) {
    const Roofs roofs(machine);
    return BoundModel(roofs).seconds(work, traits).value;
}

/// Every amount that a bound grows with.
std::vector<double*> amounts(Work& w) {
    std::vector<double*> all;
    for (InCore* c : {&w.total, &w.heaviest}) {
        for (Operations* o : {&c->ops, &c->fused, &c->added, &c->instructions, &c->loads, &c->fmas,
                              &c->wide_loads, &c->split_loads, &c->gathered})
            all.push_back(&o->value);
    }
    for (TrafficProfile* t : {&w.traffic, &w.heaviest_traffic}) {
        for (double* d : {&t->reads.value, &t->writes.value, &t->passes, &t->products}) all.push_back(d);
    }
    for (double* d :
         {&w.exchanged.value, &w.chain_steps.value, &w.chain_repeats, &w.chain_instructions.value})
        all.push_back(d);
    return all;
}

/// The resource that a term needs.
Resource resource_of(TermKind kind) {
    switch (kind) {
        case TermKind::compute:
        case TermKind::compute_thread:
        case TermKind::chain:
            return Resource::compute;
        case TermKind::instructions:
        case TermKind::loads:
        case TermKind::fmas:
            return Resource::issue;
        case TermKind::link:
            return Resource::link;
        default:
            return Resource::bandwidth;
    }
}

}  // namespace

TEST_CASE("property: the explanation is the bound, and T_serial at most twice it") {
    RandomModels random(1);
    int bound_by_something = 0;
    for (int i = 0; i < kCases; ++i) {
        const Machine m = random.machine();
        const Work w = random.work();
        const Traits t = random.traits();
        const Roofs roofs(m);
        const BoundModel model(roofs);
        const Bound b = model.explain(w, t);
        REQUIRE(b.seconds_lower == model.seconds(w, t));
        double largest = 0.0;
        for (const Term& term : b.terms) {
            largest = std::max(largest, term.seconds.value);
            REQUIRE(term.ceiling >= 0);
            const Ceiling& c = m.ceilings[static_cast<std::size_t>(term.ceiling)];
            REQUIRE(c.excludes);
            REQUIRE(c.resource == resource_of(term.kind));
            REQUIRE(term.rate <= c.max * (1.0 + kUlps));
            REQUIRE(term.seconds.value == Approx(term.amount / term.rate));
        }
        REQUIRE(b.seconds_lower.value == largest);
        REQUIRE(b.seconds_serial >= b.seconds_lower);
        REQUIRE(b.seconds_serial.value <= 2.0 * b.seconds_lower.value);
        const RankParts rank = model.rank(w, t);
        REQUIRE(std::max(rank.in_core, rank.traffic) >= b.seconds_lower);
        // What bounds is in both: demoted terms can only add.
        REQUIRE(rank.in_core + rank.traffic >= b.seconds_serial);
        REQUIRE((b.binding >= 0) == !b.terms.empty());
        REQUIRE(model.binding(w, t) == (b.binding >= 0
                                            ? std::optional(b.terms[static_cast<std::size_t>(b.binding)].kind)
                                            : std::nullopt));
        bound_by_something += b.binding >= 0 ? 1 : 0;
    }
    CHECK(bound_by_something > kCases / 2);
}

TEST_CASE("property: a traffic term is the largest over all footprints, at the smallest of equals") {
    struct Direction {
        TermKind all, thread;
        double BandwidthStep::*rate;
        Bytes (TrafficProfile::*beyond)(Bytes) const;
    };
    const std::vector<Direction> directions{
        {TermKind::reads, TermKind::reads_thread, &BandwidthStep::read, &TrafficProfile::reads_beyond},
        {TermKind::writes, TermKind::writes_thread, &BandwidthStep::write, &TrafficProfile::writes_beyond},
        {TermKind::both, TermKind::both_thread, &BandwidthStep::both, &TrafficProfile::sum_beyond}};
    RandomModels random(8);
    int terms = 0, beyond_something = 0;
    for (int i = 0; i < kCases; ++i) {
        const Machine m = random.machine();
        const Work w = random.work();
        const Traits t = random.traits();
        const Roofs roofs(m);
        const Bound b = BoundModel(roofs).explain(w, t);
        const auto check = [&](TermKind kind, const Direction& d, const TrafficProfile& profile,
                               int threads) {
            Term largest;
            for (const BandwidthStep& step : roofs.bandwidth(threads)) {
                if (step.*d.rate <= 0.0) continue;
                const double seconds = (profile.*d.beyond)(Bytes(step.from)).value / (step.*d.rate);
                if (seconds <= largest.seconds.value) continue;
                largest.seconds = Seconds(seconds);
                largest.beyond = Bytes(step.from);
                largest.rate = step.*d.rate;
            }
            const auto found = std::find_if(b.terms.begin(), b.terms.end(),
                                            [&](const Term& term) { return term.kind == kind; });
            REQUIRE((found != b.terms.end()) == (largest.seconds.value > 0.0));
            if (found == b.terms.end()) return;
            REQUIRE(found->seconds == largest.seconds);
            REQUIRE(found->beyond == largest.beyond);
            REQUIRE(found->rate == largest.rate);
            ++terms;
            beyond_something += found->beyond.value > 0.0 ? 1 : 0;
        };
        for (const Direction& d : directions) {
            check(d.all, d, w.traffic, t.threads);
            check(d.thread, d, w.heaviest_traffic, 1);
        }
    }
    CHECK(terms > kCases);
    CHECK(beyond_something > kCases / 4);
}

TEST_CASE("property: more work never lowers the bound") {
    RandomModels random(2);
    int moved = 0;
    for (int i = 0; i < kCases; ++i) {
        const Machine m = random.machine();
        Work w = random.work();
        const Traits t = random.traits();
        const Roofs roofs(m);
        const BoundModel model(roofs);
        double before = model.seconds(w, t).value;
        const std::vector<double*> fields = amounts(w);
        for (double* field : fields) {
            *field = *field > 0.0 ? *field * random.real(1.0, 100.0) : random.real(1.0, 1e12);
            const double after = model.seconds(w, t).value;
            REQUIRE(after >= before * (1.0 - kUlps));
            moved += after > before ? 1 : 0;
            before = after;
        }
        Work cold = w;
        cold.traffic.state = cold.heaviest_traffic.state = State::cold;
        REQUIRE(model.seconds(cold, t).value >= before * (1.0 - kUlps));
    }
    CHECK(moved > kCases);
}

TEST_CASE("property: a faster ceiling never raises the bound") {
    RandomModels random(3);
    int moved = 0;
    for (int i = 0; i < kCases; ++i) {
        Machine m = random.machine();
        const Work w = random.work();
        const Traits t = random.traits();
        const double before = seconds(m, w, t);
        Ceiling& c = m.ceilings[static_cast<std::size_t>(random.below(static_cast<int>(m.ceilings.size())))];
        c.max *= random.real(1.0, 100.0);
        const double after = seconds(m, w, t);
        REQUIRE(after <= before * (1.0 + kUlps));
        moved += after < before ? 1 : 0;
    }
    CHECK(moved > kCases / 100);
}

TEST_CASE("property: another ceiling under conditions that were measured never raises the bound") {
    // A footprint, a width or a count of threads that is new may: the machine is known better then.
    RandomModels random(4);
    for (int i = 0; i < kCases; ++i) {
        Machine m = random.machine();
        const Work w = random.work();
        const Traits t = random.traits();
        const double before = seconds(m, w, t);
        Ceiling again =
            m.ceilings[static_cast<std::size_t>(random.below(static_cast<int>(m.ceilings.size())))];
        again.max *= random.real(1e-2, 1e2);
        again.when.streams += 3;
        again.when.huge_pages = !again.when.huge_pages;
        m.ceilings.push_back(again);
        REQUIRE(seconds(m, w, t) <= before * (1.0 + kUlps));
    }
}

TEST_CASE("property: without its ceilings a resource gives no term, and the bound does not rise") {
    RandomModels random(5);
    for (int i = 0; i < kCases; ++i) {
        Machine m = random.machine();
        const Work w = random.work();
        const Traits t = random.traits();
        const double before = seconds(m, w, t);
        static constexpr Resource kResources[] = {Resource::compute, Resource::bandwidth, Resource::issue,
                                                  Resource::link};
        const Resource gone = random.pick(kResources);
        std::erase_if(m.ceilings, [&](const Ceiling& c) { return c.resource == gone; });
        const Roofs roofs(m);
        const Bound b = BoundModel(roofs).explain(w, t);
        for (const Term& term : b.terms) REQUIRE(resource_of(term.kind) != gone);
        REQUIRE(b.seconds_lower.value <= before);
    }
}

TEST_CASE("property: a ceiling that only ranks never moves the bound") {
    RandomModels random(6);
    for (int i = 0; i < kCases; ++i) {
        Machine m = random.machine();
        const Work w = random.work();
        const Traits t = random.traits();
        const double before = seconds(m, w, t);
        for (int n = random.below(5); n >= 0; --n) {
            Ceiling c = random.ceiling();
            c.excludes = false;
            c.max *= random.real(1e-3, 1e3);
            m.ceilings.push_back(c);
        }
        REQUIRE(seconds(m, w, t) == before);
    }
}

TEST_CASE("property: B* falls with the footprint, in each direction where it is known") {
    RandomModels random(7);
    int compared = 0;
    for (int i = 0; i < kCases; ++i) {
        const Machine m = random.machine();
        const Roofs roofs(m);
        for (const int threads : {1, 2, 3, 4, 5}) {
            const std::vector<BandwidthStep>& steps = roofs.bandwidth(threads);
            for (const auto rate : {&BandwidthStep::read, &BandwidthStep::write, &BandwidthStep::both}) {
                double last = 0.0;
                for (const BandwidthStep& step : steps) {
                    if (step.*rate <= 0.0) {
                        REQUIRE(last == 0.0);  // once known it goes on
                        continue;
                    }
                    if (last > 0.0) REQUIRE(step.*rate <= last);
                    compared += last > 0.0 ? 1 : 0;
                    last = step.*rate;
                }
            }
            for (std::size_t s = 1; s < steps.size(); ++s) REQUIRE(steps[s].from > steps[s - 1].from);
        }
    }
    CHECK(compared > kCases);
}

TEST_CASE("property: what more threads reached, fewer are allowed their share of") {
    RandomModels random(8);
    for (int i = 0; i < kCases; ++i) {
        Machine m = random.machine();
        for (Ceiling& c : m.ceilings) c.excludes = c.excludes && c.when.threads > 0;
        const Roofs roofs(m);
        for (const Ceiling& c : m.ceilings) {
            if (!c.excludes) continue;
            for (int threads = 1; threads <= c.when.threads; ++threads) {
                const double share = static_cast<double>(threads) / c.when.threads;
                if (c.resource == Resource::compute) {
                    const Roof roof = roofs.compute(c.when.dtype, c.when.width_bits, threads);
                    if (roof) REQUIRE(roof.rate >= share * c.max * (1.0 - kUlps));
                } else if (c.resource == Resource::bandwidth) {
                    for (const BandwidthStep& step : roofs.bandwidth(threads)) {
                        if (step.from > share * c.when.footprint.value) break;
                        REQUIRE(step.both >= share * c.max * (1.0 - kUlps));
                    }
                }
            }
        }
    }
}

TEST_CASE("property: a rate without a thread count bounds any number of threads alike") {
    RandomModels random(9);
    int bounded = 0;
    for (int i = 0; i < kCases; ++i) {
        Machine m = random.machine();
        std::erase_if(m.ceilings, [](const Ceiling& c) {
            return c.resource != Resource::compute && c.resource != Resource::bandwidth;
        });
        for (Ceiling& c : m.ceilings) c.when.threads = 0;
        Work w = random.work();
        w.chain_steps = Operations(0.0);  // chains are one thread's
        Traits t = random.traits();
        t.threads = 1;
        const double one = seconds(m, w, t);
        for (const int threads : {2, 7, 64, 10000}) {
            t.threads = threads;
            REQUIRE(seconds(m, w, t) == one);
        }
        bounded += one > 0.0 ? 1 : 0;
    }
    CHECK(bounded > kCases / 2);
}

namespace {

/// A machine whose true rates are known: private caches that add up, a memory that saturates.
struct Truth {
    double cache, memory, store;
    double walk(int threads, double w, Mix mix) const {
        const double near = threads * cache / (1.0 + w / threads / 1e5);
        const double rate = std::max(near, std::min<double>(threads, 1.5) * memory);
        return mix == Mix::nt_store ? store * rate : rate;
    }
    static double peak(DType dtype, int width, int threads) {
        return 1e9 * threads * width / static_cast<double>(size_of(dtype));
    }
};

}  // namespace

TEST_CASE("property: wherever a roof is given, it is at least what the machine can truly do") {
    // Probed at random conditions only: each pair of mix and threads has footprints of its own, or none.
    RandomModels random(10);
    static constexpr DType kTypes[] = {DType::f64, DType::f32};
    int roofs_seen = 0;
    int none = 0;
    for (int i = 0; i < kCases; ++i) {
        const Truth truth{random.real(1e9, 1e11), random.real(1e8, 1e10), random.real(0.1, 1.0)};
        Machine m;
        m.topology.threads = 4;
        for (const int threads : {1, 2, 4}) {
            for (const Mix mix : {Mix::load, Mix::nt_store}) {
                for (double w = 4096.0; w < 1e9; w *= 8.0) {
                    if (!random.chance(0.3)) continue;
                    Ceiling c;
                    c.resource = Resource::bandwidth;
                    c.when.threads = threads;
                    c.when.mix = mix;
                    c.when.footprint = Bytes(w);
                    c.max = truth.walk(threads, w, mix);
                    m.ceilings.push_back(c);
                }
            }
            for (const DType dtype : kTypes) {
                for (const int width : {128, 256, 512}) {
                    if (!random.chance(0.3)) continue;
                    Ceiling c;
                    c.resource = Resource::compute;
                    c.when.threads = threads;
                    c.when.dtype = dtype;
                    c.when.width_bits = width;
                    c.when.mix = Mix::fma;
                    c.max = Truth::peak(dtype, width, threads);
                    m.ceilings.push_back(c);
                }
            }
        }
        const Roofs roofs(m);
        for (const int threads : {1, 2, 3, 4, 5}) {
            for (const BandwidthStep& step : roofs.bandwidth(threads)) {
                const double read = truth.walk(threads, step.from, Mix::load);
                const double write = truth.walk(threads, step.from, Mix::nt_store);
                if (step.read > 0.0) REQUIRE(step.read >= read * (1.0 - kUlps));
                if (step.write > 0.0) REQUIRE(step.write >= write * (1.0 - kUlps));
                ++(step.read > 0.0 ? roofs_seen : none);
            }
            for (const Ceiling& c : m.ceilings) {
                if (c.resource != Resource::compute) continue;
                const Roof roof = roofs.compute(c.when.dtype, c.when.width_bits, threads);
                ++(roof ? roofs_seen : none);
                if (roof) {
                    REQUIRE(roof.rate >=
                            Truth::peak(c.when.dtype, c.when.width_bits, threads) * (1.0 - kUlps));
                }
            }
        }
        CHECK(roofs.bandwidth(5).empty());
    }
    CHECK(roofs_seen > 10 * kCases);
    CHECK(none > kCases);
}

TEST_CASE("property: what may be of any width is bounded by no more than code of each") {
    RandomModels random(21);
    constexpr int kWidths[] = {64, 128, 256, 512};
    int bounded = 0;
    for (int i = 0; i < kCases; ++i) {
        Machine machine = random.machine();
        for (Ceiling& c : machine.ceilings) {
            // Some were probed beside something that disturbed each of their windows, or all but a few.
            if (random.chance(0.5)) c.undisturbed = random.below(3);
        }
        Work work = random.work();
        work.chain_steps = Operations(0.0);  // whose roofs are of one width each
        const int first = random.below(4), last = first + random.below(4 - first);
        Traits open = random.traits();
        open.narrowest_bits = open.load_bits = kWidths[first];
        open.width_bits = kWidths[last];
        const double least = seconds(machine, work, open);
        const Roofs roofs(machine);
        const Bound bound = BoundModel(roofs).explain(work, open);
        const TermKind kind =
            bound.binding < 0 ? TermKind::reads : bound.terms[static_cast<std::size_t>(bound.binding)].kind;
        bounded += first < last && (kind == TermKind::compute || kind == TermKind::compute_thread);
        for (int width = first; width <= last; ++width) {
            // Of a width that nobody ever probed nothing is known, which its own bound leaves out.
            const auto own = [&](const Ceiling& c) {
                return c.resource == Resource::compute && c.excludes && c.when.dtype == open.dtype &&
                       c.when.width_bits == kWidths[width] &&
                       (c.when.threads == 0 || c.when.threads >= open.threads);
            };
            if (std::none_of(machine.ceilings.begin(), machine.ceilings.end(), own)) continue;
            Traits one = open;
            one.width_bits = one.narrowest_bits = one.load_bits = kWidths[width];
            CAPTURE(i, open.width_bits, open.narrowest_bits, open.threads, one.width_bits);
            REQUIRE(least <= seconds(machine, work, one) * (1.0 + kUlps));
        }
    }
    CHECK(bounded > kCases / 100);
}
