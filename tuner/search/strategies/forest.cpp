#include "tuner/search/strategies/forest.h"

#include <algorithm>

#include "tuner/search/strategies/draws.h"

namespace rooftune {

struct Forest::Split {
    int parameter = -1, limit = 0;
    double gain = 0.0;
};

class Forest::Grower {
public:
    Grower(const std::vector<std::vector<int>>& points, const std::vector<double>& values,
           std::mt19937_64& random, const ForestRules& rules, std::vector<Node>& nodes)
        : points_(points), values_(values), random_(random), rules_(rules), nodes_(nodes) {}

    void tree() {
        sample_.resize(points_.size());
        for (std::size_t& i : sample_) i = below(random_, points_.size());
        const auto root = static_cast<std::uint32_t>(nodes_.size());
        nodes_.emplace_back();
        grow(root, 0, sample_.size());
    }

private:
    void grow(std::uint32_t node, std::size_t from, std::size_t to) {
        double sum = 0.0, squares = 0.0;
        for (std::size_t i = from; i < to; ++i) {
            sum += values_[sample_[i]];
            squares += values_[sample_[i]] * values_[sample_[i]];
        }
        const auto n = static_cast<double>(to - from);
        nodes_[node].mean = sum / n;
        nodes_[node].variance = std::max(0.0, squares / n - sum / n * (sum / n));
        if (to - from < 2 * rules_.least_leaf || nodes_[node].variance <= 0.0) return;
        const Split split = best_split(from, to, sum);
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

    Split best_split(std::size_t from, std::size_t to, double sum) {
        Split best;
        const std::size_t parameters = points_.front().size();
        for (std::size_t p = 0; p < parameters; ++p) {
            if (unit(random_) < rules_.parameters) consider(p, from, to, sum, best);
        }
        // None drawn that splits: that is no reason to end here.
        for (std::size_t p = 0; best.parameter < 0 && p < parameters; ++p) consider(p, from, to, sum, best);
        return best;
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
            if (count >= rules_.least_leaf && to - from - count >= rules_.least_leaf) {
                const auto l = static_cast<double>(count);
                const double right = sum - left;
                const double gain = left * left / l + right * right / (n - l) - sum * sum / n;
                if (gain > best.gain * (1.0 + 1e-12) + 1e-300) {
                    best = {static_cast<int>(p), least + static_cast<int>(b + below(random_, gap)), gain};
                }
            }
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
    const ForestRules& rules_;
    std::vector<Node>& nodes_;
    std::vector<std::size_t> sample_;
    std::vector<Bin> bins_;
};

Forest::Forest(const std::vector<std::vector<int>>& points, const std::vector<double>& values,
               std::mt19937_64& random, const ForestRules& rules) {
    Grower grower(points, values, random, rules, nodes_);
    for (std::size_t i = 0; i < rules.trees; ++i) {
        roots_.push_back(static_cast<std::uint32_t>(nodes_.size()));
        grower.tree();
    }
}

Prediction Forest::at(const std::vector<int>& point) const {
    double sum = 0.0, squares = 0.0, inside = 0.0;
    for (const std::uint32_t root : roots_) {
        const Node* node = &nodes_[root];
        while (node->parameter >= 0) {
            const bool up = point[static_cast<std::size_t>(node->parameter)] > node->limit;
            node = &nodes_[node->child + (up ? 1 : 0)];
        }
        sum += node->mean;
        squares += node->mean * node->mean;
        inside += node->variance;
    }
    // Variance of a mixture: between the trees and within their leaves (F. Hutter and others, Artificial
    // Intelligence 206 (2014)).
    const auto n = static_cast<double>(roots_.size());
    const double mean = sum / n;
    return {mean, std::max(0.0, squares / n - mean * mean) + inside / n};
}

}  // namespace rooftune
