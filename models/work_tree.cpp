#include "models/work_tree.h"

#include <algorithm>

namespace rooftune {
namespace {

template <typename Q>
void lower(Q& a, const Q& b) {
    a = std::min(a, b);
}

template <typename Q>
void raise(Q& a, const Q& b) {
    a = std::max(a, b);
}

void lower(InCore& a, const InCore& b) {
    lower(a.ops, b.ops);
    lower(a.fused, b.fused);
    lower(a.added, b.added);
    lower(a.instructions, b.instructions);
    lower(a.loads, b.loads);
    lower(a.fmas, b.fmas);
    lower(a.wide_loads, b.wide_loads);
    lower(a.split_loads, b.split_loads);
    lower(a.gathered, b.gathered);
}

void lower(TrafficProfile& a, const TrafficProfile& b) {
    lower(a.reads, b.reads);
    lower(a.writes, b.writes);
    lower(a.passes, b.passes);
    a.apart = a.apart && b.apart;
    lower(a.products, b.products);
    raise(a.results, b.results);
    raise(a.held, b.held);
    if (a.declared != b.declared) a.declared = nullptr;
}

}  // namespace

void permit(BoundedWork& into, const BoundedWork& other) {
    Work& a = into.work;
    const Work& b = other.work;
    lower(a.total, b.total);
    lower(a.heaviest, b.heaviest);
    lower(a.traffic, b.traffic);
    lower(a.heaviest_traffic, b.heaviest_traffic);
    // Seconds of chains grow with each of the three, so the least of each is the least of all.
    lower(a.chain_steps, b.chain_steps);
    lower(a.chain_repeats, b.chain_repeats);
    lower(a.chain_instructions, b.chain_instructions);
    a.chain_fused = a.chain_fused && b.chain_fused;
    lower(into.traits.narrowest_bits, other.traits.narrowest_bits);
    raise(into.traits.width_bits, other.traits.width_bits);
    raise(into.traits.threads, other.traits.threads);
    // Wide vectors are loaded no faster than narrow ones.
    lower(into.traits.load_bits, other.traits.load_bits);
    lower(into.traits.gathers, other.traits.gathers);
    lower(into.traits.gather_footprint, other.traits.gather_footprint);
}

WorkTree::WorkTree(const Space& space, int depth,
                   const std::function<BoundedWork(const PartialVariant&)>& leaf)
    : depth_(depth) {
    build(space, PartialVariant(), leaf);
}

int WorkTree::index_of(const PartialVariant& partial) const {
    std::int32_t node = 0;
    for (int p = 0; p < depth_ && !partial.free_at(p); ++p) {
        const std::int32_t slot = first_slot_[static_cast<std::size_t>(node)] + std::max(0, partial[p] + 1);
        const std::int32_t child = children_[static_cast<std::size_t>(slot)];
        if (child == kNoNode) break;
        node = child;
    }
    return node;
}

// Depth first; returns the node's index, or kNoNode when nothing completes it. Each level decides one
// parameter: one that does not exist has a single child, in which it is absent.
std::int32_t WorkTree::build(const Space& space, const PartialVariant& partial,
                             const std::function<BoundedWork(const PartialVariant&)>& leaf) {
    const std::size_t index = nodes_.size();
    nodes_.emplace_back();
    first_slot_.push_back(0);
    const int p = space.first_free(partial);
    if (p < 0 || p >= depth_) {
        nodes_[index].least = leaf(partial);
        nodes_[index].any = true;
        return static_cast<std::int32_t>(index);
    }
    const std::size_t first_slot = children_.size();
    const std::size_t values = space.parameters()[static_cast<std::size_t>(p)].values.size();
    children_.resize(first_slot + values + 1, kNoNode);
    first_slot_[index] = static_cast<std::int32_t>(first_slot);
    std::vector<PartialVariant> below;
    space.children(partial, below);
    for (const PartialVariant& child : below) {
        const std::int32_t at = build(space, child, leaf);
        if (at == kNoNode) continue;
        children_[first_slot + static_cast<std::size_t>(std::max(0, child[p] + 1))] = at;
        const Node& found = nodes_[static_cast<std::size_t>(at)];
        Node& node = nodes_[index];
        if (node.any) {
            permit(node.least, found.least);
        } else {
            node.least = found.least;
            node.any = true;
        }
    }
    return nodes_[index].any ? static_cast<std::int32_t>(index) : kNoNode;
}

}  // namespace rooftune
