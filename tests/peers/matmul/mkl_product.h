// Intel's MKL, with the kernels that it chooses for this processor.
#pragma once

#include <vector>

#include "kernels/contract/family.h"
#include "tests/peers/harness/arm.h"

namespace rooftune::peers {

/// `mkl`; none where MKL was not fetched, with a notice.
std::vector<Arm> mkl_product_arms(const ProblemSpec& spec);

}  // namespace rooftune::peers
