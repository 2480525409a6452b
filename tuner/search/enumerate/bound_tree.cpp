#include "tuner/search/enumerate/bound_tree.h"

#include <algorithm>
#include <limits>
#include <random>

#include "tuner/search/enumerate/sampling.h"

namespace rooftune {

BoundTree::BoundTree(BoundSource source, double margin)
    : source_(source), bounds_(source), margin_(margin), threshold_(std::numeric_limits<double>::infinity()) {
    place(PartialVariant{}, threshold_);
}

void BoundTree::place(const PartialVariant& partial, double threshold) {
    Node node{partial, bounds_.lower(partial)};
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
        wait(node);
    }
}

void BoundTree::wait(const Node& node) {
    open_.push_back(node);
    std::push_heap(open_.begin(), open_.end(), later);
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
            wait(node);
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
        std::pop_heap(open_.begin(), open_.end(), later);
        const Node node = open_.back();
        open_.pop_back();
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

double BoundTree::least_waiting() const {
    return open_.empty() ? std::numeric_limits<double>::infinity() : open_.front().lower;
}

std::vector<Node> BoundTree::waiting() const {
    std::vector<Node> nodes = open_;
    std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return later(b, a); });
    return nodes;
}

double run_margin(const BoundSource& source, std::size_t sample, std::uint64_t seed) {
    double margin = 0.03;
    const auto look = [&](const Variant& variant) {
        margin = std::max(margin, source.bound->margin(source.explain(variant)));
        return true;
    };
    if (source.space->count(PartialVariant{}) <= sample) {
        source.space->each(PartialVariant{}, look);
        return margin;
    }
    std::mt19937_64 random(seed);
    for (const Variant& variant : sample_below(*source.space, {PartialVariant{}}, sample, random))
        look(variant);
    return margin;
}

}  // namespace rooftune
