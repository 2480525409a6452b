// Traffic of matrix products: the formula by hand, and never above what an optimal cache exchanges when
// it is fed the addresses of real schedules.
#include <random>

#include "models/traffic.h"
#include "tests/support/catch.h"
#include "tests/unit/models/product_schedules.h"

using namespace rooftune;
using namespace rooftune::product_test;

namespace {

constexpr double kWord = 8.0;

TrafficProfile profile_of(const Shape& s, State state, double held_words) {
    TrafficProfile p;
    p.state = state;
    const double a = s.m * s.k;
    const double b = s.k * s.n;
    const double c = s.m * s.n;
    p.reads = Bytes(kWord * (a + b + (s.reads_c ? c : 0.0)));
    p.writes = Bytes(kWord * c);
    p.products = static_cast<double>(s.m) * s.n * s.k;
    p.results = c;
    p.element_bytes = kWord;
    p.held = Bytes(kWord * held_words);
    return p;
}

/// Compares every bound with what the cache saw. Returns the largest bound / reads where the product's
/// own term was the one that counted, so that a test can show that it was not vacuous.
double hold(const Shape& s, const std::vector<Access>& stream, int held, const char* name) {
    double nearest = 0.0;
    const test::OptimalCache cache(bytes_of(stream), 1);
    for (const int capacity : {1, 2, 3, 5, 9, 12, 16, 25, 30, 49, 64, 100, 150, 400}) {
        for (const State state : {State::cold, State::warm}) {
            const TrafficProfile p = profile_of(s, state, held);
            const test::Exchanged seen = cache.least(capacity, state == State::warm);
            const Bytes w(kWord * capacity);
            INFO(name << ' ' << s.m << 'x' << s.n << 'x' << s.k << ", capacity " << capacity << ", "
                      << to_text(state));
            CHECK(p.reads_beyond(w).value <= kWord * seen.reads);
            CHECK(p.writes_beyond(w).value <= kWord * seen.writes);
            CHECK(p.sum_beyond(w).value <= kWord * (seen.reads + seen.writes));
            TrafficProfile streamed = p;
            streamed.products = 0.0;
            if (p.reads_beyond(w) > streamed.reads_beyond(w) && seen.reads > 0.0) {
                nearest = std::max(nearest, p.reads_beyond(w).value / (kWord * seen.reads));
            }
        }
    }
    return nearest;
}

}  // namespace

TEST_CASE("product: reads beyond a cache by hand") {
    TrafficProfile p;
    p.products = 1e6;
    p.results = 1e4;
    p.element_bytes = 8.0;
    p.held = Bytes(0.0);
    // 100 words: 2e6/10 − 200 − 1e4.
    CHECK(p.reads_beyond(Bytes(800.0)).value == Approx(8.0 * 189800.0));
    // The state takes nothing off: what lies there is among the words of the first piece.
    p.state = State::cold;
    CHECK(p.reads_beyond(Bytes(800.0)).value == Approx(8.0 * 189800.0));
    // 36 words of cache and 64 in registers are 100 words.
    p.held = Bytes(512.0);
    CHECK(p.reads_beyond(Bytes(288.0)).value == Approx(8.0 * 189800.0));
    // No capacity is less than a word.
    p.held = Bytes(0.0);
    CHECK(p.reads_beyond(Bytes(0.0)).value == Approx(8.0 * (2e6 - 2.0 - 1e4)));
    p.element_bytes = 4.0;
    CHECK(p.reads_beyond(Bytes(400.0)).value == Approx(4.0 * 189800.0));
    // In a cache that is large enough nothing is left, and nothing falls below zero.
    CHECK(p.reads_beyond(Bytes(1e9)).value == 0.0);
}

TEST_CASE("product: the sum adds the writes that cannot stay") {
    TrafficProfile p;
    p.reads = Bytes(16e4);
    p.writes = Bytes(8e4);
    p.products = 1e6;
    p.results = 1e4;
    p.held = Bytes(0.0);
    CHECK(p.sum_beyond(Bytes(800.0)).value == Approx(8.0 * 189800.0 + 8e4 - 800.0));
    // Where the streams say more than the product, they count.
    p.products = 1.0;
    CHECK(p.sum_beyond(Bytes(800.0)).value == Approx(24e4 - 1600.0));
}

