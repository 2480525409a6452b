// Matrices of discretised equations on regular grids. Unknowns are numbered x fastest, then y, z;
// nothing is eliminated at the boundary, so rows there are shorter.
#pragma once

#include <cstdint>

#include "kernels/sparse/csr.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {

struct Grid {
    std::int64_t nx = 1;
    std::int64_t ny = 1;
    std::int64_t nz = 1;
};

/// Neighbours that a row couples to: along the axes only (5 points in 2-D, 7 in 3-D), or the whole
/// 3 x 3 x 3 box (27).
enum class Reach { star, box };

/// Entries of the Poisson matrix of a grid, as a double (it may exceed 64 bits).
/// Star: N + 2 Σ over axes of N − N/n; box: Π (3n − 2).
double poisson_stored(double nx, double ny, double nz, Reach reach);

/// `diagonal` on the diagonal, −1 for each neighbour.
Csr poisson(const Grid& grid, Reach reach, double diagonal);

/// Entries of the elasticity matrix: 9 Π (3n − 2).
double elasticity_stored(double nx, double ny, double nz);

/// Linear elasticity on nx x ny x nz nodes joined by cubes with trilinear shape functions (Young's
/// modulus 1, Poisson's ratio 0.3, unit cubes): 3 x 3 blocks, 27 a row inside. Entries that cancel
/// to zero within a block are stored, as finite-element codes do. Needs two nodes along each axis.
Csr elasticity(const Grid& grid);

}  // namespace rooftune::spmv
