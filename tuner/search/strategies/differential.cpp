// Differential evolution (R. Storn, K. Price, Journal of Global Optimization 11 (1997)) on the indices of
// values, member by member: current-to-best/1 with binomial crossover. A trial moves a member towards the
// best and along the difference of two others, and takes its place when it is no worse. The differences
// shrink with the population, so that steps fit the valley. For parameters whose values are ordered; names
// are not.
#include <algorithm>
#include <cmath>

#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/nearest.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr std::size_t kMembers = kDesign;
// From each trial to the next by chance: a constant factor on few integers makes the same trials again.
constexpr double kLeastFactor = 0.5, kLargestFactor = 1.0;
constexpr double kCrossover = 0.7;
constexpr int kTrialTries = 20;  // for a trial that is new

class Differential : public Strategy {
public:
    Differential(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), memory_(landscape.size(), random_) {}

    std::size_t propose() override {
        if (members_.size() < std::min(kMembers, landscape_.size() / 2) || members_.size() < 4)
            return memory_.any();
        for (int tries = 0; tries < kTrialTries; ++tries) {
            target_ = (target_ + 1) % members_.size();
            trial_ = trial();
            if (!memory_.seen(trial_)) return trial_;
        }
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override {
        if (!memory_.observe(point, value) || !value) return;
        if (members_.size() < kMembers) {
            members_.push_back(point);
        } else if (point == trial_) {
            if (*value <= memory_.value(members_[target_])) members_[target_] = point;
        } else {
            // Somebody else's: the worst makes room for what is better.
            const auto worst = std::max_element(members_.begin(), members_.end(), [&](auto a, auto b) {
                return memory_.value(a) < memory_.value(b);
            });
            if (*value < memory_.value(*worst)) *worst = point;
        }
    }

private:
    std::size_t trial() {
        const std::vector<int> own = landscape_.at(members_[target_]), best = landscape_.at(*memory_.best()),
                               plus = landscape_.at(pick(members_, random_)),
                               minus = landscape_.at(pick(members_, random_));
        const double factor = kLeastFactor + (kLargestFactor - kLeastFactor) * unit(random_);
        std::vector<int> wanted = own;
        const std::size_t always = own.empty() ? 0 : below(random_, own.size());
        for (std::size_t p = 0; p < own.size(); ++p) {
            if (p != always && unit(random_) >= kCrossover) continue;
            if (best[p] < 0 || own[p] < 0) {
                // Nothing to take a difference of: it comes to exist, or ceases to, as with the best.
                wanted[p] = best[p];
                continue;
            }
            const double along = plus[p] < 0 || minus[p] < 0 ? 0.0 : plus[p] - minus[p];
            const double to = own[p] + factor * (best[p] - own[p]) + factor * along;
            // Between two values either, the nearer one more often: else small differences round to nothing.
            const double rounded = std::floor(to + unit(random_));
            wanted[p] = static_cast<int>(std::clamp(rounded, 0.0, landscape_.values()[p] - 1.0));
        }
        return nearest(landscape_, wanted, members_[target_]);
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    Memory memory_;
    std::vector<std::size_t> members_;
    std::size_t target_ = 0, trial_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_differential(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Differential>(landscape, seed);
}

}  // namespace rooftune
