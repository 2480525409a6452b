// The order in which `rooftune ladder` adds this family's optimisations.
#pragma once

#include "kernels/contract/family.h"

namespace rooftune::matmul {

/// On the CPU.
Ladder ladder();

/// On a device. A CPU gains by tiles in registers, whatever the groups; an accelerator without groups would
/// leave most of its lanes idle, and nothing added to that would show what it is worth.
Ladder opencl_ladder(const Device& device);

}  // namespace rooftune::matmul
