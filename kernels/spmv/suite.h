// Look-alikes of the fourteen matrices that sparse products are compared on (Williams, Oliker, Vuduc, Shalf,
// Yelick and Demmel 2007): rows, columns and stored entries of each, and a pattern like its own, from a seed
// alone, so that nobody needs to fetch them.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

struct SuiteMatrix {
    std::string name;  ///< "cant"
    std::int64_t rows, cols, stored;
    bool symmetric;  ///< in pattern and values
};

std::span<const SuiteMatrix> suite();

/// The look-alike of one of them. A function of the seed: the number of threads that build it does not change
/// it.
Csr suite_matrix(const SuiteMatrix& which, std::uint64_t seed);

}  // namespace rooftune::spmv
