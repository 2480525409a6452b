// Scalar code must stay scalar: its bound uses the ceiling of scalar arithmetic and one load an
// element. Applied to functions; what is inlined into them obeys it too.
#pragma once

#if defined(__clang__)
#define ROOFTUNE_SCALAR_CODE
#else
#define ROOFTUNE_SCALAR_CODE __attribute__((optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
#endif
