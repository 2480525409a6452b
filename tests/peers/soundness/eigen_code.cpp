#include "tests/peers/soundness/eigen_code.h"

#include <Eigen/Core>

namespace rooftune::peers {
namespace {

template <typename T>
using Square = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <typename T>
using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
// Aligned as the memory is: to cache lines.
template <typename M>
using View = Eigen::Map<M, Eigen::Aligned64>;

template <typename T>
void product(int n, const T* a, const T* b, T* c) {
    View<Square<T>>(c, n, n).noalias() = View<const Square<T>>(a, n, n) * View<const Square<T>>(b, n, n);
}
template <typename T>
T sum(const T* x, std::int64_t n) {
    return View<const Vector<T>>(x, n).sum();
}
template <typename T>
T dot(const T* x, const T* y, std::int64_t n) {
    return View<const Vector<T>>(x, n).dot(View<const Vector<T>>(y, n));
}
template <typename T>
void axpy(T s, const T* x, T* y, std::int64_t n) {
    View<Vector<T>>(y, n) += s * View<const Vector<T>>(x, n);
}

}  // namespace

EigenCode<float> eigen_single() {
    return {&product<float>, &sum<float>, &dot<float>, &axpy<float>};
}
EigenCode<double> eigen_double() {
    return {&product<double>, &sum<double>, &dot<double>, &axpy<double>};
}
std::string eigen_version() {
    return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) + "." +
           std::to_string(EIGEN_MINOR_VERSION) + ", " + Eigen::SimdInstructionSetsInUse() +
           ", -O3 -march=native -fopenmp";
}
void set_eigen_threads(int threads) {
    Eigen::setNbThreads(threads);
}

}  // namespace rooftune::peers
