// Work of matmul variants on an OpenCL device.
#pragma once

#include <memory>

#include "kernels/matmul/opencl_space.h"

namespace rooftune::matmul {

/// The problem, the space and the target are copied from, not kept.
std::unique_ptr<WorkModel> make_opencl_work_model(const MatmulProblem& problem, const Space& space,
                                                  const Target& target, State state);

}  // namespace rooftune::matmul