TEST_CASE("product: what registers hold has to be stated") {
    TrafficProfile p;
    p.products = 1e9;
    p.results = 1.0;
    CHECK(p.reads_beyond(Bytes(4096.0)).value == 0.0);
    p.held = Bytes(kRegisterBytes);
    CHECK(p.reads_beyond(Bytes(4096.0)).value > 0.0);
}

TEST_CASE("product: traffic never grows with the capacity, nor with what is held") {
    for (const State state : {State::cold, State::warm}) {
        TrafficProfile p = profile_of({37, 41, 53, true}, state, 32.0);
        Bytes reads = p.reads_beyond(Bytes(0.0));
        Bytes sum = p.sum_beyond(Bytes(0.0));
        for (double w = 8.0; w < 1e6; w *= 1.17) {
            CHECK(p.reads_beyond(Bytes(w)) <= reads);
            CHECK(p.sum_beyond(Bytes(w)) <= sum);
            reads = p.reads_beyond(Bytes(w));
            sum = p.sum_beyond(Bytes(w));
            TrafficProfile more = p;
            more.held = Bytes(2.0 * p.held.value);
            CHECK(more.reads_beyond(Bytes(w)) <= reads);
            more = p;
            more.products *= 1.5;
            CHECK(more.reads_beyond(Bytes(w)) >= reads);
        }
    }
}

TEST_CASE("product: no schedule reads less from beyond an optimal cache") {
    double nearest = 0.0;
    for (const bool reads_c : {false, true}) {
        for (const Shape& s : {Shape{1, 1, 1, reads_c}, Shape{1, 13, 7, reads_c}, Shape{12, 1, 11, reads_c},
                               Shape{9, 10, 1, reads_c}, Shape{7, 5, 6, reads_c}, Shape{12, 11, 13, reads_c},
                               Shape{16, 16, 16, reads_c}, Shape{20, 20, 8, reads_c}}) {
            // Between its loads and its product an operand is in a register.
            constexpr int kOperands = 3;
            nearest = std::max(nearest, hold(s, in_order(s, "ijk"), kOperands, "ijk"));
            nearest = std::max(nearest, hold(s, in_order(s, "ikj"), kOperands, "ikj"));
            nearest = std::max(nearest, hold(s, in_order(s, "kij"), kOperands, "kij"));
            for (const Tile& t : {Tile{2, 2, 2}, Tile{3, 3, 1}, Tile{4, 4, 1}, Tile{5, 5, 1}, Tile{6, 6, 1},
                                  Tile{7, 7, 1}, Tile{4, 2, 8}, Tile{8, 8, 2}, Tile{1, 6, 6}}) {
                nearest = std::max(nearest, hold(s, tiled(s, t), kOperands, "tiled"));
            }
            hold(s, partial_sums(s, 2), kOperands, "two partial sums");
            hold(s, partial_sums(s, 4), kOperands, "four partial sums");
            hold(s, shuffled(s, 7), kOperands, "shuffled");
        }
    }
    // Tight enough to mean something: the best tile comes within a factor of two of the bound.
    INFO("largest bound / reads: " << nearest);
    CHECK(nearest > 0.5);
    CHECK(nearest <= 1.0);
}

TEST_CASE("product: sums in registers read less, and not less than the bound that counts registers") {
    for (const bool reads_c : {false, true}) {
        for (const Shape& s : {Shape{12, 12, 12, reads_c}, Shape{16, 15, 14, reads_c}}) {
            for (const int rows : {2, 4, 6}) {
                for (const int cols : {2, 4, 6}) {
                    const int held = rows * cols + rows + 1;
                    hold(s, register_tiles(s, rows, cols), held, "register tiles");
                }
            }
        }
    }
}

TEST_CASE("product: a bound that forgot the registers, or took no first sums off, is seen to be wrong") {
    const Shape s{16, 16, 16, false};
    const std::vector<Access> stream = register_tiles(s, 6, 6);
    const test::Exchanged seen = test::OptimalCache(bytes_of(stream), 1).least(3, false);
    CHECK(profile_of(s, State::cold, 0).reads_beyond(Bytes(kWord * 3)).value > kWord * seen.reads);

    const Shape outer{20, 20, 1, false};  // every sum has one product: C is never read
    TrafficProfile greedy = profile_of(outer, State::cold, 0);
    greedy.results = 0.0;
    const test::Exchanged once = test::OptimalCache(bytes_of(in_order(outer, "ikj")), 1).least(2, false);
    CHECK(greedy.reads_beyond(Bytes(kWord * 2)).value > kWord * once.reads);
}
