#include "kernels/stencil/work.h"

#include <algorithm>

#include "kernels/stencil/in_core.h"
#include "kernels/stencil/likely.h"
#include "kernels/stencil/space.h"
#include "models/work_tree.h"

namespace rooftune::stencil {
namespace {

constexpr int kDecisive = kPartition + 1;  ///< parameters that decide the work

/// Work of every prefix of the branching order, the least of its completions in each field.
class StencilWorkModel final : public WorkModel {
public:
    StencilWorkModel(const Grid& grid, const Space& space, State state)
        : grid_(grid),
          space_(space),
          state_(state),
          tree_(space_, kDecisive, [this](const PartialVariant& v) { return evaluate(v); }) {}

    Work work(const PartialVariant& partial) const override { return tree_.find(partial).work; }

    Traits traits(const PartialVariant& partial) const override {
        Traits traits = tree_.find(partial).traits;
        if (partial.fixed(kStreams)) traits.streams = 1 << partial[kStreams];
        return traits;
    }

    int work_class(const PartialVariant& partial) const override { return tree_.index_of(partial); }

    void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<Bytes> bytes) const override {
        const LikelyTraffic likely(grid_, decode(space_, variant, grid_));
        for (std::size_t i = 0; i < capacities.size(); ++i)
            bytes[i] = std::max(bytes[i], Bytes(likely.beyond({capacities[i], Bytes(64.0), 0}).total()));
    }

    std::vector<TrafficPart> traffic_parts(const Variant& variant, const CacheShape& cache) const override {
        return likely_parts(grid_, decode(space_, variant, grid_), cache,
                            work(variant).traffic.sum_beyond(cache.capacity));
    }

private:
    BoundedWork evaluate(const PartialVariant& v) const {
        const Choice choice = decode(space_, v, grid_);
        const Executed run = executed(grid_, choice);
        const auto element = static_cast<double>(grid_.element());
        const auto volume = static_cast<double>(grid_.volume());
        BoundedWork found;
        Work& work = found.work;
        work.flops_nominal =
            Operations(flops_a_point(grid_.points) * volume * static_cast<double>(grid_.steps));
        work.total = run.total;
        work.heaviest = run.heaviest;
        const auto passes = static_cast<double>(blocks_in(grid_.steps, choice.depth));
        work.traffic.reads = Bytes(element * (volume + static_cast<double>(halo_elements(grid_))));
        work.traffic.writes = Bytes(element * volume);
        work.heaviest_traffic.reads = Bytes(element * run.heaviest_alone);
        work.heaviest_traffic.writes = Bytes(element * run.heaviest_points);
        for (TrafficProfile* profile : {&work.traffic, &work.heaviest_traffic}) {
            profile->passes = passes;
            profile->state = state_;
            profile->element_bytes = element;
            profile->apart = true;  // from one grid to the other
        }
        found.traits.dtype = grid_.dtype;
        found.traits.width_bits = found.traits.narrowest_bits = choice.width_bits;
        found.traits.threads = choice.cut.threads;
        found.traits.load_bits = choice.width_bits;
        return found;
    }

    Grid grid_;
    Space space_;
    State state_;
    WorkTree tree_;
};

}  // namespace

std::unique_ptr<WorkModel> make_work_model(const Grid& grid, const Space& space, State state) {
    return std::make_unique<StencilWorkModel>(grid, space, state);
}

}  // namespace rooftune::stencil
