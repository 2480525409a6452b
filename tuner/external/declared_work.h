// The work of a declared kernel: what its source says of flops and bytes, and what its arrays must at least
// move. Bounds hold given that declaration.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

/// `instance` and `space` must outlive it. Throws InputError at the annotation where an expression of work is
/// negative or no number for a variant of the space.
std::unique_ptr<WorkModel> make_work_model(const Instance& instance, const Space& space, const Target& target,
                                           State state);

/// Flops of one repetition as they are reported: of the first variant. 0 where none are declared.
double nominal_flops(const Instance& instance);

/// The type whose ceilings bound the arithmetic. As declared; else that of the real arrays where it is one of
/// 16 bits; else f64 where all real arrays are, and nothing in source, flags or values names another (a
/// double is computed in double); else f32, whose ceilings are the higher ones.
DType arithmetic_type(const Instance& instance);

/// Why that type may not be all that is meant, for users; empty where it is. A source that does not say what
/// it computes in may name types of 16 bits, whose arithmetic is faster than its ceilings, or include headers
/// that do.
std::string why_arithmetic_is_unknown(const Instance& instance);

}  // namespace rooftune::external
