// What a compiled kernel for several vectors looks like from outside (multivector.h says what they are for).
// The kernels themselves are in multivector-inl.h, compiled for three instruction sets.
#pragma once

#include <cstdint>

#include "kernels/runtime/isa.h"
#include "kernels/spmv/formats.h"
#include "kernels/spmv/kernel.h"
#include "models/vocabulary.h"

namespace rooftune::spmv {

/// Numbers of vectors that there is code for, ascending. Other numbers run as the next larger one, with zeros
/// in place of what is missing.
inline constexpr int kVectorCounts[] = {2, 4, 8, 16};
inline constexpr int kMostVectors = 16;

/// What a kernel for several vectors sees beside the matrix, whose own x, y and rows it does not look at.
struct MultivectorArguments {
    KernelArguments matrix;
    BlockShape block;         ///< BCSR only
    const void* x = nullptr;  ///< side by side: element i of all vectors from x + i·vectors on
    /// Sums of the row at position p of the layout, for all vectors side by side, from
    /// sums + (p − first_position)·vectors on. Whole groups are written, also what reaches beyond the rows.
    void* sums = nullptr;
    std::int64_t first_position = 0;
};

/// Computes the groups of one walk.
using MultivectorKernel = void (*)(const MultivectorArguments& a, const Walk& walk);

/// `vectors`: one of kVectorCounts. nullptr when there is no such kernel.
MultivectorKernel find_multivector_kernel(Isa isa, DType dtype, const FormatKey& format, int vectors);

}  // namespace rooftune::spmv
