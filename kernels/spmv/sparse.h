// What a sparse matrix is, under the family's own names.
#pragma once

#include "kernels/sparse/csr.h"
#include "kernels/sparse/hash.h"
#include "kernels/sparse/limits.h"

namespace rooftune::spmv {

using namespace sparse;

}  // namespace rooftune::spmv
