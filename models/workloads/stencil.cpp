// Jacobi sweeps over a grid in three dimensions. 7 points: heat equation, 6 additions and 2 products; 27
// points: 26 additions and 4 products (a coefficient for centre, faces, edges and corners). Each pass over
// the grid reads every point once and writes it once: 16 bytes in f64, intensity 0.5, or 24 and 1/3 where the
// lines that are written are fetched first. With `fuse` steps a pass there are ⌈steps/fuse⌉ passes.
#include <algorithm>
#include <cmath>

#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

class StencilWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "stencil"; }
    std::string_view summary() const override { return "Jacobi sweeps in three dimensions"; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({
            choice_key("points", "points of the stencil: 7 or 27", "7"),
            size_key("nx", "points along x"),
            size_key("ny", "points along y", "nx"),
            size_key("nz", "points along z", "ny"),
            size_key("steps", "time steps", "1"),
            size_key("fuse", "time steps done in one pass over the grid", "1"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        Workload w;
        w.dtype = key.dtype();
        const std::string points = key.choice("points", {"7", "27"});
        const double flops = points == "7" ? 8.0 : 30.0;
        const double cells = key.size("nx") * key.size("ny") * key.size("nz");
        const double steps = key.size("steps");
        const double passes = std::max(1.0, std::ceil(steps / key.size_from("fuse", 1.0)));
        const Bytes grid(cells * static_cast<double>(size_of(w.dtype)));
        w.title = points + "-point stencil on " + size_text(key.size("nx")) + " × " +
                  size_text(key.size("ny")) + " × " + size_text(key.size("nz")) + ", " +
                  std::string(to_text(w.dtype));
        if (steps != 1.0) w.title += ", " + size_text(steps) + " steps";
        w.flops = Operations(flops * cells * steps);
        w.work.traffic.reads = grid;
        w.work.traffic.writes = grid;
        w.work.traffic.passes = passes;
        w.footprint = grid * 2.0;
        w.extra = {{TrafficCause::write_allocate, grid * passes, "non-temporal stores"}};
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& stencil_workload() {
    static const StencilWorkload kind;
    return kind;
}

}  // namespace rooftune
