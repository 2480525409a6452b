// The addresses that variants touch, in the order in which their loops really do, for problems small enough
// to be followed element by element. Arrays lie far apart and begin on whole pages, as the benches place
// them.
#pragma once

#include <random>
#include <vector>

#include "kernels/matmul/space.h"
#include "kernels/spmv/space.h"
#include "kernels/stencil/space.h"
#include "tests/support/cache_model.h"

namespace rooftune::test {

/// One repetition: phases that all threads end before any begins the next, and in each what every thread
/// does.
struct Run {
    std::vector<std::vector<Stream>> phases;
};

/// One order in which the threads can have met at a shared cache: pieces of random length in random turn, or,
/// without `random`, one thread after the other.
Stream merged(const Run& run, std::mt19937* random);

/// The real walk (sweep.cpp) with kernels that only note what they are given. A phase is a pass.
Run stencil_run(const stencil::Grid& grid, const stencil::Choice& choice);

/// The loops of engine.cpp and naive.cpp. A phase is the packing of a block of B, or what is done with it.
/// Tiles over the edge touch only what lies inside C: the place aside that the engine computes them in is
/// left out.
Run matmul_run(const matmul::MatmulProblem& problem, const matmul::Choice& choice);

/// The loops of walk-inl.h and the three formats, over the converted matrix. One phase, and another where
/// sums of rows that threads share are added up.
Run spmv_run(const spmv::CsrView& matrix, const spmv::Choice& choice, DType dtype);

}  // namespace rooftune::test
