#include "tests/peers/matmul/openblas.h"

#include <cblas.h>
#include <dlfcn.h>

#include <algorithm>
#include <type_traits>

#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tests/peers/matmul/subject.h"

namespace rooftune::peers {
namespace {

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
class OpenBlas final : public ProductSubject<T> {
public:
    OpenBlas(const ProblemSpec& spec, std::size_t threads) : ProductSubject<T>(spec) {
        if (library_.parallel() == 0 && threads > 1)
            throw EnvironmentError("this OpenBLAS has no threads; install libopenblas0-pthread");
    }

    void run() override {
        const matmul::MatmulProblem& p = this->problem();
        const auto a = p.transpose_a() ? CblasTrans : CblasNoTrans;
        const auto b = p.transpose_b() ? CblasTrans : CblasNoTrans;
        const auto gemm = [&] {
            if constexpr (std::is_same_v<T, float>) {
                return library_.sgemm;
            } else {
                return library_.dgemm;
            }
        }();
        gemm(CblasRowMajor, a, b, side(p.m()), side(p.n()), side(p.k()), static_cast<T>(p.alpha()), this->a(),
             side(p.lda()), this->b(), side(p.ldb()), static_cast<T>(p.beta()), this->c(), side(p.ldc()));
    }

    std::string detail() const override {
        return std::string(library_.config()) + ", kernels for " + library_.core() + ", " +
               std::to_string(library_.threads()) + " threads";
    }

private:
    static blasint side(std::int64_t value) { return static_cast<blasint>(value); }

    Library library_;
};

Arm arm(std::string name, const ProblemSpec& spec, const std::string& core) {
    Arm result;
    result.name = std::move(name);
    if (!core.empty()) result.environment.emplace_back("OPENBLAS_CORETYPE", core);
    result.make = [spec, forced = !core.empty()](const std::vector<int>& cpus) -> std::unique_ptr<Subject> {
        setenv("OPENBLAS_NUM_THREADS", std::to_string(cpus.size()).c_str(), 1);
        // What the caller forces is not what the library chooses.
        if (!forced) unsetenv("OPENBLAS_CORETYPE");
        return product_subject<OpenBlas>(spec, cpus.size());
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
