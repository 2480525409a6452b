// The comparison of machines, on machines made up for it.
#include "tuner/machine/machine_diff.h"

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <tuple>
#include "models/conditions.h"
#include "tests/support/catch.h"

using namespace rooftune;
using Catch::Contains;

namespace {

constexpr double kMiB = 1024.0 * 1024.0;

Ceiling rate(Resource resource, Conditions when, double max, double p95 = 0.0) {
    Ceiling c;
    c.resource = resource;
    c.when = when;
    c.max = max;
    c.p95 = c.median = p95 > 0.0 ? p95 : max;
    return c;
}

Conditions load_of(double footprint, int threads) {
    Conditions when;
    when.mix = Mix::load;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = 1;
    return when;
}

Conditions peak_of(DType dtype, int threads) {
    Conditions when;
    when.dtype = dtype;
    when.mix = Mix::fma;
    when.threads = threads;
    return when;
}

/// One cache of 1 MiB; two threads; 100 Gflop/s over 10 GB/s.
Machine measured() {
    Machine m;
    m.id = m.name = "measured";
    m.topology.threads = m.topology.cores = 2;
    m.topology.caches = {{1, Bytes(kMiB), Bytes(0.0), 1}};
    m.ceilings = {rate(Resource::compute, peak_of(DType::f64, 1), 60e9),
                  rate(Resource::compute, peak_of(DType::f64, 2), 100e9),
                  rate(Resource::bandwidth, load_of(65536.0, 1), 80e9),
                  rate(Resource::bandwidth, load_of(131072.0, 2), 150e9),
                  rate(Resource::bandwidth, load_of(64.0 * kMiB, 1), 8e9),
                  rate(Resource::bandwidth, load_of(128.0 * kMiB, 2), 10e9)};
    return m;
}

Machine preset() {
    Machine m;
    m.id = m.name = "preset";
    Conditions whole;
    whole.threads = 0;
    whole.dtype = DType::f64;
    m.ceilings = {rate(Resource::compute, whole, 50e12)};
    whole.dtype = DType::bf16;
    m.ceilings.push_back(rate(Resource::compute, whole, 900e12));
    whole.sparse = true;
    m.ceilings.push_back(rate(Resource::compute, whole, 1800e12));
    Conditions memory;
    memory.threads = 0;
    m.ceilings.push_back(rate(Resource::bandwidth, memory, 2e12));
    Conditions link;
    link.threads = 0;
    link.unit = "ici";
    m.ceilings.push_back(rate(Resource::link, link, 45e9));
    return m;
}

const RatePair* find(const MachineDiff& diff, const std::string& group, const std::string& name) {
    const auto at = std::find_if(diff.rates.begin(), diff.rates.end(), [&](const RatePair& pair) {
        return pair.group == group && pair.name == name;
    });
    return at == diff.rates.end() ? nullptr : &*at;
}

}  // namespace

TEST_CASE("a machine does not differ from itself") {
    for (const Machine& m : {measured(), preset(), Machine{}}) {
        const MachineDiff diff = machine_diff(m, m);
        CHECK(diff.identical);
        CHECK(diff.no_difference());
        CHECK_THAT(machine_diff_text(diff), Contains("No difference"));
        for (const RatePair& pair : diff.rates) CHECK(pair.ratio() == 1.0);
    }
}

