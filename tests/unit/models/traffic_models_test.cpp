// The formulas behind estimates of traffic, by hand and against simulated caches.
#include <cmath>
#include <random>

#include "models/goto_traffic.h"
#include "models/layer_condition.h"
#include "models/set_conflicts.h"
#include "models/spmv_traffic.h"
#include "tests/support/cache_model.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

std::vector<ArrayAccesses> five_point(std::int64_t n, bool nontemporal) {
    return {{{-n, -1, 1, n}, 0, false}, {{0}, 1, nontemporal}};
}

std::vector<ArrayAccesses> seven_point(std::int64_t row, std::int64_t plane) {
    return {{{-plane, -row, -1, 0, 1, row, plane}, 0, false}, {{0}, 1, false}};
}

/// Offsets of one array read, another written, over a range of elements; elements a turn beyond a full cache.
double simulated(const std::vector<std::int64_t>& offsets, std::int64_t turns, double capacity,
                 bool nontemporal) {
    const std::int64_t reach = *std::max_element(offsets.begin(), offsets.end());
    LruCache cache({Bytes(capacity), Bytes(64.0), 0});
    const auto walk = [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t i = from; i < to; ++i) {
            for (const std::int64_t o : offsets) cache.access({8 * (reach + i + o), 8, false, false});
            cache.access({(std::int64_t{1} << 40) + 8 * i, 8, true, nontemporal});
        }
    };
    walk(0, turns);  // until what comes in is what goes out
    cache.count_from_here();
    walk(turns, 2 * turns);
    const Exchanged seen = cache.exchanged();
    return (seen.reads + seen.writes) / static_cast<double>(turns);
}

}  // namespace

TEST_CASE("layer condition: the 5-point example by hand") {
    const std::int64_t n = 1000;
    const auto all = layer_conditions(five_point(n, false), Bytes(8.0));
    REQUIRE(all.size() == 3);
    CHECK(all[0].needed.value == 32.0 * n - 16.0);
    CHECK(all[0].elements() * 8.0 == 24.0);
    CHECK(all[0].hits == 3.0);
    CHECK(layer_condition(five_point(n, false), Bytes(8.0), Bytes(32.0 * n - 16.0)).elements() == 3.0);
    CHECK(layer_condition(five_point(n, false), Bytes(8.0), Bytes(32.0 * n - 17.0)).elements() == 5.0);
    // Non-temporal stores: no line of the result is fetched, and none takes room.
    const LayerCondition past = layer_condition(five_point(n, true), Bytes(8.0), Bytes(32.0 * n - 16.0));
    CHECK(past.elements() * 8.0 == 16.0);
    CHECK(past.needed.value == 24.0 * n - 8.0);
    CHECK(past.store_misses == 0.0);
    // Without any cache every access misses.
    CHECK(all[2].reach == 0);
    CHECK(all[2].load_misses == 4.0);
    CHECK(all[2].store_misses == 1.0);
}

TEST_CASE("layer condition: a 7-point stencil loses its planes first, then its rows") {
    const auto all = layer_conditions(seven_point(100, 10000), Bytes(8.0));
    REQUIRE(all.size() == 4);
    CHECK(all[0].load_misses == 1.0);
    CHECK(all[1].load_misses == 3.0);
    CHECK(all[2].load_misses == 5.0);
    CHECK(all[3].load_misses == 7.0);
    for (std::size_t i = 1; i < all.size(); ++i) CHECK(all[i].needed < all[i - 1].needed);
    CHECK(all[0].needed.value == 8.0 * (4.0 * 10000 - 2.0 * 100));
}

TEST_CASE("layer condition: arrays that are updated in place fetch once and write back once") {
    const std::vector<ArrayAccesses> update{{{0, 0}, 1, false}};
    const LayerCondition c = layer_condition(update, Bytes(8.0), Bytes(1e6));
    CHECK(c.load_misses == 1.0);
    CHECK(c.store_misses == 0.0);
    CHECK(c.evictions == 1.0);
    CHECK(layer_conditions({}, Bytes(8.0)).size() == 1);
}

TEST_CASE("layer condition: the simulated cache breaks where the formula says, in two dimensions") {
    const double capacity = 32.0 * 1024;
    // 32 N − 16 bytes fit for N up to 1024. Whole lines make the break soft: a line or two a row.
    for (const bool nontemporal : {false, true}) {
        const double limit = nontemporal ? (capacity + 8.0) / 24.0 : (capacity + 16.0) / 32.0;
        const auto below = static_cast<std::int64_t>(0.95 * limit) / 8 * 8;
        const auto above = static_cast<std::int64_t>(1.08 * limit) / 8 * 8;
        for (const std::int64_t n : {below, above}) {
            const double estimate =
                8.0 * layer_condition(five_point(n, nontemporal), Bytes(8.0), Bytes(capacity)).elements();
            const double seen = simulated({-n, -1, 1, n}, 20 * n, capacity, nontemporal);
            INFO("N = " << n << (nontemporal ? ", non-temporal" : ""));
            CHECK(seen == Approx(estimate).epsilon(0.05));
        }
        CHECK(simulated({-below, -1, 1, below}, 20 * below, capacity, nontemporal) ==
              Approx(nontemporal ? 16.0 : 24.0).epsilon(0.05));
    }
}

