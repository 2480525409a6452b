#include "tests/peers/matmul/openblas.h"

#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>
#include <type_traits>

#include "kernels/matmul/fill.h"
#include "kernels/matmul/oracle.h"
#include "kernels/matmul/problem.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/memory.h"

namespace rooftune::peers {
namespace {

using matmul::MatmulProblem;
using matmul::Operand;

class Library {
public:
    Library() : handle_(dlopen(ROOFTUNE_OPENBLAS, RTLD_NOW | RTLD_LOCAL)) {
        if (!handle_) throw EnvironmentError(std::string("cannot load OpenBLAS: ") + dlerror());
        find(dgemm, "cblas_dgemm");
        find(sgemm, "cblas_sgemm");
        find(config, "openblas_get_config");
        find(core, "openblas_get_corename");
        find(threads, "openblas_get_num_threads");
        find(parallel, "openblas_get_parallel");
    }
    // Stays loaded: its threads run its code.

    decltype(&cblas_dgemm) dgemm = nullptr;
    decltype(&cblas_sgemm) sgemm = nullptr;
    decltype(&openblas_get_config) config = nullptr;
    decltype(&openblas_get_corename) core = nullptr;
    decltype(&openblas_get_num_threads) threads = nullptr;
    decltype(&openblas_get_parallel) parallel = nullptr;

private:
    template <typename F>
    void find(F& function, const char* name) {
        function = reinterpret_cast<F>(dlsym(handle_, name));
        if (!function) throw EnvironmentError(std::string("OpenBLAS has no function ") + name);
    }
    void* handle_;
};

template <typename T>
class OpenBlas final : public Subject {
public:
    OpenBlas(const ProblemSpec& spec, std::size_t threads)
        : problem_(MatmulProblem::load(spec)),
          a_(elements(problem_->m(), problem_->k())),
          b_(elements(problem_->k(), problem_->n())),
          c_(elements(problem_->m(), problem_->n())) {
        if (library_.parallel() == 0 && threads > 1)
            throw EnvironmentError("this OpenBLAS has no threads; install libopenblas0-pthread");
    }

    void run() override {
        const MatmulProblem& p = *problem_;
        const auto a = p.transpose_a() ? CblasTrans : CblasNoTrans;
        const auto b = p.transpose_b() ? CblasTrans : CblasNoTrans;
        const auto gemm = [&] {
            if constexpr (std::is_same_v<T, float>) {
                return library_.sgemm;
            } else {
                return library_.dgemm;
            }
        }();
        gemm(CblasRowMajor, a, b, side(p.m()), side(p.n()), side(p.k()), static_cast<T>(p.alpha()),
             a_.as<T>(), side(p.lda()), b_.as<T>(), side(p.ldb()), static_cast<T>(p.beta()), c_.as<T>(),
             side(p.ldc()));
    }

    Correctness check(std::uint64_t seed) override {
        fill(a_, Operand::a, seed);
        fill(b_, Operand::b, seed);
        fill(c_, Operand::c, seed);
        run();
        const auto found = c_.view<T>();
        return judge(std::vector<double>(found.begin(), found.end()), make_oracle(*problem_, seed, nullptr));
    }

    std::string detail() const override {
        return std::string(library_.config()) + ", kernels for " + library_.core() + ", " +
               std::to_string(library_.threads()) + " threads";
    }

private:
    static std::size_t elements(std::int64_t rows, std::int64_t cols) {
        return static_cast<std::size_t>(rows * cols) * sizeof(T);
    }
    static blasint side(std::int64_t value) { return static_cast<blasint>(value); }
    static void fill(Buffer& buffer, Operand operand, std::uint64_t seed) {
        const auto data = buffer.view<T>();
        matmul::fill_slice(data.data(), operand, seed, 0, static_cast<std::int64_t>(data.size()));
    }

    Library library_;
    std::unique_ptr<MatmulProblem> problem_;
    Buffer a_, b_, c_;  ///< huge pages, as our variants have them
};

Arm arm(std::string name, const ProblemSpec& spec, const std::string& core) {
    Arm result;
    result.name = std::move(name);
    if (!core.empty()) result.environment.emplace_back("OPENBLAS_CORETYPE", core);
    result.make = [spec, forced = !core.empty()](const std::vector<int>& cpus) -> std::unique_ptr<Subject> {
        setenv("OPENBLAS_NUM_THREADS", std::to_string(cpus.size()).c_str(), 1);
        // What the caller forces is not what the library chooses.
        if (!forced) unsetenv("OPENBLAS_CORETYPE");
        if (MatmulProblem::load(spec)->dtype() == DType::f32)
            return std::make_unique<OpenBlas<float>>(spec, cpus.size());
        return std::make_unique<OpenBlas<double>>(spec, cpus.size());
    };
    return result;
}

}  // namespace

std::vector<Arm> openblas_arms(const ProblemSpec& spec) {
    std::vector<Arm> arms{arm("openblas", spec, "")};
    const std::vector<int> widths = usable_widths();
    if (std::find(widths.begin(), widths.end(), 512) != widths.end())
        arms.push_back(arm("openblas-avx512", spec, "SkylakeX"));
    return arms;
}

}  // namespace rooftune::peers
