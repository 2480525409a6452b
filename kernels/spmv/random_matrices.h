// Matrices whose pattern or values are drawn. Everything is a function of the seed and the place, so
// that the number of threads that build a matrix does not change it.
#pragma once

#include <cstdint>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

/// Entries of a band: n (2·band + 1) − band (band + 1), as a double.
double banded_stored(double n, double band);

/// All entries within `band` places of the diagonal, values uniform in [0.5, 1.5). band < n.
Csr banded(std::int64_t n, std::int64_t band, std::uint64_t seed);

/// per_row entries in every row, their columns drawn uniformly without repetition, values uniform in
/// [0.5, 1.5). per_row <= cols.
Csr uniform_random(std::int64_t rows, std::int64_t cols, std::int64_t per_row, std::uint64_t seed);

/// Recursive matrix (Chakrabarti, Zhan and Faloutsos 2004) with the Graph500 probabilities 0.57,
/// 0.19, 0.19, 0.05: 2^scale rows and columns, edge_factor·2^scale edges drawn, repeated ones stored
/// once (so there are fewer entries than edges). Rows are not relabelled: the heavy ones come first.
Csr rmat(int scale, std::int64_t edge_factor, std::uint64_t seed);

}  // namespace rooftune::spmv
