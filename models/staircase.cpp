#include "models/staircase.h"

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <string>
#include <tuple>
#include <utility>

namespace rooftune {
namespace {

// A mix on one number of threads of one device is a curve of its own: a footprint at which only others were
// probed says nothing about it, and its rate there is that of its own next smaller footprint.
using Curve = std::map<double, Roof>;
using CurveKey = std::tuple<Mix, int, std::string>;

// One direction of traffic, or both together.
struct Direction {
    double (*share)(ReadWriteShare);
    double BandwidthStep::*rate;
    int BandwidthStep::*ceiling;
};
constexpr std::array<Direction, 3> kDirections{{
    {[](ReadWriteShare s) { return s.read; }, &BandwidthStep::read, &BandwidthStep::read_ceiling},
    {[](ReadWriteShare s) { return s.write; }, &BandwidthStep::write, &BandwidthStep::write_ceiling},
    {[](ReadWriteShare) { return 1.0; }, &BandwidthStep::both, &BandwidthStep::both_ceiling},
}};

bool moves(const Ceiling& c, const Direction& direction) {
    return c.resource == Resource::bandwidth && c.excludes &&
           direction.share(read_write_share(c.when.mix)) > 0.0;
}

// Of more threads' walk over W bytes the fastest `threads` walked their share of W at no less than their
// share of the rate.
std::map<CurveKey, Curve> bandwidth_curves(const Machine& machine, int threads, const Direction& direction) {
    std::map<CurveKey, Curve> curves;
    for (int i = 0; i < static_cast<int>(machine.ceilings.size()); ++i) {
        const Ceiling& c = machine.ceilings[static_cast<std::size_t>(i)];
        if (!moves(c, direction)) continue;
        const double part = share_of(c.when, threads);
        Curve& curve = curves[{c.when.mix, threads_of(c.when), c.when.device}];
        Roof& roof = curve[part * c.when.footprint.value];
        keep_higher(roof.rate, roof.ceiling, part * direction.share(read_write_share(c.when.mix)) * c.max, i);
    }
    for (auto& [key, curve] : curves) {
        Roof best;
        for (auto at = curve.rbegin(); at != curve.rend(); ++at) {
            keep_higher(best.rate, best.ceiling, at->second.rate, at->second.ceiling);
            at->second = best;
        }
    }
    return curves;
}

// The windows behind the roofs of one direction: what was reached undisturbed at a footprint or beyond, by
// any number of streams and any mix. Two ways that agree are evidence as good as one that repeats itself.
class WalkEvidence {
public:
    WalkEvidence(const Machine& machine, int threads, const Direction& direction) {
        for (int i = 0; i < static_cast<int>(machine.ceilings.size()); ++i) {
            const Ceiling& c = machine.ceilings[static_cast<std::size_t>(i)];
            if (moves(c, direction)) add(c, i, threads, direction);
        }
        std::stable_sort(all_.begin(), all_.end(),
                         [](const Entry& a, const Entry& b) { return a.from > b.from; });
        // From the largest footprint down, each with all that is beyond it.
        for (std::size_t i = 1; i < all_.size(); ++i) all_[i].gather(all_[i - 1]);
    }

    /// Whether nothing is faster at footprints >= from than `rate`, as far as undisturbed windows can tell:
    /// enough of them, the fastest three agree with it, and none near `from` of so many threads was disturbed
    /// each time. What somebody halved whenever it was probed could be the fastest.
    bool saturates(double rate, double from) const {
        const auto last =
            std::find_if(all_.rbegin(), all_.rend(), [&](const Entry& e) { return e.from >= from; });
        if (last == all_.rend() || last->undisturbed < kUndisturbedWindows ||
            last->top.back() < (1.0 - kTopAgreementOfWalks) * rate)
            return false;
        return std::none_of(never_.begin(), never_.end(), [&](const auto& unseen) {
            return unseen.first >= from && unseen.first < kNear * from;
        });
    }

    /// Ceilings near `from` that nobody saw undisturbed.
    void unseen(double from, std::vector<int>& ceilings) const {
        for (const auto& [at, index] : never_) {
            if (at >= from && at < kNear * from) ceilings.push_back(index);
        }
    }

private:
    struct Entry {
        double from = 0.0;
        int undisturbed = 0;
        std::array<double, kTopWindows> top{};  ///< falling

        void gather(const Entry& beyond) {
            undisturbed = std::min(undisturbed + beyond.undisturbed, 1 << 20);
            std::array<double, 2 * kTopWindows> both{};
            std::merge(top.begin(), top.end(), beyond.top.begin(), beyond.top.end(), both.begin(),
                       std::greater<>());
            std::copy_n(both.begin(), kTopWindows, top.begin());
        }
    };

