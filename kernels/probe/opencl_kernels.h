// OpenCL C of the device probes. Each is one source with macros; what decides registers is a macro, the
// rest an argument, so that few programs are built.
#pragma once

#include <string>

namespace rooftune::probe {

/// Independent chains of fused multiply-adds in registers.
/// Macros: T element type, V vector of it, WIDTH its elements, CHAINS, F64 for double precision.
/// x ← x·a + b goes to 2 for a = 1/2, b = 1, so each item writes 2·CHAINS·WIDTH.
std::string chains_source();

/// Walks over global memory. Macros: V vector of floats, WIDTH, UNROLL, MIX (0 load, 1 update, 2 store,
/// 3 two loads and a store). A work-group walks its own part, its items side by side; each item `steps`
/// vectors (a multiple of UNROLL) a pass. `shift` is 0, which the compiler does not know: no load and no
/// store can leave the loop over passes. `factor` is 1, and 1/2 where two words are added, so that memory
/// full of ones stays so.
std::string walk_source();

/// Reads a work-group's local memory over and over. Macros: V, WIDTH, VECTORS (of the array, a power of two).
std::string local_source();

std::string empty_source();

}  // namespace rooftune::probe
