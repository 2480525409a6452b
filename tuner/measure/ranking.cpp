#include "tuner/measure/ranking.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "tuner/base/si.h"
#include "tuner/measure/order_interval.h"
#include "tuner/measure/statistics.h"

namespace rooftune::track {
namespace {

std::vector<double> logs_of(const std::vector<double>& times, const std::vector<double>& over) {
    std::vector<double> logs;
    for (std::size_t i = 0; i < std::min(times.size(), over.size()); ++i)
        logs.push_back(std::log(times[i] / over[i]));
    return logs;
}

}  // namespace

std::vector<RankedArm> ranking_of(const SeveralCompared& several, int pairs) {
    const std::vector<double>& base = several.shared.base;
    const auto times_of = [&](std::size_t arm) -> const std::vector<double>& {
        return arm == 0 ? base : several.arms[arm - 1].times;
    };
    const bool none = base.empty() || std::all_of(several.arms.begin(), several.arms.end(),
                                                  [](const ArmCompared& arm) { return arm.ended; });
    std::vector<RankedArm> ranking;
    std::vector<double> places;  // median logarithm of the ratio to the baseline, by the arm
    for (std::size_t arm = 0; arm <= several.arms.size(); ++arm) {
        RankedArm r;
        r.arm = arm;
        r.ranked = !none && (arm == 0 || !several.arms[arm - 1].ended);
        places.push_back(r.ranked ? median(logs_of(times_of(arm), base)) : 0.0);
        if (r.ranked) r.value = median(times_of(arm));
        if (r.ranked && arm > 0) {
            const Judgement& j = several.arms[arm - 1].judgement;
            r.base = {j.ratio, j.low, j.high};
        }
        ranking.push_back(r);
    }
    std::stable_sort(ranking.begin(), ranking.end(), [&](const RankedArm& a, const RankedArm& b) {
        return std::tuple(!a.ranked, places[a.arm]) < std::tuple(!b.ranked, places[b.arm]);
    });
    const std::vector<Look> looks = looks_for(pairs);
    for (std::size_t i = 1; i < ranking.size() && ranking[i].ranked; ++i) {
        const std::vector<double> logs = logs_of(times_of(ranking[i].arm), times_of(ranking[0].arm));
        ranking[i].fastest.ratio = std::exp(median(logs));
        const auto e = estimate(logs, looks);
        TimesOver& over = ranking[i].fastest;
        if (e) over = {std::exp(e->median), std::exp(e->low), std::exp(e->high)};
        ranking[i].separated = side_of_one(over.low, over.high) == RatioSide::above;
    }
    return ranking;
}

}  // namespace rooftune::track
