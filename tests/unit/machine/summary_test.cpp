#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

#include "tests/support/catch.h"
#include "tuner/ceilings/capacities.h"
#include "tuner/ceilings/plan.h"
#include "tuner/ceilings/regions.h"
#include "tuner/ceilings/statistics.h"
#include "tuner/machine/device_summary.h"
#include "tuner/machine/probe_progress.h"
#include "tuner/machine/summary.h"

using namespace rooftune;
using Catch::Contains;

namespace {

Topology small_machine() {
    Topology t;
    t.cores = t.threads = 2;
    t.width_bits = {128, 256};
    t.caches = {{1, Bytes(49152.0), Bytes(0.0), 1},
                {2, Bytes(2097152.0), Bytes(0.0), 1},
                {3, Bytes(5e8), Bytes(0.0), 2}};
    return t;
}

Ceiling load_at(double footprint, double rate, int threads = 1) {
    Ceiling c;
    c.resource = Resource::bandwidth;
    c.when.mix = Mix::load;
    c.when.streams = 1;
    c.when.threads = threads;
    c.when.footprint = Bytes(footprint);
    c.max = c.p95 = c.median = rate;
    return c;
}

}  // namespace

TEST_CASE("quantiles of windows: none, one, few, many") {
    CHECK(summarise({}).windows == 0);
    CHECK(summarise({}).max == 0.0);
    CHECK(summarise({5.0}).p95 == 5.0);
    CHECK(summarise({1.0, 3.0}).median == 2.0);
    CHECK(summarise({3.0, 1.0, 2.0}).p95 == 3.0);
    std::vector<double> hundred;
    for (int i = 1; i <= 100; ++i) hundred.push_back(i);
    CHECK(summarise(hundred).p95 == 95.0);
    CHECK(summarise(hundred).max == 100.0);
    CHECK(summarise(hundred).median == 50.5);
}

TEST_CASE(
    "a way that is refused once is tried again; one that is refused each time is left, and so is its rate") {
    WindowLog log(3);
    log.add(0, 100.0, true);
    log.add(0, 100.0, true);
    log.add(1, 60.0, true);
    for (int times = 1; times < WindowLog::kRefusals; ++times) {
        log.refuse(0);
        log.refuse(2);
        CHECK(log.worthwhile() == std::vector<int>{2, 0});  // what was never tried comes first
    }
    log.refuse(2);
    CHECK(log.worthwhile() == std::vector<int>{0});
    log.refuse(0);
    CHECK(log.worthwhile() == std::vector<int>{1});
    // What it once reached was reached.
    CHECK(log.best() == 100.0);
}

TEST_CASE("slow ways are left, and do not widen the quantiles of the fast one") {
    WindowLog log(3);
    CHECK(log.worthwhile() == std::vector<int>{0, 1, 2});
    log.add(0, 100.0, true);
    log.add(1, 90.0, true);  // once, 10 % off: it may have been a slow window
    log.add(2, 50.0, true);
    CHECK(log.worthwhile() == std::vector<int>{0, 1});
    log.add(1, 91.0, true);
    CHECK(log.worthwhile() == std::vector<int>{0});
    log.add(0, 99.0, true);
    CHECK(log.summary().max == 100.0);
    CHECK(log.summary().median == 99.5);
    CHECK(log.summary().windows == 5);
}

TEST_CASE("of the ways worth another window the untried come first, then those tried once, then the best") {
    WindowLog log(5);
    for (int times = 0; times < 2; ++times) {
        log.add(0, 96.0, true);
        log.add(1, 100.0, true);
        log.add(3, 98.0, true);
    }
    log.add(4, 90.0, true);
    CHECK(log.worthwhile() == std::vector<int>{2, 4, 1, 3, 0});
}

TEST_CASE("only a rate well above at least three others is an outlier") {
    WindowLog log(1);
    log.add(0, 100.0, true);
    log.add(0, 101.0, true);
    CHECK_FALSE(log.outlier(0, 200.0));
    log.add(0, 99.0, true);
    CHECK(log.outlier(0, 200.0));
    CHECK_FALSE(log.outlier(0, 103.0));
}

