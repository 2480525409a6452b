// A grid that goes on by plain loops: what steps must give.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "kernels/stencil/grid.h"

namespace rooftune::stencil_test {

using namespace rooftune::stencil;

/// The grid with its layer, x fastest; of a periodic grid the layer is the other side.
class PlainGrid {
public:
    explicit PlainGrid(const Grid& g)
        : g_(g), now_(static_cast<std::size_t>((g.nx + 2) * (g.ny + 2) * (g.nz + 2))) {}

    double& at(std::int64_t x, std::int64_t y, std::int64_t z) {
        return now_[static_cast<std::size_t>(((z + 1) * (g_.ny + 2) + y + 1) * (g_.nx + 2) + x + 1)];
    }
    double read(std::int64_t x, std::int64_t y, std::int64_t z) {
        if (g_.boundary == Boundary::periodic)
            return at((x + g_.nx) % g_.nx, (y + g_.ny) % g_.ny, (z + g_.nz) % g_.nz);
        return at(x, y, z);
    }

    void step(const Coefficients& c) {
        PlainGrid next = *this;
        for (std::int64_t z = 0; z < g_.nz; ++z) {
            for (std::int64_t y = 0; y < g_.ny; ++y) {
                for (std::int64_t x = 0; x < g_.nx; ++x) next.at(x, y, z) = point(c, x, y, z);
            }
        }
        now_ = std::move(next.now_);
    }

private:
    double point(const Coefficients& c, std::int64_t x, std::int64_t y, std::int64_t z) {
        double sum = 0.0;
        for (int dz = -1; dz <= 1; ++dz) {
            for (int dy = -1; dy <= 1; ++dy) {
                for (int dx = -1; dx <= 1; ++dx) {
                    const int away = std::abs(dx) + std::abs(dy) + std::abs(dz);
                    if (g_.points == 7 && away > 1) continue;
                    sum += c[static_cast<std::size_t>(away)] * read(x + dx, y + dy, z + dz);
                }
            }
        }
        return sum;
    }

    Grid g_;
    std::vector<double> now_;
};

}  // namespace rooftune::stencil_test
