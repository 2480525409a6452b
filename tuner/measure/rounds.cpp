#include "tuner/measure/rounds.h"

#include <algorithm>
#include <cmath>

#include "tuner/base/si.h"
#include "tuner/measure/order_interval.h"
#include "tuner/measure/statistics.h"
#include "tuner/measure/threshold.h"

namespace rooftune::track {
namespace {

constexpr int kMostDropped = 10;

bool is_shared(Arm arm) {
    return arm == Arm::base || arm == Arm::again || arm == Arm::control;
}

std::string name_of(Arm arm) {
    if (arm == Arm::again) return "the second A";
    if (arm == Arm::control) return "the control";
    return letter_of(number_of(arm));
}

bool possible(const Turn& turn) {
    return std::isfinite(turn.seconds) && turn.seconds > 0.0;
}

class Driver {
public:
    Driver(Arms& arms, const ComparisonRules& rules)
        : arms_(&arms),
          rules_(&rules),
          looks_(looks_for(rules.comparisons)),
          turns_(arms.count() + 2),
          steps_(arms.count(), 0.0) {
        result_.arms.resize(arms.count() - 1);
        for (ArmCompared& arm : result_.arms) arm.judgement.delta = rules.delta;
    }

    SeveralCompared run() {
        leave_out_the_absent();
        while (any_open()) {
            if (!take_round()) continue;
            if (result_.interrupted || !any_running()) break;
            add_round();
        }
        if (result_.interrupted) judge_what_there_is();
        return std::move(result_);
    }

private:
    Turn& turn(Arm arm) { return turns_[static_cast<std::size_t>(arm)]; }
    ArmCompared& of(Arm arm) { return result_.arms[number_of(arm) - 1]; }

    bool any_running() const {
        return std::any_of(result_.arms.begin(), result_.arms.end(),
                           [](const ArmCompared& arm) { return !arm.ended; });
    }

    bool any_open() const {
        return std::any_of(result_.arms.begin(), result_.arms.end(),
                           [](const ArmCompared& arm) { return !arm.ended && !arm.judgement.settled; });
    }

    void end(ArmCompared& arm, const std::string& why) {
        arm.ended = true;
        if (arm.judgement.settled) return;
        arm.judgement = invalid(why, rules_->delta);
        arm.judgement.rounds = number_;
    }

    // What all arms share is gone: with it each that still ran.
    void end_all(const std::string& why) {
        for (ArmCompared& arm : result_.arms) {
            if (!arm.ended) end(arm, why);
        }
    }

    void leave_out_the_absent() {
        for (std::size_t i = 0; i < std::min(rules_->absent.size(), arms_->count()); ++i) {
            if (rules_->absent[i].empty()) continue;
            const std::string why = letter_of(i) + " gave no time: " + rules_->absent[i];
            if (i == 0) return end_all(why);
            end(result_.arms[i - 1], why);
        }
    }

    // Rounds are minutes of a machine: what they say after Ctrl-C is said, and that it is not all. Rounds
    // beyond the last look settle nothing, so that stopping when it looks good proves nothing either.
    void judge_what_there_is() {
        for (std::size_t i = 1; i < arms_->count(); ++i) {
            ArmCompared& arm = result_.arms[i - 1];
            if (arm.ended || arm.judgement.settled) continue;
            // A look that there was stays as it was: a clock that has stepped since must not settle it.
            if (arm.judgement.rounds == 0) arm.judgement = judged_so_far(i);
            arm.judgement.stopped = true;
            arm.judgement.reason = stopped_after(arm.judgement.rounds) + ": " + arm.judgement.reason;
        }
    }

    // "stopped after 16 rounds, of which the first 10 were judged, as the next look was due after 20".
    std::string stopped_after(int judged) const {
        std::string text = "stopped after " + format_plural(number_, "round");
        if (judged >= number_) return text;
        text += ", of which the first " + std::to_string(judged) + " were judged";
        const auto next = std::find_if(looks_.begin(), looks_.end(),
                                       [this](const Look& look) { return look.rounds > number_; });
        return next == looks_.end()
                   ? text
                   : text + ", as the next look was due after " + std::to_string(next->rounds);
    }

