// Variants of one problem, prepared in a worker.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "kernels/stencil/grid.h"

namespace rooftune::stencil {

/// `space` must outlive the bench. `coefficients` are what variants compute with; the reference has its
/// own, so that a test can plant wrong ones.
std::unique_ptr<Bench> make_bench(const Grid& grid, const Coefficients& coefficients, const Space& space,
                                  const Target& target);

}  // namespace rooftune::stencil
