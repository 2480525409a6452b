// A model of the space in place of the space: a random forest learns how much slower than the best a point is
// from what was observed, and the candidate that promises the largest expected improvement is next (F.
// Hutter, H. H. Hoos, K. Leyton-Brown, SMAC, LION 2011; D. R. Jones, M. Schonlau, W. J. Welch, Journal of
// Global Optimization 13 (1998)). Candidates are points drawn anew for every model and the neighbours of the
// best. The right one where an evaluation costs far more than a millisecond of thought, as it nearly always
// does.
//
// Constants, and the root of the logarithm, were tried on the records that memory.h names.
#include <algorithm>
#include <cmath>

#include "tuner/search/strategies/forest.h"
#include "tuner/search/strategies/memory.h"
#include "tuner/search/strategies/strategies.h"

namespace rooftune {
namespace {

constexpr std::size_t kDrawn = 512;        // candidates: the best of them is most likely in the best percent
constexpr std::size_t kAround = 6;         // of the best, whose neighbours are candidates
constexpr std::size_t kLearned = 512;      // observations in a model: the best half, and others of the rest
constexpr std::size_t kObservations = 12;  // a model serves until 1/12 more was observed

class Surrogate : public Strategy {
public:
    Surrogate(const Landscape& landscape, std::uint64_t seed)
        : landscape_(landscape), random_(seed), memory_(landscape.size(), random_) {}

    std::size_t propose() override {
        if (observed_.size() < kDesign || !memory_.best() || memory_.all()) return memory_.any();
        if (observed_.size() >= due_) learn();
        while (!queue_.empty()) {
            const std::size_t point = queue_.back();
            queue_.pop_back();
            if (!memory_.seen(point)) return point;
        }
        due_ = 0;
        return memory_.any();
    }

    void observe(std::size_t point, std::optional<double> value) override {
        if (memory_.observe(point, value)) observed_.push_back(point);
    }

private:
    void learn() {
        const Forest forest = model();
        struct Candidate {
            std::size_t point;
            double improvement;
        };
        std::vector<Candidate> candidates;
        for (const std::size_t point : candidate_points())
            candidates.push_back({point, expected_improvement(forest.at(landscape_.at(point)))});
        std::stable_sort(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
            return a.improvement < b.improvement;
        });
        queue_.clear();
        for (const Candidate& c : candidates) queue_.push_back(c.point);
        due_ = observed_.size() + std::max<std::size_t>(1, observed_.size() / kObservations);
    }

    Forest model() {
        std::vector<std::size_t> sample = by_value();
        keep_first_and_others(sample, kLearned / 2, kLearned - kLearned / 2, random_);
        double worst = 0.0;
        std::vector<std::vector<int>> points;
        std::vector<double> values;
        for (const std::size_t point : sample) {
            points.push_back(landscape_.at(point));
            // The root draws out the last percents, which decide in the end; how slow the slow ones are
            // matters little.
            values.push_back(std::sqrt(std::log(memory_.value(point) / memory_.best_value())));
            if (std::isfinite(values.back())) worst = std::max(worst, values.back());
        }
        // What failed is as bad as the worst that worked.
        for (double& v : values) v = std::min(v, worst);
        return Forest(points, values, random_);
    }

    // The best first, and of equal ones the first observed.
    std::vector<std::size_t> by_value() const {
        std::vector<std::size_t> points = observed_;
        std::stable_sort(points.begin(), points.end(),
                         [&](std::size_t a, std::size_t b) { return memory_.value(a) < memory_.value(b); });
        return points;
    }

    std::vector<std::size_t> candidate_points() {
        std::vector<std::size_t> points;
        const std::size_t unseen = landscape_.size() - memory_.count();
        for (std::size_t i = 0; i < std::min(kDrawn, unseen); ++i) points.push_back(memory_.any());
        const std::vector<std::size_t> best = by_value();
        for (std::size_t i = 0; i < std::min(kAround, best.size()); ++i) {
            for (const std::size_t point : landscape_.neighbours(best[i])) {
                if (!memory_.seen(point)) points.push_back(point);
            }
        }
        std::sort(points.begin(), points.end());
        points.erase(std::unique(points.begin(), points.end()), points.end());
        // Of equal promise the first is taken, which shall not be the lowest ordinal.
        shuffle(points, random_);
        return points;
    }

    const Landscape& landscape_;
    std::mt19937_64 random_;
    Memory memory_;
    std::vector<std::size_t> observed_;
    std::vector<std::size_t> queue_;  ///< the most promising last
    std::size_t due_ = 0;             ///< observations at which the next model is made
};

}  // namespace

std::unique_ptr<Strategy> make_surrogate(const Landscape& landscape, std::uint64_t seed) {
    return std::make_unique<Surrogate>(landscape, seed);
}

}  // namespace rooftune
