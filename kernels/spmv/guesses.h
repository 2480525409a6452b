// What a tune of a large matrix measures first.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Variants that won beyond the caches of several machines, by the values of their parameters: chunks of
/// rows, and rows, both with short indices, the widest vectors, one stream and a long prefetch distance. None
/// for a matrix of less than 16 MiB (values, and indices of 32 bits), for which there is time to look.
std::vector<std::map<std::string, std::string>> first_guesses(const CsrView& matrix, DType dtype,
                                                              const Target& target);

}  // namespace rooftune::spmv
