// A program's matrix as the family has it.
#pragma once

#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"
#include "tuner/plans/sparse_matrix.h"

namespace rooftune {

struct ROOFTUNE_HIDDEN SparseMatrix::Inside {
    spmv::Csr csr;
};

}  // namespace rooftune
