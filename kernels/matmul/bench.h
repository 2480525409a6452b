// The data of a matmul problem inside a worker, and variants ready to run.
#pragma once

#include <memory>

#include "kernels/matmul/space.h"

namespace rooftune::matmul {

/// The space must outlive the bench.
std::unique_ptr<Bench> make_bench(const MatmulProblem& problem, const Space& space, const Target& target);

}  // namespace rooftune::matmul
