#include "tuner/measure/lull.h"

#include <algorithm>
#include <utility>

namespace rooftune {
namespace {

constexpr double kLongest = 4.0;  ///< seconds of a pause
constexpr double kShortest =
    0.3;  ///< that may be: most bursts are longer, and a shorter one would be in vain
constexpr double kBetween =
    50e-3;                       ///< seconds from one look to the next, in which the other has all he wants
constexpr int kTurnsInARow = 2;  ///< disturbed ones before a pause
constexpr double kLong = 0.1;    ///< seconds of one turn after which there is a pause at once
constexpr double kInVain = 1.5;  ///< seconds of pauses, after which there is less hope
constexpr double kMostShare =
    2.0;  ///< of a turn's time that it saves: bursts are there for half of the time and more
constexpr double kLeastShare = 0.05;  ///< so that somebody who goes at last is noticed

}  // namespace

Lull::Lull(std::function<bool()> look, std::function<double()> now, std::function<void(double)> sleep)
    : look_(std::move(look)), now_(std::move(now)), sleep_(std::move(sleep)) {}

void Lull::note(double seconds, bool disturbed) {
    in_a_row_ = disturbed ? in_a_row_ + seconds : 0.0;
    turns_in_a_row_ = disturbed ? turns_in_a_row_ + 1 : 0;
    disturbed_ = disturbed && (turns_in_a_row_ >= kTurnsInARow || in_a_row_ >= kLong);
    saved_ = std::min(kLongest, saved_ + share_ * seconds);
}

double Lull::pause(double most) {
    const double allowed = std::min(saved_, most);
    if (!disturbed_ || allowed < std::max(kShortest, look_took_)) return 0.0;
    disturbed_ = false;
    const double start = now_();
    double elapsed = 0.0;
    bool quiet = false;
    for (;;) {
        quiet = look_();
        const double before = elapsed;
        elapsed = now_() - start;
        look_took_ = elapsed - before;
        if (quiet || elapsed + kBetween + look_took_ > allowed) break;
        sleep_(kBetween);
        elapsed = now_() - start;
    }
    saved_ = std::max(0.0, saved_ - elapsed);
    in_vain_ = quiet ? 0.0 : in_vain_ + elapsed;
    if (quiet) {
        in_a_row_ = 0.0;
        turns_in_a_row_ = 0;
        share_ = std::min(kMostShare, 2.0 * share_);
    } else if (in_vain_ >= kInVain) {
        in_vain_ = 0.0;
        share_ = std::max(kLeastShare, 0.5 * share_);
    }
    return elapsed;
}

}  // namespace rooftune
