// Several arms in the same rounds, and who of them is the fastest: planted times, right and wrong.
#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

#include "tests/support/catch.h"
#include "tuner/measure/ranking.h"

using rooftune::failed_turn;
using rooftune::Turn;
using namespace rooftune::track;
using Catch::Contains;

namespace {

// Arms that take what a function says, in seconds; the second A is arm 0 again.
class PlantedArms final : public Arms {
public:
    std::function<double(std::size_t arm, int turn)> seconds;
    std::function<double(int turn)> control = [](int) { return 0.02; };
    std::function<std::string(Arm arm, int turn)> failure = [](Arm, int) { return std::string(); };
    std::size_t arms = 3;
    int turns = 0, stop = -1;
    std::vector<Arm> order;

    std::size_t count() const override { return arms; }
    Turn take(Arm arm) override {
        order.push_back(arm);
        const int turn = turns++;
        if (const std::string why = failure(arm, turn); !why.empty()) return failed_turn(why);
        Turn taken;
        taken.seconds =
            arm == Arm::control ? control(turn) : seconds(arm == Arm::again ? 0 : number_of(arm), turn);
        return taken;
    }
    bool has_control() const override { return true; }
    bool interrupted() override { return turns == stop; }
    void progress(int, const RoundTimes&) override {}
};

// Times with a noise of `noise`, the same on every platform.
PlantedArms with_ratios(const std::vector<double>& ratios, double noise = 0.002, unsigned seed = 1) {
    PlantedArms arms;
    arms.arms = ratios.size();
    auto random = std::make_shared<std::mt19937_64>(seed);
    arms.seconds = [ratios, noise, random](std::size_t arm, int) {
        const double u = static_cast<double>((*random)() >> 11) * 0x1p-53;
        return 0.1 * ratios[arm] * std::exp(noise * (2.0 * u - 1.0));
    };
    return arms;
}

ComparisonRules rules_for(std::size_t arms) {
    return {1, 0.03, static_cast<int>(arms) - 1, {}};
}

std::string order_of(const std::vector<RankedArm>& ranking) {
    std::string text;
    for (const RankedArm& arm : ranking) text += letter_of(arm.arm);
    return text;
}

}  // namespace

TEST_CASE("each arm gets its own verdict, all in the same rounds") {
    PlantedArms arms = with_ratios({1.0, 1.1, 0.9, 1.001});
    const SeveralCompared c = compare_several(arms, rules_for(4));
    REQUIRE(c.arms.size() == 3);
    CHECK(c.arms[0].judgement.verdict == Verdict::regressed);
    CHECK(c.arms[1].judgement.verdict == Verdict::improved);
    CHECK(c.arms[2].judgement.verdict == Verdict::unchanged);
    CHECK(c.arms[0].judgement.ratio == Approx(1.1).margin(0.004));
    CHECK(c.shared.base.size() == 20);
    CHECK(arms.turns == 20 * 6);
    for (const ArmCompared& arm : c.arms) CHECK(arm.times.size() == 20);
    for (int round = 0; round < 20; ++round) {
        const std::vector<Arm> due = order_of_round(1, round, true, 4);
        CHECK(std::equal(due.begin(), due.end(), arms.order.begin() + 6 * round));
    }
}

TEST_CASE("rounds go on until the last arm is settled") {
    PlantedArms arms = with_ratios({1.0, 1.2, 1.03});
    const SeveralCompared c = compare_several(arms, rules_for(3));
    CHECK(c.shared.base.size() == 40);
    CHECK(c.arms[0].judgement.verdict == Verdict::regressed);
    CHECK(c.arms[1].judgement.verdict == Verdict::inconclusive);
    CHECK(c.arms[1].judgement.settled);
}

