#include "tests/peers/spmv/csr_loop.h"

namespace rooftune::peers {

template <typename T>
void csr_loop(int rows, const int* begin, const int* column, const T* value, const T* x, T* y, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int i = 0; i < rows; ++i) {
        T sum{0};
        for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}
template void csr_loop(int, const int*, const int*, const float*, const float*, float*, int);
template void csr_loop(int, const int*, const int*, const double*, const double*, double*, int);

}  // namespace rooftune::peers
