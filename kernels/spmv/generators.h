// Matrices by name and sizes, for problems without a file: "gen=poisson27,nx=120".
#pragma once

#include <string>
#include <vector>

#include "kernels/contract/family.h"
#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

struct Generated {
    Csr matrix;
    ProblemSpec spec;   ///< the generator and all its keys, defaults filled in
    std::string title;  ///< "poisson27 120x120x120"
};

/// Names that "gen" may have.
const std::vector<std::string>& generator_names();

/// Keys of all generators ("gen" itself and "seed" left out), each with the generators that take it.
std::vector<ProblemKey> generator_keys();

/// Makes the matrix of spec "gen" and its keys; "dtype" is passed over. "seed" is accepted by every
/// generator and kept by those that draw. Throws InputError on an unknown generator, a key that it
/// does not take, a missing key, a size that is no integer, too small or too large, and a matrix
/// beyond the limits or `available_bytes`, before anything is allocated.
Generated generate(const ProblemSpec& spec, double available_bytes = available_memory());

}  // namespace rooftune::spmv
