// Other people's sparse products.
#pragma once

#include <vector>

#include "kernels/contract/family.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

/// `csr`: the loop that most programs have, rows shared out by OpenMP, -O3 -march=native.
std::vector<Arm> plain_csr_arms(const ProblemSpec& spec);
/// `mkl`: Intel's inspector and executor, told of 100 000 calls and free to make any format of its own; none
/// where MKL was not fetched, with a notice.
std::vector<Arm> mkl_arms(const ProblemSpec& spec);
/// `eigen`: a row-major SparseMatrix times a vector, with OpenMP.
std::vector<Arm> eigen_arms(const ProblemSpec& spec);
/// `librsb`: recursive blocks, tuned by itself for the number of threads.
std::vector<Arm> rsb_arms(const ProblemSpec& spec);

}  // namespace rooftune::peers
