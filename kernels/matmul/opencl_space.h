// The space of matmul on an OpenCL device, and what a variant of it means.
#pragma once

#include "kernels/contract/family.h"
#include "kernels/matmul/opencl_kernel.h"
#include "kernels/matmul/problem.h"

namespace rooftune::matmul {

inline constexpr int kOpenclSpaceVersion = 1;

/// Positions of the parameters: what decides the operations executed comes first.
enum OpenclParameter {
    kOclMethod,
    kOclVector,
    kOclItemRows,
    kOclItemVectors,
    kOclGroupRows,
    kOclGroupColumns,
    kOclLocal,
    kOclBlock,
    kOclUnroll,
    kOclSpread,
    kOclOrder,
};

/// A variant, decoded. What is not fixed stays as OpenclTile has it.
struct OpenclChoice {
    bool naive = false;  ///< one work item an element
    OpenclTile tile;
};

/// Throws InputError when the device lacks the problem's element type.
Space make_opencl_space(const MatmulProblem& problem, const Target& target);

OpenclChoice decode_opencl(const Space& space, const PartialVariant& variant, const MatmulProblem& problem);

/// One work item an element of C.
Variant opencl_naive_variant(const Space& space);

/// What a careful programmer would take unmeasured, or what the problem leaves of it. On a CPU: one item a
/// group, 8 rows of two vectors of the preferred width, nothing in local memory (there is none). Elsewhere:
/// 16 x 16 items of 4 x 4 elements, a column of every item apart, blocks of 16 steps of both operands in
/// local memory.
Variant opencl_default_variant(const Space& space, const MatmulProblem& problem, const Target& target);

}  // namespace rooftune::matmul