TEST_CASE("layer condition: the simulated cache breaks where the formula says, in three dimensions") {
    const double capacity = 64.0 * 1024;
    const std::int64_t row = 32;
    // 8·(4P − 2R): planes of 2064 elements still fit.
    for (const std::int64_t plane : {std::int64_t{1920}, std::int64_t{2240}, std::int64_t{16000}}) {
        const double estimate =
            8.0 * layer_condition(seven_point(row, plane), Bytes(8.0), Bytes(capacity)).elements();
        const double seen = simulated({-plane, -row, -1, 0, 1, row, plane}, 6 * plane, capacity, false);
        INFO("plane of " << plane);
        CHECK(seen == Approx(estimate).epsilon(0.05));
    }
    // A cache that holds rows, not planes, and one that holds neither.
    CHECK(simulated({-2000, -row, -1, 0, 1, row, 2000}, 12000, 4096.0, false) == Approx(40.0).epsilon(0.05));
    CHECK(simulated({-9000, -900, -1, 0, 1, 900, 9000}, 30000, 2048.0, false) == Approx(56.0).epsilon(0.05));
}

TEST_CASE("conflicts: which sets pieces of memory fall into") {
    const CacheShape first{Bytes(32768.0), Bytes(64.0), 8};  // 64 sets
    const auto lines_apart = [](std::int64_t count, std::int64_t pitch) {
        std::vector<MemoryRun> runs;
        for (std::int64_t i = 0; i < count; ++i) runs.push_back({i * pitch, 64});
        return runs;
    };
    CHECK(conflicting_share(lines_apart(8, 4096), first) == 0.0);
    CHECK(conflicting_share(lines_apart(9, 4096), first) == 1.0);
    CHECK(conflicting_share(lines_apart(9, 4096 + 64), first) == 0.0);
    CHECK(conflicting_share(lines_apart(16, 2048), first) == 0.0);
    CHECK(conflicting_share(lines_apart(18, 2048), first) == 1.0);
    // Nine lines in one set and nine elsewhere.
    auto half = lines_apart(9, 4096);
    for (const MemoryRun& r : lines_apart(9, 64)) half.push_back({r.begin + 128, r.bytes});
    CHECK(conflicting_share(half, first) == Approx(0.5));
    // Around the end of the sets; the same line size without ways; more than there is room for.
    CHECK(conflicting_share(std::vector<MemoryRun>(9, MemoryRun{4032, 128}), first) == 1.0);
    CHECK(conflicting_share(lines_apart(9, 4096), {Bytes(32768.0), Bytes(64.0), 0}) == 0.0);
    CHECK(conflicting_share(std::vector<MemoryRun>{{0, 65536}}, first) == 0.0);
    CHECK(conflicting_share({}, first) == 0.0);
}

TEST_CASE("conflicts: the simulated cache loses what the formula says") {
    const CacheShape first{Bytes(32768.0), Bytes(64.0), 8};
    for (const std::int64_t pitch : {4096, 4096 + 64, 2048, 1024 + 64}) {
        for (const std::int64_t count : {4, 8, 12, 20, 40}) {
            std::vector<MemoryRun> runs;
            for (std::int64_t i = 0; i < count; ++i) runs.push_back({i * pitch, 256});
            LruCache cache(first);
            const auto round = [&] {
                for (const MemoryRun& r : runs) {
                    for (std::int64_t at = 0; at < r.bytes; at += 64)
                        cache.access({r.begin + at, 8, false, false});
                }
            };
            round();
            cache.count_from_here();
            round();
            const double lost = cache.exchanged().reads / (static_cast<double>(count) * 256.0);
            INFO(count << " pieces " << pitch << " bytes apart");
            CHECK(conflicting_share(runs, first) == Approx(lost));
        }
    }
}

TEST_CASE("Goto: words of each level by hand") {
    GotoLoops l{.m = 1000, .n = 800, .k = 600, .mr = 6, .nr = 8, .kc = 256, .mc = 96, .nc = 400};
    const double mk = 600e3, kn = 480e3, mn = 800e3;
    // C: (2⌈k/kc⌉ − 1)·mn where it is not an input.
    CHECK(goto_words(l, GotoLevel::blocks).c == 5.0 * mn);
    CHECK(goto_words(l, GotoLevel::blocks).a == 2.0 * mk);
    CHECK(goto_words(l, GotoLevel::blocks).b == kn);
    CHECK(goto_words(l, GotoLevel::inner).b == 11.0 * kn);
    CHECK(goto_words(l, GotoLevel::strips).a == 100.0 * mk);
    CHECK(goto_words(l, GotoLevel::none).b == 167.0 * kn);
    l.reads_c = true;
    CHECK(goto_words(l, GotoLevel::none).c == 6.0 * mn);
    CHECK(goto_words(l, GotoLevel::blocks).total() == 2.0 * mk + kn + 6.0 * mn);
    // Two threads over columns read all of A each.
    l.thread_columns = 2;
    CHECK(goto_words(l, GotoLevel::blocks).a == 2.0 * mk);
    l.nc = 200;
    CHECK(goto_words(l, GotoLevel::blocks).a == 4.0 * mk);
}

