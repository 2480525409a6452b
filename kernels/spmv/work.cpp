#include "kernels/spmv/work.h"

#include <algorithm>

#include "kernels/spmv/in_core.h"
#include "models/work_tree.h"

namespace rooftune::spmv {
namespace {

constexpr int kDepth = kUnroll + 1;  ///< parameters that decide the work

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
        : analysis_(std::move(analysis)),
          state_(state),
          tree_(space, kDepth, [&](const PartialVariant& v) { return evaluate(space, v); }) {}

    Work work(const PartialVariant& partial) const override { return tree_.find(partial).work; }

    Traits traits(const PartialVariant& partial) const override {
        Traits traits = tree_.find(partial).traits;
        if (partial.fixed(kStreams)) traits.streams = 1 << partial[kStreams];
        return traits;
    }

private:
    BoundedWork evaluate(const Space& space, const PartialVariant& v) const {
        const Analysis& a = *analysis_;
        const FormatSummary& summary = *summary_of(a, v);
        const Choice choice = decode(space, v, a.dtype);
        const Code code{choice.lanes, choice.unroll};
        const auto size = static_cast<std::int64_t>(size_of(a.dtype));

        BoundedWork found;
        Work& work = found.work;
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
        found.traits.dtype = a.dtype;
        found.traits.width_bits = choice.width_bits;
        found.traits.threads = choice.threads;
        found.traits.gathers = Operations(static_cast<double>(summary.steps * summary.key.step_indices()));
        found.traits.gather_footprint = bytes(summary.x_elements * size);
        return found;
    }

    std::shared_ptr<const Analysis> analysis_;
    State state_;
    WorkTree tree_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(std::shared_ptr<const Analysis> analysis, const Space& space,
                                           State state) {
    return std::make_unique<SpmvWorkModel>(std::move(analysis), space, state);
}

}  // namespace rooftune::spmv
