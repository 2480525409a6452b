#include "kernels/stencil/oracle.h"

#include <limits>
#include <optional>
#include <utility>

#include "kernels/runtime/memory.h"
#include "kernels/stencil/input.h"
#include "kernels/stencil/partition.h"

namespace rooftune::stencil {
namespace {

/// A grid of doubles with one layer around it.
class Field {
public:
    explicit Field(const Grid& g)
        : g_(g), values_(static_cast<std::size_t>((g.nx + 2) * (g.ny + 2) * (g.nz + 2)) * sizeof(double)) {}

    double* row(std::int64_t y, std::int64_t z) const {
        return values_.as<double>() + input_number(g_, y, z) + 1;
    }

    void fill(std::uint64_t seed, const Range& planes) {
        for (std::int64_t z = planes.begin; z < planes.end; ++z) {
            for (std::int64_t y = -1; y <= g_.ny; ++y) {
                const std::uint64_t first = input_number(g_, y, z);
                for (std::int64_t x = -1; x <= g_.nx; ++x)
                    row(y, z)[x] = input_value(seed, first + static_cast<std::uint64_t>(x + 1));
            }
        }
    }

    /// Opposite faces become the layer around the grid: x, then y, then z, so that corners follow.
    void wrap() {
        for (std::int64_t z = 0; z < g_.nz; ++z) {
            for (std::int64_t y = 0; y < g_.ny; ++y) {
                row(y, z)[-1] = row(y, z)[g_.nx - 1];
                row(y, z)[g_.nx] = row(y, z)[0];
            }
            copy(g_.ny - 1, z, -1, z);
            copy(0, z, g_.ny, z);
        }
        for (std::int64_t y = -1; y <= g_.ny; ++y) {
            copy(y, g_.nz - 1, y, -1);
            copy(y, 0, y, g_.nz);
        }
    }

private:
    void copy(std::int64_t y, std::int64_t z, std::int64_t to_y, std::int64_t to_z) {
        for (std::int64_t x = -1; x <= g_.nx; ++x) row(to_y, to_z)[x] = row(y, z)[x];
    }

    Grid g_;
    Buffer values_;  // nobody clears it first, and all threads place its pages
};

/// Sum over the neighbours that differ in `kind` of the three coordinates.
double neighbours(const double* const rows[9], std::int64_t x, int kind) {
    double sum = 0.0;
    for (int i = 0; i < 9; ++i) {
        const int off = (i % 3 != 1) + (i / 3 != 1);
        if (off == kind) sum += rows[i][x];
        if (off + 1 == kind) sum += rows[i][x - 1] + rows[i][x + 1];
    }
    return sum;
}

/// `row_of(y, z)`: where a row of results goes.
template <typename RowOf>
void step(const Grid& g, const Field& from, RowOf&& row_of, const Range& planes) {
    const Coefficients c = coefficients_of(g.points);
    for (std::int64_t z = planes.begin; z < planes.end; ++z) {
        for (std::int64_t y = 0; y < g.ny; ++y) {
            const double* rows[9];
            for (int i = 0; i < 9; ++i) rows[i] = from.row(y + i % 3 - 1, z + i / 3 - 1);
            double* out = row_of(y, z);
            if (g.points == 7) {
                for (std::int64_t x = 0; x < g.nx; ++x) {
                    out[x] = c[0] * rows[4][x] + c[1] * (rows[4][x - 1] + rows[4][x + 1] + rows[3][x] +
                                                         rows[5][x] + rows[1][x] + rows[7][x]);
                }
            } else {
                for (std::int64_t x = 0; x < g.nx; ++x) {
                    out[x] = c[0] * rows[4][x] + c[1] * neighbours(rows, x, 1) +
                             c[2] * neighbours(rows, x, 2) + c[3] * neighbours(rows, x, 3);
                }
            }
        }
    }
}

/// n·u/(1 − n·u).
double gamma(double n, double u) {
    return n * u / (1.0 - n * u);
}

}  // namespace

double tolerance_of(const Grid& g) {
    const double n = static_cast<double>(g.steps) * flops_a_point(g.points);
    const double unit = std::numeric_limits<double>::epsilon() / 2.0;
    const double own = g.dtype == DType::f64 ? unit : std::numeric_limits<float>::epsilon() / 2.0;
    return gamma(n, own) + gamma(n, unit);
}

Oracle make_oracle(const Grid& g, std::uint64_t seed, Team* team) {
    const int parts = team ? team->size() : 1;
    const auto each = [&](auto&& body) {
        if (team) {
            team->run(parts, body);
        } else {
            body(0);
        }
    };
    Field a(g);
    std::optional<Field> b;
    if (g.steps > 1) b.emplace(g);
    each([&](int t) {
        Range planes = share_of(g.nz + 2, t, parts);
        --planes.begin, --planes.end;
        a.fill(seed, planes);
        // The layer of given values is the same before and after every step.
        if (b && g.boundary == Boundary::dirichlet) b->fill(seed, planes);
    });
    Oracle oracle;
    oracle.tolerance = {tolerance_of(g)};
    oracle.expected.resize(static_cast<std::size_t>(g.volume()));
    for (std::int64_t s = 1; s <= g.steps; ++s) {
        if (g.boundary == Boundary::periodic) a.wrap();
        const auto next = [&](std::int64_t y, std::int64_t z) {
            return s < g.steps ? b->row(y, z) : oracle.expected.data() + (z * g.ny + y) * g.nx;
        };
        each([&](int t) { step(g, a, next, share_of(g.nz, t, parts)); });
        if (s < g.steps) std::swap(a, *b);
    }
    return oracle;
}

}  // namespace rooftune::stencil
