#include "tuner/search/strategies/forest.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "tuner/search/strategies/draws.h"

namespace rooftune {
namespace {

constexpr std::size_t kTrees = 24;  // of 60 the predictions were no better

}  // namespace

double expected_improvement(const Prediction& p) {
    const double sigma = std::sqrt(p.variance);
    if (sigma < 1e-12) return std::max(0.0, -p.mean);
    const double z = -p.mean / sigma;
    const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
    return -p.mean * 0.5 * std::erfc(-z / std::numbers::sqrt2) + sigma * density;
}

struct Forest::Split {
    int parameter = -1, limit = 0;
    double gain = 0.0;
};

class Forest::Grower {
public:
    Grower(const std::vector<std::vector<int>>& points, const std::vector<double>& values,
           std::mt19937_64& random, std::vector<Node>& nodes)
        : points_(points), values_(values), random_(random), nodes_(nodes) {}

    void tree() {
        sample_.resize(points_.size());
        for (std::size_t& i : sample_) i = below(random_, points_.size());
        const auto root = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
        grow(root, 0, sample_.size());
    }

private:
    void grow(std::uint32_t node, std::size_t from, std::size_t to) {
        double sum = 0.0;
        for (std::size_t i = from; i < to; ++i) sum += values_[sample_[i]];
        nodes_[node].mean = sum / static_cast<double>(to - from);
        Split split;
        for (std::size_t p = 0; p < points_.front().size(); ++p) consider(p, from, to, sum, split);
        if (split.parameter < 0) return;
        const auto p = static_cast<std::size_t>(split.parameter);
        const auto begin = sample_.begin() + static_cast<std::ptrdiff_t>(from);
        const auto middle = std::partition(begin, sample_.begin() + static_cast<std::ptrdiff_t>(to),
                                           [&](std::size_t i) { return points_[i][p] <= split.limit; });
        const auto child = static_cast<std::uint32_t>(nodes_.size());
        nodes_[node].parameter = split.parameter;
        nodes_[node].limit = split.limit;
        nodes_[node].child = child;
        nodes_.resize(nodes_.size() + 2);
        const auto half = static_cast<std::size_t>(middle - sample_.begin());
        grow(child, from, half);
        grow(child + 1, half, to);
    }

    // The least squared error of both sides is the largest sum²/n over them. Between two coordinates that
    // occur the limit is drawn: where nothing was seen, the trees then differ.
    void consider(std::size_t p, std::size_t from, std::size_t to, double sum, Split& best) {
        int least = points_[sample_[from]][p], largest = least;
        for (std::size_t i = from + 1; i < to; ++i) {
            least = std::min(least, points_[sample_[i]][p]);
            largest = std::max(largest, points_[sample_[i]][p]);
        }
        if (least == largest) return;
        bins_.assign(static_cast<std::size_t>(largest - least) + 1, {});
        for (std::size_t i = from; i < to; ++i) {
            Bin& bin = bins_[static_cast<std::size_t>(points_[sample_[i]][p] - least)];
            bin.sum += values_[sample_[i]];
            ++bin.count;
        }
        double left = 0.0;
        std::size_t count = 0;
        const auto n = static_cast<double>(to - from);
        for (std::size_t b = 0; b + 1 < bins_.size(); ++b) {
            left += bins_[b].sum;
            count += bins_[b].count;
            std::size_t gap = 1;
            while (bins_[b + gap].count == 0) ++gap;  // the last bin is never empty
            const auto l = static_cast<double>(count);
            const double right = sum - left;
            const double gain = left * left / l + right * right / (n - l) - sum * sum / n;
            // More than what rounding gives where all values are equal.
            if (gain > best.gain && gain > 1e-12 * sum * sum / n)
                best = {static_cast<int>(p), least + static_cast<int>(b + below(random_, gap)), gain};
            b += gap - 1;
        }
    }

    struct Bin {
        double sum = 0.0;
        std::size_t count = 0;
    };
    const std::vector<std::vector<int>>& points_;
    const std::vector<double>& values_;
    std::mt19937_64& random_;
    std::vector<Node>& nodes_;
    std::vector<std::size_t> sample_;
    std::vector<Bin> bins_;
};

Forest::Forest(const std::vector<std::vector<int>>& points, const std::vector<double>& values,
               std::mt19937_64& random) {
    Grower grower(points, values, random, nodes_);
    for (std::size_t i = 0; i < kTrees; ++i) {
        roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
        grower.tree();
    }
}

Prediction Forest::at(const std::vector<int>& point) const {
    double sum = 0.0, squares = 0.0;
    for (const std::uint32_t root : roots_) {
        const Node* node = &nodes_[root];
        while (node->parameter >= 0) {
            const bool up = point[static_cast<std::size_t>(node->parameter)] > node->limit;
            node = &nodes_[node->child + (up ? 1 : 0)];
        }
        sum += node->mean;
        squares += node->mean * node->mean;
    }
    const auto n = static_cast<double>(roots_.size());
    const double mean = sum / n;
    return {mean, std::max(0.0, squares / n - mean * mean)};
}

}  // namespace rooftune
