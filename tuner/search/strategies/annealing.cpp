// Simulated annealing (S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, Science 220 (1983)) on the ratio of times:
// a neighbour that is worse by the factor f is taken with probability f^(−1/T); T falls by a constant factor
// each step, and the walk begins again from the best point when it has gone cold. It leaves minima that hold
// hill climbing, and pays for it with steps upwards.
#include <cmath>

#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

// At first every third step to a time 1.4 times as long is taken, at last none that is longer by a tenth.
constexpr double kWarm = 0.3, kCold = 0.005, kCooling = 0.97;
constexpr int kAnnealingSteps = 300;  // through what is known; two coolings without anything new

class Annealing : public Strategy {
public:
    Annealing(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), memory_(landscape.size(), random_) {}

    std::size_t propose() override {
        if (memory_.count() < kDesign || !memory_.best()) return memory_.any();
        if (around_.empty()) go_to(*memory_.best());
        for (int step = 0; step < kAnnealingSteps && !around_.empty(); ++step) {
            if (!waiting_) next_ = pick(around_, random_);
            waiting_ = !memory_.seen(next_);
            if (waiting_) return next_;
            decide();
        }
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override { memory_.observe(point, value); }

private:
    void decide() {
        const double worse = memory_.value(next_) / memory_.value(current_);
        if (worse <= 1.0 || unit(random_) < std::exp(-std::log(worse) / temperature_)) go_to(next_);
        temperature_ *= kCooling;
        if (temperature_ < kCold) {
            temperature_ = kWarm;
            go_to(*memory_.best());
        }
    }
    void go_to(std::size_t point) {
        current_ = point;
        around_ = landscape_.neighbours(point);
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    Memory memory_;
    std::vector<std::size_t> around_;  ///< of the current point
    std::size_t current_ = 0, next_ = 0;
    bool waiting_ = false;  ///< for what the next one takes
    double temperature_ = kWarm;
};

}  // namespace

std::unique_ptr<Strategy> make_annealing(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Annealing>(landscape, seed);
}

}  // namespace rooftune
