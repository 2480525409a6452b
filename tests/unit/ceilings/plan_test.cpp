// What is probed: of the wider plan, of the lazy remainder, of machines with several nodes or hardly any
// memory.
#include <algorithm>
#include <map>
#include <set>

#include "kernels/runtime/cpu.h"
#include "models/conditions.h"
#include "tests/support/catch.h"
#include "tuner/ceilings/ages.h"
#include "tuner/ceilings/plan.h"
#include "tuner/ceilings/plan_memory.h"
#include "tuner/ceilings/probe_machine.h"

using namespace rooftune;
using probe::Target;

namespace {

constexpr double kMiB = 1024.0 * 1024.0;

Topology small_machine(int threads = 2) {
    Topology t;
    t.cores = t.threads = threads;
    t.width_bits = {128, 256};
    t.caches = {{1, Bytes(32768.0), Bytes(0.0), 1},
                {2, Bytes(524288.0), Bytes(0.0), 1},
                {3, Bytes(32.0 * kMiB), Bytes(0.0), 2}};
    return t;
}

std::vector<Target> all_of(const ProbePlan& plan) {
    std::vector<Target> all;
    for (const auto& group : plan.groups) all.insert(all.end(), group.begin(), group.end());
    return all;
}

bool holds(const std::vector<Target>& all, const Target& target) {
    return std::find(all.begin(), all.end(), target) != all.end();
}

int count(const std::vector<Target>& all, auto&& wanted) {
    return static_cast<int>(std::count_if(all.begin(), all.end(), wanted));
}

// Bandwidth ceilings that can exclude make steps of B*(w): their footprints by thread count.
std::map<int, std::set<double>> steps_of(const std::vector<Target>& all, auto&& wanted) {
    std::map<int, std::set<double>> steps;
    for (const Target& t : all) {
        if (t.resource == Resource::bandwidth && may_exclude(t.resource, t.when) && wanted(t.when))
            steps[t.when.threads].insert(t.when.footprint.value);
    }
    return steps;
}

Ceiling seen(const Target& target, const std::string& when) {
    Ceiling c;
    c.resource = target.resource;
    c.when = target.when;
    c.max = c.p95 = c.median = 1e9;
    c.seen = when;
    return c;
}

}  // namespace

TEST_CASE("the full plan has everything of the quick one") {
    for (const int threads : {1, 2, 6}) {
        const Topology t = small_machine(threads);
        const std::vector<Target> full = all_of(full_plan(t, threads, Bytes(16e9)));
        for (const Target& target : all_of(quick_plan(t, threads, Bytes(16e9)))) {
            INFO(describe(seen(target, "")));
            CHECK(holds(full, target));
        }
    }
}

TEST_CASE("loads are probed for each width, in the quick plan and before each tune") {
    const Topology t = small_machine();
    for (const ProbePlan& plan :
         {quick_plan(t, 2, Bytes(16e9)), probe_conditions_for(t, Bytes(56e6), DType::f64, 2, Bytes(16e9))}) {
        const std::vector<Target> all = all_of(plan);
        for (const int width : {0, 128, 256})
            CHECK(holds(all, {Resource::issue, {.width_bits = width, .mix = Mix::loads}}));
        for (const int width : {128, 256})
            CHECK(holds(all, {Resource::issue, {.width_bits = width, .mix = Mix::split_loads}}));
        CHECK(holds(all, {Resource::issue, {.mix = Mix::gathers}}));
        CHECK_FALSE(holds(all, {Resource::issue, {.width_bits = 512, .mix = Mix::loads}}));
    }
}

TEST_CASE("every footprint that is a step of B* has every mix") {
    for (const int threads : {1, 2, 6}) {
        const Topology t = small_machine(threads);
        for (const ProbePlan& plan :
             {quick_plan(t, threads, Bytes(16e9)), full_plan(t, threads, Bytes(16e9)),
              probe_conditions_for(t, Bytes(56e6), DType::f64, threads, Bytes(16e9))}) {
            const std::vector<Target> all = all_of(plan);
            const auto steps = steps_of(all, [](const Conditions&) { return true; });
            CHECK_FALSE(steps.empty());
            for (const Mix mix : {Mix::load, Mix::update, Mix::store, Mix::nt_store, Mix::nt_copy, Mix::copy,
                                  Mix::two_loads_store}) {
                CHECK(steps == steps_of(all, [mix](const Conditions& w) {
                          Conditions plain;
                          plain.mix = mix;
                          plain.threads = w.threads;
                          plain.footprint = w.footprint;
                          plain.streams = w.streams;
                          plain.huge_pages = true;
                          return w == plain;
                      }));
            }
        }
    }
}

