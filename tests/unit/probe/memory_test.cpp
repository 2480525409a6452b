// Chases, strides, prefetch, shared and remote data: what they touch, and what cannot be probed here.
#include <algorithm>
#include <cstring>
#include <set>

#include "kernels/probe/prober.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/numa.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::probe;

namespace {

Conditions walk(Mix mix, double footprint, int threads = 1) {
    Conditions when;
    when.mix = mix;
    when.threads = threads;
    when.footprint = Bytes(footprint);
    when.streams = 1;
    return when;
}

int widest() {
    return usable_widths().empty() ? 0 : usable_widths().back();
}

}  // namespace

TEST_CASE("a chase goes through every line once before it comes back") {
    for (const std::size_t lines : {2U, 3U, 64U, 1000U, 65536U}) {
        const std::vector<std::uint32_t> next = chase_order(lines);
        REQUIRE(next.size() == lines);
        std::vector<bool> seen(lines, false);
        std::size_t at = 0;
        for (std::size_t step = 0; step < lines; ++step) {
            REQUIRE_FALSE(seen[at]);
            seen[at] = true;
            at = next[at];
        }
        CHECK(at == 0);
    }
    CHECK(chase_order(0).empty());
    CHECK(chase_order(1) == std::vector<std::uint32_t>{0});
}

TEST_CASE("a chase has no stride that a prefetcher could learn") {
    const std::vector<std::uint32_t> next = chase_order(4096);
    std::vector<std::int64_t> steps;
    for (std::size_t i = 0; i < next.size(); ++i)
        steps.push_back(std::int64_t{next[i]} - static_cast<std::int64_t>(i));
    std::sort(steps.begin(), steps.end());
    std::size_t most = 0;
    for (std::size_t i = 0; i < steps.size();) {
        const std::size_t from = i;
        while (i < steps.size() && steps[i] == steps[from]) ++i;
        most = std::max(most, i - from);
    }
    CHECK(most < 16);
}

TEST_CASE("the pointers lie at the start of lines of the region and the work follows them") {
    Memory memory;
    Team team({usable_cpus().front()});
    const Bytes footprint(8192.0 + 63.0);  // a part of a line holds no pointer
    memory.reserve(team, Pages::small, 1, footprint);
    std::byte* region = memory.region(Pages::small, 0);
    std::byte* at = prepare_chase(region, footprint);
    CHECK(at == region);
    const Work work = chase_work(at);
    CHECK(work.amount == kChaseSteps);
    CHECK(work.threads == 1);
    std::set<std::byte*> places;
    std::byte* place = region;
    for (std::size_t i = 0; i < chase_lines(footprint); ++i) {
        CHECK((place - region) % 64 == 0);
        CHECK(place - region < 8192);
        places.insert(place);
        std::memcpy(&place, place, sizeof(std::byte*));
    }
    CHECK(places.size() == 128);
    CHECK(place == region);
    // 128 lines: two repetitions of 64 loads are the whole cycle, one is half of it.
    work.run(0, 1);
    CHECK(at != region);
    work.run(0, 1);
    CHECK(at == region);
    work.run(0, 4);
    CHECK(at == region);
}

TEST_CASE("a strided walk stays inside its share and takes whole rounds") {
    for (const double footprint : {4096.0, 32768.0, 100000.0, 2097152.0}) {
        for (const std::size_t stride : {8U, 64U, 128U, 4096U, 4160U}) {
            for (const int threads : {1, 2, 3}) {
                const StridedWay way{DType::f64, stride};
                const std::size_t n = strided_elements(way, Bytes(footprint), threads);
                CHECK(n % kStridedRound == 0);
                CHECK(can_stride(way, Bytes(footprint), threads) == (n > 0));
                if (n == 0) continue;
                const double last = static_cast<double>((n - 1) * stride + 8);
                CHECK(last <= footprint / threads);
                // One more round would not fit.
                CHECK(last + static_cast<double>(kStridedRound * stride) > footprint / threads);
            }
        }
    }
    CHECK_FALSE(can_stride({DType::f64, 4096}, Bytes(4096.0), 1));
    CHECK_FALSE(can_stride({DType::f64, 0}, Bytes(65536.0), 1));
    CHECK_FALSE(can_stride({DType::f64, 4}, Bytes(65536.0), 1));
    CHECK_FALSE(can_stride({DType::f64, 100}, Bytes(65536.0), 1));
    CHECK_FALSE(can_stride({DType::bf16, 64}, Bytes(65536.0), 1));
    CHECK(can_stride({DType::f32, 4}, Bytes(65536.0), 1));
    const Memory memory;
    CHECK_THROWS_AS(strided_work({DType::f64, 4096}, Bytes(4096.0), 1, Pages::small, memory),
                    EnvironmentError);
    CHECK(strided_work({DType::f64, 4096}, Bytes(65536.0), 2, Pages::small, memory).amount == 16.0);
}

