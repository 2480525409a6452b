// Simulated annealing on the logarithm of the time. A neighbour that is worse by the factor f is taken with
// probability f^(−1/T); T falls by a constant factor each step, and the walk begins again from the best point
// when it has gone cold.
#include <cmath>

#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr double kWarm = 0.3, kCold = 0.005, kCooling = 0.97;

class Annealing : public Strategy {
public:
    Annealing(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), proposed_(landscape.draw(random_)) {}

    std::size_t propose() override { return proposed_; }

    void observe(std::size_t point, std::optional<double> value) override {
        if (value && (!best_value_ || *value < *best_value_)) {
            best_ = point;
            best_value_ = value;
        }
        if (point != proposed_) return;
        if (value && (!value_ || *value <= *value_ || taken(*value / *value_))) {
            current_ = point;
            value_ = value;
        }
        temperature_ *= kCooling;
        if (temperature_ < kCold) {
            temperature_ = kWarm;
            if (best_value_) {
                current_ = best_;
                value_ = best_value_;
            }
        }
        step();
    }

private:
    bool taken(double worse) {
        return std::uniform_real_distribution<double>()(random_) < std::exp(-std::log(worse) / temperature_);
    }
    void step() {
        const std::vector<std::size_t>& around = landscape_.neighbours(current_);
        proposed_ = !value_ || around.empty() ? landscape_.draw(random_) : around[random_() % around.size()];
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    std::size_t proposed_, current_ = 0, best_ = 0;
    std::optional<double> value_, best_value_;
    double temperature_ = kWarm;
};

}  // namespace

std::unique_ptr<Strategy> make_annealing(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Annealing>(landscape, seed);
}

}  // namespace rooftune