TEST_CASE("what is settled stays as it is, whatever comes of the rounds that another arm asks for") {
    // B and C are settled after twenty rounds, D never is; then the machine changes.
    const auto settled_in_20 = [] { return with_ratios({1.0, 1.2, 1.0, 1.03}); };
    const auto is_late = [](int turn) { return turn >= 20 * 6; };
    const auto holds = [](const SeveralCompared& c) {
        CHECK(c.arms[0].judgement.verdict == Verdict::regressed);
        CHECK(c.arms[0].judgement.rounds == 20);
        CHECK(c.arms[1].judgement.verdict == Verdict::unchanged);
        CHECK(c.arms[1].judgement.rounds == 20);
    };
    PlantedArms drifting = settled_in_20();
    drifting.control = [is_late](int turn) { return is_late(turn) ? 0.03 : 0.02; };
    const SeveralCompared drifted = compare_several(drifting, rules_for(4));
    holds(drifted);
    CHECK(drifted.arms[2].judgement.verdict == Verdict::invalid);
    CHECK(drifted.shared.base.size() == 40);
    // It slows down where nobody asks it any more, or fails, or the baseline does.
    PlantedArms slower = settled_in_20();
    const auto fine = slower.seconds;
    slower.seconds = [=](std::size_t arm, int turn) {
        return fine(arm, turn) * (arm == 2 && is_late(turn) ? 1.5 : 1.0);
    };
    holds(compare_several(slower, rules_for(4)));
    PlantedArms impossible = settled_in_20();
    impossible.seconds = [=](std::size_t arm, int turn) {
        return arm == 2 && is_late(turn) ? std::nan("") : fine(arm, turn);
    };
    const SeveralCompared odd = compare_several(impossible, rules_for(4));
    holds(odd);
    CHECK(odd.arms[1].ended);
    for (const Arm failing : {arm_at(2), Arm::base}) {
        PlantedArms broken = settled_in_20();
        broken.failure = [=](Arm arm, int turn) { return arm == failing && is_late(turn) ? "signal" : ""; };
        const SeveralCompared c = compare_several(broken, rules_for(4));
        holds(c);
        CHECK(c.arms[1].ended);
        CHECK(c.arms[2].judgement.verdict ==
              (failing == Arm::base ? Verdict::invalid : Verdict::inconclusive));
    }
}

TEST_CASE("two arms are compared as ever, whichever way they are asked") {
    PlantedArms one = with_ratios({1.0, 1.1}), other = with_ratios({1.0, 1.1});
    const Compared pair = compare(one, {1, 0.03});
    const SeveralCompared several = compare_several(other, {1, 0.03});
    CHECK(pair.times.candidate == several.arms[0].times);
    CHECK(pair.judgement.reason == several.arms[0].judgement.reason);
    CHECK(pair.times.base.size() == 10);
}

TEST_CASE("an arm that fails leaves the others their rounds; the baseline takes all with it") {
    PlantedArms arms = with_ratios({1.0, 1.1, 0.9});
    arms.failure = [](Arm arm, int turn) { return arm == arm_at(2) && turn >= 15 ? "signal" : ""; };
    const SeveralCompared c = compare_several(arms, rules_for(3));
    CHECK(c.arms[0].judgement.verdict == Verdict::regressed);
    CHECK(c.arms[0].times.size() == 20);
    CHECK(c.arms[1].judgement.verdict == Verdict::invalid);
    CHECK_THAT(c.arms[1].judgement.reason, Contains("C gave no time in round 4: signal"));
    CHECK(c.arms[1].ended);
    CHECK(c.arms[1].times.size() == 3);
    for (const Arm shared : {Arm::base, Arm::again, Arm::control}) {
        PlantedArms broken = with_ratios({1.0, 1.1, 0.9});
        broken.failure = [shared](Arm arm, int turn) { return arm == shared && turn >= 15 ? "signal" : ""; };
        const SeveralCompared none = compare_several(broken, rules_for(3));
        CHECK(none.shared.base.size() == 3);
        for (const ArmCompared& arm : none.arms) CHECK(arm.judgement.verdict == Verdict::invalid);
    }
}

TEST_CASE("a time that no clock shows ends the arm that it is of, by its own letter") {
    PlantedArms arms = with_ratios({1.0, 1.1, 0.9});
    const auto fine = arms.seconds;
    arms.seconds = [fine](std::size_t arm, int turn) { return arm == 2 ? std::nan("") : fine(arm, turn); };
    const SeveralCompared c = compare_several(arms, rules_for(3));
    CHECK(c.arms[0].judgement.verdict == Verdict::regressed);
    CHECK(c.arms[1].judgement.verdict == Verdict::invalid);
    CHECK_THAT(c.arms[1].judgement.reason, Contains("C took"));
    CHECK(std::count(arms.order.begin(), arms.order.end(), arm_at(2)) == 1);
    PlantedArms broken = with_ratios({1.0, 1.1, 0.9});
    broken.seconds = [fine](std::size_t arm, int turn) { return arm == 0 ? 0.0 : fine(arm, turn); };
    for (const ArmCompared& arm : compare_several(broken, rules_for(3)).arms)
        CHECK_THAT(arm.judgement.reason, Contains("A took 0 s in round 1"));
}

