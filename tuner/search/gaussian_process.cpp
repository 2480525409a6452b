#include "tuner/search/gaussian_process.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace rooftune {
namespace {

// Before anything is learned, with a dozen parameters: log(time / estimate) of variants that share nothing
// differs by about 0.8 (standard deviation), of variants that differ in one parameter by 0.35. Learned scales
// are held near by a log-normal prior, so that a dozen observations cannot send them astray.
constexpr double kConstant = 4.0;  // variance of the level: the estimate's own error, unknown beforehand
constexpr double kAdditive = 0.3 * 0.3;  // of the sum of the parameters' own effects
constexpr double kDistance = 0.25;
constexpr double kTogether = 0.25;
constexpr double kNoise = 0.05 * 0.05;
constexpr double kPriorDeviation = 1.5;  // of the logarithm of a scale

// Values of numbers lie in an order: neighbours are less different than the ends.
constexpr double kOrdered = 0.5;

// Value indices begin at kAbsent, −2.
constexpr int kShift = 2;

double penalty(double scale, double expected, double deviation) {
    const double u = std::log(scale / expected) / deviation;
    return 0.5 * u * u;
}

}  // namespace

GaussianProcess::GaussianProcess(const Space& space) : space_(&space) {
    scales_.distance.assign(space.parameters().size(), kDistance);
    tables_ = tables(scales_);
}

GaussianProcess::Tables GaussianProcess::tables(const Scales& scales) const {
    Tables all;
    for (std::size_t p = 0; p < scales.distance.size(); ++p) {
        const Parameter& parameter = space_->parameters()[p];
        const int values = static_cast<int>(parameter.values.size());
        const bool ordered = parameter.values.front().kind != ValueKind::named;
        const int n = values + kShift;
        std::vector<double> table(static_cast<std::size_t>(n * n), 0.0);
        for (int i = 0; i < n; ++i) {
            for (int j = 0; j < n; ++j) {
                if (i == j) continue;
                const bool both = i >= kShift && j >= kShift;
                const double apart = std::abs(i - j) / std::max(1.0, values - 1.0);
                const double distance = both && ordered ? 1.0 - kOrdered + kOrdered * apart : 1.0;
                table[static_cast<std::size_t>(i * n + j)] = scales.distance[p] * distance;
            }
        }
        all.push_back(std::move(table));
    }
    return all;
}

double GaussianProcess::covariance(const Scales& scales, const Tables& tables, const Variant& a,
                                   const Variant& b) const {
    double distance = 0.0;
    int same = 0;
    const int parameters = space_->size();
    for (int p = 0; p < parameters; ++p) {
        const auto at = static_cast<std::size_t>(p);
        const int n = static_cast<int>(space_->parameters()[at].values.size()) + kShift;
        distance += tables[at][static_cast<std::size_t>((a[p] + kShift) * n + b[p] + kShift)];
        same += a[p] == b[p] ? 1 : 0;
    }
    return kConstant + kAdditive * same / std::max(1, parameters) + scales.together * std::exp(-distance);
}

void GaussianProcess::observe(const Variant& variant, double value) {
    variants_.push_back(variant);
    values_.push_back(value);
}

void GaussianProcess::replace(std::size_t at, const Variant& variant, double value) {
    variants_[at] = variant;
    values_[at] = value;
    factored_ = 0;
}

void GaussianProcess::append(std::size_t i) const {
    if (i == 0) {
        triangle_.clear();
        forward_.clear();
    }
    const std::size_t start = triangle_.size();
    triangle_.resize(start + i + 1);
    double* row = &triangle_[start];
    const double* above = triangle_.data();
    for (std::size_t j = 0; j <= i; ++j) {
        double sum =
            covariance(scales_, tables_, variants_[i], variants_[j]) + (i == j ? scales_.noise : 0.0);
        const double* other = j < i ? above : row;
        for (std::size_t q = 0; q < j; ++q) sum -= row[q] * other[q];
        // The noise on the diagonal keeps it positive; rounding must not undo that.
        row[j] = i == j ? std::sqrt(std::max(sum, 0.25 * scales_.noise)) : sum / other[j];
        above += j + 1;
    }
    double sum = values_[i];
    for (std::size_t q = 0; q < i; ++q) sum -= row[q] * forward_[q];
    forward_.push_back(sum / row[i]);
}

void GaussianProcess::factor() const {
    if (factored_ == variants_.size() && !weights_.empty()) return;
    for (std::size_t i = factored_; i < variants_.size(); ++i) append(i);
    factored_ = variants_.size();
    weights_ = forward_;
    for (std::size_t i = factored_; i-- > 0;) {
        const double* row = &triangle_[i * (i + 1) / 2];
        weights_[i] /= row[i];
        for (std::size_t q = 0; q < i; ++q) weights_[q] -= row[q] * weights_[i];
    }
}

