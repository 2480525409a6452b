// A genetic algorithm that never waits for a generation: each child is made from two parents, which win small
// tournaments among the best so far, takes each parameter from either, changes about one, and replaces the
// worst when it is better.
#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr std::size_t kPopulation = 20, kTournament = 3;

class Genetic : public Strategy {
public:
    Genetic(const Landscape& landscape, std::uint64_t seed) : landscape_(landscape), random_(seed) {}

    std::size_t propose() override {
        if (population_.size() < std::clamp<std::size_t>(landscape_.size() / 2, 1, kPopulation))
            return landscape_.draw(random_);
        for (int tries = 0; tries < 20; ++tries) {
            const std::size_t child = cross();
            if (!seen_.contains(child)) return child;
        }
        return landscape_.draw(random_);
    }

    void observe(std::size_t point, std::optional<double> value) override {
        if (!seen_.insert(point).second || !value) return;
        const auto worse = std::upper_bound(population_.begin(), population_.end(), *value,
                                            [](double v, const Individual& i) { return v < i.value; });
        population_.insert(worse, {point, *value});
        if (population_.size() > kPopulation) population_.pop_back();
    }

private:
    struct Individual {
        std::size_t point;
        double value;
    };

    // Sorted, the best first: the least of a few numbers wins.
    const std::vector<int>& parent() {
        std::size_t best = population_.size();
        for (std::size_t i = 0; i < kTournament; ++i)
            best = std::min<std::size_t>(best, random_() % population_.size());
        return landscape_.at(population_[best].point);
    }

    std::size_t cross() {
        const std::vector<int>& a = parent();
        const std::vector<int>& b = parent();
        std::vector<int> child = a;
        const std::vector<int>& values = landscape_.values();
        const std::size_t n = child.size();
        for (std::size_t p = 0; p < n; ++p) {
            if (random_() % 2 == 0) child[p] = b[p];
            if (n > 0 && random_() % n == 0)
                child[p] = static_cast<int>(random_() % static_cast<unsigned>(values[p]));
        }
        return repaired(std::move(child), a);
    }

    // Where the child does not exist, parameter after parameter goes back to the first parent's value.
    std::size_t repaired(std::vector<int> child, const std::vector<int>& parent) {
        std::vector<std::size_t> order(child.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::shuffle(order.begin(), order.end(), random_);
        for (const std::size_t p : order) {
            if (const auto at = landscape_.find(child)) return *at;
            child[p] = parent[p];
        }
        return *landscape_.find(parent);
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    std::set<std::size_t> seen_;
    std::vector<Individual> population_;  ///< the best first
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Genetic>(landscape, seed);
}

}  // namespace rooftune
