#include "tuner/enumerate/bound_tree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <span>

#include "tuner/enumerate/sampling.h"

namespace rooftune {

double BoundSource::rank(const Variant& variant) const {
    const Work work = model->work(variant);
    const Traits traits = model->traits(variant);
    double seconds = bound->rank(work, traits).value;
    const std::vector<BandwidthStep>& steps = bound->roofs().bandwidth(traits.threads);
    constexpr std::size_t kMostSteps = 128;
    std::array<Bytes, kMostSteps> capacities{}, bytes{};
    const std::size_t count = std::min(steps.size(), kMostSteps);
    for (std::size_t i = 0; i < count; ++i) {
        capacities[i] = Bytes(steps[i].from);
        bytes[i] = work.traffic.sum_beyond(capacities[i]);
    }
    model->likely_traffic(variant, std::span(capacities.data(), count), std::span(bytes.data(), count));
    for (std::size_t i = 0; i < count; ++i) {
        if (steps[i].both > 0.0) seconds = std::max(seconds, bytes[i].value / steps[i].both);
    }
    return seconds;
}

BoundTree::BoundTree(BoundSource source, double margin)
    : source_(source), margin_(margin), threshold_(std::numeric_limits<double>::infinity()) {
    place(PartialVariant{}, threshold_);
}

void BoundTree::place(const PartialVariant& partial, double threshold) {
    Node node{partial, source_.lower(partial)};
    ++counters_.bounds_evaluated;
    if (excluded(node.lower, threshold)) {
        cut(node);
    } else if (source_.space->complete(partial)) {
        if (!taken_.contains(partial)) {
            node.rank = source_.rank(partial);
            pool_.push_back(node);
            pool_sorted_ = false;
        }
    } else {
        open_.push(node);
    }
}

void BoundTree::cut(Node node) {
    node.variants = source_.space->count(node.partial);
    if (node.variants == 0) return;
    ++counters_.subtrees_cut;
    cut_.push_back(node);
}

void BoundTree::reopen(double threshold) {
    std::vector<Node> still;
    for (Node& node : cut_) {
        if (excluded(node.lower, threshold)) {
            still.push_back(node);
        } else if (!source_.space->complete(node.partial)) {
            open_.push(node);
        } else if (!taken_.contains(node.partial)) {
            node.rank = source_.rank(node.partial);
            pool_.push_back(node);
            pool_sorted_ = false;
        }
    }
    cut_ = std::move(still);
}

void BoundTree::expand(double threshold, std::size_t enough) {
    if (threshold > threshold_) reopen(threshold);
    threshold_ = threshold;
    std::vector<PartialVariant> below;
    while (!open_.empty() && pool_.size() < enough) {
        const Node node = open_.top();
        open_.pop();
        if (excluded(node.lower, threshold)) {
            cut(node);
            continue;
        }
        source_.space->children(node.partial, below);
        for (const PartialVariant& child : below) place(child, threshold);
    }
}

const std::vector<Node>& BoundTree::pool(double threshold) {
    if (threshold > threshold_) reopen(threshold);
    threshold_ = threshold;
    const auto out = [&](const Node& node) { return excluded(node.lower, threshold); };
    for (const Node& node : pool_) {
        if (out(node)) cut_.push_back(node);
    }
    std::erase_if(pool_, out);
    if (!pool_sorted_) {
        std::sort(pool_.begin(), pool_.end(), [](const Node& a, const Node& b) {
            return a.lower != b.lower ? a.lower < b.lower : a.partial < b.partial;
        });
        pool_sorted_ = true;
    }
    return pool_;
}

void BoundTree::take(const Variant& variant) {
    taken_.insert(variant);
    std::erase_if(pool_, [&](const Node& node) { return node.partial == variant; });
    std::erase_if(cut_, [&](const Node& node) { return node.partial == variant; });
}

std::vector<Node> BoundTree::waiting() const {
    auto copy = open_;
    std::vector<Node> nodes;
    while (!copy.empty()) {
        nodes.push_back(copy.top());
        copy.pop();
    }
    return nodes;
}

double run_margin(const BoundSource& source, std::size_t sample, std::uint64_t seed) {
    double margin = 0.03;
    std::size_t seen = 0;
    const auto look = [&](const Variant& variant) {
        margin = std::max(margin, source.bound->margin(source.explain(variant)));
        return ++seen < sample;
    };
    if (source.space->each(PartialVariant{}, look)) return margin;
    std::mt19937_64 random(seed);
    Variant variant;
    for (std::size_t i = 0; i < sample; ++i) {
        if (random_walk(*source.space, PartialVariant{}, random, variant)) look(variant);
    }
    return margin;
}

}  // namespace rooftune
