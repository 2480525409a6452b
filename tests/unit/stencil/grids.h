// What the stencil's tests share: problems from few words, targets, and runs of variants.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/team.h"
#include "kernels/stencil/family.h"
#include "kernels/stencil/grid.h"
#include "kernels/stencil/space.h"
#include "tests/support/places.h"

namespace rooftune::stencil_test {

using namespace rooftune::stencil;

using test::two_cpus;
using test::widths_up_to;

inline Target target_of(std::vector<int> widths, int threads, int nodes = 1) {
    Target target;
    target.width_bits = std::move(widths);
    target.threads = threads;
    target.numa_nodes = nodes;
    return target;
}

inline Grid grid_of(std::int64_t nx, std::int64_t ny, std::int64_t nz, int points = 7, std::int64_t steps = 1,
                    DType dtype = DType::f64, Boundary boundary = Boundary::dirichlet) {
    return {nx, ny, nz, points, steps, dtype, boundary};
}

inline ProblemSpec spec_of(const Grid& g) {
    return {{"nx", std::to_string(g.nx)},
            {"ny", std::to_string(g.ny)},
            {"nz", std::to_string(g.nz)},
            {"points", std::to_string(g.points)},
            {"steps", std::to_string(g.steps)},
            {"dtype", std::string(to_text(g.dtype))},
            {"boundary", g.boundary == Boundary::periodic ? "periodic" : "dirichlet"}};
}

/// Thins a space: about one variant in `one_in`, drawn by the variant itself.
inline bool drawn(const Variant& v, unsigned one_in) {
    unsigned hash = 0;
    for (int p = 0; p < kParameterCount; ++p) hash = hash * 31U + static_cast<unsigned>(v[p] + 3);
    hash ^= hash >> 15;
    hash *= 0x2c1b3c6dU;
    hash ^= hash >> 12;
    return hash % one_in == 0;
}

}  // namespace rooftune::stencil_test
