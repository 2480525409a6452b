#include "tuner/search/ranker.h"

#include <cmath>

namespace rooftune {
namespace {

// Prior: one knob moves the time by about e^±0.25; two timings of one variant differ by about 5 %.
constexpr double kPriorDeviation = 0.25;
constexpr double kBiasDeviation = 2.0;
constexpr double kNoise = 0.05;

std::uint64_t mix(std::uint64_t h) {
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 33;
    h *= 0xc4ceb9fe1a85ec53ULL;
    return h ^ (h >> 33);
}

}  // namespace

Ranker::Ranker(const Space& space, std::uint64_t seed) : space_(&space), seed_(seed) {
    size_ = 1;  // the bias
    const auto& parameters = space.parameters();
    for (const Parameter& p : parameters) {
        own_.push_back(size_);
        size_ += static_cast<int>(p.values.size());
    }
    const int firsts = parameters.empty() ? 0 : static_cast<int>(parameters.front().values.size());
    for (const Parameter& p : parameters) {
        paired_.push_back(size_);
        size_ += firsts * static_cast<int>(p.values.size());
    }
    const auto n = static_cast<std::size_t>(size_);
    covariance_.assign(n * n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        const double deviation = i == 0 ? kBiasDeviation : kPriorDeviation;
        covariance_[i * n + i] = deviation * deviation;
    }
    weighted_.assign(n, 0.0);
    weights_.assign(n, 0.0);
}

void Ranker::features(const Variant& variant, std::vector<int>& active) const {
    active.assign(1, 0);
    for (int p = 0; p < space_->size(); ++p) {
        if (!variant.fixed(p)) continue;
        const auto at = static_cast<std::size_t>(p);
        active.push_back(own_[at] + variant[p]);
        if (p > 0 && variant.fixed(0)) {
            const int values = static_cast<int>(space_->parameters()[at].values.size());
            active.push_back(paired_[at] + variant[0] * values + variant[p]);
        }
    }
}

void Ranker::observe(const Variant& variant, double log_ratio) {
    std::vector<int> active;
    features(variant, active);
    const auto n = static_cast<std::size_t>(size_);
    // Sherman-Morrison: the covariance after one more observation.
    std::vector<double> column(n, 0.0);
    for (std::size_t i = 0; i < n; ++i) {
        for (const int j : active) column[i] += covariance_[i * n + static_cast<std::size_t>(j)];
    }
    double variance = kNoise * kNoise;
    for (const int j : active) variance += column[static_cast<std::size_t>(j)];
    for (std::size_t i = 0; i < n; ++i) {
        if (column[i] == 0.0) continue;
        for (std::size_t j = 0; j < n; ++j) covariance_[i * n + j] -= column[i] * column[j] / variance;
    }
    for (const int j : active) weighted_[static_cast<std::size_t>(j)] += log_ratio / (kNoise * kNoise);
    for (std::size_t i = 0; i < n; ++i) {
        double sum = 0.0;
        for (std::size_t j = 0; j < n; ++j) sum += covariance_[i * n + j] * weighted_[j];
        weights_[i] = sum;
    }
}

Ranker::Guess Ranker::guess(const Variant& variant) const {
    std::vector<int> active;
    features(variant, active);
    const auto n = static_cast<std::size_t>(size_);
    Guess guess;
    double variance = 0.0;
    for (const int i : active) {
        guess.mean += weights_[static_cast<std::size_t>(i)];
        const double* row = &covariance_[static_cast<std::size_t>(i) * n];
        for (const int j : active) variance += row[static_cast<std::size_t>(j)];
    }
    guess.deviation = std::sqrt(variance > 0.0 ? variance : 0.0);
    return guess;
}

double Ranker::optimistic(const Variant& variant) const {
    const Guess g = guess(variant);
    std::uint64_t h = seed_;
    for (int p = 0; p < space_->size(); ++p) h = mix(h ^ static_cast<std::uint64_t>(variant[p] + 3));
    const double tie_break = 1e-6 * static_cast<double>(h >> 11) * 0x1p-53;
    return g.mean - g.deviation + tie_break;
}

}  // namespace rooftune
