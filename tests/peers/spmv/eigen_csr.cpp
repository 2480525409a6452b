// Compiled with -O3 -march=native: the product is in Eigen's headers.
#include <Eigen/Core>
#include <Eigen/SparseCore>

#include "tests/peers/spmv/arms.h"
#include "tests/peers/spmv/pinned.h"
#include "tests/peers/spmv/subject.h"

namespace rooftune::peers {
namespace {

template <typename T>
class EigenCsr final : public SparseSubject<T> {
public:
    EigenCsr(const ProblemSpec& spec, const std::vector<int>& cpus) : SparseSubject<T>(spec) {
        pin_openmp(cpus);
        Eigen::setNbThreads(static_cast<int>(cpus.size()));
    }

    void run() override {
        PeerMatrix<T>& a = this->matrix();
        using Vector = Eigen::Matrix<T, Eigen::Dynamic, 1>;
        const Eigen::Map<const Eigen::SparseMatrix<T, Eigen::RowMajor, int>> matrix(
            a.rows, a.cols, a.stored, a.begin.template as<int>(), a.column.template as<int>(),
            a.value.template as<T>());
        Eigen::Map<Vector>(this->y(), a.rows).noalias() =
            matrix * Eigen::Map<const Vector>(this->x(), a.cols);
    }

    std::string detail() const override {
        return "Eigen " + std::to_string(EIGEN_WORLD_VERSION) + "." + std::to_string(EIGEN_MAJOR_VERSION) +
               "." + std::to_string(EIGEN_MINOR_VERSION) + ", -O3 -march=native -fopenmp, " +
               std::to_string(Eigen::nbThreads()) + " threads";
    }
};

}  // namespace

std::vector<Arm> eigen_arms(const ProblemSpec& spec) {
    return {sparse_arm<EigenCsr>("eigen", spec)};
}

}  // namespace rooftune::peers
