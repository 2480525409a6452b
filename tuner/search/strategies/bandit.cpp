// A bandit over the other strategies (Á. Fialho and others, PPSN 2010; J. Ansel and others, OpenTuner, PACT
// 2014): each proposal is one strategy's, all are told what it took. A strategy earns by improving on the
// best; what it earned counts by the area under its curve over a sliding window, so that the one that led at
// first gives way to the one that leads now. For spaces of which nothing is known: seldom the best, never the
// worst.
#include <algorithm>
#include <cmath>
#include <deque>

#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr std::size_t kWindow = 100;   // proposals: half of what a tune of some minutes has
constexpr double kExploration = 0.05;  // OpenTuner's
constexpr int kBanditTries = 20;       // for a proposal that is new

// Those that learn nothing from what they are told: `random` is what the others do when they know nothing.
bool is_arm(std::string_view name) {
    return name != "bandit" && name != "exhaustive" && name != "random";
}

class Bandit : public Strategy {
public:
    Bandit(const Landscape& landscape, std::uint64_t seed)
        : random_(seed), memory_(landscape.size(), random_) {
        for (const StrategyKind& kind : strategy_kinds()) {
            if (is_arm(kind.name)) arms_.push_back(kind.make(landscape, random_()));
        }
    }

    std::size_t propose() override {
        for (int tries = 0; tries < kBanditTries; ++tries) {
            arm_ = choose();
            point_ = arms_[arm_]->propose();
            if (!memory_.seen(point_)) return point_;
            earn(false);
        }
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override {
        const double before = memory_.best_value();
        if (memory_.observe(point, value) && point == point_) earn(memory_.best_value() < before);
        for (const auto& arm : arms_) arm->observe(point, value);
    }

private:
    struct Use {
        std::size_t arm;
        bool better;
    };

    void earn(bool better) {
        window_.push_back({arm_, better});
        if (window_.size() > kWindow) window_.pop_front();
    }

    std::size_t choose() {
        std::vector<double> uses(arms_.size(), 0.0), area(arms_.size(), 0.0);
        for (const Use& use : window_) {
            // Later improvements count more: the k-th use of an arm weighs k.
            uses[use.arm] += 1.0;
            if (use.better) area[use.arm] += uses[use.arm];
        }
        std::vector<std::size_t> order(arms_.size());
        for (std::size_t a = 0; a < order.size(); ++a) order[a] = a;
        shuffle(order, random_);  // of equals any
        std::size_t best = order.front();
        double most = -1.0;
        for (const std::size_t a : order) {
            if (uses[a] == 0.0) return a;
            const double credit = 2.0 * area[a] / (uses[a] * (uses[a] + 1.0));
            const double worth =
                credit +
                kExploration * std::sqrt(2.0 * std::log2(static_cast<double>(window_.size())) / uses[a]);
            if (worth > most) {
                most = worth;
                best = a;
            }
        }
        return best;
    }

    std::mt19937_64 random_;
    Memory memory_;
    std::vector<std::unique_ptr<Strategy>> arms_;
    std::deque<Use> window_;
    std::size_t arm_ = 0, point_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_bandit(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Bandit>(landscape, seed);
}

}  // namespace rooftune