TEST_CASE("capacities stand before the falls, noise or not") {
    std::vector<BandwidthPoint> curve;
    for (double f = 4096.0; f <= 268435456.0; f *= 2.0) {
        double rate = f <= 32768 ? 500e9 : f <= 1048576 ? 200e9 : f <= 33554432 ? 30e9 : 12e9;
        if (f == 8192.0) rate *= 0.4;  // a slow spell inside a plateau
        if (f == 262144.0) rate *= 0.5;
        curve.emplace_back(Bytes(f), rate);
    }
    const std::vector<Bytes> capacities = find_capacities(curve);
    REQUIRE(capacities.size() == 3);
    CHECK(capacities[0].value == 32768.0);
    CHECK(capacities[1].value == 1048576.0);
    CHECK(capacities[2].value == 33554432.0);
    CHECK(find_capacities({}).empty());
    CHECK(find_capacities({{Bytes(4096.0), 1.0}}).empty());
    CHECK(find_capacities({{Bytes(4096.0), 1.0}, {Bytes(8192.0), 0.9}}).empty());
    CHECK(find_capacities({{Bytes(4096.0), 1.0}, {Bytes(8192.0), 0.9}, {Bytes(16384.0), 0.7}}).size() == 1);
}

TEST_CASE("probed sizes go to the levels they fit, and a shared last level may be the host's") {
    Machine m;
    m.topology = small_machine();
    for (double f = 4096.0; f <= 268435456.0; f *= 2.0) {
        m.ceilings.push_back(load_at(f, f <= 32768      ? 500e9
                                        : f <= 1048576  ? 200e9
                                        : f <= 33554432 ? 30e9
                                                        : 12e9));
        m.ceilings.push_back(load_at(f, 900e9, 2));  // two threads say nothing about one
    }
    set_probed_caches(m);
    CHECK(m.topology.caches[0].probed.value == 32768.0);
    CHECK(m.topology.caches[1].probed.value == 1048576.0);
    CHECK(m.topology.caches[2].probed.value == 33554432.0);

    Machine flat;
    flat.topology = small_machine();
    for (double f = 4096.0; f <= 268435456.0; f *= 2.0) flat.ceilings.push_back(load_at(f, 1e9));
    set_probed_caches(flat);
    for (const CacheLevel& c : flat.topology.caches) CHECK(c.probed.value == 0.0);
}

TEST_CASE("footprints ascend by at most the factor and end where they should") {
    for (const double factor : {1.2, 2.0, 4.0}) {
        const std::vector<Bytes> sizes = footprints(Bytes(268435456.0), factor);
        CHECK(sizes.front().value == 4096.0);
        CHECK(sizes.back().value == 268435456.0);
        for (std::size_t i = 1; i < sizes.size(); ++i) {
            CHECK(sizes[i - 1] < sizes[i]);
            // Rounding to whole kilobytes may stretch the first steps.
            CHECK(sizes[i].value <= factor * sizes[i - 1].value + 1024.0);
        }
    }
    CHECK(footprints(Bytes(100.0), 2.0).empty());
    CHECK(footprints(Bytes(4096.0), 2.0).size() == 1);
}

TEST_CASE("the largest footprint covers the private caches and spares the memory") {
    const Topology t = small_machine();
    CHECK(largest_footprint(t, 2, Bytes(64e9)).value == 268435456.0);
    CHECK(largest_footprint(t, 2, Bytes(268435456.0)).value == 67108864.0);
    Topology many = t;
    many.threads = 64;
    CHECK(largest_footprint(many, 64, Bytes(1e12)).value >= 8.0 * 64 * 2097152.0);
}

TEST_CASE("the quick plan has every core mix and stream count at every footprint, x2 apart") {
    const ProbePlan plan = quick_plan(small_machine(), 2, Bytes(16e9));
    for (const int threads : {1, 2}) {
        std::set<double> sizes;
        for (const Mix mix : {Mix::load, Mix::update, Mix::nt_copy}) {
            for (const int streams : {1, 2, 4, 8}) {
                std::set<double> seen;
                for (const auto& group : plan.groups) {
                    for (const probe::Target& t : group) {
                        if (t.resource == Resource::bandwidth && t.when.mix == mix &&
                            t.when.streams == streams && t.when.threads == threads) {
                            seen.insert(t.when.footprint.value);
                        }
                    }
                }
                if (sizes.empty()) sizes = seen;
                CHECK(seen == sizes);
            }
        }
        CHECK(*sizes.begin() == 4096.0);
        CHECK(*sizes.rbegin() == 268435456.0);
        double last = 4096.0;
        for (const double s : sizes) {
            CHECK(s <= 2.0 * last);
            last = s;
        }
    }
    CHECK(plan.deadline.value < 10.0);
}

