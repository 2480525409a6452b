#include "models/workload.h"

#include "models/workloads/kinds.h"

namespace rooftune {

const std::vector<const WorkloadKind*>& workload_kinds() {
    static const std::vector<const WorkloadKind*> kinds{
        &plain_workload(),  &elementwise_workload(),    &dot_workload(),
        &matmul_workload(), &batched_matmul_workload(), &stencil_workload(),
        &spmv_workload(),   &lbmhd_workload(),          &chain_workload(),
    };
    return kinds;
}

const WorkloadKind* find_workload(std::string_view name) {
    for (const WorkloadKind* kind : workload_kinds()) {
        if (kind->name() == name) return kind;
    }
    return nullptr;
}

}  // namespace rooftune