TEST_CASE("the full plan asks for each kind of access") {
    const std::vector<Target> full = all_of(full_plan(small_machine(), 2, Bytes(16e9)));
    CHECK(count(full, [](const Target& t) { return t.resource == Resource::latency && t.when.huge_pages; }) ==
          17);
    CHECK(count(full,
                [](const Target& t) { return t.resource == Resource::latency && !t.when.huge_pages; }) == 17);
    for (const double stride : probed_strides()) {
        CHECK(count(full, [&](const Target& t) {
                  return t.resource == Resource::strided && t.when.stride.value == stride &&
                         t.when.threads == 2;
              }) >= 5);
    }
    CHECK(count(full, [](const Target& t) {
              return t.resource == Resource::gather && t.when.dtype == DType::f32 && t.when.threads == 1;
          }) == 17);
    for (const Prefetch p : {Prefetch::off, Prefetch::on}) {
        for (const Mix mix : {Mix::load, Mix::update}) {
            CHECK(count(full, [&](const Target& t) { return t.when.prefetch == p && t.when.mix == mix; }) >
                  0);
        }
    }
    CHECK(count(full, [](const Target& t) { return t.when.shared; }) > 0);
    CHECK(count(full, [](const Target& t) { return t.when.shared && t.when.threads == 1; }) == 0);
    CHECK(count(full, [](const Target& t) { return t.when.remote; }) == 0);
    CHECK(count(full, [](const Target& t) { return t.when.mix == Mix::div; }) > 0);
    CHECK(full_plan(small_machine(), 2, Bytes(16e9)).refinements == 2);
    CHECK(quick_plan(small_machine(), 2, Bytes(16e9)).refinements == 0);
}

TEST_CASE("several nodes: remote memory at large footprints, and nothing twice") {
    Topology t = read_topology("numa:4 core:4 pu:1");
    t.width_bits = {128, 256};
    REQUIRE(t.numa_nodes == 4);
    const std::vector<Target> full = all_of(full_plan(t, 16, Bytes(512e9)));
    const auto remote = [](const Target& target) { return target.when.remote; };
    CHECK(count(full, remote) > 20);
    for (const Target& target : full) {
        if (remote(target)) CHECK(target.when.footprint.value >= 4.0 * kMiB);
    }
    CHECK(count(full, [&](const Target& x) { return remote(x) && x.resource == Resource::latency; }) > 2);
    std::set<int> counts;
    for (const Target& target : full) counts.insert(target.when.threads);
    CHECK(counts == std::set<int>{1, 2, 4, 8, 16});
    int twice = 0;
    for (std::size_t i = 0; i < full.size(); ++i) {
        if (full[i].resource == Resource::compute) continue;  // peaks are spread over the plan
        for (std::size_t j = 0; j < i; ++j) twice += full[i] == full[j];
    }
    CHECK(twice == 0);
}

TEST_CASE("one thread shares with nobody") {
    const std::vector<Target> full = all_of(full_plan(small_machine(1), 1, Bytes(16e9)));
    CHECK(count(full, [](const Target& t) { return t.when.threads != 1 || t.when.shared; }) == 0);
}

TEST_CASE("hardly any memory still gives a plan that fits in it") {
    for (const double memory : {0.0, 1e6, 16e6}) {
        for (const ProbePlan& plan :
             {quick_plan(small_machine(), 2, Bytes(memory)), full_plan(small_machine(), 2, Bytes(memory)),
              ranking_conditions_for(small_machine(), Bytes(1e9), Bytes(1e9), DType::f64, 2,
                                     Bytes(memory))}) {
            CHECK(plan.targets() > 0);
            for (const Target& t : all_of(plan))
                CHECK(t.when.footprint.value <= std::max(65536.0, memory / 4.0));
        }
    }
}

TEST_CASE("memory that is refused loses its group alone") {
    Machine m = new_machine();
    Team team({usable_cpus().front()});
    ProbePlan plan;
    plan.rounds = 2;
    plan.deadline = Seconds(5.0);
    plan.refinements = 2;
    plan.groups = {
        walk_group(Bytes(1e15), 1), latency_groups({Bytes(1e15)}, {true}).front(), {{Resource::clock, {}}}};
    probe_machine(m, team, plan);
    REQUIRE(m.ceilings.size() == 1);
    CHECK(m.ceilings.front().resource == Resource::clock);
}

TEST_CASE("what only ranks says so in its ceiling, and keeps its conditions") {
    Machine m = new_machine();
    Team team({usable_cpus().front()});
    ProbePlan plan;
    plan.rounds = 1;
    plan.deadline = Seconds(5.0);
    plan.groups = latency_groups({Bytes(4096.0)}, {true, false});
    plan.groups.push_back(strided_groups({Bytes(65536.0)}, 1).front());
    const std::vector<Target> wanted = all_of(plan);
    probe_machine(m, team, plan);
    REQUIRE(m.ceilings.size() == wanted.size());
    for (const Ceiling& c : m.ceilings) {
        CHECK_FALSE(c.excludes);
        CHECK(holds(wanted, {c.resource, c.when}));
        CHECK(c.max > 0.0);
    }
}

