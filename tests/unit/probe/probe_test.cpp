#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <thread>

#include "kernels/probe/prober.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::probe;

TEST_CASE("streams fill the share of a footprint and stay inside the region") {
    for (const Mix mix :
         {Mix::load, Mix::update, Mix::store, Mix::nt_store, Mix::nt_copy, Mix::copy, Mix::two_loads_store}) {
        for (const int streams : {1, 2, 4, 8}) {
            for (const double footprint : {4096.0, 49152.0, 1e6, 268435456.0}) {
                for (const int threads : {1, 2, 3}) {
                    const BandwidthWay way{mix, 128, streams, 0};
                    const StreamLayout layout = layout_of(way, Bytes(footprint), threads);
                    if (layout.bytes == 0) continue;
                    CHECK(layout.stride >= layout.bytes);
                    CHECK(layout.stride % 64 == 0);
                    const double parts = layout.streams * layout.arrays;
                    const double walked = static_cast<double>(layout.bytes) * parts;
                    CHECK(walked <= footprint / threads);
                    CHECK(walked > footprint / threads - 16.0 * 16.0 * 3.0 - parts * 256.0);
                    const double last = static_cast<double>(layout.stride) * (parts - 1.0) +
                                        static_cast<double>(layout.bytes);
                    CHECK(last <= footprint / threads + static_cast<double>(kRegionSlack));
                }
            }
        }
    }
}

TEST_CASE("large streams do not begin in one cache set") {
    const StreamLayout layout = layout_of({Mix::load, 512, 8, 0}, Bytes(1 << 26), 1);
    std::vector<std::size_t> sets;
    for (std::size_t s = 0; s < 8; ++s) sets.push_back(s * layout.stride % 4096 / 64);
    std::sort(sets.begin(), sets.end());
    CHECK(std::unique(sets.begin(), sets.end()) == sets.end());
}

TEST_CASE("a footprint that cannot hold the streams gives no probe, and says so") {
    const BandwidthWay way{Mix::two_loads_store, 128, 8, 0};
    CHECK_FALSE(can_walk(way, Bytes(64.0), 1));
    const Memory memory;
    CHECK_THROWS_AS(bandwidth_work(way, Bytes(64.0), 1, Pages::small, memory), EnvironmentError);
}

TEST_CASE("bytes are counted as the mix moves them") {
    if (usable_widths().empty()) return;
    Memory memory;
    const auto amount = [&](Mix mix) {
        return bandwidth_work({mix, 128, 1, 0}, Bytes(49152.0), 1, Pages::small, memory).amount;
    };
    CHECK(amount(Mix::load) == 49152.0);
    CHECK(amount(Mix::update) == 2.0 * 49152.0);
    CHECK(amount(Mix::nt_store) == 49152.0);
    CHECK(amount(Mix::nt_copy) == 49152.0);
    CHECK(amount(Mix::copy) == 49152.0);
    CHECK(amount(Mix::two_loads_store) == 49152.0);
}

TEST_CASE("flops are counted by lanes, chains and share") {
    if (usable_widths().empty()) return;
    const double one = compute_work({DType::f64, 128, Mix::add, 1, {}}, 1).amount;
    CHECK(compute_work({DType::f64, 128, Mix::fma, 1, {}}, 1).amount == 2.0 * one);
    CHECK(compute_work({DType::f32, 128, Mix::add, 1, {}}, 1).amount == 2.0 * one);
    CHECK(compute_work({DType::f64, 64, Mix::mul, 8, {}}, 1).amount == 4.0 * one);
    CHECK(compute_work({DType::f64, 128, Mix::fma_add, 1, {1, 2}}, 1).amount == Approx(1.5 * one));
    CHECK(compute_work({DType::f64, 128, Mix::fma_add, 1, {2, 3}}, 3).amount == Approx(5.0 * one));
    CHECK_FALSE(can_compute({DType::f64, 1024, Mix::add, 1, {}}));
    CHECK_FALSE(can_compute({DType::f64, 128, Mix::add, 3, {}}));
    CHECK_THROWS_AS(compute_work({DType::f64, 128, Mix::load, 1, {}}, 1), EnvironmentError);
}

