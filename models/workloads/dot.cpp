// Dot product of two vectors of N elements of s bytes: N products and N − 1 additions, 2sN bytes read and
// one element written. In bf16 (2N − 1) / (4N + 2), which tends to 1/2 however long the vectors are.
#include <algorithm>

#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

class DotWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "dot"; }
    std::string_view summary() const override { return "dot product of two vectors"; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({size_key("n", "elements of each vector")});
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        Workload w;
        w.dtype = key.dtype();
        const double n = key.size("n");
        const auto element = static_cast<double>(size_of(w.dtype));
        w.title = "dot product of " + size_text(n) + " elements, " + std::string(to_text(w.dtype));
        w.flops = Operations(std::max(0.0, 2.0 * n - 1.0));
        w.work.traffic.reads = Bytes(2.0 * element * n);
        w.work.traffic.writes = Bytes(element);
        w.footprint = w.work.traffic.reads + w.work.traffic.writes;
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& dot_workload() {
    static const DotWorkload kind;
    return kind;
}

}  // namespace rooftune
