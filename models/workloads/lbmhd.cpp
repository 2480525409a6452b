// Lattice Boltzmann magnetohydrodynamics in three dimensions (Williams, Carter, Oliker, Shalf, Yelick,
// IPDPS 2008; the kernel of the first roofline study): a point has 27 momentum components and 15 magnetic
// ones of 3 elements each. About 1300 flops a point, 73 elements read and 79 written: in f64 1216 bytes, and
// 632 more where the lines that are written are fetched first. Intensity 1.07, or 0.70 with write-allocate.
#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

constexpr double kFlops = 1300.0;
constexpr double kReads = 73.0;
constexpr double kWrites = 79.0;

class LbmhdWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "lbmhd"; }
    std::string_view summary() const override { return "lattice Boltzmann magnetohydrodynamics, one step"; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({size_key("points", "points of the lattice", "16777216")});
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        Workload w;
        w.dtype = key.dtype();
        const double points = key.size("points");
        const auto element = static_cast<double>(size_of(w.dtype));
        w.title = "LBMHD on " + size_text(points) + " points, " + std::string(to_text(w.dtype));
        w.flops = Operations(kFlops * points);
        w.work.traffic.reads = Bytes(kReads * element * points);
        w.work.traffic.writes = Bytes(kWrites * element * points);
        // Two lattices: what is read is kept until the step is done.
        w.footprint = Bytes(2.0 * kWrites * element * points);
        w.extra = {{TrafficCause::write_allocate, w.work.traffic.writes, "non-temporal stores"}};
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& lbmhd_workload() {
    static const LbmhdWorkload kind;
    return kind;
}

}  // namespace rooftune
