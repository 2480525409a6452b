// What users are promised, and the tests that hold it.
#pragma once

#include "tests/structure/tree.h"

namespace rooftune::structure {

/// Each row of the tables in docs/guarantees.md names, in backquotes in its last column, tests that are
/// there; and there are rows.
Complaints guarantees_tested(const Tree& tree);

}  // namespace rooftune::structure
