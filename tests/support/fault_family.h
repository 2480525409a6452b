// A family that exists only in tests: y = 2·x, in variants that crash, hang, answer wrongly, write
// out of bounds, use an instruction that no CPU has, run out of memory, exit or print. The honest ones
// differ in how often they do the work, so that the best is known.
#pragma once

#include <memory>

#include "kernels/contract/family.h"

namespace rooftune::faults {

std::unique_ptr<Family> make_fault_family();

}  // namespace rooftune::faults
