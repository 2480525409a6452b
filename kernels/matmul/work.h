// Work of matmul variants: operations with the padding that is really computed, register traffic, chains,
// and bytes. Precomputed for every prefix of the space down to `kc`; the parameters below it prove nothing.
#pragma once

#include <memory>

#include "kernels/matmul/space.h"

namespace rooftune::matmul {

/// The problem and the space are copied from, not kept.
std::unique_ptr<WorkModel> make_work_model(const MatmulProblem& problem, const Space& space, State state);

}  // namespace rooftune::matmul
