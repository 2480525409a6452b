#include "tuner/measure/verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>

#include "tuner/base/percent.h"
#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

// A probe of the machine that differs by more between the halves has met two machines.
constexpr double kMostDrift = 0.05;

// A change of time, given as a logarithm.
std::string change(double log_ratio) {
    return percent_change(std::expm1(log_ratio));
}

// The first time that no clock shows, in words.
std::optional<std::string> impossible(const RoundTimes& times, std::string_view candidate) {
    const std::pair<const std::vector<double>*, std::string_view> rows[] = {{&times.base, "A"},
                                                                            {&times.candidate, candidate},
                                                                            {&times.again, "the second A"},
                                                                            {&times.control, "the control"}};
    for (const auto& [row, name] : rows) {
        for (std::size_t i = 0; i < row->size(); ++i) {
            const double t = (*row)[i];
            if (!std::isfinite(t) || t <= 0.0)
                return fmt::format("{} took {} s in round {}, which no clock shows", name, t, i + 1);
        }
    }
    return std::nullopt;
}

std::vector<double> logs(const std::vector<double>& of, const std::vector<double>& over, std::size_t rounds) {
    std::vector<double> d;
    for (std::size_t i = 0; i < rounds; ++i) d.push_back(std::log(of[i] / over[i]));
    return d;
}

double drift_between_halves(std::span<const double> values) {
    const std::size_t half = values.size() / 2;
    if (half == 0) return kNotKnown;
    return std::fabs(median(values.last(half)) / median(values.first(half)) - 1.0);
}

// Of so many rounds those up to the last look; all of them before the first.
std::size_t judged(std::size_t rounds, std::span<const Look> looks) {
    std::size_t result = rounds;
    for (const Look& look : looks) {
        if (static_cast<std::size_t>(look.rounds) <= rounds) result = static_cast<std::size_t>(look.rounds);
    }
    return result;
}

std::string too_few(int rounds, std::span<const Look> looks) {
    if (is_look(rounds, looks))
        return fmt::format(
            "its {} rounds come in runs of slow and fast ones, so that they are too few to judge by", rounds);
    return rounds == 1 ? "1 round is too few to judge by"
                       : fmt::format("{} rounds are too few to judge by", rounds);
}

// Why the comparison cannot be trusted; nothing when it can.
std::optional<std::string> objection(const Judgement& j) {
    if (j.again > j.delta) {
        return fmt::format(
            "A differed from itself by {}, beyond the threshold of {}: the machine is not quiet enough",
            percent(j.again), percent(j.delta));
    }
    if (j.control_drift > kMostDrift) {
        return fmt::format(
            "the control drifted by {} between the halves: the machine changed while it measured",
            percent(j.control_drift));
    }
    return std::nullopt;
}

// Where the interval lies. What is on the threshold but for rounding is on it.
void place(Judgement& j, const Estimate& e) {
    constexpr double kRounding = 1e-12;
    const double m = std::log1p(j.delta);
    const double inner = m - kRounding;
    const double outer = m + kRounding;
    const std::string interval = fmt::format("{} [{}, {}]", change(e.median), change(e.low), change(e.high));
    j.settled = true;
    if (e.low > outer) {
        j.verdict = Verdict::regressed;
        j.reason =
            fmt::format("its time changed by {}, beyond the threshold of {}", interval, percent(j.delta));
    } else if (e.high < -outer) {
        j.verdict = Verdict::improved;
        j.reason =
            fmt::format("its time changed by {}, beyond the threshold of {}", interval, percent(j.delta));
    } else if (e.low > -inner && e.high < inner) {
        j.verdict = Verdict::unchanged;
        j.reason = fmt::format("its time changed by {}, proven to be within the threshold of {}", interval,
                               percent(j.delta));
    } else {
        j.settled = false;
        j.reason = fmt::format(
            "its time changed by {}, which may lie on either side of the threshold of {}; from {} on a "
            "slow-down would "
            "have been seen",
            interval, percent(j.delta), percent(j.detectable));
    }
}

}  // namespace

std::string_view to_text(Verdict verdict) {
    switch (verdict) {
        case Verdict::regressed:
            return "REGRESSED";
        case Verdict::improved:
            return "IMPROVED";
        case Verdict::unchanged:
            return "UNCHANGED";
        case Verdict::inconclusive:
            return "INCONCLUSIVE";
        case Verdict::invalid:
            return "INVALID";
    }
    return "INVALID";
}

std::string_view to_text(Verdict verdict, bool swept) {
    if (swept && verdict == Verdict::regressed) return "SLOWER";
    if (swept && verdict == Verdict::improved) return "FASTER";
    return to_text(verdict);
}

Judgement invalid(std::string reason, double delta) {
    Judgement j;
    j.verdict = Verdict::invalid;
    j.settled = true;
    j.delta = delta;
    j.reason = std::move(reason);
    return j;
}

Judgement judge(const RoundTimes& times, double delta, std::span<const Look> looks,
                std::string_view candidate) {
    if (const auto why = impossible(times, candidate)) return invalid(*why, delta);
    if (!std::isfinite(delta) || delta <= 0.0)
        return invalid(fmt::format("a threshold of {} separates nothing", delta), delta);
    const std::size_t rounds =
        judged(std::min({times.base.size(), times.candidate.size(), times.again.size()}), looks);
    Judgement j;
    j.delta = delta;
    j.rounds = static_cast<int>(rounds);
    const bool last = j.rounds >= kMostRounds;
    const std::vector<double> d = logs(times.candidate, times.base, rounds);
    const std::vector<double> itself = logs(times.again, times.base, rounds);
    if (rounds > 0) j.again = std::expm1(std::fabs(median(itself)));
    j.control_drift =
        drift_between_halves(std::span(times.control).first(std::min(rounds, times.control.size())));
    const std::optional<Estimate> e = estimate(d, looks);
    if (!e) {
        j.autocorrelation = lag_one(d);
        j.reason = too_few(j.rounds, looks);
        j.settled = last;
        return j;
    }
    j.paired = e->paired;
    j.autocorrelation = e->autocorrelation;
    j.ratio = std::exp(e->median);
    j.low = std::exp(e->low);
    j.high = std::exp(e->high);
    // An effect is seen once the lower limit, this far below the estimate, is beyond the threshold.
    const double reach = std::max(e->median - e->low, e->high - e->median);
    j.detectable = std::expm1(std::log1p(delta) + reach);
    place(j, *e);
    if (const auto why = objection(j)) {
        j.verdict = last ? Verdict::invalid : Verdict::inconclusive;
        j.settled = false;
        j.reason = *why;
    }
    j.settled = j.settled || last;
    return j;
}

}  // namespace rooftune::track
