// What is compiled with Eigen's headers, for the processor that it is built on.
#pragma once

#include <cstdint>
#include <string>

namespace rooftune::peers {

template <typename T>
struct EigenCode {
    void (*product)(int n, const T* a, const T* b, T* c);  ///< c = a·b, row-major, by Eigen's own threads
    T (*sum)(const T* x, std::int64_t n);
    T (*dot)(const T* x, const T* y, std::int64_t n);
    void (*axpy)(T s, const T* x, T* y, std::int64_t n);  ///< y += s·x
};
EigenCode<float> eigen_single();
EigenCode<double> eigen_double();
/// Version and instruction sets.
std::string eigen_version();
/// Threads of its products.
void set_eigen_threads(int threads);

}  // namespace rooftune::peers
