// Work of SpMV variants: exact bytes, least instructions, longest chain. Precomputed for every prefix
// of the space down to `unroll`; the parameters below it tune the memory system and prove nothing.
#pragma once

#include <memory>

#include "kernels/spmv/space.h"

namespace rooftune::spmv {

/// Traffic of one repetition: reads = the converted matrix, every array once, plus the distinct
/// elements of x that it touches; writes = y, every row once. (Sums that a cut row adds up in y are
/// read back from what was just written, which need not come from beyond any cache.) The heaviest
/// thread: its part of the matrix and of y; x is left out, so nothing is counted that another
/// thread's share of it could have brought in.
std::unique_ptr<WorkModel> make_work_model(std::shared_ptr<const Analysis> analysis, const Space& space,
                                           const Target& target, State state);

}  // namespace rooftune::spmv
