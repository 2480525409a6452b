// Products of each row of a batch with a matrix of its own: [B,D]·[B,D,F] → [B,F]. 2BDF flops, but no matrix
// is used twice: BD + BDF + BF elements moved. In int8 the intensity stays below 2: always memory bound.
#include "models/workloads/keys.h"
#include "models/workloads/kinds.h"

namespace rooftune {
namespace {

class BatchedMatmulWorkload final : public WorkloadKind {
public:
    std::string_view name() const override { return "batched_matmul"; }
    std::string_view summary() const override { return "[B,D]·[B,D,F]: each row by a matrix of its own"; }

    std::vector<WorkloadKey> keys() const override {
        return with_common_keys({
            size_key("b", "rows of the batch, each with its own matrix"),
            size_key("d", "elements of a row"),
            size_key("f", "columns of each matrix"),
        });
    }

    Workload make(const WorkloadSpec& spec) const override {
        const WorkloadReader key(spec, keys());
        Workload w;
        w.dtype = key.dtype();
        const double b = key.size("b");
        const double d = key.size("d");
        const double f = key.size("f");
        const auto element = static_cast<double>(size_of(w.dtype));
        w.title = "batched matmul, " + size_text(b) + " rows of " + size_text(d) + " by " + size_text(d) +
                  " × " + size_text(f) + ", " + std::string(to_text(w.dtype));
        w.flops = Operations(2.0 * b * d * f);
        w.work.traffic.reads = Bytes(element * (b * d + b * d * f));
        w.work.traffic.writes = Bytes(element * b * f);
        w.footprint = w.work.traffic.reads + w.work.traffic.writes;
        key.finish(w);
        return w;
    }
};

}  // namespace

const WorkloadKind& batched_matmul_workload() {
    static const BatchedMatmulWorkload kind;
    return kind;
}

}  // namespace rooftune
