#include "kernels/matmul/opencl_work.h"

#include <algorithm>
#include <cmath>

#include "models/roofs.h"

namespace rooftune::matmul {
namespace {

/// Registers and local memory of an accelerator's compute unit: no device known has 1 MiB.
constexpr double kHeldByUnit = 1024.0 * 1024.0;
/// A cache line, the least that a strided walk brings in of each row.
constexpr double kLine = 64.0;

double padded(std::int64_t size, int tile) {
    return static_cast<double>((size + tile - 1) / tile * tile);
}

// The derivation is in opencl.md.
class OpenclWorkModel final : public WorkModel {
public:
    OpenclWorkModel(const MatmulProblem& problem, const Space& space, const Target& target, State state)
        : problem_(problem),
          space_(space),
          units_(std::max(1, target.device.compute_units)),
          held_(units_ * (target.device.is_cpu ? kRegisterBytes : kHeldByUnit)) {
        const auto m = static_cast<double>(problem_.m());
        const auto n = static_cast<double>(problem_.n());
        const auto k = static_cast<double>(problem_.k());
        const auto size = static_cast<double>(size_of(problem_.dtype()));
        least_.flops_nominal = Operations(problem_.flops_nominal());
        TrafficProfile& traffic = least_.traffic;
        traffic.reads = Bytes(size * (m * k + k * n + (problem_.beta() != 0.0 ? m * n : 0.0)));
        traffic.writes = Bytes(size * m * n);
        traffic.state = state;
        traffic.products = m * n * k;
        traffic.results = m * n;
        traffic.element_bytes = size;
        traffic.held = Bytes(held_);
        least_.heaviest_traffic.state = state;
    }

    Work work(const PartialVariant& partial) const override {
        Work work = least_;
        const auto k = static_cast<double>(problem_.k());
        const OpenclChoice choice = decode_opencl(space_, partial, problem_);
        // Parameters that are not fixed count as 1: a tile is a multiple of what is fixed of it, and sizes
        // padded to a multiple are no smaller than those padded to its divisor.
        const OpenclTile& tile = choice.tile;
        const double ops = 2.0 * k * padded(problem_.m(), tile.rows()) * padded(problem_.n(), tile.columns());
        work.total.ops = Operations(ops);
        work.heaviest.ops = Operations(ops / units_);
        if (partial.fixed(kOclGroupColumns)) {
            // A work-group stays on one compute unit, and one of them gets at least the mean number.
            const auto groups =
                static_cast<double>(tile.groups_down(problem_.m()) * tile.groups_across(problem_.n()));
            const double group_ops = 2.0 * k * tile.rows() * tile.columns();
            work.heaviest.ops = Operations(std::ceil(groups / units_) * group_ops);
        }
        return work;
    }

    /// A compiler may widen any vector by putting work items side by side, and an accelerator has no vectors:
    /// of all widths that were probed the fastest bounds. (By 16 lanes, OpenCL's widest, no arithmetic
    /// bounded anything on an H200 as long as probes of so many were missing there.)
    Traits traits(const PartialVariant&) const override {
        Traits traits;
        traits.dtype = problem_.dtype();
        traits.width_bits = kAnyWidth;
        traits.threads = units_;
        return traits;
    }

    void likely_traffic(const Variant& variant, std::span<const Bytes> capacities,
                        std::span<Bytes> bytes) const override {
        const OpenclChoice choice = decode_opencl(space_, variant, problem_);
        for (std::size_t i = 0; i < capacities.size() && i < bytes.size(); ++i)
            bytes[i] = std::max(bytes[i], Bytes(likely_beyond(choice.tile, capacities[i].value)));
    }

    std::vector<TrafficPart> traffic_parts(const Variant& variant, const CacheShape& cache) const override {
        const OpenclChoice choice = decode_opencl(space_, variant, problem_);
        const TrafficProfile& traffic = least_.traffic;
        const double bytes = likely_beyond(choice.tile, cache.capacity.value);
        if (bytes == 0.0) return parts_of({.compulsory = traffic.sum_beyond(cache.capacity).value}, {});
        TrafficAmounts amounts;
        amounts.compulsory = (traffic.reads + traffic.writes).value;
        amounts.capacity = std::max(0.0, bytes - amounts.compulsory);
        return parts_of(amounts, {"", "larger tiles of a work-group, or the other order of groups", ""});
    }

private:
    // Which reuse a cache of this capacity still sees, from the largest to the smallest.
    double likely_beyond(const OpenclTile& tile, double capacity) const {
        const auto m = static_cast<double>(problem_.m());
        const auto n = static_cast<double>(problem_.n());
        const auto k = static_cast<double>(problem_.k());
        const auto size = static_cast<double>(size_of(problem_.dtype()));
        const double a = size * m * k, b = size * k * n, c = size * m * n;
        const double results = c * (problem_.beta() != 0.0 ? 2.0 : 1.0);
        if (a + b + c <= capacity) return 0.0;  // the least traffic says it
        const auto down = static_cast<double>(tile.groups_down(problem_.m()));
        const auto across = static_cast<double>(tile.groups_across(problem_.n()));
        // Groups side by side share a strip of A and pass over all of B; below each other the reverse.
        const double swept = tile.rows_first ? a : b;
        const double kept = tile.rows_first ? b : a;
        const double strip = size * k * units_ * (tile.rows_first ? tile.columns() : tile.rows());
        if (swept + strip <= capacity) return a + b + results;
        if (strip <= capacity) return kept + swept * (tile.rows_first ? across : down) + results;
        // A group's operands pass once through it, as far as its lines stay for the next steps.
        const double lines = units_ * (kLine * tile.rows() + size * kLine / 8.0 * tile.columns());
        if (lines <= capacity || (tile.local_a && tile.local_b)) return a * across + b * down + results;
        return a * across * tile.group_columns + b * down * tile.group_rows + results;
    }

    MatmulProblem problem_;
    Space space_;
    int units_;
    double held_;
    Work least_;
};

}  // namespace

std::unique_ptr<WorkModel> make_opencl_work_model(const MatmulProblem& problem, const Space& space,
                                                  const Target& target, State state) {
    return std::make_unique<OpenclWorkModel>(problem, space, target, state);
}

}  // namespace rooftune::matmul
