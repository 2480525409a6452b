#include "kernels/stencil/work.h"

#include <algorithm>
#include <array>
#include <vector>

#include "kernels/stencil/in_core.h"
#include "kernels/stencil/likely.h"
#include "kernels/stencil/space.h"

namespace rooftune::stencil {
namespace {

constexpr int kDecisive = kPartition + 1;  ///< parameters that decide the work

template <typename Q>
void lower(Q& a, Q b) {
    a = std::min(a, b);
}

void lower(InCore& a, const InCore& b) {
    lower(a.ops, b.ops);
    lower(a.instructions, b.instructions);
    lower(a.loads, b.loads);
    lower(a.fmas, b.fmas);
}

void lower(TrafficProfile& a, const TrafficProfile& b) {
    lower(a.reads, b.reads);
    lower(a.writes, b.writes);
    lower(a.passes, b.passes);
}

void lower(Work& a, const Work& b) {
    lower(a.total, b.total);
    lower(a.heaviest, b.heaviest);
    lower(a.traffic, b.traffic);
    lower(a.heaviest_traffic, b.heaviest_traffic);
}

/// Work of every prefix of the branching order, the least of its completions in each field.
class StencilWorkModel final : public WorkModel {
public:
    StencilWorkModel(const Grid& grid, const Space& space, State state)
        : grid_(grid), space_(space), state_(state) {
        for (int p = 0; p < kDecisive; ++p) {
            slots_[static_cast<std::size_t>(p)] =
                space.parameters()[static_cast<std::size_t>(p)].values.size() + 1;
        }
        build(PartialVariant());
    }

    Work work(const PartialVariant& partial) const override { return find(partial).work; }

    Traits traits(const PartialVariant& partial) const override {
        Traits traits = find(partial).traits;
        if (partial.fixed(kStreams)) traits.streams = 1 << partial[kStreams];
        return traits;
    }

    void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<Bytes> bytes) const override {
        const Choice choice = decode(space_, variant, grid_);
        for (std::size_t i = 0; i < capacities.size(); ++i)
            bytes[i] = std::max(bytes[i], likely_bytes(grid_, choice, capacities[i]));
    }

private:
    struct Node {
        Work work;
        Traits traits;
        bool any = false;            ///< has a completion
        std::size_t first_slot = 0;  ///< of its children: absent, then one a value
    };

    static constexpr std::int32_t kNoNode = -1;

    const Node& find(const PartialVariant& partial) const {
        const Node* node = &nodes_[0];
        for (int p = 0; p < kDecisive; ++p) {
            if (partial.free_at(p)) break;
            const auto slot = static_cast<std::size_t>(std::max(0, partial[p] + 1));
            const std::int32_t child = children_[node->first_slot + slot];
            if (child == kNoNode) break;
            node = &nodes_[static_cast<std::size_t>(child)];
        }
        return *node;
    }

    // Depth first; returns the node's index, or kNoNode when nothing completes it. The parameters below
    // always leave a completion: each has a value that no constraint refuses.
    std::int32_t build(const PartialVariant& partial) {
        const auto index = nodes_.size();
        nodes_.emplace_back();
        const int p = space_.first_free(partial);
        if (p < 0 || p >= kDecisive) {
            // Absent parameters were decided on the way: a chain of nodes leads over them.
            return leaf(partial, index);
        }
        const std::size_t first_slot = open(index, p);
        std::vector<PartialVariant> below;
        space_.children(partial, below);
        for (const PartialVariant& child : below) {
            const std::int32_t at = build_over(child, p + 1);
            if (at == kNoNode) continue;
            children_[first_slot + static_cast<std::size_t>(std::max(0, child[p] + 1))] = at;
            merge(index, static_cast<std::size_t>(at));
        }
        return nodes_[index].any ? static_cast<std::int32_t>(index) : kNoNode;
    }

    /// The node of `partial` with the parameters from `p` on still to be looked up: those that are
    /// already absent get a node of one child each.
    std::int32_t build_over(const PartialVariant& partial, int p) {
        if (p >= kDecisive || !partial.absent(p)) return build(partial);
        const auto index = nodes_.size();
        nodes_.emplace_back();
        const std::size_t first_slot = open(index, p);
        const std::int32_t at = build_over(partial, p + 1);
        if (at == kNoNode) return kNoNode;
        children_[first_slot] = at;
        merge(index, static_cast<std::size_t>(at));
        return static_cast<std::int32_t>(index);
    }

    std::size_t open(std::size_t index, int p) {
        const std::size_t first_slot = children_.size();
        children_.resize(first_slot + slots_[static_cast<std::size_t>(p)], kNoNode);
        nodes_[index].first_slot = first_slot;
        return first_slot;
    }

    void merge(std::size_t into, std::size_t from) {
        const Node& found = nodes_[from];
        Node& node = nodes_[into];
        if (node.any) {
            lower(node.work, found.work);
            node.traits.width_bits = std::max(node.traits.width_bits, found.traits.width_bits);
            node.traits.threads = std::max(node.traits.threads, found.traits.threads);
        } else {
            node.work = found.work;
            node.traits = found.traits;
            node.any = true;
        }
    }

    std::int32_t leaf(const PartialVariant& v, std::size_t index) {
        const Choice choice = decode(space_, v, grid_);
        const Executed run = executed(grid_, choice);
        const auto element = static_cast<double>(grid_.element());
        const auto volume = static_cast<double>(grid_.volume());
        Node& node = nodes_[index];
        Work& work = node.work;
        work.flops_nominal =
            Operations(flops_a_point(grid_.points) * volume * static_cast<double>(grid_.steps));
        work.total = run.total;
        work.heaviest = run.heaviest;
        const auto passes = static_cast<double>(blocks_in(grid_.steps, choice.depth));
        work.traffic.reads = Bytes(element * (volume + static_cast<double>(halo_elements(grid_))));
        work.traffic.writes = Bytes(element * volume);
        work.heaviest_traffic.reads = work.heaviest_traffic.writes = Bytes(element * run.heaviest_points);
        for (TrafficProfile* profile : {&work.traffic, &work.heaviest_traffic}) {
            profile->passes = passes;
            profile->state = state_;
            profile->element_bytes = element;
        }
        node.traits.dtype = grid_.dtype;
        node.traits.width_bits = choice.width_bits;
        node.traits.threads = choice.cut.threads;
        node.any = true;
        return static_cast<std::int32_t>(index);
    }

    Grid grid_;
    Space space_;
    State state_;
    std::array<std::size_t, kDecisive> slots_{};
    std::vector<Node> nodes_;
    std::vector<std::int32_t> children_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(const Grid& grid, const Space& space, State state) {
    return std::make_unique<StencilWorkModel>(grid, space, state);
}

}  // namespace rooftune::stencil
