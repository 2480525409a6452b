#include <omp.h>
#include <sched.h>

#include "tests/peers/spmv/arms.h"
#include "tests/peers/spmv/csr_loop.h"
#include "tests/peers/spmv/subject.h"

namespace rooftune::peers {
namespace {

template <typename T>
class PlainCsr final : public SparseSubject<T> {
public:
    PlainCsr(const ProblemSpec& spec, const std::vector<int>& cpus)
        : SparseSubject<T>(spec), threads_(static_cast<int>(cpus.size())) {
        // One thread a processing unit, as our own team is: free to move, two may meet on one.
#pragma omp parallel num_threads(threads_)
        {
            cpu_set_t mask;
            CPU_ZERO(&mask);
            CPU_SET(static_cast<std::size_t>(cpus[static_cast<std::size_t>(omp_get_thread_num())]), &mask);
            sched_setaffinity(0, sizeof mask, &mask);
        }
    }

    void run() override {
        const PeerMatrix<T>& a = this->matrix();
        csr_loop(a.rows, a.begin.template as<int>(), a.column.template as<int>(), a.value.template as<T>(),
                 this->x(), this->y(), threads_);
    }

    std::string detail() const override {
        return "OpenMP, g++ " __VERSION__ " -O3 -fopenmp -march=native";
    }

private:
    int threads_;
};

}  // namespace

std::vector<Arm> plain_csr_arms(const ProblemSpec& spec) {
    return {sparse_arm<PlainCsr>("csr", spec)};
}

}  // namespace rooftune::peers
