#include <iostream>
#include <type_traits>

#include "tests/peers/mkl/mkl.h"
#include "tests/peers/spmv/arms.h"
#include "tests/peers/spmv/pinned.h"
#include "tests/peers/spmv/subject.h"

namespace rooftune::peers {
namespace {

constexpr int kCalls = 100'000;

void require(int status, const char* what) {
    if (status != 0)
        throw EnvironmentError(std::string("MKL: ") + what + " failed with status " + std::to_string(status));
}

template <typename T>
class MklCsr final : public SparseSubject<T> {
public:
    MklCsr(const ProblemSpec& spec, const std::vector<int>& cpus)
        : SparseSubject<T>(spec), mkl_(load_mkl(cpus, MklThreads::gnu)) {
        pin_openmp(cpus);
        PeerMatrix<T>& a = this->matrix();
        int* const begin = a.begin.template as<int>();
        int* const column = a.column.template as<int>();
        T* const value = a.value.template as<T>();
        if constexpr (std::is_same_v<T, float>) {
            require(mkl_.create_f32(&handle_, Mkl::kIndexFromZero, a.rows, a.cols, begin, begin + 1, column,
                                    value),
                    "making a matrix");
        } else {
            require(mkl_.create_f64(&handle_, Mkl::kIndexFromZero, a.rows, a.cols, begin, begin + 1, column,
                                    value),
                    "making a matrix");
        }
        require(mkl_.hint(handle_, Mkl::kStraight, {}, kCalls), "the hint of calls");
        require(mkl_.memory_hint(handle_, Mkl::kAggressive), "the hint of memory");
        require(mkl_.optimize(handle_), "optimising");
    }
    // Stays: the arm's process ends without winding up.

    void run() override {
        if constexpr (std::is_same_v<T, float>) {
            require(mkl_.product_f32(Mkl::kStraight, 1.0F, handle_, {}, this->x(), 0.0F, this->y()),
                    "a product");
        } else {
            require(mkl_.product_f64(Mkl::kStraight, 1.0, handle_, {}, this->x(), 0.0, this->y()),
                    "a product");
        }
    }

    std::string detail() const override {
        return mkl_.version + ", inspector and executor, " + std::to_string(mkl_.most_threads()) + " threads";
    }

private:
    const Mkl& mkl_;
    Mkl::SparseMatrix* handle_ = nullptr;
};

}  // namespace

std::vector<Arm> mkl_arms(const ProblemSpec& spec) {
    if (const auto why = why_no_mkl()) {
        std::cerr << "rooftune: " << *why << "\n";
        return {};
    }
    return {sparse_arm<MklCsr>("mkl", spec)};
}

}  // namespace rooftune::peers
