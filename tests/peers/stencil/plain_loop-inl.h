// The code of plain_loop.h, for translation units that differ in their flags only. No function of a
// library is called here: the linker might keep the copy that this processor's flags went into.
#include "tests/peers/stencil/plain_loop.h"

namespace rooftune::peers {
namespace {

template <typename T>
void seven_points(const T* __restrict u, T* __restrict v, const PlainGrid& g) {
    const std::int64_t row = g.nx + 2;
    const std::int64_t plane = row * (g.ny + 2);
    const T c0 = static_cast<T>(g.coefficients[0]);
    const T c1 = static_cast<T>(g.coefficients[1]);
#pragma omp parallel for schedule(static) num_threads(g.threads)
    for (std::int64_t z = 1; z <= g.nz; ++z) {
        for (std::int64_t y = 1; y <= g.ny; ++y) {
            for (std::int64_t x = 1; x <= g.nx; ++x) {
                const std::int64_t i = z * plane + y * row + x;
                v[i] = c0 * u[i] +
                       c1 * (u[i - 1] + u[i + 1] + u[i - row] + u[i + row] + u[i - plane] + u[i + plane]);
            }
        }
    }
}

template <typename T>
void twenty_seven_points(const T* __restrict u, T* __restrict v, const PlainGrid& g) {
    const std::int64_t r = g.nx + 2;
    const std::int64_t p = r * (g.ny + 2);
    const T c0 = static_cast<T>(g.coefficients[0]);
    const T c1 = static_cast<T>(g.coefficients[1]);
    const T c2 = static_cast<T>(g.coefficients[2]);
    const T c3 = static_cast<T>(g.coefficients[3]);
#pragma omp parallel for schedule(static) num_threads(g.threads)
    for (std::int64_t z = 1; z <= g.nz; ++z) {
        for (std::int64_t y = 1; y <= g.ny; ++y) {
            for (std::int64_t x = 1; x <= g.nx; ++x) {
                const std::int64_t i = z * p + y * r + x;
                const T faces = u[i - 1] + u[i + 1] + u[i - r] + u[i + r] + u[i - p] + u[i + p];
                const T edges = u[i - r - 1] + u[i - r + 1] + u[i + r - 1] + u[i + r + 1] + u[i - p - 1] +
                                u[i - p + 1] + u[i + p - 1] + u[i + p + 1] + u[i - p - r] + u[i - p + r] +
                                u[i + p - r] + u[i + p + r];
                const T corners = u[i - p - r - 1] + u[i - p - r + 1] + u[i - p + r - 1] + u[i - p + r + 1] +
                                  u[i + p - r - 1] + u[i + p - r + 1] + u[i + p + r - 1] + u[i + p + r + 1];
                v[i] = c0 * u[i] + c1 * faces + c2 * edges + c3 * corners;
            }
        }
    }
}

// The layer around a periodic grid: x first, then y and z with what is there by then, so that edges and
// corners come out right.
template <typename T>
void wrap(T* u, const PlainGrid& g) {
    const std::int64_t row = g.nx + 2;
    const std::int64_t plane = row * (g.ny + 2);
#pragma omp parallel for schedule(static) num_threads(g.threads)
    for (std::int64_t z = 1; z <= g.nz; ++z) {
        T* const at = u + z * plane;
        for (std::int64_t y = 1; y <= g.ny; ++y) {
            at[y * row] = at[y * row + g.nx];
            at[y * row + g.nx + 1] = at[y * row + 1];
        }
        for (std::int64_t x = 0; x < row; ++x) {
            at[x] = at[g.ny * row + x];
            at[(g.ny + 1) * row + x] = at[row + x];
        }
    }
#pragma omp parallel for schedule(static) num_threads(g.threads)
    for (std::int64_t i = 0; i < plane; ++i) {
        u[i] = u[g.nz * plane + i];
        u[(g.nz + 1) * plane + i] = u[plane + i];
    }
}

template <typename T>
T* sweeps(T* u, T* v, const PlainGrid& g, std::int64_t steps) {
    for (std::int64_t s = 0; s < steps; ++s) {
        if (g.periodic) wrap(u, g);
        if (g.points == 7) {
            seven_points(u, v, g);
        } else {
            twenty_seven_points(u, v, g);
        }
        T* const next = v;
        v = u;
        u = next;
    }
    return u;
}

template <typename T>
void first_touch(T* u, T* v, const PlainGrid& g) {
    const std::int64_t plane = (g.nx + 2) * (g.ny + 2);
#pragma omp parallel for schedule(static) num_threads(g.threads)
    for (std::int64_t z = 1; z <= g.nz; ++z) {
        const std::int64_t begin = z == 1 ? 0 : z;
        const std::int64_t end = z == g.nz ? z + 2 : z + 1;
        for (std::int64_t i = begin * plane; i < end * plane; ++i) u[i] = v[i] = T{0};
    }
}

}  // namespace
}  // namespace rooftune::peers