    Judgement judged_so_far(std::size_t i) {
        RoundTimes times = result_.shared;
        times.candidate = result_.arms[i - 1].times;
        const double delta =
            delta_of_clock(rules_->delta, std::max(steps_[0], steps_[i]), median(times.base));
        return judge(times, delta, looks_, letter_of(i));
    }

    // Whether the round counts, or ended it all.
    bool take_round() {
        bool disturbed = false, fine = true;
        for (const Arm arm : order_of_round(rules_->seed, number_, arms_->has_control(), arms_->count())) {
            if (!is_shared(arm) && of(arm).ended) continue;
            if (arms_->interrupted()) {
                result_.interrupted = true;
                return true;
            }
            turn(arm) = arms_->take(arm);
            if (!turn(arm).failure.empty()) {
                // A turn that Ctrl-C cut short is nobody's fault.
                result_.interrupted = arms_->interrupted();
                if (result_.interrupted) return true;
                const std::string why = name_of(arm) + " gave no time in round " +
                                        std::to_string(number_ + 1) + ": " + turn(arm).failure;
                if (is_shared(arm)) {
                    end_all(why);
                } else {
                    end(of(arm), why);
                }
                if (!any_running()) return true;
                continue;
            }
            disturbed = disturbed || turn(arm).disturbed;
            fine = fine && possible(turn(arm));
        }
        if (!fine || !disturbed || result_.dropped >= kMostDropped) return true;
        ++result_.dropped;
        return false;
    }

    void add_round() {
        RoundTimes& shared = result_.shared;
        shared.base.push_back(turn(Arm::base).seconds);
        result_.base_crowded.push_back(turn(Arm::base).crowded);
        shared.again.push_back(turn(Arm::again).seconds);
        if (arms_->has_control()) shared.control.push_back(turn(Arm::control).seconds);
        for (std::size_t i = 0; i < arms_->count(); ++i) {
            if (i > 0 && !result_.arms[i - 1].ended) {
                result_.arms[i - 1].times.push_back(turn(arm_at(i)).seconds);
                result_.arms[i - 1].crowded.push_back(turn(arm_at(i)).crowded);
            }
            steps_[i] = std::max(steps_[i], turn(arm_at(i)).step);
        }
        ++number_;
        arms_->progress(number_, shared);
        const bool fine = possible(turn(Arm::base)) && possible(turn(Arm::again)) &&
                          (!arms_->has_control() || possible(turn(Arm::control)));
        for (std::size_t i = 1; i < arms_->count(); ++i) {
            ArmCompared& arm = result_.arms[i - 1];
            const bool odd = !fine || !possible(turn(arm_at(i)));
            if (arm.ended || (!odd && !is_look(number_, looks_))) continue;
            arm.ended = odd;
            // By itself it would have ended there: rounds that another arm asks for judge that one alone.
            if (arm.judgement.settled) continue;
            arm.judgement = judged_so_far(i);
        }
    }

    Arms* arms_;
    const ComparisonRules* rules_;
    std::vector<Look> looks_;
    std::vector<Turn> turns_;  ///< of this round, by the arm
    std::vector<double> steps_;
    SeveralCompared result_;
    int number_ = 0;  ///< rounds that count
};

}  // namespace

std::string letter_of(std::size_t number) {
    return std::string(1, static_cast<char>('A' + number));
}

SeveralCompared compare_several(Arms& arms, const ComparisonRules& rules) {
    return Driver(arms, rules).run();
}

Compared compare(Arms& arms, const ComparisonRules& rules) {
    SeveralCompared several = compare_several(arms, rules);
    Compared result;
    result.times = std::move(several.shared);
    result.times.candidate = std::move(several.arms.front().times);
    result.base_crowded = std::move(several.base_crowded);
    result.candidate_crowded = std::move(several.arms.front().crowded);
    result.judgement = std::move(several.arms.front().judgement);
    result.dropped = several.dropped;
    result.interrupted = several.interrupted;
    return result;
}

}  // namespace rooftune::track