TEST_CASE("no plan asks for the same thing twice but for peaks, and the full one asks for more") {
    const Topology t = small_machine();
    const ProbePlan quick = quick_plan(t, 2, Bytes(16e9));
    const ProbePlan full = full_plan(t, 2, Bytes(16e9));
    const ProbePlan own = probe_conditions_for(t, Bytes(56e6), DType::f64, 2, Bytes(16e9));
    for (const ProbePlan* plan : {&quick, &full, &own}) {
        std::vector<probe::Target> all;
        for (const auto& group : plan->groups) all.insert(all.end(), group.begin(), group.end());
        int twice = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            for (std::size_t j = 0; j < i && all[i].resource != Resource::compute; ++j)
                twice += all[i] == all[j];
        }
        CHECK(twice == 0);
    }
    // Spread over the quick plan, so that a slow second of the host does not decide a peak.
    std::vector<std::size_t> peaks;
    for (std::size_t g = 0; g < quick.groups.size(); ++g) {
        if (quick.groups[g].front().resource == Resource::compute) peaks.push_back(g);
    }
    CHECK(peaks.back() > 3 * quick.groups.size() / 4);
    CHECK(full.targets() > quick.targets());
    CHECK(full.deadline.value < 60.0);
    std::set<double> sizes;
    for (const auto& group : own.groups) {
        if (group.front().resource == Resource::bandwidth) sizes.insert(group.front().when.footprint.value);
    }
    CHECK(sizes.size() == 3);
    CHECK(*sizes.begin() < 56e6);
    CHECK(*sizes.rbegin() > 56e6);
}

TEST_CASE("one processing unit has one thread count") {
    Topology t = small_machine();
    t.cores = t.threads = 1;
    const ProbePlan plan = quick_plan(t, 1, Bytes(16e9));
    for (const auto& group : plan.groups) {
        for (const probe::Target& target : group) CHECK(target.when.threads == 1);
    }
}

TEST_CASE("regions prefer what was probed, and the finer figure where both agree") {
    Topology t = small_machine();
    t.caches[0].probed = Bytes(32768.0);
    t.caches[2].probed = Bytes(33554432.0);
    const std::vector<Region> regions = regions_of(t);
    REQUIRE(regions.size() == 4);
    CHECK(regions[0].to.value == 49152.0);
    CHECK(regions[1].to.value == 2097152.0);
    CHECK(regions[2].to.value == 33554432.0);
    CHECK(regions[3].name == "memory");
    CHECK(std::isinf(regions[3].to.value));
    CHECK(regions_of(Topology{}).size() == 1);
    // Of all threads: as many private caches as cores, and a shared one that is no larger than it is said to
    // be.
    t.cores = t.threads = 2;
    t.caches[2].shared_by = 2;
    t.caches[2].reported = Bytes(50331648.0);
    t.caches[2].probed = Bytes(8388608.0);
    CHECK(regions_of(t, 2)[0].to.value == 2 * 49152.0);
    CHECK(regions_of(t, 2)[1].to.value == 2 * 2097152.0);
    CHECK(regions_of(t, 2)[2].to.value == 2 * 8388608.0);
    t.caches[2].probed = Bytes(50331648.0);
    CHECK(regions_of(t, 2)[2].to.value == 50331648.0);
    CHECK(region_named(t, "L3", 2)->to.value == 50331648.0);
    CHECK_FALSE(region_named(t, "L4", 2));
}

TEST_CASE("the summary says what was measured and nothing that was not") {
    Machine m;
    m.name = "test machine";
    m.id = "id";
    m.topology = small_machine();
    CHECK(summary_text(m).find("Nothing probed yet") != std::string::npos);
    m.ceilings.push_back(load_at(16384.0, 123.4e9));
    Ceiling peak;
    peak.resource = Resource::compute;
    peak.when = {.dtype = DType::f64, .width_bits = 256, .mix = Mix::fma, .chains = 8};
    peak.max = peak.p95 = 61.7e9;
    m.ceilings.push_back(peak);
    const std::string text = summary_text(m);
    CHECK(text.find("123.4") != std::string::npos);
    CHECK(text.find("61.7") != std::string::npos);
    CHECK(text.find("0.5 flop/byte") != std::string::npos);
    CHECK(text.find("512 bit") == std::string::npos);
    CHECK(text.find("nan") == std::string::npos);
    CHECK(text.find("Clock") == std::string::npos);
}

