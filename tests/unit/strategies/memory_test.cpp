// What strategies remember, and the draws that they share.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "tests/support/catch.h"
#include "tuner/search/strategies/memory.h"

using namespace rooftune;

TEST_CASE("a permutation has every number once, and starts anywhere") {
    for (const std::size_t size : {1U, 2U, 3U, 17U, 256U, 257U, 5000U}) {
        INFO(size);
        std::mt19937_64 random(size);
        const Permutation order(size, random);
        std::set<std::size_t> numbers;
        for (std::size_t i = 0; i < size; ++i) numbers.insert(order[i]);
        CHECK(numbers.size() == size);
        CHECK(*numbers.rbegin() == size - 1);
    }
    // The first and the second of three: six pairs, each as likely as the others.
    std::map<std::pair<std::size_t, std::size_t>, int> pairs;
    std::mt19937_64 random(1);
    for (int i = 0; i < 6'000; ++i) {
        const Permutation order(3, random);
        ++pairs[{order[0], order[1]}];
    }
    CHECK(pairs.size() == 6);
    for (const auto& [pair, times] : pairs) CHECK(std::abs(times - 1000) < 150);
}

TEST_CASE("a permutation of more numbers than memory holds") {
    std::mt19937_64 random(1);
    const std::size_t size = (std::size_t{1} << 61) + 12345;
    const Permutation order(size, random);
    std::set<std::size_t> numbers;
    std::size_t upper = 0;
    for (std::size_t i = 0; i < 1000; ++i) {
        CHECK(order[i] < size);
        numbers.insert(order[i]);
        if (order[i] > size / 2) ++upper;
    }
    CHECK(numbers.size() == 1000);
    CHECK(upper > 400);
    CHECK(upper < 600);
}

TEST_CASE("draws: from 0 to below 1, and shuffling loses nothing") {
    std::mt19937_64 random(1);
    double sum = 0.0, least = 1.0, largest = 0.0;
    for (int i = 0; i < 10'000; ++i) {
        const double u = unit(random);
        sum += u;
        least = std::min(least, u);
        largest = std::max(largest, u);
    }
    CHECK(least >= 0.0);
    CHECK(least < 0.001);
    CHECK(largest < 1.0);
    CHECK(largest > 0.999);
    CHECK(sum / 10'000 == Approx(0.5).margin(0.02));
    std::vector<int> items{1, 2, 3, 4, 5, 6};
    const std::vector<int> before = items;
    shuffle(items, random);
    CHECK(std::is_permutation(items.begin(), items.end(), before.begin()));
    std::vector<int> none;
    shuffle(none, random);
    CHECK(none.empty());
}

TEST_CASE("memory: the best, failures, and what is not seen") {
    std::mt19937_64 random(1);
    Memory memory(4, random);
    CHECK_FALSE(memory.best());
    CHECK(memory.observe(2, 5.0));
    CHECK(memory.observe(1, std::nullopt));
    CHECK_FALSE(memory.observe(2, 5.0));
    CHECK(memory.best() == std::size_t{2});
    CHECK(memory.value(1) == kFailed);
    CHECK(memory.value(0) == kFailed);
    CHECK(memory.seen(1));
    CHECK_FALSE(memory.seen(0));
    CHECK(memory.count() == 2);
    // The two others in turn, again and again, until they are seen.
    std::vector<std::size_t> turns;
    for (int i = 0; i < 4; ++i) turns.push_back(memory.any());
    CHECK(turns[0] != turns[1]);
    CHECK(turns[0] == turns[2]);
    CHECK((turns[0] == 0 || turns[0] == 3));
    CHECK((turns[1] == 0 || turns[1] == 3));
    memory.observe(0, 4.0);
    CHECK(memory.any() == 3);
    memory.observe(3, 6.0);
    CHECK(memory.all());
    CHECK(memory.any() < 4);
    CHECK(memory.best() == std::size_t{0});
    // Measured again, the best is slower than another; then it fails.
    memory.observe(0, 5.5);
    CHECK(memory.best() == std::size_t{2});
    CHECK(memory.best_value() == 5.0);
    memory.observe(2, std::nullopt);
    CHECK(memory.best() == std::size_t{0});
}
