// The textbook loop, as anybody would write it, compiled like the rest of the program (-O3, no target
// attributes), so that the compiler makes of it what it makes of any such loop: vectors of 128 bits. What
// every other variant is compared with; it stays as it is.
#include "kernels/stencil/kernel.h"

namespace rooftune::stencil {
namespace {

template <typename T>
void seven(const RowArguments& a) {
    const T* down = static_cast<const T*>(a.in[1]);
    const T* south = static_cast<const T*>(a.in[3]);
    const T* u = static_cast<const T*>(a.in[4]);
    const T* north = static_cast<const T*>(a.in[5]);
    const T* up = static_cast<const T*>(a.in[7]);
    T* out = static_cast<T*>(a.out[0]);
    const T c0 = static_cast<T>(a.coefficients[0]);
    const T c1 = static_cast<T>(a.coefficients[1]);
    for (std::int64_t x = a.begin; x < a.end; ++x)
        out[x] = c0 * u[x] + c1 * (u[x - 1] + u[x + 1] + south[x] + north[x] + down[x] + up[x]);
}

template <typename T>
void twenty_seven(const RowArguments& a) {
    const T* u[9];
    for (int i = 0; i < 9; ++i) u[i] = static_cast<const T*>(a.in[i]);
    T* out = static_cast<T*>(a.out[0]);
    const T c0 = static_cast<T>(a.coefficients[0]);
    const T c1 = static_cast<T>(a.coefficients[1]);
    const T c2 = static_cast<T>(a.coefficients[2]);
    const T c3 = static_cast<T>(a.coefficients[3]);
    for (std::int64_t x = a.begin; x < a.end; ++x) {
        const T faces = u[4][x - 1] + u[4][x + 1] + u[1][x] + u[3][x] + u[5][x] + u[7][x];
        const T edges = u[1][x - 1] + u[1][x + 1] + u[3][x - 1] + u[3][x + 1] + u[5][x - 1] + u[5][x + 1] +
                        u[7][x - 1] + u[7][x + 1] + u[0][x] + u[2][x] + u[6][x] + u[8][x];
        const T corners = u[0][x - 1] + u[0][x + 1] + u[2][x - 1] + u[2][x + 1] + u[6][x - 1] + u[6][x + 1] +
                          u[8][x - 1] + u[8][x + 1];
        out[x] = c0 * u[4][x] + c1 * faces + c2 * edges + c3 * corners;
    }
}

}  // namespace

Kernel plain_kernel(int points, DType dtype) {
    if (points == 7) return dtype == DType::f64 ? &seven<double> : &seven<float>;
    return dtype == DType::f64 ? &twenty_seven<double> : &twenty_seven<float>;
}

}  // namespace rooftune::stencil
