// The driver of a comparison, with arms that answer from a script.
#include "tuner/measure/rounds.h"

#include <cmath>
#include <functional>

#include "tests/support/catch.h"
#include "tuner/measure/order_interval.h"

using rooftune::Turn;
using namespace rooftune::track;
using Catch::Contains;

namespace {

class ScriptedArms final : public Arms {
public:
    std::function<Turn(Arm, int turn)> answer;  ///< turn counts all turns from 0
    std::function<bool(int turn)> stop = [](int) { return false; };
    bool control = true;
    int turns = 0;
    int told = 0;
    std::vector<Arm> order;

    Turn take(Arm arm) override {
        order.push_back(arm);
        return answer(arm, turns++);
    }
    bool has_control() const override { return control; }
    bool interrupted() override { return stop(turns); }
    void progress(int rounds, const RoundTimes&) override { told = rounds; }
};

Turn taking(double seconds) {
    Turn turn;
    turn.seconds = seconds;
    return turn;
}

ScriptedArms with_ratio(double ratio) {
    ScriptedArms arms;
    arms.answer = [ratio](Arm arm, int) { return taking(arm == Arm::candidate ? 0.1 * ratio : 0.1); };
    return arms;
}

}  // namespace

TEST_CASE("a clear case is settled at the first look") {
    ScriptedArms arms = with_ratio(1.2);
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.judgement.verdict == Verdict::regressed);
    CHECK(c.times.base.size() == 10);
    CHECK(c.times.control.size() == 10);
    CHECK(arms.turns == 40);
    CHECK(arms.told == 10);
    CHECK(c.dropped == 0);
    CHECK_FALSE(c.interrupted);
    CHECK_FALSE(c.judgement.stopped);
    for (int round = 0; round < 10; ++round) {
        const std::vector<Arm> due = order_of_round(1, round, true);
        CHECK(std::equal(due.begin(), due.end(), arms.order.begin() + 4 * round));
    }
}

TEST_CASE("what nothing settles ends after the last look") {
    ScriptedArms arms = with_ratio(1.03);
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.judgement.verdict == Verdict::inconclusive);
    CHECK(c.times.base.size() == static_cast<std::size_t>(kMostRounds));
}

TEST_CASE("without a control three arms are measured") {
    ScriptedArms arms = with_ratio(1.2);
    arms.control = false;
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.judgement.verdict == Verdict::regressed);
    CHECK(c.times.control.empty());
    CHECK(arms.turns == 30);
}

TEST_CASE("disturbed rounds are taken again in the same order, ten at most, whatever they said") {
    ScriptedArms arms = with_ratio(1.0);
    // The disturbed ones alone would say that B is five times as slow.
    arms.answer = [](Arm arm, int turn) {
        Turn t = taking(0.1);
        t.disturbed = turn < 12;
        if (t.disturbed && arm == Arm::candidate) t.seconds = 0.5;
        return t;
    };
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.dropped == 3);
    CHECK(c.judgement.verdict == Verdict::unchanged);
    CHECK(c.times.base.size() == 10);
    for (int again = 0; again < 4; ++again) {
        const std::vector<Arm> due = order_of_round(1, 0, true);
        CHECK(std::equal(due.begin(), due.end(), arms.order.begin() + 4 * again));
    }
    ScriptedArms never_quiet = with_ratio(1.2);
    never_quiet.answer = [](Arm arm, int) {
        Turn t = taking(arm == Arm::candidate ? 0.12 : 0.1);
        t.disturbed = true;
        return t;
    };
    const Compared noisy = compare(never_quiet, {1, 0.03});
    CHECK(noisy.dropped == 10);
    CHECK(noisy.judgement.verdict == Verdict::regressed);
    CHECK(noisy.times.base.size() == 10);
}

TEST_CASE("which turns other processes were beside is told of the rounds that count") {
    ScriptedArms arms = with_ratio(1.2);
    arms.answer = [&arms](Arm arm, int turn) {
        Turn t = taking(arm == Arm::candidate ? 0.12 : 0.1);
        t.crowded = arm == Arm::base && arms.told >= 3;
        t.disturbed = turn < 4;  // the first round, which is taken again
        return t;
    };
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.dropped == 1);
    REQUIRE(c.base_crowded.size() == 10);
    CHECK(std::count(c.base_crowded.begin(), c.base_crowded.end(), true) == 7);
    CHECK_FALSE(c.base_crowded[2]);
    CHECK(c.base_crowded[3]);
    CHECK(c.candidate_crowded == std::vector<bool>(10, false));
}

