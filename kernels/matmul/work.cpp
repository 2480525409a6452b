#include "kernels/matmul/work.h"

#include <algorithm>
#include <memory>

#include "kernels/matmul/in_core.h"
#include "kernels/matmul/likely.h"
#include "kernels/runtime/isa.h"
#include "models/work_tree.h"

namespace rooftune::matmul {
namespace {

constexpr int kDepth = kKc + 1;  ///< parameters that decide the work

template <typename Q>
void raise(Q& a, Q b) {
    a = std::max(a, b);
}

void raise(InCore& a, const InCore& b) {
    raise(a.ops, b.ops);
    raise(a.fused, b.fused);
    raise(a.instructions, b.instructions);
    raise(a.loads, b.loads);
    raise(a.fmas, b.fmas);
    raise(a.wide_loads, b.wide_loads);
}

void add(InCore& a, const InCore& b) {
    a.ops += b.ops;
    a.fused += b.fused;
    a.instructions += b.instructions;
    a.loads += b.loads;
    a.fmas += b.fmas;
    a.wide_loads += b.wide_loads;
}

/// Bytes that a thread reads of its own rows and columns and no other core can have brought in for it: side
/// by side where rows are cut, a piece of every row where columns are.
double read_alone(const Grid& grid, double size, double rows, double columns, double k, bool reads_c) {
    const double a = grid.columns == 1 ? out_of_reach(size * rows * k) : 0.0;
    const double b = grid.rows == 1 ? k * out_of_reach(size * columns) : 0.0;
    const double c =
        grid.columns == 1 ? out_of_reach(size * rows * columns) : rows * out_of_reach(size * columns);
    return a + b + (reads_c ? c : 0.0);
}

class MatmulWorkModel final : public WorkModel {
public:
    MatmulWorkModel(const MatmulProblem& problem, const Space& space, State state)
        : problem_(problem),
          space_(space),
          state_(state),
          tree_(space_, kDepth, [this](const PartialVariant& v) { return evaluate(v); }) {}

    Work work(const PartialVariant& partial) const override { return tree_.find(partial).work; }
    Traits traits(const PartialVariant& partial) const override { return tree_.find(partial).traits; }

    int work_class(const PartialVariant& partial) const override { return tree_.index_of(partial); }

    void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<Bytes> bytes) const override {
        const Choice choice = decode(space_, variant, problem_);
        for (std::size_t i = 0; i < capacities.size() && i < bytes.size(); ++i)
            raise(bytes[i], Bytes(likely_bytes(problem_, choice, capacities[i].value)));
    }

    std::vector<TrafficPart> traffic_parts(const Variant& variant, const CacheShape& cache) const override {
        return likely_parts(problem_, decode(space_, variant, problem_), cache,
                            work(variant).traffic.sum_beyond(cache.capacity));
    }

private:
    BoundedWork evaluate(const PartialVariant& v) const {
        const Choice choice = decode(space_, v, problem_);
        const auto m = static_cast<double>(problem_.m());
        const auto n = static_cast<double>(problem_.n());
        const auto k = static_cast<double>(problem_.k());
        const auto size = static_cast<double>(size_of(problem_.dtype()));
        const bool reads_c = problem_.beta() != 0.0;

        BoundedWork found;
        Work& work = found.work;
        work.flops_nominal = Operations(problem_.flops_nominal());
        work.traffic.reads = Bytes(size * (m * k + k * n + (reads_c ? m * n : 0.0)));
        work.traffic.writes = Bytes(size * m * n);
        work.traffic.state = state_;
        work.traffic.products = m * n * k;
        work.traffic.results = m * n;
        work.traffic.element_bytes = size;
        // Sums wait in the cores too, of as many threads as any variant may use.
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
                const double reads = choice.threads == 1 ? size * (r * k + k * c) + (reads_c ? results : 0.0)
                                                         : read_alone(grid, size, r, c, k, reads_c);
                if (reads + results > heaviest_bytes) {
                    heaviest_bytes = reads + results;
                    work.heaviest_traffic.reads = Bytes(reads);
                    work.heaviest_traffic.writes = Bytes(results);
                }
            }
        }
        found.traits.dtype = problem_.dtype();
        found.traits.width_bits = choice.naive ? 128 : choice.width_bits;
        found.traits.narrowest_bits = found.traits.width_bits;
        found.traits.threads = choice.threads;
        found.traits.load_bits = found.traits.width_bits;
        work.chain_fused = vectors_have_fma(found.traits.width_bits);
        return found;
    }

    MatmulProblem problem_;
    Space space_;
    State state_;
    WorkTree tree_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(const MatmulProblem& problem, const Space& space, State state) {
    return std::make_unique<MatmulWorkModel>(problem, space, state);
}

}  // namespace rooftune::matmul
