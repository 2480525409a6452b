#include "tuner/search/candidates.h"

#include <algorithm>
#include <set>

#include "tuner/search/enumerate/sampling.h"

namespace rooftune {
namespace {

constexpr std::size_t kSample = 6'000;
constexpr int kRedrawEvery = 24;  // evaluations
constexpr std::size_t kParents = 4;
constexpr int kDoubleChanges = 150;  // of two parameters at once, a parent

Node node_of(const BoundTree& tree, const Variant& variant) {
    return {variant, tree.source().lower(variant), tree.source().rank(variant)};
}

// A change may make a parameter exist or vanish: absent ones are decided by the space's own conditions.
bool repaired(const Space& space, Variant& variant, std::mt19937_64& random) {
    for (int p = 0; p < space.size(); ++p) {
        const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
        const bool exists = !parameter.exists || parameter.exists(variant);
        if (!exists) {
            variant.fix(p, PartialVariant::kAbsent);
        } else if (!variant.fixed(p)) {
            variant.fix(p, static_cast<int>(below(random, parameter.values.size())));
        }
    }
    return space.valid(variant);
}

}  // namespace

int differences(const Space& space, const Variant& a, const Variant& b, int enough) {
    int different = 0;
    for (int p = 0; p < space.size() && different < enough; ++p) different += a[p] != b[p] ? 1 : 0;
    return different;
}

std::optional<Variant> rival(const Space& space, const Ledger& ledger) {
    constexpr std::size_t kLookedAt = 64;
    constexpr int kApart = 4;
    const std::vector<Variant> best = ledger.best(kLookedAt);
    for (const Variant& variant : best) {
        if (differences(space, variant, best.front(), kApart) == kApart) return variant;
    }
    return std::nullopt;
}

void Candidates::draw(BoundTree& tree, const Ledger& ledger, double high, std::mt19937_64& random) {
    std::vector<PartialVariant> open;
    for (const Node& node : tree.waiting()) open.push_back(node.partial);
    for (const Node& node : tree.pool(high)) open.push_back(node.partial);
    sample_.clear();
    for (const Variant& variant : sample_below(*tree.source().space, open, kSample, random)) {
        if (!ledger.evaluated(variant)) sample_.push_back(node_of(tree, variant));
    }
}

void Candidates::add_neighbours(BoundTree& tree, const Ledger& ledger, double high, std::mt19937_64& random) {
    const Space& space = *tree.source().space;
    std::set<Variant> found;
    const auto offer = [&](Variant variant) {
        if (repaired(space, variant, random) && !ledger.evaluated(variant)) found.insert(variant);
    };
    const auto change = [&](Variant& variant, int p, std::uint64_t value) {
        if (variant.fixed(p)) variant.fix(p, static_cast<int>(value));
    };
    for (const Variant& parent : ledger.best(kParents)) {
        for (int p = 0; p < space.size(); ++p) {
            const std::size_t values = space.parameters()[static_cast<std::size_t>(p)].values.size();
            for (std::size_t v = 0; v < values && parent.fixed(p); ++v) {
                Variant variant = parent;
                change(variant, p, v);
                offer(variant);
            }
        }
        for (int i = 0; i < kDoubleChanges; ++i) {
            Variant variant = parent;
            for (int twice = 0; twice < 2; ++twice) {
                const auto p = static_cast<int>(below(random, static_cast<std::uint64_t>(space.size())));
                change(variant, p,
                       below(random, space.parameters()[static_cast<std::size_t>(p)].values.size()));
            }
            offer(variant);
        }
    }
    for (const Variant& variant : found) {
        Node node = node_of(tree, variant);
        if (!tree.excluded(node.lower, high)) nodes_.push_back(node);
    }
}

const std::vector<Node>& Candidates::list(BoundTree& tree, const Ledger& ledger, double high, int evaluations,
                                          std::mt19937_64& random) {
    tree.expand(high, kListed);
    if (tree.exhausted()) return tree.pool(high);
    if (sample_.empty() || evaluations - drawn_at_ >= kRedrawEvery) {
        draw(tree, ledger, high, random);
        drawn_at_ = evaluations;
    }
    nodes_.clear();
    for (const Node& node : sample_) {
        if (!ledger.evaluated(node.partial) && !tree.excluded(node.lower, high)) nodes_.push_back(node);
    }
    add_neighbours(tree, ledger, high, random);
    return nodes_.empty() ? tree.pool(high) : nodes_;
}

}  // namespace rooftune
