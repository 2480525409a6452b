// Libraries that multiply matrices, found by dlopen in the child: OpenBLAS as it chooses and with its kernels
// forced, BLIS, oneDNN, libxsmm, MKL.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "tuner/machine/audit/peer.h"

namespace rooftune::audit {

std::vector<Peer> gemm_peers();

/// c = a·b for square row-major matrices of side n: what a library's product is once it is loaded.
template <typename T>
using Product = std::function<void(int n, const T* a, const T* b, T* c)>;

/// Checks one product against plain dot products (of every element up to n = 128, else of a few hundred) and
/// measures. `calls` at once, one on each thread with its own matrices, for libraries without threads of
/// their own; 1 leaves the threads to the library.
template <typename T>
Measurement measure_product(const Product<T>& product, int n, int calls, const std::vector<int>& cpus,
                            double seconds);
extern template Measurement measure_product<float>(const Product<float>&, int, int, const std::vector<int>&,
                                                   double);
extern template Measurement measure_product<double>(const Product<double>&, int, int, const std::vector<int>&,
                                                    double);

/// The case of a square product of side n, `calls` of them side by side.
Case product_case(const std::string& peer, DType dtype, int threads, int n, int calls = 1);

}  // namespace rooftune::audit
