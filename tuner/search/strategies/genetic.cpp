// A genetic algorithm that never waits for a generation (steady state: D. Whitley, GENITOR, 1989): each child
// is made from two parents, which win small tournaments among the best so far, takes each parameter from
// either, changes about one, and replaces the worst when it is better. The right one where good values of
// some parameters stay good beside others' of the rest.
#include <algorithm>
#include <numeric>
#include <utility>

#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr std::size_t kPopulation = kDesign, kTournament = 3;
constexpr int kChildTries = 20;  // for a child that is new

class Genetic : public Strategy {
public:
    Genetic(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), memory_(landscape.size(), random_) {}

    std::size_t propose() override {
        if (population_.size() < std::clamp<std::size_t>(landscape_.size() / 2, 1, kPopulation))
            return memory_.any();
        for (int tries = 0; tries < kChildTries; ++tries) {
            const std::size_t child = cross();
            if (!memory_.seen(child)) return child;
        }
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override {
        if (!memory_.observe(point, value) || !value) return;
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
    std::vector<int> parent() {
        std::size_t best = population_.size();
        for (std::size_t i = 0; i < kTournament; ++i)
            best = std::min<std::size_t>(best, below(random_, population_.size()));
        return landscape_.at(population_[best].point);
    }

    std::size_t cross() {
        const std::vector<int> a = parent(), b = parent();
        std::vector<int> child = a;
        const std::vector<int>& values = landscape_.values();
        const std::size_t n = child.size();
        for (std::size_t p = 0; p < n; ++p) {
            if (below(random_, 2) == 0) child[p] = b[p];
            if (child[p] >= 0 && below(random_, n) == 0)
                child[p] = static_cast<int>(below(random_, static_cast<std::uint64_t>(values[p])));
        }
        return repaired(std::move(child), a);
    }

    // Where the child does not exist, parameter after parameter goes back to the first parent's value.
    std::size_t repaired(std::vector<int> child, const std::vector<int>& parent) {
        std::vector<std::size_t> order(child.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        shuffle(order, random_);
        for (const std::size_t p : order) {
            if (const auto at = landscape_.find(child)) return *at;
            child[p] = parent[p];
        }
        return *landscape_.find(parent);
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    Memory memory_;
    std::vector<Individual> population_;  ///< the best first
};

}  // namespace

std::unique_ptr<Strategy> make_genetic(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Genetic>(landscape, seed);
}

}  // namespace rooftune