TEST_CASE("every probe that is built runs and gives a positive rate") {
    Team team(usable_cpus());
    const int width = usable_widths().empty() ? 0 : usable_widths().back();
    Prober prober(team, width);
    std::vector<Target> targets;
    for (const Mix mix : {Mix::fma, Mix::add, Mix::mul, Mix::fma_add}) {
        for (const int chains : built_chains()) {
            for (const int bits : {32, 64, 128, 256, 512}) {
                for (const DType dtype : {DType::f32, DType::f64}) {
                    targets.push_back({Resource::compute,
                                       {.dtype = dtype, .width_bits = bits, .mix = mix, .chains = chains}});
                }
            }
        }
    }
    for (const Mix mix :
         {Mix::load, Mix::update, Mix::store, Mix::nt_store, Mix::nt_copy, Mix::copy, Mix::two_loads_store}) {
        for (const int streams : {1, 2, 4, 8}) {
            for (const int bits : {0, 128, 256, 512}) {
                targets.push_back({Resource::bandwidth,
                                   {.width_bits = bits,
                                    .mix = mix,
                                    .threads = team.size(),
                                    .footprint = Bytes(65536.0),
                                    .streams = streams}});
            }
        }
    }
    for (const DType dtype : {DType::f32, DType::f64}) {
        targets.push_back({Resource::gather, {.dtype = dtype, .footprint = Bytes(16384.0)}});
    }
    for (const Mix mix : {Mix::loads, Mix::gathers, Mix::fmas, Mix::mixed})
        targets.push_back({Resource::issue, {.mix = mix}});
    for (const int bits : usable_widths()) {
        for (const Mix mix : {Mix::loads, Mix::split_loads})
            targets.push_back({Resource::issue, {.width_bits = bits, .mix = mix}});
    }
    targets.push_back({Resource::clock, {}});
    const auto joint = [&](Mix mix, int streams, const LoadsBesides& besides) {
        return Target{Resource::joint,
                      {.mix = mix,
                       .threads = team.size(),
                       .footprint = Bytes(65536.0),
                       .streams = streams,
                       .besides = besides}};
    };
    // Three distances of prefetch, and one stream with each narrower width.
    const int narrower = width >= 512 ? 2 : width >= 256 ? 1 : 0;
    for (const int streams : kJointStreams) {
        for (const Mix mix : {Mix::load, Mix::copy, Mix::nt_copy}) {
            for (const LoadsBesides& besides : kJointVectors) {
                targets.push_back(joint(mix, streams, besides));
                CHECK(prober.ways(targets.back()) == (width > 0 ? 3 + (streams == 1 ? narrower : 0) : 0));
            }
        }
        for (const LoadsBesides& besides : kJointIndexed) {
            targets.push_back(joint(Mix::load, streams, besides));
            const int all = besides.gathered > 0
                                ? (width >= 256 ? 3 + (streams == 1 && width >= 512 ? 2 : 0) : 0)
                                : (width > 0 ? 3 + (streams == 1 ? 2 * narrower : 0) : 0);
            CHECK(prober.ways(targets.back()) == all);
        }
    }
    for (std::size_t load = 0; load < 64; ++load) {
        CHECK(crossing_offset(load) % 64 > 48);
        CHECK(crossing_offset(load) + 16 <= kNearBytes + 64);
        CHECK(vector_offset(load) % 64 <= 48);
        CHECK(scalar_offset(load) % 64 <= 56);
    }
    // Not built: other loads, both at once, no loads besides, a walk in place, a footprint below one round.
    CHECK(prober.ways(joint(Mix::load, 1, {.vectors = 4})) == 0);
    CHECK(prober.ways(joint(Mix::load, 1, {.vectors = 3, .gathered = 4})) == 0);
    CHECK(prober.ways(joint(Mix::copy, 1, {.gathered = 4})) == 0);
    CHECK(prober.ways(joint(Mix::load, 1, {})) == 0);
    CHECK(prober.ways(joint(Mix::update, 1, {.vectors = 3})) == 0);
    CHECK(prober.ways(joint(Mix::load, 2, {.vectors = 3})) == 0);
    Target tiny = joint(Mix::load, 1, {.vectors = 3});
    tiny.when.footprint = Bytes(64.0);
    CHECK(prober.ways(tiny) == 0);
    int probed = 0;
    for (const Target& target : targets) {
        for (int way = 0; way < prober.ways(target); ++way) {
            const Window w = prober.run(target, way, 1e-5);
            CHECK(w.rate > 0.0);
            CHECK(w.repetitions >= 1);
            ++probed;
        }
    }
    CHECK((width == 0 || probed > 100));
    for (const int bits : usable_widths())
        CHECK(prober.ways({Resource::issue, {.width_bits = bits, .mix = Mix::loads}}) == 1);
    for (const int bits : usable_widths())
        CHECK(prober.ways({Resource::issue, {.width_bits = bits, .mix = Mix::split_loads}}) >= 2);
    CHECK(prober.ways({Resource::issue, {.width_bits = 1024, .mix = Mix::loads}}) == 0);
    // Three types, zeroed and not, at two widths of AVX2 and three more of AVX-512; and two patterns of each
    // set.
    const int widest = usable_widths().empty() ? 0 : usable_widths().back();
    CHECK(prober.ways({Resource::issue, {.mix = Mix::gathers}}) == (widest >= 512   ? 6 * 5 + 12
                                                                    : widest >= 256 ? 6 * 2 + 6
                                                                                    : 0));
    CHECK(prober.ways({Resource::issue, {.mix = Mix::loads}}) ==
          1 + static_cast<int>(usable_widths().size()));
    CHECK(prober.ways({Resource::clock, {.threads = 2}}) == 0);
    CHECK(prober.ways({Resource::compute,
                       {.width_bits = 64, .mix = Mix::fma, .chains = 8, .threads = team.size() + 1}}) == 0);
}

