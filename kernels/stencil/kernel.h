// What a compiled kernel looks like from outside, and how one is found. A kernel computes a bundle of
// rows, ry next to each other in y times rz in z, over a range of x. It is told where each row of input
// begins, so that boundaries, wrapping and scratch planes are the driver's business alone.
#pragma once

#include <array>
#include <cstdint>

#include "kernels/runtime/isa.h"
#include "models/vocabulary.h"

namespace rooftune::stencil {

/// Rows that a kernel computes together, sharing what they load.
struct RegisterBlock {
    int y = 1, z = 1;
    bool operator==(const RegisterBlock&) const = default;
};

inline constexpr int kMostRowsIn = 18;  ///< (4 + 2)·(1 + 2)
inline constexpr int kMostRowsOut = 4;

struct RowArguments {
    /// Rows of input at x = 0: plane k of rz + 2, row j of ry + 2 at [k·(ry + 2) + j]. A 7-point kernel
    /// does not look at the rows that are off by one in both y and z. x = begin − 1 and x = end are read.
    const void* in[kMostRowsIn];
    /// Rows of output at x = 0, at [k·ry + j]. Non-temporal kernels: aligned to a cache line.
    void* out[kMostRowsOut];
    std::int64_t begin = 0;                ///< first x; non-temporal kernels: of a cache line
    std::int64_t end = 0;                  ///< one past the last x
    std::int64_t prefetch = 0;             ///< bytes ahead in the rows not met before; 0: none
    const double* coefficients = nullptr;  ///< 4
};

using Kernel = void (*)(const RowArguments& a);

enum class Store { regular, nontemporal };

/// What is compiled in. Everything else about a variant is a run-time argument.
struct KernelKey {
    int points = 7;
    DType dtype = DType::f64;
    int lanes = 1;  ///< 1: scalar code
    RegisterBlock block{};
    int unroll = 1;  ///< vectors along x computed in one turn of the loop
    Store store = Store::regular;
};

inline constexpr std::array<RegisterBlock, 5> kRegisterBlocks{{{1, 1}, {2, 1}, {4, 1}, {1, 2}, {2, 2}}};

/// Bundles there is code for: beyond these, the sums of 27 points do not fit the registers.
constexpr bool block_exists(int points, RegisterBlock block) {
    return points == 7 || block.y * block.z <= 2;
}

/// Bundles that are also compiled with two vectors a turn; larger ones are independent enough.
constexpr bool block_unrolls(RegisterBlock block) {
    return block.y * block.z == 1;
}

/// nullptr when there is no such kernel. Scalar code has no non-temporal stores.
Kernel find_kernel(Isa isa, const KernelKey& key);

/// The textbook loop along x for one row, in plain C++: the reference kept for ever.
Kernel plain_kernel(int points, DType dtype);

}  // namespace rooftune::stencil
