#include "kernels/matmul/work.h"

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "kernels/matmul/in_core.h"
#include "kernels/matmul/likely.h"

namespace rooftune::matmul {
namespace {

constexpr int kDepth = kKc + 1;  ///< parameters that decide the work

/// What a thread's registers can hold besides the caches: 32 vectors of 64 bytes, and room to spare.
constexpr double kRegisterBytes = 4096.0;

template <typename Q>
void lower(Q& a, Q b) {
    a = std::min(a, b);
}

template <typename Q>
void raise(Q& a, Q b) {
    a = std::max(a, b);
}

void lower(InCore& a, const InCore& b) {
    lower(a.ops, b.ops);
    lower(a.instructions, b.instructions);
    lower(a.loads, b.loads);
    lower(a.fmas, b.fmas);
}

void raise(InCore& a, const InCore& b) {
    raise(a.ops, b.ops);
    raise(a.instructions, b.instructions);
    raise(a.loads, b.loads);
    raise(a.fmas, b.fmas);
}

void add(InCore& a, const InCore& b) {
    a.ops += b.ops;
    a.instructions += b.instructions;
    a.loads += b.loads;
    a.fmas += b.fmas;
}

/// Chains: seconds grow with each of the three, so the least of each is the least of all.
void lower(Work& a, const Work& b) {
    lower(a.total, b.total);
    lower(a.heaviest, b.heaviest);
    raise(a.traffic.held, b.traffic.held);  // more room makes the product's term smaller
    lower(a.heaviest_traffic.reads, b.heaviest_traffic.reads);
    lower(a.heaviest_traffic.writes, b.heaviest_traffic.writes);
    lower(a.chain_steps, b.chain_steps);
    lower(a.chain_repeats, b.chain_repeats);
    lower(a.chain_instructions, b.chain_instructions);
}

class MatmulWorkModel final : public WorkModel {
public:
    MatmulWorkModel(const MatmulProblem& problem, const Space& space, State state)
        : problem_(problem), space_(space), state_(state) {
        for (int p = 0; p < kDepth; ++p)
            slots_[static_cast<std::size_t>(p)] =
                space_.parameters()[static_cast<std::size_t>(p)].values.size() + 1;
        build(PartialVariant());
    }

    Work work(const PartialVariant& partial) const override { return find(partial).work; }
    Traits traits(const PartialVariant& partial) const override { return find(partial).traits; }

    void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<Bytes> bytes) const override {
        const Choice choice = decode(space_, variant, problem_);
        for (std::size_t i = 0; i < capacities.size() && i < bytes.size(); ++i)
            raise(bytes[i], Bytes(likely_bytes(problem_, choice, capacities[i].value)));
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
        for (int p = 0; p < kDepth && !partial.free_at(p); ++p) {
            const auto slot = static_cast<std::size_t>(std::max(0, partial[p] + 1));
            const std::int32_t child = children_[node->first_slot + slot];
            if (child == kNoNode) break;
            node = &nodes_[static_cast<std::size_t>(child)];
        }
        return *node;
    }

    /// Depth first; returns the node's index, or kNoNode when nothing completes it.
    std::int32_t build(const PartialVariant& partial) {
        const auto index = nodes_.size();
        nodes_.emplace_back();
        const int p = space_.first_free(partial);
        if (p < 0 || p >= kDepth) {
            evaluate(partial, nodes_[index]);
            return static_cast<std::int32_t>(index);
        }
        const std::size_t first_slot = children_.size();
        children_.resize(first_slot + slots_[static_cast<std::size_t>(p)], kNoNode);
        nodes_[index].first_slot = first_slot;
        std::vector<PartialVariant> below;
        space_.children(partial, below);
        for (const PartialVariant& child : below) {
            const std::int32_t at = build(child);
            if (at == kNoNode) continue;
            children_[first_slot + static_cast<std::size_t>(std::max(0, child[p] + 1))] = at;
            const Node& found = nodes_[static_cast<std::size_t>(at)];
            Node& node = nodes_[index];
            if (node.any) {
                lower(node.work, found.work);
                raise(node.traits.width_bits, found.traits.width_bits);
                raise(node.traits.threads, found.traits.threads);
            } else {
                node.work = found.work;
                node.traits = found.traits;
                node.any = true;
            }
        }
        return nodes_[index].any ? static_cast<std::int32_t>(index) : kNoNode;
    }

