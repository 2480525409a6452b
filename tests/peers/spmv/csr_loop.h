// The textbook loop with OpenMP, compiled for the processor that it is built on.
#pragma once

#include <string>

namespace rooftune::peers {

/// y = A·x for compressed rows; `threads` share out the rows, statically.
template <typename T>
void csr_loop(int rows, const int* begin, const int* column, const T* value, const T* x, T* y, int threads);
extern template void csr_loop(int, const int*, const int*, const float*, const float*, float*, int);
extern template void csr_loop(int, const int*, const int*, const double*, const double*, double*, int);

}  // namespace rooftune::peers
