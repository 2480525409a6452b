#include "tuner/search/ranker.h"

#include <algorithm>
#include <numeric>

namespace rooftune {
namespace {

// Thinking must not take longer than measuring: a choice costs a few milliseconds with this many.
constexpr std::size_t kMostKept = 320;
constexpr std::size_t kLearnEvery = 16;
constexpr std::size_t kFirstLearnt = 20;
constexpr std::size_t kMostLearntFrom = 96;

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

}  // namespace

Ranker::Ranker(const Space& space, std::uint64_t seed)
    : process_(space), space_(&space), seed_(seed), random_(seed ^ 0x9e3779b97f4a7c15ULL) {}

void Ranker::observe(const Variant& variant, double log_rank, double log_seconds) {
    ++observed_;
    if (process_.size() < kMostKept) {
        process_.observe(variant, log_seconds - log_rank);
        log_seconds_.push_back(log_seconds);
    } else {
        // What is slow says less of where the best is: one of the slower half gives way.
        std::vector<double> sorted = log_seconds_;
        std::nth_element(sorted.begin(), sorted.begin() + kMostKept / 2, sorted.end());
        const double middle = sorted[kMostKept / 2];
        std::size_t at = random_() % kMostKept;
        while (log_seconds_[at] < middle) at = (at + 1) % kMostKept;
        process_.replace(at, variant, log_seconds - log_rank);
        log_seconds_[at] = log_seconds;
    }
    if (observed_ >= kFirstLearnt && observed_ % kLearnEvery == 0) learn();
}

void Ranker::learn() {
    std::vector<std::size_t> order(process_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return log_seconds_[a] < log_seconds_[b]; });
    // The best, whose order matters, and an even choice of the rest.
    std::vector<std::size_t> chosen;
    const std::size_t best = std::min(order.size(), kMostLearntFrom / 2);
    chosen.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(best));
    const std::size_t rest = std::min(order.size() - best, kMostLearntFrom - best);
    for (std::size_t i = 0; i < rest; ++i) chosen.push_back(order[best + i * (order.size() - best) / rest]);
    process_.learn(chosen);
}

double Ranker::tie_break(const Variant& variant) const {
    std::uint64_t h = seed_;
    for (int p = 0; p < space_->size(); ++p) h = mix(h ^ static_cast<std::uint64_t>(variant[p] + 3));
    return 1e-6 * static_cast<double>(h >> 11) * 0x1p-53;
}

double Ranker::optimistic(const Variant& variant) const {
    const Variant* asked = &variant;
    return optimistic({&asked, 1}).front();
}

std::vector<double> Ranker::optimistic(std::span<const Variant* const> variants) const {
    std::vector<GaussianProcess::Guess> guesses(variants.size());
    process_.guess(variants, guesses);
    std::vector<double> keys;
    for (std::size_t i = 0; i < variants.size(); ++i)
        keys.push_back(guesses[i].mean - guesses[i].deviation + tie_break(*variants[i]));
    return keys;
}

}  // namespace rooftune
