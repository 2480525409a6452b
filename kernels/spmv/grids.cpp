#include "kernels/spmv/grids.h"

#include <array>
#include <cstdlib>
#include <vector>

#include "kernels/sparse/row_builder.h"
#include "kernels/spmv/sparse.h"

namespace rooftune::spmv {
namespace {

/// Offsets from one coordinate to those of its neighbours inside [0, n).
struct Range {
    Range(std::int64_t at, std::int64_t n) : first(at > 0 ? -1 : 0), last(at + 1 < n ? 1 : 0) {}
    std::int64_t length() const { return last - first + 1; }
    /// 0 at the lower end of the axis, 2 at the upper, 1 between.
    std::size_t position() const { return first == 0 ? 0 : last == 0 ? 2 : 1; }
    std::int64_t first;
    std::int64_t last;
};

/// A grid point and its neighbourhood.
struct Node {
    Node(const Grid& grid, std::int64_t node)
        : index(node),
          x(node % grid.nx, grid.nx),
          y(node / grid.nx % grid.ny, grid.ny),
          z(node / grid.nx / grid.ny, grid.nz) {}
    std::int64_t index;
    Range x;
    Range y;
    Range z;

    std::int64_t box() const { return x.length() * y.length() * z.length(); }
    std::int64_t star() const { return x.length() + y.length() + z.length() - 2; }

    /// visit(neighbour's index, dx, dy, dz) in ascending order of the index.
    template <typename Visit>
    void for_each_in_box(const Grid& grid, Visit visit) const {
        for (std::int64_t dz = z.first; dz <= z.last; ++dz) {
            for (std::int64_t dy = y.first; dy <= y.last; ++dy) {
                const std::int64_t line = index + (dz * grid.ny + dy) * grid.nx;
                for (std::int64_t dx = x.first; dx <= x.last; ++dx) visit(line + dx, dx, dy, dz);
            }
        }
    }
};

std::int64_t nodes_of(const Grid& grid) {
    return grid.nx * grid.ny * grid.nz;
}

// Elasticity. The stiffness of a cube couples component i of its corner a with component j of b by
//   λ ∫ ∂i Na ∂j Nb + μ ∫ ∂j Na ∂i Nb + δij μ ∫ ∇Na·∇Nb
// (Hughes, The Finite Element Method, section 2.9). Shape functions are products over the axes, and
// so is each integral: closed forms, no quadrature.

constexpr double kYoung = 1.0;
constexpr double kRatio = 0.3;
constexpr double kLambda = kYoung * kRatio / ((1.0 + kRatio) * (1.0 - 2.0 * kRatio));
constexpr double kMu = kYoung / (2.0 * (1.0 + kRatio));

using Corner = std::array<int, 3>;  ///< 0 or 1 along each axis
using Block = std::array<double, 9>;

/// ∫ ∂i Na ∂j Nb over the unit cube.
double gradient_product(const Corner& a, int i, const Corner& b, int j) {
    double product = 1.0;
    for (int axis = 0; axis < 3; ++axis) {
        const auto k = static_cast<std::size_t>(axis);
        const double slope_a = a[k] == 1 ? 1.0 : -1.0;
        const double slope_b = b[k] == 1 ? 1.0 : -1.0;
        if (axis == i && axis == j) {
            product *= slope_a * slope_b;
        } else if (axis == i) {
            product *= slope_a / 2.0;
        } else if (axis == j) {
            product *= slope_b / 2.0;
        } else {
            product *= a[k] == b[k] ? 1.0 / 3.0 : 1.0 / 6.0;
        }
    }
    return product;
}

Block corner_coupling(const Corner& a, const Corner& b) {
    Block block{};
    double laplacian = 0.0;
    for (int i = 0; i < 3; ++i) laplacian += gradient_product(a, i, b, i);
    for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) {
            block[static_cast<std::size_t>(3 * i + j)] = kLambda * gradient_product(a, i, b, j) +
                                                         kMu * gradient_product(a, j, b, i) +
                                                         (i == j ? kMu * laplacian : 0.0);
        }
    }
    return block;
}

