// Particle swarm (J. Kennedy, R. Eberhart, ICNN 1995; inertia and pulls by M. Clerc, J. Kennedy, IEEE
// Transactions on Evolutionary Computation 6 (2002)) on the indices of values: each particle keeps its
// direction and is drawn to its own best place and to the best of all. For parameters whose values are
// ordered; names are not.
#include <algorithm>
#include <cmath>

#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/nearest.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr std::size_t kParticles = kDesign;
constexpr double kInertia = 0.7298, kPull = 1.4962;  // Clerc and Kennedy's: the swarm comes to rest
constexpr int kPlaceTries = 20;                      // for a place that is new

class Swarm : public Strategy {
public:
    Swarm(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), memory_(landscape.size(), random_) {}

    std::size_t propose() override {
        if (particles_.size() < std::clamp<std::size_t>(landscape_.size() / 2, 1, kParticles))
            return memory_.any();
        for (int tries = 0; tries < kPlaceTries; ++tries) {
            turn_ = (turn_ + 1) % particles_.size();
            place_ = fly(particles_[turn_]);
            if (!memory_.seen(place_)) return place_;
            arrive(place_);
        }
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override {
        if (!memory_.observe(point, value)) return;
        if (value && particles_.size() < kParticles) {
            const std::vector<int> at = landscape_.at(point);
            particles_.push_back({{at.begin(), at.end()}, std::vector<double>(at.size(), 0.0), point});
        } else if (!particles_.empty() && point == place_) {
            arrive(point);
        }
    }

private:
    struct Particle {
        std::vector<double> position, velocity;
        std::size_t best;  ///< the best place where it was
    };

    void arrive(std::size_t point) {
        Particle& particle = particles_[turn_];
        if (memory_.value(point) < memory_.value(particle.best)) particle.best = point;
    }

    std::size_t fly(Particle& particle) {
        const std::vector<int> own = landscape_.at(particle.best), all = landscape_.at(*memory_.best());
        std::vector<int> wanted(own.size());
        for (std::size_t p = 0; p < own.size(); ++p) {
            double& x = particle.position[p];
            double& v = particle.velocity[p];
            const double last = landscape_.values()[p] - 1.0;
            v *= kInertia;
            // No pull to or from where the parameter does not exist.
            if (own[p] >= 0 && x >= 0.0) v += kPull * unit(random_) * (own[p] - x);
            if (all[p] >= 0 && x >= 0.0) v += kPull * unit(random_) * (all[p] - x);
            v = std::clamp(v, -0.5 * last, 0.5 * last);
            if (x < 0.0 && all[p] >= 0) x = all[p];
            x += v;
            if (x < 0.0 || x > last) v = 0.0;
            x = std::clamp(x, 0.0, last);
            wanted[p] = all[p] < 0 && own[p] < 0 ? -1 : static_cast<int>(std::lround(x));
        }
        return nearest(landscape_, wanted, particle.best);
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    Memory memory_;
    std::vector<Particle> particles_;
    std::size_t turn_ = 0, place_ = 0;
};

}  // namespace

std::unique_ptr<Strategy> make_swarm(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Swarm>(landscape, seed);
}

}  // namespace rooftune