TEST_CASE("a measured machine against a preset: the best of a type, of memory, and the ridge") {
    const MachineDiff diff = machine_diff(measured(), preset());
    CHECK_FALSE(diff.identical);
    const RatePair* peak = find(diff, "peak", "f64, all threads");
    REQUIRE(peak != nullptr);
    CHECK(peak->a == 100e9);
    CHECK(peak->b == 50e12);
    CHECK(peak->ratio() == Approx(500.0));
    const RatePair* memory = find(diff, "bandwidth", "any mix, memory, all threads");
    REQUIRE(memory != nullptr);
    CHECK(memory->a == 10e9);
    CHECK(memory->b == 2e12);
    const RatePair* ridge = find(diff, "ridge point", "f64");
    REQUIRE(ridge != nullptr);
    CHECK(ridge->a == Approx(10.0));
    CHECK(ridge->b == Approx(25.0));
    const auto only = [](const std::vector<std::string>& names, const std::string& name) {
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    CHECK(only(diff.only_a, "peak: f64, 1 thread"));
    CHECK(only(diff.only_b, "peak: bf16, all threads"));
    CHECK(only(diff.only_b, "peak: bf16 with sparsity, all threads"));
    CHECK(only(diff.only_b, "link: ici"));
    CHECK_FALSE(only(diff.only_a, "peak: f64, all threads"));
    const std::string text = machine_diff_text(diff);
    CHECK_THAT(text, Contains("Only A has") && Contains("Only B has") && Contains("500×"));
    CHECK(text.find("nan") == std::string::npos);
}

TEST_CASE("a difference counts when it exceeds both margins of noise") {
    RatePair pair;
    pair.a = 100.0;
    pair.margin_a = 0.03;
    pair.margin_b = 0.10;
    for (const auto& [b, beyond] : {std::pair{100.0, false},
                                    {105.0, false},
                                    {109.9, false},
                                    {110.1, true},
                                    {91.0, false},
                                    {90.0, true},
                                    {200.0, true},
                                    {0.0, true}}) {
        INFO(b);
        pair.b = b;
        CHECK(pair.beyond_margins() == beyond);
        std::swap(pair.a, pair.b);
        std::swap(pair.margin_a, pair.margin_b);
        CHECK(pair.beyond_margins() == beyond);
        std::swap(pair.a, pair.b);
        std::swap(pair.margin_a, pair.margin_b);
    }
    Machine noisy = measured();
    noisy.ceilings[1].max = 108e9;
    noisy.ceilings[1].occasions = {
        .count = 3, .latest = 108e9, .highest = {100e9, 90e9}, .windows = 5};  // 8 %
    const MachineDiff diff = machine_diff(measured(), noisy);
    CHECK(diff.no_difference());
    CHECK_FALSE(diff.identical);
    CHECK_THAT(machine_diff_text(diff), Contains("No rate differs by more than the margin"));
}

TEST_CASE("a machine that something disturbed is not the faster one of two, nor the slower") {
    // Two threads of each machine do 150 Gflop/s and 18 GB/s; on the busy one nobody saw it: 100 and 10.
    Machine quiet = measured(), busy = measured();
    for (Ceiling& c : quiet.ceilings) {
        if (c.when.threads != 2) continue;
        for (double* r : {&c.max, &c.p95, &c.median}) *r = c.resource == Resource::compute ? 150e9 : 1.8 * *r;
    }
    for (Machine* m : {&quiet, &busy}) {
        m->ceilings[0].max = m->ceilings[0].p95 = 100e9;  // one thread alone, at a higher clock
        m->ceilings[4].max = m->ceilings[4].p95 = 15e9;
    }
    for (Ceiling& c : busy.ceilings) {
        c.undisturbed = c.when.threads == 2 ? 0 : 20;
        if (c.when.threads == 1) c.top = {c.max, c.max, c.max};
    }
    const MachineDiff diff = machine_diff(quiet, busy);
    for (const auto& [group, name, a, b, at_most] :
         {std::tuple{"peak", "f64, all threads", 150e9, 100e9, 200e9},
          {"bandwidth", "any mix, memory, all threads", 18e9, 10e9, 30e9},
          {"ridge point", "f64", 150.0 / 18.0, 10.0, 200.0 / 30.0}}) {
        INFO(group << ": " << name);
        const RatePair* pair = find(diff, group, name);
        REQUIRE(pair != nullptr);
        CHECK(pair->a == Approx(a));
        CHECK(pair->b == Approx(b));
        CHECK(pair->proven_a);
        CHECK_FALSE(pair->proven_b);
        CHECK(pair->at_most_b == Approx(at_most));
        CHECK_FALSE(pair->judged());
        CHECK_FALSE(pair->beyond_margins());
    }
    // What was walked while somebody took a core is not judged either; one thread was not disturbed.
    const RatePair* load = find(diff, "bandwidth", "load, memory, all threads");
    REQUIRE(load != nullptr);
    CHECK_FALSE(load->judged());
    const RatePair* one = find(diff, "peak", "f64, 1 thread");
    REQUIRE(one != nullptr);
    CHECK(one->judged());
    CHECK(diff.no_difference());
    setenv("COLUMNS", "200", 1);  // so that no cell is broken
    const std::string text = machine_diff_text(diff);
    setenv("COLUMNS", "100", 1);
    CHECK_THAT(text, Contains("at most 200 Gflop/s (seen 100 Gflop/s)") &&
                         Contains("at most 30.0 GB/s (seen 10.0 GB/s)") &&
                         Contains("6.67 flop/byte in bounds (10 flop/byte of rates seen)") &&
                         Contains("not judged") && Contains("No rate differs by more than the margin"));
    const nlohmann::json document = nlohmann::json::parse(machine_diff_json(diff));
    for (const auto& rate : document.at("rates")) {
        CHECK(rate.at("ratio").is_null() == !rate.at("judged").get<bool>());
        if (rate.at("group") == "ridge point") {
            CHECK(rate.at("in_bounds_b") == Approx(200.0 / 30.0));
            CHECK_FALSE(rate.contains("at_most_b"));  // what bounds say of it is no limit
        }
        if (rate.at("group") != "peak" || rate.at("name") != "f64, all threads") continue;
        CHECK(rate.at("at_most_b") == 200e9);
        CHECK_FALSE(rate.contains("at_most_a"));
    }
}

TEST_CASE("facts of the topology, and levels by name though their sizes differ") {
    Machine other = measured();
    other.topology.caches[0].reported = Bytes(2.0 * kMiB);
    other.topology.numa_nodes = 4;
    other.ceilings[2].max = 160e9;
    other.ceilings[2].p95 = 160e9;
    const MachineDiff diff = machine_diff(measured(), other);
    REQUIRE(diff.topology.size() == 2);
    CHECK(diff.topology[0].what == "NUMA nodes");
    CHECK(diff.topology[1].what == "L1");
    CHECK(diff.topology[1].b == "2 MiB");
    const RatePair* l1 = find(diff, "bandwidth", "load, L1, 1 thread");
    REQUIRE(l1 != nullptr);
    CHECK(l1->ratio() == 2.0);
    CHECK(l1->beyond_margins());
}

TEST_CASE("rates of shared, remote and sparse conditions stand for nothing else") {
    Machine odd = measured();
    Conditions when = load_of(128.0 * kMiB, 2);
    when.shared = true;
    odd.ceilings.push_back(rate(Resource::bandwidth, when, 9e12));
    odd.ceilings.back().excludes = may_exclude(Resource::bandwidth, when);  // as probes write it
    const MachineDiff diff = machine_diff(measured(), odd);
    CHECK(diff.no_difference());
}

TEST_CASE("the document says the same as the text") {
    const auto json = nlohmann::json::parse(machine_diff_json(machine_diff(measured(), preset())));
    CHECK(json.at("schema") == "rooftune/machine-diff/1");
    CHECK(json.at("difference") == true);
    CHECK(json.at("identical") == false);
    CHECK(json.at("rates").size() >= 3);
    for (const auto& entry : json.at("rates")) {
        CHECK(entry.at("ratio").get<double>() ==
              Approx(entry.at("b").get<double>() / entry.at("a").get<double>()));
    }
}

TEST_CASE("a cache that threads share is counted once when levels are told apart") {
    Machine m = measured();
    // 32 MiB that both threads share: twice as much is not there, and what is walked beyond it is memory.
    m.topology.caches.push_back({2, Bytes(32.0 * kMiB), Bytes(32.0 * kMiB), 2});
    m.ceilings.push_back(rate(Resource::bandwidth, load_of(16.0 * kMiB, 2), 50e9));
    m.ceilings.push_back(rate(Resource::bandwidth, load_of(44.0 * kMiB, 2), 12e9));
    const MachineDiff diff = machine_diff(m, m);
    const RatePair* l2 = find(diff, "bandwidth", "load, L2, all threads");
    REQUIRE(l2 != nullptr);
    CHECK(l2->a == 50e9);
}