TEST_CASE("walks with work besides: gathers or loads, at the problem's footprint and on its threads alone") {
    const Topology t = small_machine();
    for (const bool gathers : {false, true}) {
        INFO("gathers: " << gathers);
        const std::vector<Target> all = all_of(joint_conditions_for(t, Bytes(5e6), 2, Bytes(16e9), gathers));
        CHECK_FALSE(all.empty());
        CHECK(count(all, [&](const Target& x) {
                  return x.resource == Resource::joint && x.when.threads == 2 && x.when.huge_pages &&
                         x.when.footprint.value == 4883.0 * 1024.0 &&
                         (gathers ? x.when.besides.vectors == 0 && x.when.mix == Mix::load
                                  : x.when.besides.vectors > 0 && x.when.besides.scalars == 0 &&
                                        x.when.besides.gathered == 0);
              }) == static_cast<int>(all.size()));
        const auto has = [&](const auto& which) { return count(all, which) > 0; };
        CHECK(has([](const Target& x) { return x.when.besides.crossing > 0; }) != gathers);
        CHECK(has([](const Target& x) { return x.when.besides.scalars > 0; }) == gathers);
        CHECK(has([](const Target& x) { return x.when.besides.gathered > 0; }) == gathers);
        for (const Mix mix : {Mix::copy, Mix::nt_copy})
            CHECK((count(all, [&](const Target& x) { return x.when.mix == mix; }) > 0) != gathers);
    }
    const auto largest = all_of(joint_conditions_for(t, Bytes(1e15), 1, Bytes(16e9), true));
    REQUIRE_FALSE(largest.empty());
    CHECK(largest.front().when.footprint.value <= 8e9);
}

TEST_CASE("before a tune: latency at the next power of two, gathers only where there are any") {
    const Topology t = small_machine();
    const std::vector<Target> with =
        all_of(ranking_conditions_for(t, Bytes(5e6), Bytes(123456.0), DType::f32, 2, Bytes(16e9)));
    CHECK(count(with, [](const Target& x) {
              return x.resource == Resource::latency && x.when.footprint.value == 8.0 * kMiB;
          }) == 2);
    CHECK(count(with, [](const Target& x) {
              return x.resource == Resource::gather && x.when.dtype == DType::f32 &&
                     x.when.footprint.value == 121.0 * 1024.0;
          }) == 2);
    CHECK(with.size() == 4);
    CHECK(all_of(ranking_conditions_for(t, Bytes(0.0), Bytes(0.0), DType::f64, 1, Bytes(16e9))).size() == 2);
}

TEST_CASE("only what is missing or old is left of a plan") {
    ProbePlan plan;
    plan.groups = latency_groups({Bytes(4096.0), Bytes(8192.0)}, {true, false});
    const std::vector<Target> targets = all_of(plan);
    REQUIRE(targets.size() == 4);
    Machine m;
    const std::string now = "2026-03-02T12:00:00Z";
    CHECK(missing_or_old(m, plan, now).targets() == 4);
    m.ceilings = {seen(targets[0], "2026-03-01T12:00:00Z"),  // exactly a day
                  seen(targets[1], "2026-03-01T11:59:59Z"),  // a second more
                  seen(targets[2], "2027-01-01T00:00:00Z"),  // the clock was set back since
                  seen(targets[3], "2008")};                 // no date
    const std::vector<Target> left = all_of(missing_or_old(m, plan, now));
    CHECK(left.size() == 2);
    CHECK(holds(left, targets[1]));
    CHECK(holds(left, targets[3]));
    CHECK(missing_or_old(m, plan, now, 2.0 * kDay).targets() == 1);
    CHECK(missing_or_old(m, plan, "not a date").targets() == 4);
    m.ceilings[0].when.footprint = Bytes(4097.0);
    CHECK(missing_or_old(m, plan, now).groups.size() == 2);
}

TEST_CASE("ages: the oldest, the newest, and how many are more than a month old") {
    Machine m;
    CHECK(ages_of(m, "2026-03-02T12:00:00Z").dated == 0);
    const Target t{Resource::clock, {}};
    m.ceilings = {seen(t, "2026-01-31T11:59:59Z"), seen(t, "2026-01-31T12:00:00Z"),
                  seen(t, "2026-03-02T11:00:00Z"), seen(t, "")};
    const CeilingAges ages = ages_of(m, "2026-03-02T12:00:00Z");
    CHECK(ages.oldest == "2026-01-31T11:59:59Z");
    CHECK(ages.newest == "2026-03-02T11:00:00Z");
    CHECK(ages.dated == 3);
    CHECK(ages.old == 1);  // thirty days to the second are not more than thirty days
    CHECK(ages_of(m, "").old == 0);
}
