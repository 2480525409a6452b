// The textbook loop, as anybody would write it, compiled like the rest of the program (-O3, no
// target attributes). What every other variant is compared with; it stays as it is. g++ would turn
// the float products (not the sums) into vectors, which is no faster; kept scalar so that its bound
// is that of scalar code.
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/scalar_code.h"

namespace rooftune::spmv {
namespace {

template <typename T>
ROOFTUNE_SCALAR_CODE void rows_of_csr(const KernelArguments& a, const Walk* walks, int) {
    const T* value = static_cast<const T*>(a.values);
    const std::uint32_t* column = static_cast<const std::uint32_t*>(a.indices);
    const T* x = static_cast<const T*>(a.x);
    T* y = static_cast<T*>(a.y);
    std::uint64_t k = walks->step;
    for (std::uint32_t i = walks->segment; i < walks->end; ++i) {
        const std::uint64_t end = k + (a.pointer[i + 1] - a.pointer[i]);
        T sum = 0;
        for (; k < end; ++k) sum += value[k] * x[column[k]];
        y[i] = sum;
    }
}

}  // namespace

Kernel naive_kernel(DType dtype) {
    return dtype == DType::f64 ? &rows_of_csr<double> : &rows_of_csr<float>;
}

}  // namespace rooftune::spmv
