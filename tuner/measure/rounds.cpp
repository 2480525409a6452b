#include "tuner/measure/rounds.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tuner/measure/order_interval.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/threshold.h"

namespace rooftune::track {
namespace {

constexpr int kMostDropped = 10;

struct Round {
    std::array<Turn, 4> turns;
    bool interrupted = false;
    const Turn* failed = nullptr;
    Arm failed_arm = Arm::base;

    const Turn& of(Arm arm) const { return turns[static_cast<std::size_t>(arm)]; }
    bool disturbed() const {
        return std::any_of(turns.begin(), turns.end(), [](const Turn& t) { return t.disturbed; });
    }
};

const char* name_of(Arm arm) {
    switch (arm) {
        case Arm::base:
            return "A";
        case Arm::candidate:
            return "B";
        case Arm::again:
            return "the second A";
        case Arm::control:
            return "the control";
    }
    return "an arm";
}

void take_round(Arms& arms, std::uint64_t seed, int number, Round& round) {
    for (const Arm arm : order_of_round(seed, number, arms.has_control())) {
        if (arms.interrupted()) {
            round.interrupted = true;
            return;
        }
        Turn& turn = round.turns[static_cast<std::size_t>(arm)];
        turn = arms.take(arm);
        if (turn.failure.empty()) continue;
        // A turn that Ctrl-C cut short is nobody's fault.
        round.interrupted = arms.interrupted();
        round.failed = &turn;
        round.failed_arm = arm;
        return;
    }
}

void add(RoundTimes& times, const Round& round, bool with_control) {
    times.base.push_back(round.of(Arm::base).seconds);
    times.candidate.push_back(round.of(Arm::candidate).seconds);
    times.again.push_back(round.of(Arm::again).seconds);
    if (with_control) times.control.push_back(round.of(Arm::control).seconds);
}

bool possible(const Round& round, bool with_control) {
    const auto fine = [](const Turn& t) { return std::isfinite(t.seconds) && t.seconds > 0.0; };
    return std::all_of(round.turns.begin(), round.turns.end() - (with_control ? 0 : 1), fine);
}

}  // namespace

Compared compare(Arms& arms, const ComparisonRules& rules) {
    Compared result;
    double step = 0.0;
    for (int number = 0;;) {
        Round round;
        take_round(arms, rules.seed, number, round);
        if (round.interrupted) {
            result.interrupted = true;
            return result;
        }
        if (round.failed) {
            result.judgement = invalid(std::string(name_of(round.failed_arm)) + " gave no time in round " +
                                           std::to_string(number + 1) + ": " + round.failed->failure,
                                       rules.delta);
            result.judgement.rounds = number;
            return result;
        }
        const bool fine = possible(round, arms.has_control());
        if (fine && round.disturbed() && result.dropped < kMostDropped) {
            ++result.dropped;
            continue;
        }
        add(result.times, round, arms.has_control());
        step = std::max({step, round.of(Arm::base).step, round.of(Arm::candidate).step});
        ++number;
        arms.progress(number, result.times);
        if (fine && !is_look(number)) continue;
        const double delta = delta_of_clock(rules.delta, step, median(result.times.base));
        result.judgement = judge(result.times, delta);
        if (result.judgement.settled) return result;
    }
}

}  // namespace rooftune::track
