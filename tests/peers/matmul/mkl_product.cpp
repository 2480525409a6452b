#include "tests/peers/matmul/mkl_product.h"

#include <iostream>
#include <limits>
#include <type_traits>

#include "kernels/runtime/error.h"
#include "tests/peers/matmul/subject.h"
#include "tests/peers/mkl/mkl.h"

namespace rooftune::peers {
namespace {

template <typename T>
class MklProduct final : public ProductSubject<T> {
public:
    MklProduct(const ProblemSpec& spec, const std::vector<int>& cpus)
        : ProductSubject<T>(spec), mkl_(load_mkl(cpus, MklThreads::intel)) {}

    void run() override {
        const matmul::MatmulProblem& p = this->problem();
        const int a = p.transpose_a() ? Mkl::kTranspose : Mkl::kNoTranspose;
        const int b = p.transpose_b() ? Mkl::kTranspose : Mkl::kNoTranspose;
        const auto gemm = [this] {
            if constexpr (std::is_same_v<T, float>) {
                return mkl_.sgemm;
            } else {
                return mkl_.dgemm;
            }
        }();
        gemm(Mkl::kRowMajor, a, b, side(p.m()), side(p.n()), side(p.k()), static_cast<T>(p.alpha()),
             this->a(), side(p.lda()), this->b(), side(p.ldb()), static_cast<T>(p.beta()), this->c(),
             side(p.ldc()));
    }

    std::string detail() const override {
        return mkl_.version + ", " + std::to_string(mkl_.most_threads()) + " threads";
    }

private:
    static int side(std::int64_t value) {
        if (value > std::numeric_limits<int>::max())
            throw InputError("MKL counts with 32 bits here; take smaller sides");
        return static_cast<int>(value);
    }

    const Mkl& mkl_;
};

}  // namespace

std::vector<Arm> mkl_product_arms(const ProblemSpec& spec) {
    if (const auto why = why_no_mkl()) {
        std::cerr << "rooftune: " << *why << "\n";
        return {};
    }
    Arm arm;
    arm.name = "mkl";
    arm.make = [spec](const std::vector<int>& cpus) { return product_subject<MklProduct>(spec, cpus); };
    return {arm};
}

}  // namespace rooftune::peers