TEST_CASE("Goto: the level follows from what fits") {
    const GotoLoops l{.m = 1000, .n = 800, .k = 600, .mr = 6, .nr = 8, .kc = 256, .mc = 96, .nc = 400};
    CHECK(goto_needed(l, GotoLevel::blocks) == 96.0 * 256 + 400.0 * 256 + 48);
    CHECK(goto_level(l, 96.0 * 256 + 400.0 * 256 + 48) == GotoLevel::blocks);
    CHECK(goto_level(l, 96.0 * 256 + 400.0 * 256 + 47) == GotoLevel::inner);
    CHECK(goto_level(l, 96.0 * 256 + 8.0 * 256 + 47) == GotoLevel::strips);
    CHECK(goto_level(l, 100.0) == GotoLevel::none);
}

TEST_CASE("Goto: blocks from caches, as published for one machine") {
    // 32 KiB of 8 ways, 256 KiB of 8, 8 MiB of 16; 4 x 8 tiles in double: ways_A = ⌊7/3⌋ = 2, kc =
    // 2·32768/(4·8·8) = 256.
    const GotoBlocks b = goto_blocks({Bytes(32768.0), Bytes(64.0), 8}, {Bytes(262144.0), Bytes(64.0), 8},
                                     {Bytes(8388608.0), Bytes(64.0), 16}, 4.0, 8.0, 8.0);
    CHECK(b.kc == 256.0);
    CHECK(b.mc == 96.0);
    CHECK(b.nc == 3840.0);
}

TEST_CASE("SpMV: bytes a nonzero by format") {
    SpmvShape s{.nonzeros_a_row = 27.0, .alpha = 1.0 / 27.0};
    CHECK(csr_bytes(s) == Approx(12.0 + 8.0 / 27 + 12.0 / 27));
    s.allocates_y = true;
    CHECK(csr_bytes(s) == Approx(12.0 + 8.0 / 27 + 20.0 / 27));
    CHECK(sell_bytes(s, 0.8) == Approx(15.0 + 8.0 / 27 + 16.0 / 27));
    CHECK(bcsr_bytes(s, 3, 3, 1.2) == Approx(1.2 * (8.0 + 4.0 / 9) + 8.0 / 27 + (4.0 / 3 + 16.0) / 27));
    s.index = 2.0;
    CHECK(csr_bytes(s) == Approx(10.0 + 8.0 / 27 + 20.0 / 27));
}

TEST_CASE("SpMV: lines of x that come in again, against a simulated cache") {
    std::mt19937 random(7);
    for (const int kind : {0, 1, 2}) {
        // Uses of lines: at random, along a band, and some lines much more often than others.
        constexpr std::int64_t kUses = 60000, kLines = 4000;
        std::vector<std::int64_t> last(kLines, -1);
        ReuseGaps gaps;
        Stream stream;
        for (std::int64_t t = 0; t < kUses; ++t) {
            std::int64_t line = 0;
            if (kind == 0) line = random() % kLines;
            if (kind == 1) line = std::min<std::int64_t>(kLines - 1, t * kLines / kUses + random() % 300);
            if (kind == 2) line = random() % 4 == 0 ? random() % kLines : random() % 64;
            auto& before = last[static_cast<std::size_t>(line)];
            before < 0 ? gaps.first() : gaps.again(t - before);
            before = t;
            stream.push_back({(std::int64_t{1} << 40) + 16 * t, 16, false, false});
            stream.push_back({64 * line, 8, false, false});
        }
        const ReuseCurve curve(gaps);
        double previous = 1e18;
        for (double capacity = 2048.0; capacity < 2e6; capacity *= 2.0) {
            LruCache cache({Bytes(capacity), Bytes(64.0), 0});
            cache.run(stream);
            const double seen = cache.exchanged().reads / 64.0 - kUses / 4.0;
            const double estimate = curve.misses(Bytes(capacity), Bytes(64.0), 16.0);
            INFO("kind " << kind << ", " << capacity << " bytes: " << seen << " lines, estimated "
                         << estimate);
            CHECK(estimate <= previous);
            CHECK(estimate >= curve.lines());
            CHECK(std::fabs(estimate - seen) < 0.1 * seen + 0.01 * kUses);
            previous = estimate;
        }
        CHECK(curve.misses(Bytes(1e12), Bytes(64.0), 16.0) == curve.lines());
        CHECK(curve.uses() == kUses);
    }
    CHECK(ReuseCurve().misses(Bytes(64.0), Bytes(64.0), 12.0) == 0.0);
    CHECK(ReuseCurve(ReuseGaps()).misses(Bytes(64.0), Bytes(64.0), 12.0) == 0.0);
}