TEST_CASE("rounds end even where too few of them are independent for so many comparisons") {
    PlantedArms arms = with_ratios({1.0, 1.0});
    // Ten rounds up and ten down: neighbours hang together, and twenty pairs are no forty rounds.
    arms.seconds = [](std::size_t arm, int turn) {
        const int round = turn / 4;
        return arm == 1 && round % 20 < 10 ? 0.11 : 0.1;
    };
    const SeveralCompared c = compare_several(arms, {1, 0.03, 8000, {}});
    CHECK(c.shared.base.size() == 40);
    CHECK(c.arms[0].judgement.settled);
    CHECK(c.arms[0].judgement.verdict == Verdict::inconclusive);
    CHECK_THAT(c.arms[0].judgement.reason, Contains("too few to judge by"));
}

TEST_CASE("what is absent takes no turn") {
    PlantedArms arms = with_ratios({1.0, 1.1, 0.9});
    ComparisonRules rules = rules_for(3);
    rules.absent = {"", "status 3"};
    const SeveralCompared c = compare_several(arms, rules);
    CHECK_THAT(c.arms[0].judgement.reason, Contains("B gave no time: status 3"));
    CHECK(c.arms[1].judgement.verdict == Verdict::improved);
    CHECK(std::find(arms.order.begin(), arms.order.end(), Arm::candidate) == arms.order.end());
    PlantedArms none = with_ratios({1.0, 1.1, 0.9});
    rules.absent = {"status 3"};
    CHECK_THAT(compare_several(none, rules).arms[1].judgement.reason, Contains("A gave no time: status 3"));
    CHECK(none.turns == 0);
}

TEST_CASE("Ctrl-C ends several at once") {
    PlantedArms arms = with_ratios({1.0, 1.1, 0.9});
    arms.stop = 12;
    const SeveralCompared c = compare_several(arms, rules_for(3));
    CHECK(c.interrupted);
    CHECK(c.shared.base.size() == 2);
    for (const ArmCompared& arm : c.arms)
        CHECK_THAT(arm.judgement.reason, Contains("stopped after 2 rounds: 2 rounds are too few"));
}

TEST_CASE("the fastest is first, and who may be as fast is not separated") {
    PlantedArms arms = with_ratios({1.0, 1.2, 0.90, 0.9005, 0.95}, 0.01);
    const SeveralCompared c = compare_several(arms, rules_for(5));
    const std::vector<RankedArm> ranking = ranking_of(c, pairs_of(5));
    REQUIRE(ranking.size() == 5);
    CHECK((order_of(ranking) == "CDEAB" || order_of(ranking) == "DCEAB"));
    CHECK(std::isnan(ranking[0].fastest.ratio));
    CHECK_FALSE(ranking[1].separated);
    CHECK(ranking[1].fastest.low < 1.0);
    for (std::size_t i = 2; i < 5; ++i) CHECK(ranking[i].separated);
    CHECK(ranking[4].fastest.ratio == Approx(1.2 / 0.9).epsilon(0.01));
    CHECK(ranking[4].fastest.low > 1.3);
    CHECK(ranking[4].base.ratio == Approx(1.2).epsilon(0.01));
    CHECK(std::isnan(ranking[3].base.ratio));
}

TEST_CASE("slower by what nobody reads is not separated") {
    // 1.002 times as long in every round: its interval over the fastest is written [1.00, 1.00].
    PlantedArms arms = with_ratios({1.0, 0.9018, 0.9, 0.95}, 1e-5);
    const std::vector<RankedArm> ranking = ranking_of(compare_several(arms, rules_for(4)), pairs_of(4));
    REQUIRE(order_of(ranking) == "CBDA");
    CHECK(ranking[1].fastest.low > 1.001);
    CHECK_FALSE(ranking[1].separated);
    CHECK(ranking[2].separated);
}

