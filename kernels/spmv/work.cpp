#include "kernels/spmv/work.h"

#include <algorithm>

#include "kernels/runtime/isa.h"
#include "kernels/spmv/in_core.h"
#include "kernels/spmv/likely.h"
#include "models/work_tree.h"

namespace rooftune::spmv {
namespace {

constexpr int kDepth = kUnroll + 1;  ///< parameters that decide the work

void raise(InCore& a, const InCore& b) {
    a.ops = std::max(a.ops, b.ops);
    a.instructions = std::max(a.instructions, b.instructions);
    a.loads = std::max(a.loads, b.loads);
    a.fmas = std::max(a.fmas, b.fmas);
    a.wide_loads = std::max(a.wide_loads, b.wide_loads);
    a.gathered = std::max(a.gathered, b.gathered);
}

Bytes bytes(std::int64_t n) {
    return Bytes(static_cast<double>(n));
}

/// Of a thread's own bytes of the matrix, what no other core can have brought in for it: the share of each of
/// up to six arrays lies next to others' (values and indices are most of it), which the processor's
/// prefetchers reach beyond, and the variants' own up to their largest distance.
Bytes read_alone(std::int64_t own, double reach) {
    constexpr double kArrays = 6.0;
    return Bytes(std::max(0.0, static_cast<double>(own) - kArrays * 2.0 * reach));
}

class SpmvWorkModel final : public WorkModel {
public:
    SpmvWorkModel(std::shared_ptr<const Analysis> analysis, const Space& space, bool gathers, State state)
        : analysis_(std::move(analysis)),
          space_(space),
          state_(state),
          reach_(std::max(kPrefetchReach, static_cast<double>(prefetch_distances(*analysis_).back()))),
          gathers_(gathers),
          tree_(space_, kDepth, [this](const PartialVariant& v) { return evaluate(space_, v); }) {}

    Work work(const PartialVariant& partial) const override { return tree_.find(partial).work; }

    Traits traits(const PartialVariant& partial) const override {
        Traits traits = tree_.find(partial).traits;
        if (partial.fixed(kStreams)) traits.streams = 1 << partial[kStreams];
        return traits;
    }

    int work_class(const PartialVariant& partial) const override { return tree_.index_of(partial); }

    void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<Bytes> bytes) const override {
        const FormatSummary& format = *summary_of(*analysis_, variant);
        const Choice choice = decode(space_, variant, analysis_->dtype);
        for (std::size_t i = 0; i < capacities.size() && i < bytes.size(); ++i) {
            const TrafficAmounts likely = likely_amounts(*analysis_, format, choice, {capacities[i]});
            bytes[i] = std::max(bytes[i], Bytes(likely.total()));
        }
    }

    void likely_gathers(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<double> count) const override {
        const FormatSummary& format = *summary_of(*analysis_, variant);
        for (std::size_t i = 0; i < capacities.size() && i < count.size(); ++i)
            count[i] = gathers_again(*analysis_, format, capacities[i]);
    }

    std::vector<TrafficPart> traffic_parts(const Variant& variant, const CacheShape& cache) const override {
        const Choice choice = decode(space_, variant, analysis_->dtype);
        return likely_parts(*analysis_, *summary_of(*analysis_, variant), choice, cache,
                            work(variant).traffic.sum_beyond(cache.capacity));
    }

private:
    BoundedWork evaluate(const Space& space, const PartialVariant& v) const {
        const Analysis& a = *analysis_;
        const FormatSummary& summary = *summary_of(a, v);
        const Choice choice = decode(space, v, a.dtype);
        const Code code{choice.lanes, choice.unroll, gathers_};
        const auto size = static_cast<std::int64_t>(size_of(a.dtype));

        BoundedWork found;
        Work& work = found.work;
        work.flops_nominal = Operations(2.0 * static_cast<double>(a.stored));
        const Split& split = summary.split(static_cast<std::size_t>(v[kThreads]), choice.partition);
        // A row that threads share is walked by each of them: more segments, and more vectors that are not
        // whole.
        ThreadShare all = summary.all;
        for (const ThreadShare& share : split.threads) all.continued += share.continued;
        work.total = in_core(summary, all, code);
        work.chain_steps = Operations(chain_steps(summary.key, split.longest, code));
        work.chain_fused = vectors_have_fma(choice.width_bits);
        work.traffic = {bytes(summary.bytes.total() + summary.x_elements * size), bytes(a.rows * size), 1.0,
                        state_};
        work.traffic.apart = true;  // y is only written
        work.heaviest_traffic.state = state_;
        for (const ThreadShare& share : split.threads) {
            raise(work.heaviest, in_core(summary, share, code));
            const std::int64_t own = share_bytes(summary, share, a.dtype);
            const Bytes reads = choice.threads == 1 ? bytes(own) : read_alone(own, reach_);
            // The last row of a thread may be one that others add to.
            const std::int64_t shared = choice.partition == Partition::split ? 1 : 0;
            const Bytes writes = bytes(std::max<std::int64_t>(0, share.rows - shared) * size);
            // One thread's own pair, so that their sum is one that a thread really moves.
            if (reads + writes > work.heaviest_traffic.reads + work.heaviest_traffic.writes) {
                work.heaviest_traffic.reads = reads;
                work.heaviest_traffic.writes = writes;
            }
        }
        found.traits.dtype = a.dtype;
        found.traits.width_bits = found.traits.narrowest_bits = choice.width_bits;
        found.traits.threads = choice.threads;
        found.traits.load_bits = load_bits(summary, code, a.dtype);
        found.traits.gathers = Operations(static_cast<double>(summary.steps * summary.key.step_indices()));
        found.traits.gather_footprint = bytes(summary.x_elements * size);
        return found;
    }

    std::shared_ptr<const Analysis> analysis_;
    Space space_;
    State state_;
    double reach_;
    bool gathers_;
    WorkTree tree_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(std::shared_ptr<const Analysis> analysis, const Space& space,
                                           const Target& target, State state) {
    return std::make_unique<SpmvWorkModel>(std::move(analysis), space, kernels_gather(target), state);
}

}  // namespace rooftune::spmv
