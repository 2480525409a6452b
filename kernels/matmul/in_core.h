// What the threads of a variant at least execute. The derivation is in the README.
#pragma once

#include "kernels/matmul/space.h"
#include "models/work.h"

namespace rooftune::matmul {

/// What one thread, or all together, execute; and the chains of one thread.
struct ThreadWork {
    InCore in_core;
    double chain_repeats = 0.0;  ///< tiles of full height times blocks of k
};

/// Work of one thread of a tiled variant: `rows` × `columns` of C.
ThreadWork tiled_work(const MatmulProblem& problem, const Choice& choice, std::int64_t rows,
                      std::int64_t columns);

/// The naive loops over `rows` rows.
ThreadWork naive_work(const MatmulProblem& problem, std::int64_t rows);

/// Steps of one chain, and those of all accumulators of its tile.
struct Chain {
    double steps = 0.0, instructions = 0.0;
};
Chain chain_of(const MatmulProblem& problem, const Choice& choice, std::int64_t rows);

}  // namespace rooftune::matmul
