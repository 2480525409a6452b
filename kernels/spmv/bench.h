// SpMV in the process that holds the matrix: converts, places, runs, checks.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "kernels/sparse/csr.h"
#include "kernels/spmv/space.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// The matrix, the space and the target's widths must outlive the bench. Keeps the last few
/// converted matrices, so that variants that differ only in run-time knobs share one.
std::unique_ptr<Bench> make_bench(const CsrView& matrix, DType dtype, const Space& space,
                                  const Target& target);

}  // namespace rooftune::spmv
