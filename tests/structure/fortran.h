// The Fortran module beside the C header: two lists of the same functions, which no compiler compares.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Functions and constants of tuner/plans/rooftune_c.h that tuner/plans/rooftune.f90 lacks, or has more of
/// than there are; arguments with other names, in another order, or of another type; other results and
/// values. An interface must be bound by its own name: function rooftune_…(…) bind(c).
Complaints fortran_agrees(const Tree& tree);

}  // namespace rooftune::structure
