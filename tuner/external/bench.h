// A declared kernel in a worker: its arrays, its compiled variants, and the answer of its reference.
#pragma once

#include <memory>

#include "kernels/contract/family.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

/// `instance` and `space` must outlive it.
std::unique_ptr<Bench> make_bench(const Instance& instance, const Space& space, const Target& target);

}  // namespace rooftune::external