    void evaluate(const PartialVariant& v, Node& node) const {
        const Choice choice = decode(space_, v, problem_);
        const auto m = static_cast<double>(problem_.m());
        const auto n = static_cast<double>(problem_.n());
        const auto k = static_cast<double>(problem_.k());
        const auto size = static_cast<double>(size_of(problem_.dtype()));
        const bool reads_c = problem_.beta() != 0.0;

        Work& work = node.work;
        work.flops_nominal = Operations(problem_.flops_nominal());
        work.traffic.reads = Bytes(size * (m * k + k * n + (reads_c ? m * n : 0.0)));
        work.traffic.writes = Bytes(size * m * n);
        work.traffic.state = state_;
        work.traffic.products = m * n * k;
        work.traffic.results = m * n;
        work.traffic.element_bytes = size;
        // Sums wait in registers too, of as many threads as any variant may use.
        const ParameterValue& threads = space_.parameters()[kThreads].values.back();
        work.traffic.held = Bytes(kRegisterBytes * static_cast<double>(threads.number));
        work.heaviest_traffic.state = state_;
        work.chain_repeats = 0.0;

        const Grid grid = choice.naive ? Grid{choice.threads, 1} : choice.grid;
        const std::int64_t strips = choice.naive ? 1 : choice.nr;
        double heaviest_bytes = -1.0;
        for (int column = 0; column < grid.columns; ++column) {
            for (int row = 0; row < grid.rows; ++row) {
                const std::int64_t rows = rows_of(problem_.m(), grid, row).size();
                const std::int64_t columns = columns_of(problem_.n(), strips, grid, column).size();
                if (rows == 0 || columns <= 0) continue;
                const ThreadWork thread =
                    choice.naive ? naive_work(problem_, rows) : tiled_work(problem_, choice, rows, columns);
                add(work.total, thread.in_core);
                raise(work.heaviest, thread.in_core);
                if (!choice.naive && thread.chain_repeats > work.chain_repeats) {
                    const Chain chain = chain_of(problem_, choice, rows);
                    work.chain_repeats = thread.chain_repeats;
                    work.chain_steps = Operations(chain.steps);
                    work.chain_instructions = Operations(chain.instructions);
                }
                // Only what no other thread could have brought in for it.
                const auto r = static_cast<double>(rows);
                const auto c = static_cast<double>(columns);
                const double results = size * r * c;
                const double reads = (grid.columns == 1 ? size * r * k : 0.0) +
                                     (grid.rows == 1 ? size * k * c : 0.0) + (reads_c ? results : 0.0);
                if (reads + results > heaviest_bytes) {
                    heaviest_bytes = reads + results;
                    work.heaviest_traffic.reads = Bytes(reads);
                    work.heaviest_traffic.writes = Bytes(results);
                }
            }
        }
        node.traits.dtype = problem_.dtype();
        node.traits.width_bits = choice.naive ? 128 : choice.width_bits;
        node.traits.threads = choice.threads;
        node.any = true;
    }

    MatmulProblem problem_;
    Space space_;
    State state_;
    std::array<std::size_t, kDepth> slots_{};
    std::vector<Node> nodes_;
    std::vector<std::int32_t> children_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(const MatmulProblem& problem, const Space& space, State state) {
    return std::make_unique<MatmulWorkModel>(problem, space, state);
}

}  // namespace rooftune::matmul