    void add(const Ceiling& c, int index, int threads, const Direction& direction) {
        // What fewer threads reached is no evidence that more do not exceed it.
        if (threads_of(c.when) < threads) return;
        const double part = share_of(c.when, threads);
        const double scale = part * direction.share(read_write_share(c.when.mix));
        Entry e;
        e.from = part * c.when.footprint.value;
        if (c.undisturbed < 0) {  // published, or not counted
            e.undisturbed = kUndisturbedWindows;
            e.top.fill(scale * c.max);
        } else {
            e.undisturbed = c.undisturbed;
            for (std::size_t i = 0; i < std::min(kTopWindows, c.top.size()); ++i) e.top[i] = scale * c.top[i];
        }
        all_.push_back(e);
        if (threads_of(c.when) == threads && c.undisturbed == 0) never_.emplace_back(e.from, index);
    }

    static constexpr double kNear = 2.0;  ///< rates of larger footprints are lower anyway
    std::vector<Entry> all_;              ///< footprints falling
    std::vector<std::pair<double, int>> never_;
};

// The step of a staircase with the largest footprint that is no larger; nullptr below the first.
const BandwidthStep* step_at(const std::vector<BandwidthStep>& steps, double w) {
    const auto after = std::upper_bound(steps.begin(), steps.end(), w,
                                        [](double at, const BandwidthStep& s) { return at < s.from; });
    return after == steps.begin() ? nullptr : &*(after - 1);
}

// What holds where a rate is not saturated: each of the threads alone, over its share of the footprint, or
// what a smaller footprint allows; whichever is less, and never less than what was reached. Nothing where
// neither is known.
void replace_doubtful(BandwidthStep& step, const Direction& direction, int threads,
                      const std::vector<BandwidthStep>& one, const BandwidthStep* before) {
    double& rate = step.*direction.rate;
    int& ceiling = step.*direction.ceiling;
    Roof other;
    const auto offer = [&](double candidate, int index) {
        if (candidate <= 0.0 || (other && candidate >= other.rate)) return;
        other = {candidate, index};
    };
    if (threads > 1 && threads != kWholeMachine) {
        if (const BandwidthStep* alone = step_at(one, step.from / threads))
            offer(threads * alone->*direction.rate, alone->*direction.ceiling);
    }
    if (before) offer(before->*direction.rate, before->*direction.ceiling);
    if (!other) {
        rate = 0.0;
        ceiling = -1;
    } else if (other.rate > rate) {
        rate = other.rate;
        ceiling = other.ceiling;
    }
}

}  // namespace

std::vector<BandwidthStep> staircase(const Machine& machine, int threads,
                                     const std::vector<BandwidthStep>& one, std::vector<int>& doubtful) {
    std::array<std::map<CurveKey, Curve>, kDirections.size()> curves;
    std::array<double, kDirections.size()> first{};
    std::array<std::optional<WalkEvidence>, kDirections.size()> evidence;
    std::array<int, kDirections.size()> counts{};
    std::map<double, BandwidthStep> at;
    for (std::size_t d = 0; d < kDirections.size(); ++d) {
        const auto count =
            answering_count(machine, threads, [&](const Ceiling& c) { return moves(c, kDirections[d]); });
        if (!count) continue;
        counts[d] = *count;
        curves[d] = bandwidth_curves(machine, *count, kDirections[d]);
        evidence[d].emplace(machine, *count, kDirections[d]);
        first[d] = std::numeric_limits<double>::infinity();
        for (const auto& [key, curve] : curves[d]) {
            for (const auto& [from, roof] : curve) at[from].from = from;
            if (std::get<int>(key) == *count) first[d] = std::min(first[d], curve.begin()->first);
        }
    }
    std::vector<BandwidthStep> steps;
    for (auto& [from, step] : at) {
        for (std::size_t d = 0; d < kDirections.size(); ++d) {
            if (from < first[d]) continue;
            const Direction& direction = kDirections[d];
            for (const auto& [key, curve] : curves[d]) {
                const auto after = curve.upper_bound(from);
                const Roof& roof = after == curve.begin() ? after->second : std::prev(after)->second;
                keep_higher(step.*direction.rate, step.*direction.ceiling, roof.rate, roof.ceiling);
            }
            const int index = step.*direction.ceiling;
            if (index < 0) continue;
            const Ceiling& fastest = machine.ceilings[static_cast<std::size_t>(index)];
            const bool counted = fastest.undisturbed >= 0;  // else published, or nobody counted
            if (!counted || evidence[d]->saturates(step.*direction.rate, from)) continue;
            // More windows help where it was measured here, and not a smaller footprint's.
            if (share_of(fastest.when, counts[d]) * fastest.when.footprint.value >= from) {
                doubtful.push_back(index);
                evidence[d]->unseen(from, doubtful);
            }
            replace_doubtful(step, direction, counts[d], one, steps.empty() ? nullptr : &steps.back());
        }
        if (step.both > 0.0) steps.push_back(step);
    }
    return steps;
}

}  // namespace rooftune
