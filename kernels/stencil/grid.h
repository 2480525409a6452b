// One instance: the grid, the stencil and how many steps. x is the unit-stride direction.
#pragma once

#include <array>
#include <cstdint>

#include "models/vocabulary.h"

namespace rooftune::stencil {

/// dirichlet: one layer of given values around the grid. periodic: opposite faces are neighbours.
enum class Boundary { dirichlet, periodic };

/// What a point takes of itself, its 6 face, 12 edge and 8 corner neighbours.
using Coefficients = std::array<double, 4>;

struct Grid {
    std::int64_t nx = 1, ny = 1, nz = 1;
    int points = 7;  ///< 7 or 27
    std::int64_t steps = 1;
    DType dtype = DType::f64;
    Boundary boundary = Boundary::dirichlet;

    std::int64_t volume() const { return nx * ny * nz; }
    std::int64_t element() const { return static_cast<std::int64_t>(size_of(dtype)); }
    bool operator==(const Grid&) const = default;
};

/// Floating-point operations of one point and step: 6 or 26 neighbours added up by kind, one product
/// and one sum a kind.
constexpr int flops_a_point(int points) {
    return points == 7 ? 8 : 30;
}

/// Their absolute values, each as often as it is used, add up to 1, so that no step enlarges anything,
/// and they are powers of two, so that products are exact and the two element types use the same.
constexpr Coefficients coefficients_of(int points) {
    return points == 7 ? Coefficients{0.25, 0.125, 0.0, 0.0} : Coefficients{0.125, 0.0625, 0.03125, 0.015625};
}

/// Elements that are read of the layer around the grid: 0 for periodic grids; a 7-point stencil does
/// not look at edges and corners.
constexpr std::int64_t halo_elements(const Grid& g) {
    if (g.boundary == Boundary::periodic) return 0;
    if (g.points == 27) return (g.nx + 2) * (g.ny + 2) * (g.nz + 2) - g.volume();
    return 2 * (g.nx * g.ny + g.ny * g.nz + g.nx * g.nz);
}

}  // namespace rooftune::stencil