TEST_CASE("what gave no time is last and is not ranked; without any round nobody is") {
    PlantedArms arms = with_ratios({1.0, 1.1, 0.9});
    ComparisonRules rules = rules_for(3);
    rules.absent = {"", "", "status 3"};
    const std::vector<RankedArm> ranking = ranking_of(compare_several(arms, rules), 3);
    CHECK(order_of(ranking) == "ABC");
    CHECK(ranking[1].ranked);
    CHECK_FALSE(ranking[2].ranked);
    CHECK(ranking[2].value == 0.0);
    PlantedArms none = with_ratios({1.0, 1.1, 0.9});
    rules.absent = {"status 3"};
    for (const RankedArm& arm : ranking_of(compare_several(none, rules), 3)) CHECK_FALSE(arm.ranked);
}

namespace {

// Whether an interval of some look does not hold the truth, which is a ratio of 1. Each look may end a
// comparison, so that each that misses is an error.
bool misses_at_some_look(const SeveralCompared& compared, const ArmCompared& arm,
                         const std::vector<Look>& looks) {
    return std::any_of(looks.begin(), looks.end(), [&](const Look& look) {
        RoundTimes times = compared.shared;
        times.candidate = arm.times;
        for (std::vector<double>* row : {&times.base, &times.candidate, &times.again, &times.control})
            row->resize(static_cast<std::size_t>(look.rounds));
        const Judgement j = judge(times, 1e-6, looks);
        return j.low > 1.0 || j.high < 1.0;
    });
}

// The least number that so many tosses with this probability exceed in less than one of a thousand series.
int luckiest(int tosses, double probability) {
    double exactly = std::pow(1.0 - probability, tosses), beyond = 1.0 - exactly;
    int n = 0;
    for (; beyond >= 0.001; ++n) {
        exactly *= (tosses - n) * probability / ((n + 1) * (1.0 - probability));
        beyond -= exactly;
    }
    return n;
}

}  // namespace

TEST_CASE(
    "of equal arms some interval misses the truth as often as promised, and without the correction more") {
    constexpr int kTrials = 6000;
    constexpr std::size_t kArms = 10;
    constexpr int kComparisons = static_cast<int>(kArms) - 1;
    // Of nine comparisons with two looks each has a share of .00675 / 18 = .000375. The widest ranks within
    // it are the second of 20 and the ninth of 40; one more would have .00040 and .00068. They are written
    // here, and not asked of the code, so that a division that it forgets does not move the limit as well.
    const double promised = kComparisons * (miscoverage({20, 2}) + miscoverage({40, 9}));
    const auto share_of = [](int divisor) {
        std::vector<Look> looks;
        for (const int rounds : {20, 40}) {
            Look look{rounds, 0};
            while (miscoverage({rounds, look.rank + 1}) <= 0.00675 / divisor) ++look.rank;
            looks.push_back(look);
        }
        return looks;
    };
    struct Counted {
        const char* what;
        std::vector<Look> looks;
        bool is_right;
        int missed = 0;
    };
    std::vector<Counted> rules = {{"as it is", looks_for(kComparisons), true},
                                  {"not divided by the looks", share_of(kComparisons), false},
                                  {"not divided by the arms", share_of(2), false},
                                  {"of one comparison", {kLooks.begin(), kLooks.end()}, false}};
    for (int trial = 0; trial < kTrials; ++trial) {
        PlantedArms arms =
            with_ratios(std::vector<double>(kArms, 1.0), 0.02, static_cast<unsigned>(trial + 1));
        // A threshold that A itself exceeds, so that nothing is settled and all rounds are taken.
        const SeveralCompared c = compare_several(arms, {1, 1e-6, kComparisons, {}});
        REQUIRE(c.shared.base.size() == 40);
        for (Counted& rule : rules) {
            rule.missed += std::any_of(c.arms.begin(), c.arms.end(), [&](const ArmCompared& arm) {
                return misses_at_some_look(c, arm, rule.looks);
            });
        }
    }
    const int limit = luckiest(kTrials, promised);
    for (const Counted& rule : rules) {
        INFO(rule.what << ": " << rule.missed << " of " << kTrials << ", limit " << limit);
        CHECK((rule.missed <= limit) == rule.is_right);
    }
}
