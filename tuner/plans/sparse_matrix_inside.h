// A program's matrix as the family has it.
#pragma once

#include "kernels/spmv/csr.h"
#include "tuner/plans/sparse_matrix.h"

namespace rooftune {

struct SparseMatrix::Inside {
    spmv::Csr csr;
};

}  // namespace rooftune