void GaussianProcess::covariances(const Variant& variant) const {
    // What the sum of covariance() looks up by this variant's values is looked up once.
    std::array<const double*, kMaxParameters> distances{};
    const auto parameters = static_cast<std::size_t>(space_->size());
    for (std::size_t p = 0; p < parameters; ++p) {
        const std::size_t n = space_->parameters()[p].values.size() + kShift;
        distances[p] = &tables_[p][static_cast<std::size_t>(variant[static_cast<int>(p)] + kShift) * n];
    }
    row_.resize(variants_.size());
    for (std::size_t i = 0; i < variants_.size(); ++i) {
        double distance = 0.0;
        int same = 0;
        for (std::size_t p = 0; p < parameters; ++p) {
            const int value = variants_[i][static_cast<int>(p)];
            distance += distances[p][value + kShift];
            same += variant[static_cast<int>(p)] == value ? 1 : 0;
        }
        row_[i] = kConstant + kAdditive * same / std::max(1, space_->size()) +
                  scales_.together * std::exp(-distance);
    }
}

double GaussianProcess::mean(const Variant& variant) const {
    factor();
    covariances(variant);
    double sum = 0.0;
    for (std::size_t i = 0; i < row_.size(); ++i) sum += row_[i] * weights_[i];
    return sum;
}

GaussianProcess::Guess GaussianProcess::guess(const Variant& variant) const {
    const Variant* asked = &variant;
    Guess guess;
    this->guess({&asked, 1}, {&guess, 1});
    return guess;
}

void GaussianProcess::guess(std::span<const Variant* const> variants, std::span<Guess> out) const {
    factor();
    for (std::size_t from = 0; from < variants.size(); from += kLanes) {
        const std::size_t n = std::min(kLanes, variants.size() - from);
        guess_side_by_side(variants.subspan(from, n), out.subspan(from, n));
    }
}

void GaussianProcess::guess_side_by_side(std::span<const Variant* const> variants,
                                         std::span<Guess> out) const {
    const std::size_t n = variants_.size();
    Lanes mean{}, variance{};
    rows_.assign(n, Lanes{});
    for (std::size_t lane = 0; lane < variants.size(); ++lane) {
        covariances(*variants[lane]);
        for (std::size_t i = 0; i < n; ++i) rows_[i][lane / 2][lane % 2] = row_[i];
        variance[lane / 2][lane % 2] = covariance(scales_, tables_, *variants[lane], *variants[lane]);
    }
    const double* factor_row = triangle_.data();
    for (std::size_t i = 0; i < n; ++i) {
        Lanes sum = rows_[i];
        for (std::size_t pair = 0; pair < sum.size(); ++pair) mean[pair] += sum[pair] * weights_[i];
        for (std::size_t q = 0; q < i; ++q) {
            for (std::size_t pair = 0; pair < sum.size(); ++pair) sum[pair] -= factor_row[q] * rows_[q][pair];
        }
        for (std::size_t pair = 0; pair < sum.size(); ++pair) {
            sum[pair] /= factor_row[i];
            variance[pair] -= sum[pair] * sum[pair];
        }
        rows_[i] = sum;
        factor_row += i + 1;
    }
    for (std::size_t lane = 0; lane < variants.size(); ++lane)
        out[lane] = {mean[lane / 2][lane % 2], std::sqrt(std::max(variance[lane / 2][lane % 2], 0.0))};
}

double GaussianProcess::log_likelihood(const Scales& scales, const std::vector<std::size_t>& chosen) const {
    const Tables distances = tables(scales);
    const std::size_t n = chosen.size();
    std::vector<double> triangle(n * (n + 1) / 2);
    std::vector<double> forward(n);
    double sum_of_logs = 0.0;
    double* row = triangle.data();
    for (std::size_t i = 0; i < n; ++i) {
        const double* other = triangle.data();
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = covariance(scales, distances, variants_[chosen[i]], variants_[chosen[j]]) +
                         (i == j ? scales.noise : 0.0);
            for (std::size_t q = 0; q < j; ++q) sum -= row[q] * other[q];
            if (i == j && sum <= 0.0) return -std::numeric_limits<double>::infinity();
            row[j] = i == j ? std::sqrt(sum) : sum / other[j];
            other += j + 1;
        }
        double sum = values_[chosen[i]];
        for (std::size_t q = 0; q < i; ++q) sum -= row[q] * forward[q];
        forward[i] = sum / row[i];
        sum_of_logs -= 0.5 * forward[i] * forward[i] + std::log(row[i]);
        row += i + 1;
    }
    for (const double d : scales.distance) sum_of_logs -= penalty(d, kDistance, kPriorDeviation);
    return sum_of_logs - penalty(scales.together, kTogether, kPriorDeviation) -
           penalty(scales.noise, kNoise, 1.0);
}

void GaussianProcess::learn(const std::vector<std::size_t>& chosen) {
    double best = log_likelihood(scales_, chosen);
    const auto try_factors = [&](double& scale, double factor, double least, double most) {
        const double old = scale;
        double kept = old;
        for (const double f : {1.0 / factor, factor}) {
            scale = std::clamp(old * f, least, most);
            const double likelihood = log_likelihood(scales_, chosen);
            if (likelihood > best) {
                best = likelihood;
                kept = scale;
            }
        }
        scale = kept;
    };
    for (std::size_t p = 0; p < scales_.distance.size(); ++p) {
        // What never varied has no say.
        if (space_->parameters()[p].values.size() > 1) try_factors(scales_.distance[p], 2.5, 0.003, 5.0);
    }
    try_factors(scales_.together, 2.0, 0.01, 4.0);
    try_factors(scales_.noise, 2.0, 1e-4, 0.04);
    tables_ = tables(scales_);
    factored_ = 0;
    weights_.clear();
}

}  // namespace rooftune
