#include "tuner/ladder/result.h"

#include <cmath>

#include "tuner/measure/statistics.h"

namespace rooftune::ladder {
namespace {

Timing timing_of(const std::vector<double>& times) {
    std::vector<double> there;
    for (const double seconds : times) {
        if (std::isfinite(seconds)) there.push_back(seconds);
    }
    const TimeInterval interval = interval_of_values(there);
    return {interval.median, interval.low, interval.high};
}

std::string failure_of(const MeasuredRounds& measured, std::size_t variant) {
    const std::string& failure = measured.failures[variant];
    return failure.empty() ? "it was not measured before the ladder was stopped" : failure;
}

class Assembly {
public:
    Assembly(const Plan& plan, const MeasuredRounds& measured) : plan_(plan), measured_(measured) {}

    Result assemble(const std::string& bottom_name) {
        Result r;
        r.rounds = measured_.rounds;
        r.retaken = measured_.retaken;
        r.interrupted = measured_.interrupted;
        r.bottom = values(0);
        r.bottom_name = bottom_name;
        r.bottom_time = timing_of(times(0));
        if (!(r.bottom_time.median > 0.0)) r.bottom_failure = failure_of(measured_, 0);
        std::size_t last = 0;
        std::string last_name = bottom_name;
        std::vector<Gain> gains;
        for (const PlannedStep& planned : plan_.steps) {
            Step step = described(planned);
            const auto variant = static_cast<std::size_t>(planned.variant);
            step.over = last_name;
            const auto gain = gain_of(times(last), times(variant));
            if (!planned.changes) {
                step.state = StepState::unchanged;
                step.gain = Gain{};
            } else if (gain) {
                step.gain = gain;
                gains.push_back(*gain);
            } else {
                step.state = StepState::failed;
                // Above a bottom without a time there is nothing to compare with, whatever works.
                step.failure =
                    step.time.median > 0.0 ? "nothing below it gives a time" : failure_of(measured_, variant);
            }
            if (step.time.median > 0.0) {
                last = variant;
                last_name = step.name;
            }
            r.steps.push_back(std::move(step));
        }
        r.whole = gain_of(times(0), times(static_cast<std::size_t>(plan_.best())));
        if (r.whole) {
            r.product = product_of(gains);
            r.agrees = agree(*r.product, *r.whole);
        }
        return r;
    }

private:
    const std::vector<double>& times(std::size_t variant) const { return measured_.times[variant]; }
    const Values& values(std::size_t variant) const { return plan_.variants[variant].values; }

    Step described(const PlannedStep& planned) const {
        Step step;
        step.name = planned.name;
        step.why = planned.why;
        step.parameters = planned.parameters;
        step.variant = values(static_cast<std::size_t>(planned.variant));
        step.change = planned.change;
        step.adapted = planned.adapted;
        step.time = timing_of(times(static_cast<std::size_t>(planned.variant)));
        if (planned.without < 0) return step;
        const auto without = static_cast<std::size_t>(planned.without);
        Worth worth{values(without), planned.without_adapted, {}, ""};
        worth.gain = gain_of(times(without), times(static_cast<std::size_t>(plan_.best())));
        if (!worth.gain) {
            worth.failure = timing_of(times(without)).median > 0.0 ? "the best variant gives no time"
                                                                   : failure_of(measured_, without);
        }
        step.worth = std::move(worth);
        return step;
    }

    const Plan& plan_;
    const MeasuredRounds& measured_;
};

}  // namespace

Timing Result::best_time() const {
    return steps.empty() ? bottom_time : steps.back().time;
}

double Result::fraction(const Timing& time) const {
    return time.median > 0.0 && roof_now_seconds > 0.0 ? roof_now_seconds / time.median : 0.0;
}

Result result_of(const Plan& plan, const MeasuredRounds& measured, const std::string& bottom_name) {
    return Assembly(plan, measured).assemble(bottom_name);
}

}  // namespace rooftune::ladder