TEST_CASE("only loads are shared, and each thread walks the whole footprint") {
    if (usable_widths().empty()) return;
    const Memory memory;
    BandwidthWay way{Mix::load, 128, 1, 0, true};
    CHECK(can_walk(way, Bytes(49152.0), 2));
    CHECK(layout_of(way, Bytes(49152.0), 2).bytes == 49152);
    CHECK(bandwidth_work(way, Bytes(49152.0), 2, Pages::small, memory).amount == 2.0 * 49152.0);
    for (const Mix mix :
         {Mix::update, Mix::store, Mix::nt_store, Mix::nt_copy, Mix::copy, Mix::two_loads_store}) {
        way.mix = mix;
        CHECK_FALSE(can_walk(way, Bytes(49152.0), 2));
    }
}

TEST_CASE("the remote owner of a region runs on another node") {
    CHECK(remote_owners({0, 0, 1, 1}) == std::vector<int>{2, 2, 0, 0});
    CHECK(remote_owners({3, 0, 3}) == std::vector<int>{1, 0, 1});
    CHECK(remote_owners({0, 0}).empty());
    CHECK(remote_owners({5}).empty());
    CHECK(remote_owners({}).empty());
    const std::vector<int> nodes = numa_nodes_of({0, 3, 4, 7, 99}, "numa:2 core:4 pu:1");
    CHECK(nodes == std::vector<int>{0, 0, 1, 1, 0});
    CHECK(numa_nodes_of(usable_cpus()).size() == usable_cpus().size());
    CHECK_THROWS_AS(numa_nodes_of({0}, "nonsense"), EnvironmentError);
}

TEST_CASE("a region is placed by its owner and holds data") {
    Memory memory;
    Team team(usable_cpus());
    if (team.size() < 2) return;
    memory.reserve(team, Pages::small, 2, Bytes(8192.0), {1, 0});
    for (const int thread : {0, 1}) {
        REQUIRE(memory.region(Pages::small, thread) != nullptr);
        CHECK(*reinterpret_cast<const std::uint64_t*>(memory.region(Pages::small, thread)) != 0);
    }
}

TEST_CASE("what can be probed of memory here, and what cannot") {
    Team team(usable_cpus());
    Prober prober(team, widest());
    const bool one_node = remote_owners(numa_nodes_of(team.cpus())).empty();
    Target t{Resource::bandwidth, walk(Mix::load, 8e6)};
    const int either = prober.ways(t);
    t.when.prefetch = Prefetch::off;
    const int off = prober.ways(t);
    t.when.prefetch = Prefetch::on;
    CHECK(prober.ways(t) + off == either);
    t.when.footprint = Bytes(16384.0);
    CHECK((widest() == 0 || prober.ways(t) == 1));
    t.when.mix = Mix::nt_store;
    CHECK(prober.ways(t) == 0);  // nothing to prefetch
    t = {Resource::bandwidth, walk(Mix::load, 16384.0)};
    t.when.remote = true;
    CHECK((prober.ways(t) == 0) == (one_node || widest() == 0));
    Target chase{Resource::latency, {}};
    chase.when.footprint = Bytes(4096.0);
    CHECK(prober.ways(chase) == 1);
    chase.when.footprint = Bytes(127.0);
    CHECK(prober.ways(chase) == 0);
    chase.when.footprint = Bytes(0.0);
    CHECK(prober.ways(chase) == 0);
    chase.when.footprint = Bytes(4096.0);
    chase.when.threads = 2;
    CHECK(prober.ways(chase) == 0);
    Target strided{Resource::strided, {}};
    strided.when.footprint = Bytes(65536.0);
    CHECK(prober.ways(strided) == 0);  // no stride given
    strided.when.stride = Bytes(64.0);
    CHECK(prober.ways(strided) == 1);
}

TEST_CASE("chases survive what else uses their memory, and memory given back") {
    Team team(usable_cpus());
    Prober prober(team, widest());
    Target chase{Resource::latency, {}};
    chase.when.footprint = Bytes(65536.0);
    std::vector<Target> others{chase, {Resource::strided, {}}, {Resource::gather, {}}};
    others[0].when.footprint = Bytes(262144.0);
    others[1].when.footprint = Bytes(65536.0);
    others[1].when.stride = Bytes(256.0);
    others[2].when.footprint = Bytes(65536.0);
    // Updates write over the pointers.
    if (widest() > 0) others.push_back({Resource::bandwidth, walk(Mix::update, 65536.0)});
    if (widest() > 0) others.push_back({Resource::bandwidth, walk(Mix::nt_store, 65536.0)});
    for (const bool huge : {false, true}) {
        chase.when.huge_pages = huge;
        for (Target& other : others) {
            other.when.huge_pages = huge;
            if (prober.ways(other) == 0) continue;
            CHECK(prober.run(chase, 0, 1e-5).rate > 0.0);
            CHECK(prober.run(other, 0, 1e-5).rate > 0.0);
        }
        CHECK(prober.run(chase, 0, 1e-5).rate > 0.0);
        prober.release();
        CHECK(prober.run(chase, 0, 1e-5).rate > 0.0);
    }
}
