// One operation on each element of some arrays. In f32 with one array read and one written, an operation
// moves 8 bytes: intensity 1/8, below the ridge of every machine there is.
#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

class ElementwiseWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "elementwise"; }
    std::string_view summary() const override { return "the same few operations on each element"; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({
            size_key("n", "elements of each array"),
            size_key("reads", "arrays read", "1"),
            size_key("writes", "arrays written, others than those read", "1"),
            size_key("flops", "operations an element", "1"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        Workload w;
        w.dtype = key.dtype();
        const double array = key.size("n") * static_cast<double>(size_of(w.dtype));
        w.title =
            "elementwise on " + size_text(key.size("n")) + " elements, " + std::string(to_text(w.dtype));
        w.flops = Operations(key.size("n") * key.size("flops"));
        w.work.traffic.reads = Bytes(array * key.size("reads"));
        w.work.traffic.writes = Bytes(array * key.size("writes"));
        w.footprint = w.work.traffic.reads + w.work.traffic.writes;
        w.extra = {{TrafficCause::write_allocate, w.work.traffic.writes, "non-temporal stores"}};
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& elementwise_workload() {
    static const ElementwiseWorkload kind;
    return kind;
}

}  // namespace rooftune
