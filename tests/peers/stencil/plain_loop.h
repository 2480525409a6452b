// The plain OpenMP loop: what somebody writes who knows C++ and OpenMP and has no time. It is compiled
// twice, for any x86-64 and for the processor that it is built on.
#pragma once

#include <cstdint>

namespace rooftune::peers {

/// A grid with one layer around it, tightly packed: (nx + 2)(ny + 2)(nz + 2) elements, x fastest.
struct PlainGrid {
    std::int64_t nx = 1, ny = 1, nz = 1;
    int points = 7;  ///< 7 or 27
    bool periodic = false;
    int threads = 1;
    double coefficients[4] = {};  ///< of the point itself, its faces, edges and corners
};

/// Runs `steps` sweeps, from u to v to u and so on, and returns the one that holds the result. The layer
/// around a Dirichlet grid stands in both; around a periodic one it is made before each sweep.
template <typename T>
using PlainLoop = T* (*)(T* u, T* v, const PlainGrid& grid, std::int64_t steps);

/// Zeroes both with the threads that will sweep, so that each finds its part near.
template <typename T>
using PlainTouch = void (*)(T* u, T* v, const PlainGrid& grid);

template <typename T>
struct PlainCode {
    PlainLoop<T> loop;
    PlainTouch<T> touch;
};

PlainCode<double> plain_f64();
PlainCode<float> plain_f32();
PlainCode<double> plain_native_f64();
PlainCode<float> plain_native_f32();

}  // namespace rooftune::peers
