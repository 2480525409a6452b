// The data of a matmul problem on an OpenCL device, and variants ready to run.
#pragma once

#include <memory>

#include "kernels/matmul/opencl_space.h"

namespace rooftune::matmul {

/// The space must outlive the bench. The device is opened by the first prepare().
std::unique_ptr<Bench> make_opencl_bench(const MatmulProblem& problem, const Space& space,
                                         const Target& target);

}  // namespace rooftune::matmul
