// The simulated caches against streams whose traffic is known by hand: they judge the bounds and the
// estimates.
#include <random>

#include "tests/support/cache_model.h"
#include "tests/support/catch.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

Access read(std::int64_t word) {
    return {8 * word, 8, false, false};
}
Access write(std::int64_t word) {
    return {8 * word, 8, true, false};
}
Access stream_to(std::int64_t word) {
    return {8 * word, 8, true, true};
}

Exchanged words(const Stream& stream, std::int64_t capacity, bool warm = false) {
    const Exchanged bytes = OptimalCache(stream, 8).least(8 * capacity, warm);
    return {bytes.reads / 8, bytes.writes / 8};
}

/// The least reads of any policy, by trying all of them: after each access any subset of what is there may
/// stay.
double least_reads_by_trial(const Stream& stream, std::size_t at, unsigned inside, int capacity) {
    if (at == stream.size()) return 0.0;
    const unsigned bit = 1U << (stream[at].address / 8);
    const double cost = !stream[at].write && (inside & bit) == 0 ? 1.0 : 0.0;
    double best = 1e9;
    const unsigned all = inside | bit;
    for (unsigned keep = all;; keep = (keep - 1) & all) {
        if (__builtin_popcount(keep) <= capacity)
            best = std::min(best, least_reads_by_trial(stream, at + 1, keep, capacity));
        if (keep == 0) break;
    }
    return cost + best;
}

}  // namespace

TEST_CASE("optimal cache: reads by hand") {
    // 1 2 1 3 1 2 with two words: 3 passes by, 1 and 2 stay.
    const Stream stream = {read(1), read(2), read(1), read(3), read(1), read(2)};
    CHECK(words(stream, 2).reads == 3.0);
    CHECK(words(stream, 1).reads == 4.0);
    CHECK(words(stream, 0).reads == 6.0);
    CHECK(words(stream, 3, true).reads == 0.0);
    CHECK(words(stream, 2, true).reads == 1.0);
    // What was written need not be read.
    CHECK(words({write(1), read(1)}, 1).reads == 0.0);
    CHECK(words({write(1), read(1)}, 0).reads == 1.0);
    CHECK(words({}, 4).reads == 0.0);
}

TEST_CASE("optimal cache: writes by hand") {
    CHECK(words({write(1), write(2), write(1)}, 2).writes == 0.0);
    CHECK(words({write(1), write(2), write(1)}, 1).writes == 1.0);
    // The first value of 1 may stay until it is overwritten, or the value of 2, not both; one of the last two
    // may.
    CHECK(words({write(1), write(2), write(1)}, 0).writes == 3.0);
    // Eight values, three of which stay dirty at the end.
    Stream eight;
    for (int i = 0; i < 8; ++i) eight.push_back(write(i));
    CHECK(words(eight, 3).writes == 5.0);
    CHECK(words(eight, 8, true).writes == 0.0);
}

TEST_CASE("optimal cache: granules") {
    // Two elements of 8 bytes are four granules of 4; a line holds them all.
    const Stream stream = {read(0), read(1), read(0)};
    CHECK(OptimalCache(stream, 4).least(0, false).reads == 24.0);
    CHECK(OptimalCache(stream, 4).least(8, false).reads == 16.0);
    CHECK(OptimalCache(stream, 4).least(4, false).reads == 20.0);
    CHECK(OptimalCache(stream, 64).least(64, false).reads == 64.0);
    CHECK(OptimalCache(stream, 64).least(63, false).reads == 3.0 * 64.0);
}

TEST_CASE("optimal cache: nothing reads less, tried on all policies") {
    std::mt19937 random(4);
    for (int i = 0; i < 60; ++i) {
        Stream stream;
        for (int t = 0; t < 8; ++t) {
            const auto word = static_cast<std::int64_t>(random() % 4);
            stream.push_back(random() % 4 == 0 ? write(word) : read(word));
        }
        for (const int capacity : {1, 2, 3}) {
            CHECK(words(stream, capacity).reads == least_reads_by_trial(stream, 0, 0, capacity));
        }
    }
}

TEST_CASE("LRU cache: lines, ways and write-backs by hand") {
    // Two sets of two lines of 64 bytes: words 0, 16, 32 … fall into set 0.
    const CacheShape shape{Bytes(256.0), Bytes(64.0), 2};
    LruCache cache(shape);
    cache.run({read(0), read(1), read(16), read(0)});
    CHECK(cache.exchanged().reads == 2.0 * 64.0);
    cache.access(read(32));  // drives out 16, the oldest of set 0
    cache.access(read(0));
    CHECK(cache.exchanged().reads == 3.0 * 64.0);
    cache.access(read(16));
    CHECK(cache.exchanged().reads == 4.0 * 64.0);
    CHECK(cache.exchanged().writes == 0.0);
    cache.run({write(8), read(24), read(40), read(56)});  // set 1: the dirty line leaves
    CHECK(cache.exchanged().writes == 64.0);
    CHECK(cache.exchanged().reads == 8.0 * 64.0);
    cache.count_from_here();
    cache.access(read(56));
    CHECK(cache.exchanged().reads == 0.0);
}

TEST_CASE("LRU cache: stores that pass by fetch nothing and are combined to lines") {
    const CacheShape shape{Bytes(1024.0), Bytes(64.0), 4};
    LruCache cache(shape);
    for (int i = 0; i < 64; ++i) cache.access(stream_to(i));
    CHECK(cache.exchanged().reads == 0.0);
    CHECK(cache.exchanged().writes == 512.0);
    // A copy that lies in the cache is dropped.
    cache.run({read(200), stream_to(200), read(201)});
    CHECK(cache.exchanged().reads == 128.0);
}

TEST_CASE("LRU cache: one large set is the same as a list, and misses go on") {
    std::mt19937 random(5);
    Stream stream;
    for (int i = 0; i < 20000; ++i) {
        const auto word = static_cast<std::int64_t>(random() % 4000);
        stream.push_back(random() % 3 == 0 ? write(word) : read(word));
    }
    LruCache listed({Bytes(64.0 * 128), Bytes(64.0), 0});
    LruCache beyond({Bytes(64.0 * 64), Bytes(64.0), 64});
    LruCache scanned({Bytes(64.0 * 64), Bytes(64.0), 0}, &beyond);
    LruCache same({Bytes(64.0 * 64), Bytes(64.0), 64});
    listed.run(stream);
    scanned.run(stream);
    same.run(stream);
    CHECK(same.exchanged().reads == scanned.exchanged().reads);
    CHECK(same.exchanged().writes == scanned.exchanged().writes);
    CHECK(listed.exchanged().reads < scanned.exchanged().reads);
    CHECK(listed.exchanged().reads > 0.5 * scanned.exchanged().reads);
    // A second cache no larger than the first has nothing that the first lacks for long.
    CHECK(beyond.exchanged().reads <= scanned.exchanged().reads);
    CHECK(beyond.exchanged().reads > 0.5 * scanned.exchanged().reads);
}
