// Scalar code must stay scalar: its bound uses the ceiling of scalar arithmetic and one load an
// element. Applied to functions; what is inlined into them obeys it too.
#pragma once

// clang++ has no such attribute; CMakeLists.txt gives it options for the files that hold such code. In both
// cases tests/structure looks for vectors in what became of it.
#if defined(__clang__)
#define ROOFTUNE_SCALAR_CODE
#else
#define ROOFTUNE_SCALAR_CODE __attribute__((optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
#endif
