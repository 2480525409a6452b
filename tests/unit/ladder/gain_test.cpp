// What a step gave, by planted times of rounds.
#include "tuner/ladder/gain.h"

#include <limits>
#include "tests/support/catch.h"

using namespace rooftune::ladder;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

std::vector<double> times(double seconds, int rounds) {
    return std::vector<double>(static_cast<std::size_t>(rounds), seconds);
}

}  // namespace

TEST_CASE("a gain is time before over time after: above 1 is faster") {
    const auto gain = gain_of(times(2.0, 8), times(0.5, 8));
    REQUIRE(gain);
    CHECK(gain->factor == 4.0);
    CHECK(gain->low == 4.0);
    CHECK(gain->high == 4.0);
    CHECK(gain->rounds == 8);
    CHECK(gain_of(times(0.5, 8), times(2.0, 8))->factor == 0.25);
}

TEST_CASE("ratios are taken within rounds, so that a drift of the machine cancels") {
    // The machine slows down by a factor of eight; the second is always twice as fast.
    std::vector<double> before, after;
    for (int round = 0; round < 8; ++round) {
        before.push_back(1.0 + round);
        after.push_back(0.5 * (1.0 + round));
    }
    const auto gain = gain_of(before, after);
    CHECK(gain->factor == 2.0);
    CHECK(gain->low == gain->high);
}

TEST_CASE("one lucky round moves neither median nor, among many, the interval") {
    std::vector<double> before = times(3.0, 20), after = times(1.0, 20);
    after[7] = 1e-6;
    const auto gain = gain_of(before, after);
    CHECK(gain->factor == 3.0);
    CHECK(gain->high == 3.0);
}

TEST_CASE("rounds in which either is missing are left out") {
    const auto gain =
        gain_of(std::vector<double>{2.0, kNaN, 4.0, 6.0}, std::vector<double>{1.0, 1.0, kNaN, 2.0});
    REQUIRE(gain);
    CHECK(gain->rounds == 2);
    CHECK(gain->factor == 2.5);
    CHECK(gain->low == 2.0);
    CHECK(gain->high == 3.0);
    // A row that is shorter was stopped earlier.
    CHECK(gain_of(times(1.0, 3), times(1.0, 1))->rounds == 1);
}

TEST_CASE("nothing is no gain, and neither are times that are none") {
    CHECK_FALSE(gain_of({}, {}));
    CHECK_FALSE(gain_of(times(1.0, 3), {}));
    CHECK_FALSE(gain_of(times(kNaN, 3), times(1.0, 3)));
    CHECK_FALSE(gain_of(times(1.0, 3), times(0.0, 3)));
    CHECK_FALSE(gain_of(times(-1.0, 3), times(1.0, 3)));
    CHECK_FALSE(gain_of(times(std::numeric_limits<double>::infinity(), 3), times(1.0, 3)));
}

TEST_CASE("one round is its own interval") {
    const auto gain = gain_of(times(3.0, 1), times(2.0, 1));
    CHECK(gain->factor == 1.5);
    CHECK(gain->low == 1.5);
    CHECK(gain->high == 1.5);
    CHECK(gain->rounds == 1);
}

TEST_CASE("the product of gains: lows with lows, highs with highs, the fewest rounds") {
    const Gain product = product_of({{2.0, 1.5, 2.5, 10}, {1.0, 1.0, 1.0, 0}, {3.0, 2.0, 4.0, 8}});
    CHECK(product.factor == 6.0);
    CHECK(product.low == 3.0);
    CHECK(product.high == 10.0);
    CHECK(product.rounds == 8);
    const Gain none = product_of({});
    CHECK(none.factor == 1.0);
    CHECK(none.rounds == 0);
}

TEST_CASE("gains agree where their intervals overlap, and only there") {
    const Gain whole{6.0, 5.5, 6.5, 8};
    CHECK(agree({6.2, 6.0, 7.0, 8}, whole));
    CHECK(agree({5.0, 4.0, 5.5, 8}, whole));
    CHECK_FALSE(agree({5.0, 4.0, 5.4, 8}, whole));
    CHECK_FALSE(agree({12.0, 11.0, 13.0, 8}, whole));
    CHECK_FALSE(agree(whole, {3.0, 2.75, 3.25, 8}));
    // Equal but for the rounding of a product.
    CHECK(agree({6.0, 6.5 * (1.0 + 1e-15), 7.0, 8}, whole));
    CHECK_FALSE(agree({kNaN, kNaN, kNaN, 8}, whole));
}
