#include "tuner/measure/lull.h"

#include <algorithm>
#include <utility>

namespace rooftune {
namespace {

constexpr double kLongest = 2.0;      ///< seconds of a pause
constexpr double kBetween = 20e-3;    ///< seconds from one look to the next
constexpr double kLeastShare = 0.05;  ///< so that somebody who goes at last is noticed

}  // namespace

Lull::Lull(std::function<bool()> look, std::function<double()> now, std::function<void(double)> sleep)
    : look_(std::move(look)), now_(std::move(now)), sleep_(std::move(sleep)) {}

void Lull::note(double seconds, bool disturbed) {
    owed_ = disturbed ? seconds : 0.0;
    if (!disturbed) share_ = 1.0;
}

double Lull::pause(double most) {
    const double allowed = std::min({share_ * owed_, kLongest, most});
    owed_ = 0.0;
    if (allowed <= kBetween) return 0.0;
    const double start = now_();
    while (!look_()) {
        if (now_() - start + kBetween > allowed) {
            share_ = std::max(kLeastShare, 0.5 * share_);
            return now_() - start;
        }
        sleep_(kBetween);
    }
    share_ = 1.0;
    return now_() - start;
}

}  // namespace rooftune