TEST_CASE("a preset is shown as what was published of it") {
    Machine m;
    m.name = m.id = "preset";
    Ceiling c;
    c.resource = Resource::bandwidth;
    c.when.threads = 0;
    c.max = 3.35e12;
    c.source = "data sheet";
    c.note = "pins";
    m.ceilings.push_back(c);
    const std::string text = summary_text(m);
    CHECK(text.find("3.35 TB/s") != std::string::npos);
    CHECK(text.find("[1]  pins\n") != std::string::npos);
    CHECK(text.find("[1] data sheet\n") != std::string::npos);
    CHECK(text.find("Peak, Gflop/s") == std::string::npos);
    CHECK(text.find("0 threads") == std::string::npos);
}

TEST_CASE("tables of an OpenCL device say of what they are, and what their columns and rows are") {
    Machine m;
    m.name = m.id = "host";
    m.topology = small_machine();
    m.ceilings.push_back(load_at(16384.0, 123.4e9));
    Device device;
    device.id = "d";
    device.name = "A device";
    device.compute_units = 4;
    m.devices.push_back(device);
    CHECK_THAT(summary_text(m), Contains("Nothing measured yet"));
    Ceiling c = load_at(65536.0, 88.8e9);
    c.when.device = "d";
    c.when.threads = 4;
    m.ceilings.push_back(c);
    c.resource = Resource::compute;
    c.when = {};
    c.when.dtype = DType::f32;
    c.when.width_bits = 128;
    c.when.mix = Mix::fma;
    c.when.threads = 4;
    c.when.device = "d";
    c.max = c.p95 = 77.7e9;
    m.ceilings.push_back(c);
    setenv("COLUMNS", "200", 1);  // so that no cell is broken
    const std::string text = summary_text(m);
    setenv("COLUMNS", "100", 1);
    CHECK_THAT(text, Contains("Peak of the device, Gflop/s\n| vectors") && Contains("f32, 4 compute units") &&
                         Contains("| of 4 lanes |") && Contains("77.7"));
    CHECK_THAT(text, Contains("Bandwidth of the device, GB/s (highest over kinds of access)\n") &&
                         Contains("| 64 KiB |") && Contains("88.8"));
    CHECK_THAT(text, !Contains("scalar |") && !Contains("Nothing measured"));
    // Who asks for the device has seen the processors.
    CHECK_THAT(device_page(m, device),
               Contains("OpenCL device A device") && Contains("88.8") && !Contains("123.4") &&
                   Contains("host is known already: `rooftune machine --show` shows its processors"));
}

TEST_CASE("the fastest of the loads is no slower than any row below it") {
    Machine m;
    m.name = m.id = "loads";
    m.topology = small_machine();
    // Within L2: the usual walk is known at a footprint near its end, small pages at a smaller one, faster.
    m.ceilings.push_back(load_at(1.5e6, 40e9));
    m.ceilings.back().when.huge_pages = true;
    m.ceilings.push_back(load_at(1.2e6, 45e9));
    m.ceilings.back().when.huge_pages = false;
    m.ceilings.back().when.streams = 2;
    m.ceilings.push_back(load_at(1.2e6, 99e9));
    m.ceilings.back().when.shared = true;
    const std::string text = summary_text(m);
    INFO(text);
    const std::size_t fastest = text.find("fastest where threads share no data");
    REQUIRE(fastest != std::string::npos);
    const std::string row = text.substr(fastest, text.find('\n', fastest) - fastest);
    CHECK(row.find("45.0") != std::string::npos);
    CHECK(row.find("40.0") == std::string::npos);
    CHECK(row.find("99.0") == std::string::npos);
}

