// What a right answer is: the reference, computed plainly in a wider type, and the error that
// rounding explains.
#pragma once

#include <cstdint>

#include "kernels/contract/family.h"
#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Element i of x for this seed: ±[1/2, 1), so that neither a sign nor an entry can hide. f32
/// problems round it.
double input_element(std::uint64_t seed, std::int64_t i);

/// y = A·x for input_element(seed, ·), with values and x rounded to `dtype` first; long double for
/// f64, double for f32. Tolerance of row i with n entries and S = (|A||x|)_i:
///   γ_n·S, γ_n = n·u/(1 − n·u): any order of summation, fused or not (Higham, Accuracy and Stability
///   of Numerical Algorithms, section 3.1), u of `dtype`;
/// + γ'_n·S with the reference's own u', for its sum, + 2⁻⁵³·S, for rounding it to double;
/// + n·(least subnormal), for products that underflow.
/// A row without entries must be exactly 0.
Oracle make_oracle(const CsrView& a, DType dtype, std::uint64_t seed);

}  // namespace rooftune::spmv
