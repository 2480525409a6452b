#include "tuner/engine/trial.h"

#include <algorithm>
#include <vector>

#include "tuner/measure/statistics.h"

namespace rooftune {
namespace {

constexpr double kShareWorthIt = 0.9;
constexpr double kSlowerThanBest = 1.1;

bool worth_it(const LeftOut& l) {
    if (!l.works) return false;
    return l.ratio.low <= (l.default_ratio > 0.0 ? l.default_ratio : kSlowerThanBest);
}

}  // namespace

double reach_of(std::span<const TunedProblem> problems) {
    std::vector<const LeftOut*> tried;
    for (const TunedProblem& p : problems) {
        if (p.left_out) tried.push_back(&*p.left_out);
    }
    std::sort(tried.begin(), tried.end(),
              [](const LeftOut* a, const LeftOut* b) { return a->distance < b->distance; });
    double reach = 0.0;
    std::size_t good = 0, good_here = 0;
    for (std::size_t i = 0; i < tried.size(); ++i) {
        good += worth_it(*tried[i]);
        good_here += worth_it(*tried[i]);
        // All at one distance are judged together: two that are each other's nearest always are.
        if (i + 1 < tried.size() && tried[i + 1]->distance == tried[i]->distance) continue;
        if (good_here > 0 && static_cast<double>(good) >= kShareWorthIt * static_cast<double>(i + 1))
            reach = tried[i]->distance;
        good_here = 0;
    }
    return reach;
}

LeaveOneOut leave_one_out(std::span<const TunedProblem> problems) {
    LeaveOneOut result;
    std::vector<double> regrets;
    for (std::size_t i = 0; i < problems.size(); ++i) {
        if (!problems[i].left_out) continue;
        ++result.problems;
        const LeftOut& l = *problems[i].left_out;
        if (!l.works) {
            ++result.failed;
            continue;
        }
        regrets.push_back(l.ratio.median - 1.0);
        if (!result.worst_at || regrets.back() > result.worst) {
            result.worst = regrets.back();
            result.worst_at = i;
        }
    }
    result.median = median(regrets);
    return result;
}

}  // namespace rooftune