/// Couplings of a node with its 27 neighbours, for each of the 27 positions that it may have in the
/// grid (ends of the axes): the sum over the cubes that hold both.
class Couplings {
public:
    Couplings() : blocks_(27 * 27) {
        for (std::size_t position = 0; position < 27; ++position) {
            for (std::size_t offset = 0; offset < 27; ++offset) add_cubes(position, offset);
        }
    }
    static std::size_t position(const Node& node) {
        return (node.z.position() * 3 + node.y.position()) * 3 + node.x.position();
    }
    static std::size_t offset(std::int64_t dx, std::int64_t dy, std::int64_t dz) {
        return static_cast<std::size_t>(((dz + 1) * 3 + dy + 1) * 3 + dx + 1);
    }
    const Block& block(std::size_t position, std::size_t offset) const {
        return blocks_[position * 27 + offset];
    }

private:
    static int digit(std::size_t number, int axis) {
        constexpr std::array<std::size_t, 3> kPower{1, 3, 9};
        return static_cast<int>(number / kPower[static_cast<std::size_t>(axis)] % 3);
    }

    void add_cubes(std::size_t position, std::size_t offset) {
        for (int cube = 0; cube < 8; ++cube) {
            Corner a{};
            Corner b{};
            bool inside = true;
            for (int axis = 0; axis < 3; ++axis) {
                const auto k = static_cast<std::size_t>(axis);
                // The node is corner 1 of the cube below it and corner 0 of the cube above it.
                a[k] = cube >> axis & 1;
                b[k] = a[k] + digit(offset, axis) - 1;
                const bool cube_exists = a[k] == 1 ? digit(position, axis) != 0 : digit(position, axis) != 2;
                inside = inside && cube_exists && (b[k] == 0 || b[k] == 1);
            }
            if (!inside) continue;
            const Block coupling = corner_coupling(a, b);
            Block& sum = blocks_[position * 27 + offset];
            for (std::size_t k = 0; k < 9; ++k) sum[k] += coupling[k];
        }
    }

    std::vector<Block> blocks_;
};

}  // namespace

double poisson_stored(double nx, double ny, double nz, Reach reach) {
    if (reach == Reach::box) return (3.0 * nx - 2.0) * (3.0 * ny - 2.0) * (3.0 * nz - 2.0);
    return 7.0 * nx * ny * nz - 2.0 * (nx * ny + ny * nz + nx * nz);
}

Csr poisson(const Grid& grid, Reach reach, double diagonal) {
    const std::int64_t unknowns = nodes_of(grid);
    return build_rows(
        unknowns, unknowns,
        [&](std::int64_t row) {
            const Node node(grid, row);
            return reach == Reach::box ? node.box() : node.star();
        },
        [&](std::int64_t row, std::uint32_t* column, double* value) {
            Node(grid, row).for_each_in_box(
                grid, [&](std::int64_t neighbour, std::int64_t dx, std::int64_t dy, std::int64_t dz) {
                    if (reach == Reach::star && dx * dx + dy * dy + dz * dz > 1) return;
                    *column++ = static_cast<std::uint32_t>(neighbour);
                    *value++ = neighbour == row ? diagonal : -1.0;
                });
        });
}

double elasticity_stored(double nx, double ny, double nz) {
    return 9.0 * poisson_stored(nx, ny, nz, Reach::box);
}

Csr elasticity(const Grid& grid) {
    const Couplings couplings;
    const std::int64_t unknowns = 3 * nodes_of(grid);
    return build_rows(
        unknowns, unknowns, [&](std::int64_t row) { return 3 * Node(grid, row / 3).box(); },
        [&](std::int64_t row, std::uint32_t* column, double* value) {
            const Node node(grid, row / 3);
            const std::size_t position = Couplings::position(node);
            const auto component = static_cast<std::size_t>(row % 3);
            node.for_each_in_box(
                grid, [&](std::int64_t neighbour, std::int64_t dx, std::int64_t dy, std::int64_t dz) {
                    const Block& block = couplings.block(position, Couplings::offset(dx, dy, dz));
                    for (std::size_t j = 0; j < 3; ++j) {
                        *column++ = static_cast<std::uint32_t>(3 * neighbour + static_cast<std::int64_t>(j));
                        *value++ = block[3 * component + j];
                    }
                });
        });
}

}  // namespace rooftune::spmv