TEST_CASE("an arm that fails ends it: INVALID, with its name, the round and the reason") {
    for (const Arm failing : {Arm::base, Arm::candidate, Arm::again, Arm::control}) {
        ScriptedArms arms = with_ratio(1.0);
        arms.answer = [failing](Arm arm, int turn) {
            Turn t = taking(0.1);
            if (arm == failing && turn >= 8) t.failure = "signal: Segmentation fault";
            return t;
        };
        const Compared c = compare(arms, {1, 0.03});
        INFO(c.judgement.reason);
        CHECK(c.judgement.verdict == Verdict::invalid);
        CHECK(c.judgement.settled);
        CHECK(c.judgement.rounds == 2);
        CHECK(c.times.base.size() == 2);
        CHECK(c.judgement.reason.find("in round 3: signal: Segmentation fault") != std::string::npos);
        const char* name = failing == Arm::base        ? "A gave"
                           : failing == Arm::candidate ? "B gave"
                           : failing == Arm::again     ? "the second A gave"
                                                       : "the control gave";
        CHECK(c.judgement.reason.rfind(name, 0) == 0);
    }
}

TEST_CASE("an impossible time ends it at once, even of a disturbed round") {
    for (const double bad : {0.0, -1.0, std::nan("")}) {
        ScriptedArms arms = with_ratio(1.0);
        arms.answer = [bad](Arm arm, int turn) {
            Turn t = taking(arm == Arm::candidate && turn >= 4 ? bad : 0.1);
            t.disturbed = turn >= 4;
            return t;
        };
        const Compared c = compare(arms, {1, 0.03});
        CHECK(c.judgement.verdict == Verdict::invalid);
        CHECK(c.times.base.size() == 2);
    }
}

TEST_CASE("Ctrl-C: the rounds up to then are judged, also when it makes a turn fail") {
    ScriptedArms arms = with_ratio(1.2);
    arms.stop = [](int turn) { return turn >= 18; };
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.interrupted);
    CHECK(c.times.base.size() == 4);
    CHECK(c.judgement.verdict == Verdict::inconclusive);
    CHECK(c.judgement.stopped);
    CHECK(c.judgement.reason == "stopped after 4 rounds: 4 rounds are too few to judge by");
    ScriptedArms failing = with_ratio(1.2);
    failing.stop = [](int turn) { return turn >= 6; };
    failing.answer = [](Arm, int turn) {
        Turn t = taking(0.1);
        if (turn == 5) t.failure = "interrupted";
        return t;
    };
    const Compared cut = compare(failing, {1, 0.03});
    CHECK(cut.interrupted);
    CHECK(cut.judgement.verdict == Verdict::inconclusive);
    CHECK_THAT(cut.judgement.reason, Contains("stopped after 1 round:"));
}

TEST_CASE(
    "Ctrl-C after a look that decided nothing: what it saw is told, and rounds behind it settle nothing") {
    ScriptedArms arms;
    // On either side of the threshold, and after the first look far beyond it.
    arms.answer = [](Arm arm, int turn) {
        const std::string_view slow = "0011010011";
        const auto round = static_cast<std::size_t>(turn) / 4;
        return taking(arm != Arm::candidate  ? 0.1
                      : round >= slow.size() ? 0.2
                      : slow[round] == '1'   ? 0.105
                                             : 0.101);
    };
    arms.stop = [](int turn) { return turn >= 61; };
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.interrupted);
    CHECK(c.times.base.size() == 15);
    CHECK(c.judgement.verdict == Verdict::inconclusive);
    CHECK(c.judgement.rounds == 10);
    CHECK(c.judgement.high < 1.06);
    CHECK_THAT(
        c.judgement.reason,
        Contains("stopped after 15 rounds, of which the first 10 were judged, as the next look was due after "
                 "20: its time changed by"));
}

TEST_CASE("a clock that steps coarsely raises the threshold to two of its steps") {
    ScriptedArms arms;
    arms.answer = [](Arm arm, int) {
        Turn t = taking(arm == Arm::candidate ? 0.11 : 0.10);
        t.step = 0.01;
        return t;
    };
    const Compared c = compare(arms, {1, 0.03});
    CHECK(c.judgement.delta == Approx(0.2));
    CHECK(c.judgement.verdict == Verdict::unchanged);
}
