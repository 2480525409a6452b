// The order of the arms: what it must balance.
#include "tuner/measure/abba.h"

#include <algorithm>
#include <map>
#include <set>
#include "tests/support/catch.h"

using namespace rooftune::track;

TEST_CASE("each round has every arm once, the control only where there is one") {
    for (const bool control : {false, true}) {
        for (int round = 0; round < 40; ++round) {
            std::vector<Arm> order = order_of_round(7, round, control);
            std::sort(order.begin(), order.end());
            std::vector<Arm> all = {Arm::base, Arm::candidate, Arm::again};
            if (control) all.push_back(Arm::control);
            CHECK(order == all);
        }
    }
}

TEST_CASE("the second round of a block is the first backwards: ABBA or BAAB") {
    for (int block = 0; block < 50; ++block) {
        std::vector<Arm> back = order_of_round(3, 2 * block + 1, true);
        std::reverse(back.begin(), back.end());
        CHECK(order_of_round(3, 2 * block, true) == back);
    }
}

TEST_CASE("the control stands between no two of the others") {
    for (int round = 0; round < 100; ++round) {
        const std::vector<Arm> order = order_of_round(5, round, true);
        CHECK((order.front() == Arm::control || order.back() == Arm::control));
    }
}

TEST_CASE("A comes before B, before the second A and first of all as often as not") {
    constexpr int kBlocks = 6000;
    int before_candidate = 0;
    std::map<Arm, int> first;
    for (int block = 0; block < kBlocks; ++block) {
        const std::vector<Arm> order = order_of_round(1, 2 * block, false);
        const auto base = std::find(order.begin(), order.end(), Arm::base);
        const auto candidate = std::find(order.begin(), order.end(), Arm::candidate);
        before_candidate += base < candidate ? 1 : 0;
        ++first[order.front()];
    }
    // Four standard errors of a fair coin, and of a fair die of three.
    CHECK(std::abs(before_candidate - kBlocks / 2) < 4 * 39);
    for (const auto& [arm, times] : first) CHECK(std::abs(times - kBlocks / 3) < 4 * 37);
}

TEST_CASE("of several arms each round has every one once, each as often before the baseline as behind it") {
    for (const std::size_t arms : {std::size_t{2}, std::size_t{3}, std::size_t{5}, kMostArms}) {
        std::vector<Arm> all = {Arm::again, Arm::control};
        for (std::size_t i = 0; i < arms; ++i) {
            all.push_back(arm_at(i));
            CHECK(number_of(arm_at(i)) == i);
        }
        std::sort(all.begin(), all.end());
        REQUIRE(std::adjacent_find(all.begin(), all.end()) == all.end());
        std::map<Arm, int> before;
        constexpr int kBlocks = 2000;
        for (int block = 0; block < kBlocks; ++block) {
            std::vector<Arm> order = order_of_round(4, 2 * block, true, arms);
            for (auto at = order.begin(); *at != Arm::base; ++at) ++before[*at];
            std::vector<Arm> back = order_of_round(4, 2 * block + 1, true, arms);
            std::reverse(back.begin(), back.end());
            CHECK(order == back);
            CHECK((order.front() == Arm::control || order.back() == Arm::control));
            std::sort(order.begin(), order.end());
            CHECK(order == all);
        }
        // Five standard errors of a fair coin: there are thirty coins.
        for (const auto& [arm, times] : before) CHECK(std::abs(times - kBlocks / 2) < 5 * 23);
    }
}

TEST_CASE("orders depend on the seed and on nothing else") {
    std::set<std::vector<Arm>> seen;
    for (int round = 0; round < 40; ++round) {
        CHECK(order_of_round(9, round, true) == order_of_round(9, round, true));
        seen.insert(order_of_round(9, round, true));
    }
    CHECK(seen.size() == 12);
    int same = 0;
    for (int block = 0; block < 100; ++block)
        same += order_of_round(1, 2 * block, false) == order_of_round(2, 2 * block, false) ? 1 : 0;
    CHECK(same < 40);
}
