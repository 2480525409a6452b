#include "tests/peers/spmv/arms.h"
#include "tests/peers/spmv/csr_loop.h"
#include "tests/peers/spmv/pinned.h"
#include "tests/peers/spmv/subject.h"

namespace rooftune::peers {
namespace {

template <typename T>
class PlainCsr final : public SparseSubject<T> {
public:
    PlainCsr(const ProblemSpec& spec, const std::vector<int>& cpus)
        : SparseSubject<T>(spec), threads_(static_cast<int>(cpus.size())) {
        pin_openmp(cpus);
    }

    void run() override {
        const PeerMatrix<T>& a = this->matrix();
        csr_loop(a.rows, a.begin.template as<int>(), a.column.template as<int>(), a.value.template as<T>(),
                 this->x(), this->y(), threads_);
    }

    std::string detail() const override {
        return "OpenMP, compiler " __VERSION__ ", -O3 -fopenmp -march=native";
    }

private:
    int threads_;
};

}  // namespace

std::vector<Arm> plain_csr_arms(const ProblemSpec& spec) {
    return {sparse_arm<PlainCsr>("csr", spec)};
}

}  // namespace rooftune::peers