TEST_CASE("indices lie below the footprint and are not in order") {
    for (const DType dtype : {DType::f32, DType::f64}) {
        const std::vector<std::uint32_t> indices = gather_indices(dtype, Bytes(65536.0));
        CHECK(indices.size() % 64 == 0);
        for (const std::uint32_t i : indices) REQUIRE(i < 65536 / size_of(dtype));
        CHECK_FALSE(std::is_sorted(indices.begin(), indices.end()));
    }
    CHECK(gather_indices(DType::f64, Bytes(1e9), 4096).size() == 4096);
}

TEST_CASE("the window is the filler at which two misses part") {
    const std::vector<int> fillers{16, 64, 128, 256, 512, 1024};
    CHECK(window_from_times(fillers, {60, 61, 62, 66, 120, 130}) == 512);
    CHECK(window_from_times(fillers, {60, 61, 62, 120, 125, 130}) == 256);
    // A slow spell at short fillers is noise: longer ones were fast.
    CHECK(window_from_times(fillers, {150, 140, 62, 66, 120, 130}) == 512);
    CHECK(window_from_times(fillers, {60, 60, 61, 64, 66, 70}) == 0);
    CHECK(window_from_times(fillers, {60, 0, 61, 64, 66, 70}) == 0);
    CHECK(window_from_times(fillers, {60, 61}) == 0);
    CHECK(window_from_times({}, {}) == 0);
}

TEST_CASE("repetitions follow the time on the processor, by at most a thousand at a step") {
    CHECK(repetitions_for({.rate = 1, .seconds = 1e-3, .busy = 1.0, .repetitions = 10}, 4e-3) == 40);
    CHECK(repetitions_for({.rate = 1, .seconds = 2e-3, .busy = 0.5, .repetitions = 10}, 4e-3) == 40);
    CHECK(repetitions_for({.rate = 1, .seconds = 1e-9, .busy = 1.0, .repetitions = 1}, 1.0) == 1000);
    CHECK(repetitions_for({.rate = 1, .seconds = 1.0, .busy = 1.0, .repetitions = 1}, 1e-3) == 1);
    CHECK(undisturbed({.busy = 0.99}));
    CHECK_FALSE(undisturbed({.busy = 0.5}));
}

TEST_CASE("unequal cores: one thread is probed on each kind, several where a kernel's are") {
    Team team(usable_cpus());
    const int width = usable_widths().empty() ? 0 : usable_widths().back();
    const int last = team.size() - 1;
    Prober one(team, width, {0});
    Prober two(team, width, {0, last});
    const Target alone{Resource::issue, {.mix = Mix::loads}};
    const Target window{Resource::window, {}};
    const Target chase{Resource::latency, {.footprint = Bytes(65536.0)}};
    const Target together{Resource::bandwidth,
                          {.mix = Mix::load, .threads = team.size(), .footprint = Bytes(65536.0)}};
    for (const Target& target : {alone, window, chase}) CHECK(two.ways(target) == 2 * one.ways(target));
    if (last == 0) return;
    CHECK(two.ways(together) == one.ways(together));
    // Where the thread is, as another sees it while it is timed.
    const std::string stat = "/proc/self/task/" + std::to_string(::gettid()) + "/stat";
    for (int way = 0; way < 2; ++way) {
        std::atomic<bool> over{false};
        std::map<int, int> seen;
        std::thread watcher([&] {
            // The thread that starts another hands its mask on.
            cpu_set_t all;
            CPU_ZERO(&all);
            for (const int cpu : team.cpus()) CPU_SET(cpu, &all);
            sched_setaffinity(0, sizeof all, &all);
            while (!over) {
                std::this_thread::sleep_for(std::chrono::milliseconds(5));
                std::ifstream stream(stat);
                std::string text, word;
                std::getline(stream, text);
                std::istringstream words(text.substr(text.rfind(')') + 1));
                constexpr int kProcessorAfterName = 37;
                for (int i = 0; i < kProcessorAfterName; ++i) words >> word;
                ++seen[std::stoi(word)];
            }
        });
        CHECK(two.run(alone, way, 0.2).rate > 0.0);
        over = true;
        watcher.join();
        const int cpu = team.cpus()[static_cast<std::size_t>(way == 0 ? 0 : last)];
        int all = 0;
        for (const auto& [where, times] : seen) all += times;
        CHECK(2 * seen[cpu] > all);
        CHECK(::sched_getcpu() == team.cpus().front());
    }
}
