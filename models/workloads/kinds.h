// The kinds of workload, one a file. models/workload.cpp lists them.
#pragma once

#include "models/workload.h"

namespace rooftune {

const WorkloadKind& plain_workload();
const WorkloadKind& elementwise_workload();
const WorkloadKind& dot_workload();
const WorkloadKind& matmul_workload();
const WorkloadKind& batched_matmul_workload();
const WorkloadKind& stencil_workload();
const WorkloadKind& spmv_workload();
const WorkloadKind& lbmhd_workload();
const WorkloadKind& chain_workload();

}  // namespace rooftune