TEST_CASE("a level in which nothing was probed says so above its table") {
    Machine m;
    m.name = m.id = "loads";
    m.topology = small_machine();
    m.ceilings.push_back(load_at(1.5e6, 40e9));
    m.ceilings.back().when.huge_pages = true;
    m.ceilings.push_back(load_at(1.5e6, 40e9));
    m.ceilings.back().resource = Resource::latency;
    const std::string full = "; –: no data that were probed lie in that level alone\n";
    CHECK_THAT(summary_text(m), Contains(full));
    m.ceilings.back().source = "probe";
    CHECK_THAT(summary_text(m), Contains("; –: the quick model probes no data that lie in that level alone"));
    for (const double footprint : {16384.0, 2e8}) {
        m.ceilings.push_back(load_at(footprint, 40e9));
        m.ceilings.back().resource = Resource::latency;
    }
    m.topology.caches.pop_back();
    CHECK_THAT(summary_text(m), Contains("latency ns") && !Contains("lie in that level alone"));
}

TEST_CASE("other operations that were only probed beside other processes are marked as at least so fast") {
    Machine m;
    m.name = m.id = "disturbed";
    m.topology = small_machine();
    const auto add = [&](Mix mix, int undisturbed, std::vector<double> top) {
        Ceiling c;
        c.resource = Resource::compute;
        c.when = {.dtype = DType::f64, .width_bits = 256, .mix = mix, .chains = 8, .threads = 2};
        c.max = c.p95 = c.median = 6e9;
        c.undisturbed = undisturbed;
        c.top = std::move(top);
        m.ceilings.push_back(c);
    };
    add(Mix::div, 2, {6e9, 5.9e9});
    add(Mix::sqrt, 3, {6e9, 5.9e9});
    CHECK_THAT(summary_text(m), Contains("6.00") && !Contains("≥"));
    m.ceilings[0].undisturbed = 0;
    m.ceilings[0].top.clear();
    CHECK_THAT(
        summary_text(m),
        Contains("| divide      | ≥ 6.00 |") && Contains("| square root |   6.00 |") &&
            Contains("Other operations, 10⁹/s, 2 threads (≥: not seen while nobody disturbed the probes"));
    // What was seen undisturbed was slower: the higher rate may be too low all the same.
    m.ceilings[0].undisturbed = 1;
    m.ceilings[0].top = {3e9};
    CHECK_THAT(summary_text(m), Contains("| divide      | ≥ 6.00 |"));
}

TEST_CASE("probing tells how long it will take by its share, whatever the usual time is") {
    const ProgressState early = probe_progress(0.2, 0.02, 10.0, "load");
    CHECK(early.budget_seconds == 10.0);
    CHECK(early.elapsed_seconds == 0.2);
    CHECK_FALSE(early.compares);
    CHECK(early.phase == "load");
    CHECK(probe_progress(8.0, 0.5, 10.0, "load").budget_seconds == 16.0);
    CHECK(probe_progress(13.0, 1.0, 10.0, "load").budget_seconds == 13.0);
    CHECK(probe_progress(13.0, 0.0, 10.0, "load").budget_seconds == 13.0);
    CHECK(probe_progress(0.0, 0.0, 0.0, "load").budget_seconds > 0.0);
}

TEST_CASE("the summary of everything fits on a screen and says what is old and what only ranks") {
    Machine m;
    m.name = m.id = "full";
    m.topology = small_machine();
    const ProbePlan plan = full_plan(m.topology, 2, Bytes(16e9));
    for (const auto& group : plan.groups) {
        for (const probe::Target& target : group) {
            Ceiling c;
            c.resource = target.resource;
            c.when = target.when;
            c.max = c.p95 = c.median = target.resource == Resource::latency ? 1e9 / 95.0 : 12e9;
            c.excludes = target.resource == Resource::compute;
            c.seen = m.ceilings.size() == 7 ? "2025-12-01T00:00:00Z" : "2026-03-02T00:00:00Z";
            merge(m, c);
        }
    }
    const std::string text = summary_text(m, "2026-03-02T12:00:00Z");
    INFO(text);
    CHECK(std::count(text.begin(), text.end(), '\n') <= 72);
    for (const char* what :
         {"latency ns, huge pages", "latency ns, 4 KiB pages", "gather f32", "every 4 KiB + 64 B",
          "software prefetch off", "software prefetch on", "data that all share", "divide", "square root",
          "widening product", "ceilings were last seen more than 30 days ago",
          "may exclude variants: compute.", "only rank them", "95.0"}) {
        INFO(what);
        CHECK(text.find(what) != std::string::npos);
    }
    CHECK(text.find("another node") == std::string::npos);
    CHECK(summary_text(m).find("days ago") == std::string::npos);
}
