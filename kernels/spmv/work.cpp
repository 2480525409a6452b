#include "kernels/spmv/work.h"

#include <algorithm>

#include "kernels/spmv/in_core.h"

namespace rooftune::spmv {
namespace {

constexpr int kDepth = kUnroll + 1;  ///< parameters that decide the work

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

void lower(Work& a, const Work& b) {
    lower(a.total, b.total);
    lower(a.heaviest, b.heaviest);
    lower(a.traffic.reads, b.traffic.reads);
    lower(a.traffic.writes, b.traffic.writes);
    lower(a.heaviest_traffic.reads, b.heaviest_traffic.reads);
    lower(a.heaviest_traffic.writes, b.heaviest_traffic.writes);
    lower(a.chain_steps, b.chain_steps);
}

void permit(Traits& a, const Traits& b) {
    a.width_bits = std::max(a.width_bits, b.width_bits);
    a.threads = std::max(a.threads, b.threads);
    lower(a.gathers, b.gathers);
    lower(a.gather_footprint, b.gather_footprint);
}

void raise(InCore& a, const InCore& b) {
    a.ops = std::max(a.ops, b.ops);
    a.instructions = std::max(a.instructions, b.instructions);
    a.loads = std::max(a.loads, b.loads);
    a.fmas = std::max(a.fmas, b.fmas);
}

Bytes bytes(std::int64_t n) {
    return Bytes(static_cast<double>(n));
}

class SpmvWorkModel final : public WorkModel {
public:
    SpmvWorkModel(std::shared_ptr<const Analysis> analysis, const Space& space, State state)
        : analysis_(std::move(analysis)), space_(&space), state_(state) {
        for (int p = 0; p < kDepth; ++p) {
            slots_[static_cast<std::size_t>(p)] =
                space.parameters()[static_cast<std::size_t>(p)].values.size() + 1;
        }
        build(PartialVariant());
        space_ = nullptr;
    }

    Work work(const PartialVariant& partial) const override { return find(partial).work; }

    Traits traits(const PartialVariant& partial) const override {
        Traits traits = find(partial).traits;
        if (partial.fixed(kStreams)) traits.streams = 1 << partial[kStreams];
        return traits;
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
        for (int p = 0; p < kDepth; ++p) {
            if (partial.free_at(p)) break;
            const auto slot = static_cast<std::size_t>(std::max(0, partial[p] + 1));
            const std::int32_t child = children_[node->first_slot + slot];
            if (child == kNoNode) break;
            node = &nodes_[static_cast<std::size_t>(child)];
        }
        return *node;
    }

    // Depth first; returns the node's index, or kNoNode when nothing completes it.
    std::int32_t build(const PartialVariant& partial) {
        const auto index = nodes_.size();
        nodes_.emplace_back();
        const int p = space_->first_free(partial);
        if (p < 0 || p >= kDepth) {
            evaluate(partial, nodes_[index]);
            return static_cast<std::int32_t>(index);
        }
        const std::size_t first_slot = children_.size();
        children_.resize(first_slot + slots_[static_cast<std::size_t>(p)], kNoNode);
        nodes_[index].first_slot = first_slot;
        std::vector<PartialVariant> below;
        space_->children(partial, below);
        for (const PartialVariant& child : below) {
            const std::int32_t at = build(child);
            if (at == kNoNode) continue;
            children_[first_slot + static_cast<std::size_t>(std::max(0, child[p] + 1))] = at;
            const Node& found = nodes_[static_cast<std::size_t>(at)];
            Node& node = nodes_[index];
            if (node.any) {
                lower(node.work, found.work);
                permit(node.traits, found.traits);
            } else {
                node.work = found.work;
                node.traits = found.traits;
                node.any = true;
            }
        }
        return nodes_[index].any ? static_cast<std::int32_t>(index) : kNoNode;
    }

    void evaluate(const PartialVariant& v, Node& node) const {
        const Analysis& a = *analysis_;
        const FormatSummary& summary = *summary_of(a, v);
        const Choice choice = decode(*space_, v, a.dtype);
        const Code code{choice.lanes, choice.unroll};
        const auto size = static_cast<std::int64_t>(size_of(a.dtype));

        Work& work = node.work;
        work.flops_nominal = Operations(2.0 * static_cast<double>(a.stored));
        work.total = in_core(summary, summary.all, code);
        work.chain_steps = Operations(chain_steps(summary, code));
        work.traffic = {bytes(summary.bytes.total() + summary.x_elements * size), bytes(a.rows * size), 1.0,
                        state_};
        work.heaviest_traffic.state = state_;
        for (const ThreadShare& share :
             summary.split(static_cast<std::size_t>(v[kThreads]), choice.partition).threads) {
            raise(work.heaviest, in_core(summary, share, code));
            const Bytes reads = bytes(share_bytes(summary, share, a.dtype));
            const Bytes writes = bytes(share.rows * size);
            // One thread's own pair, so that their sum is one that a thread really moves.
            if (reads + writes > work.heaviest_traffic.reads + work.heaviest_traffic.writes) {
                work.heaviest_traffic.reads = reads;
                work.heaviest_traffic.writes = writes;
            }
        }
        node.traits.dtype = a.dtype;
        node.traits.width_bits = choice.width_bits;
        node.traits.threads = choice.threads;
        node.traits.gathers = Operations(static_cast<double>(summary.steps * summary.key.step_indices()));
        node.traits.gather_footprint = bytes(summary.x_elements * size);
        node.any = true;
    }

    std::shared_ptr<const Analysis> analysis_;
    const Space* space_;
    State state_;
    std::array<std::size_t, kDepth> slots_{};
    std::vector<Node> nodes_;
    std::vector<std::int32_t> children_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(std::shared_ptr<const Analysis> analysis, const Space& space,
                                           State state) {
    return std::make_unique<SpmvWorkModel>(std::move(analysis), space, state);
}

}  // namespace rooftune::spmv
