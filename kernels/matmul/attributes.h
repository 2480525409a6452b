// Attributes of functions that hold kernels; what is inlined into them obeys them too.
#pragma once

// Scalar code must stay scalar: its bound uses the ceiling of scalar arithmetic and one load an element.
// clang++ has no such attribute; CMakeLists.txt gives it options for the files that hold such code. In both
// cases tests/structure looks for vectors in what became of it.
#if defined(__clang__)
#define ROOFTUNE_SCALAR_CODE
#else
#define ROOFTUNE_SCALAR_CODE __attribute__((optimize("no-tree-vectorize", "no-tree-slp-vectorize")))
#endif

// Hundreds of unrolled loads, each of them checked, take the compiler minutes. What a tile reads and writes
// is decided outside of it, and guard zones and poisoned outputs watch it in every build.
#if defined(__clang__)
#define ROOFTUNE_UNCHECKED __attribute__((no_sanitize("address", "undefined")))
#else
#define ROOFTUNE_UNCHECKED __attribute__((no_sanitize("address"), no_sanitize("undefined")))
#endif
