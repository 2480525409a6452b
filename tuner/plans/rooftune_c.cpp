#include "tuner/plans/rooftune_c.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "tuner/plans/rooftune.h"
#include "tuner/plans/wrong_use.h"

using namespace rooftune;

struct rooftune_tuned {
    Tuned tuned;
};

struct rooftune_plan {
    std::variant<SpmvPlan<double>, SpmvPlan<float>, MatmulPlan<double>, MatmulPlan<float>,
                 StencilPlan<double>, StencilPlan<float>>
        plan;
};

namespace {

// Without a destructor: one that a thread has to run when it ends would keep the library in a program that
// has closed it.
constexpr std::size_t kErrorBytes = 1024;
thread_local char last_error[kErrorBytes];

void remember(std::string_view text) {
    constexpr std::string_view kMore = "…";
    std::size_t length = std::min(text.size(), kErrorBytes - 1);
    if (length < text.size()) {
        length -= kMore.size();
        // Not within a character of several bytes.
        while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U) --length;
    }
    char* const end = std::copy_n(text.data(), length, last_error);
    *(length < text.size() ? std::copy(kMore.begin(), kMore.end(), end) : end) = '\0';
}

// Calls `act`, which returns a status; an exception becomes one.
template <typename Act>
int guarded(Act&& act) {
    last_error[0] = '\0';
    try {
        return act();
    } catch (const InputError& e) {
        remember(e.what());
        return ROOFTUNE_BAD_INPUT;
    } catch (const std::bad_alloc&) {
        remember("out of memory; take a smaller problem");
    } catch (const std::exception& e) {
        remember(e.what());
    } catch (...) {
        // What a callback in C++ throws may be anything.
        remember("something was thrown that is no std::exception; see what the callback throws");
    }
    return ROOFTUNE_BAD_ENVIRONMENT;
}

// A plan of what `make` returns; nullptr when it throws.
template <typename Make>
rooftune_plan* planned(const rooftune_tuned* tuned, int threads, Make&& make) {
    rooftune_plan* made = nullptr;
    guarded([&] {
        PlanOptions options;
        options.threads = threads;
        made = new rooftune_plan{make(tuned ? tuned->tuned : Tuned(), options)};
        return ROOFTUNE_OK;
    });
    return made;
}

// The bytes that `ask` tells of a plan that is not made; 0 when it throws.
template <typename Ask>
std::size_t bytes_of_plan(const rooftune_tuned* tuned, int threads, Ask&& ask) {
    std::size_t bytes = 0;
    guarded([&] {
        PlanOptions options;
        options.threads = threads;
        bytes = ask(tuned ? tuned->tuned : Tuned(), options);
        return ROOFTUNE_OK;
    });
    return bytes;
}

// Hands the plan, if it is of this kind, to `act`.
template <typename Plan, typename Act>
int with(rooftune_plan* plan, const char* kind, Act&& act) {
    return guarded([&] {
        Plan* of_kind = plan ? std::get_if<Plan>(&plan->plan) : nullptr;
        if (!of_kind)
            throw InputError(std::string("this is no ") + kind + " plan; make one and hand it here");
        act(*of_kind);
        return ROOFTUNE_OK;
    });
}

// What an executor in C is to the library.
class CExecutor {
public:
    CExecutor(rooftune_executor executor, void* data) : executor_(executor), data_(data) {
        if (executor == nullptr)
            throw InputError("the executor is a null pointer; hand over a function, or run the plan without");
    }
    void operator()(int n, PlanPart part) const {
        executor_(
            data_, n, [](void* context, int i) { (*static_cast<const PlanPart*>(context))(i); }, &part);
    }

private:
    rooftune_executor executor_;
    void* data_;
};

// As with() for plans in both types, of which functions of stencils do not say one.
template <typename Act>
int with_stencil(rooftune_plan* plan, Act&& act) {
    if (plan && std::holds_alternative<StencilPlan<float>>(plan->plan))
        return with<StencilPlan<float>>(plan, "stencil", act);
    return with<StencilPlan<double>>(plan, "stencil", act);
}

const PlanChoice& choice_of(const rooftune_plan* plan) {
    return std::visit([](const auto& p) -> const PlanChoice& { return p.choice(); }, plan->plan);
}

template <typename T>
rooftune_plan* spmv(const rooftune_tuned* tuned, std::int64_t rows, std::int64_t cols,
                    const std::int64_t* row_begin, const std::int32_t* column, const T* value, int base,
                    int threads) {
    return planned(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return spmv_plan<T>(configs, SparseMatrix(rows, cols, row_begin, column, value, base), options);
    });
}

template <typename T>
rooftune_plan* make_matmul(const rooftune_tuned* tuned, const MatmulShape& shape, int threads) {
    return planned(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return matmul_plan<T>(configs, shape, options);
    });
}

template <typename T>
rooftune_plan* stencil(const rooftune_tuned* tuned, StencilShape shape, const double* coefficients,
                       int threads) {
    return planned(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        check_given(coefficients, sizeof(double[4]), "stencil: coefficients");
        for (std::size_t i = 0; i < shape.coefficients.size(); ++i) shape.coefficients[i] = coefficients[i];
        return stencil_plan<T>(configs, shape, options);
    });
}

// Memory does not depend on coefficients; those of a shape must only be such as a plan may have.
StencilShape without_coefficients(std::int64_t nx, std::int64_t ny, std::int64_t nz, int points,
                                  std::int64_t steps, int periodic) {
    return {nx, ny, nz, points, steps, periodic != 0, {1.0, 0.0, 0.0, 0.0}};
}

template <typename T>
T* stencil_row(rooftune_plan* plan, std::int64_t y, std::int64_t z) {
    T* row = nullptr;
    with<StencilPlan<T>>(plan, sizeof(T) == 8 ? "f64 stencil" : "f32 stencil", [&](StencilPlan<T>& p) {
        if (y < 0 || y >= p.shape().ny || z < 0 || z >= p.shape().nz) {
            throw InputError("stencil: there is no row y = " + std::to_string(y) +
                             ", z = " + std::to_string(z) + " in a grid of " + std::to_string(p.shape().ny) +
                             " by " + std::to_string(p.shape().nz) + " rows");
        }
        row = p.row(y, z);
    });
    return row;
}

}  // namespace

extern "C" {

const char* rooftune_error(void) {
    return last_error;
}

rooftune_tuned* rooftune_load_tuned(const char* folder) {
    rooftune_tuned* loaded = nullptr;
    guarded([&] {
        loaded = new rooftune_tuned{load_tuned(folder ? folder : "")};
        return ROOFTUNE_OK;
    });
    return loaded;
}

void rooftune_free_tuned(rooftune_tuned* tuned) {
    delete tuned;
}

size_t rooftune_notices(const rooftune_tuned* tuned) {
    return tuned ? tuned->tuned.notice_count() : 0;
}

const char* rooftune_notice(const rooftune_tuned* tuned, size_t index) {
    return index < rooftune_notices(tuned) ? tuned->tuned.notice(index).c_str() : nullptr;
}

int rooftune_from(const rooftune_plan* plan) {
    if (!plan) return ROOFTUNE_FALLBACK;
    switch (choice_of(plan).from) {
        case PlanChoice::From::tuned:
            return ROOFTUNE_TUNED;
        case PlanChoice::From::nearby:
            return ROOFTUNE_NEARBY;
        case PlanChoice::From::fallback:
            break;
    }
    return ROOFTUNE_FALLBACK;
}

const char* rooftune_variant(const rooftune_plan* plan) {
    return plan ? choice_of(plan).variant.c_str() : "";
}

const char* rooftune_why(const rooftune_plan* plan) {
    return plan ? choice_of(plan).why.c_str() : "";
}

size_t rooftune_memory_bytes(const rooftune_plan* plan) {
    if (!plan) return 0;
    return std::visit(
        [](const auto& p) -> std::size_t {
            if constexpr (requires { p.memory_bytes(); }) {
                return p.memory_bytes();
            } else {
                return 0;
            }
        },
        plan->plan);
}

void rooftune_free_plan(rooftune_plan* plan) {
    delete plan;
}

rooftune_plan* rooftune_spmv_plan_f64(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const double* value,
                                      int base, int threads) {
    return spmv(tuned, rows, cols, row_begin, column, value, base, threads);
}

rooftune_plan* rooftune_spmv_plan_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads) {
    return spmv(tuned, rows, cols, row_begin, column, value, base, threads);
}

int rooftune_spmv_f64(rooftune_plan* plan, const double* x, double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run(x, y); });
}

int rooftune_spmv_part_f64(rooftune_plan* plan, int part, int n, const double* x, double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run_part(part, n, x, y); });
}

int rooftune_spmv_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, const double* x,
                         double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run(CExecutor(executor, data), x, y); });
}

int rooftune_spmv_f32(rooftune_plan* plan, const float* x, float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run(x, y); });
}

int rooftune_spmv_part_f32(rooftune_plan* plan, int part, int n, const float* x, float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run_part(part, n, x, y); });
}

int rooftune_spmv_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, const float* x,
                         float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run(CExecutor(executor, data), x, y); });
}

rooftune_plan* rooftune_matmul_plan_f64(const rooftune_tuned* tuned, int64_t m, int64_t n, int64_t k,
                                        double alpha, double beta, int transpose_a, int transpose_b,
                                        int threads) {
    return make_matmul<double>(tuned, {m, n, k, alpha, beta, transpose_a != 0, transpose_b != 0}, threads);
}

rooftune_plan* rooftune_matmul_plan_f32(const rooftune_tuned* tuned, int64_t m, int64_t n, int64_t k,
                                        double alpha, double beta, int transpose_a, int transpose_b,
                                        int threads) {
    return make_matmul<float>(tuned, {m, n, k, alpha, beta, transpose_a != 0, transpose_b != 0}, threads);
}

int rooftune_matmul_f64(rooftune_plan* plan, const double* a, const double* b, double* c) {
    return with<MatmulPlan<double>>(plan, "f64 matmul", [&](auto& p) { p.run(a, b, c); });
}

int rooftune_matmul_part_f64(rooftune_plan* plan, int part, int n, const double* a, const double* b,
                             double* c) {
    return with<MatmulPlan<double>>(plan, "f64 matmul", [&](auto& p) { p.run_part(part, n, a, b, c); });
}

int rooftune_matmul_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, const double* a,
                           const double* b, double* c) {
    return with<MatmulPlan<double>>(plan, "f64 matmul",
                                    [&](auto& p) { p.run(CExecutor(executor, data), a, b, c); });
}

int rooftune_matmul_f32(rooftune_plan* plan, const float* a, const float* b, float* c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul", [&](auto& p) { p.run(a, b, c); });
}

rooftune_plan* rooftune_matmul_plan_ld_f64(const rooftune_tuned* tuned, int column_major, int64_t m,
                                           int64_t n, int64_t k, double alpha, double beta, int transpose_a,
                                           int transpose_b, int64_t lda, int64_t ldb, int64_t ldc,
                                           int threads) {
    return make_matmul<double>(
        tuned, {m, n, k, alpha, beta, transpose_a != 0, transpose_b != 0, column_major != 0, lda, ldb, ldc},
        threads);
}

rooftune_plan* rooftune_matmul_plan_ld_f32(const rooftune_tuned* tuned, int column_major, int64_t m,
                                           int64_t n, int64_t k, double alpha, double beta, int transpose_a,
                                           int transpose_b, int64_t lda, int64_t ldb, int64_t ldc,
                                           int threads) {
    return make_matmul<float>(
        tuned, {m, n, k, alpha, beta, transpose_a != 0, transpose_b != 0, column_major != 0, lda, ldb, ldc},
        threads);
}

int rooftune_matmul_scaled_f64(rooftune_plan* plan, double alpha, const double* a, const double* b,
                               double beta, double* c) {
    return with<MatmulPlan<double>>(plan, "f64 matmul", [&](auto& p) { p.run(alpha, a, b, beta, c); });
}

int rooftune_matmul_scaled_f32(rooftune_plan* plan, float alpha, const float* a, const float* b, float beta,
                               float* c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul", [&](auto& p) { p.run(alpha, a, b, beta, c); });
}

int rooftune_matmul_strided_f64(rooftune_plan* plan, int64_t count, double alpha, const double* a,
                                int64_t stride_a, const double* b, int64_t stride_b, double beta, double* c,
                                int64_t stride_c) {
    return with<MatmulPlan<double>>(plan, "f64 matmul", [&](auto& p) {
        p.run_batch(count, alpha, a, stride_a, b, stride_b, beta, c, stride_c);
    });
}

int rooftune_matmul_strided_f32(rooftune_plan* plan, int64_t count, float alpha, const float* a,
                                int64_t stride_a, const float* b, int64_t stride_b, float beta, float* c,
                                int64_t stride_c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul", [&](auto& p) {
        p.run_batch(count, alpha, a, stride_a, b, stride_b, beta, c, stride_c);
    });
}

int rooftune_matmul_pointers_f64(rooftune_plan* plan, int64_t count, double alpha, const double* const* a,
                                 const double* const* b, double beta, double* const* c) {
    return with<MatmulPlan<double>>(plan, "f64 matmul",
                                    [&](auto& p) { p.run_batch(count, alpha, a, b, beta, c); });
}

int rooftune_matmul_pointers_f32(rooftune_plan* plan, int64_t count, float alpha, const float* const* a,
                                 const float* const* b, float beta, float* const* c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul",
                                   [&](auto& p) { p.run_batch(count, alpha, a, b, beta, c); });
}

size_t rooftune_matmul_memory_bytes_f64(const rooftune_tuned* tuned, int column_major, int64_t m, int64_t n,
                                        int64_t k, double alpha, double beta, int transpose_a,
                                        int transpose_b, int threads) {
    const MatmulShape shape{m, n, k, alpha, beta, transpose_a != 0, transpose_b != 0, column_major != 0};
    return bytes_of_plan(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return matmul_memory_bytes<double>(configs, shape, options);
    });
}

size_t rooftune_matmul_memory_bytes_f32(const rooftune_tuned* tuned, int column_major, int64_t m, int64_t n,
                                        int64_t k, double alpha, double beta, int transpose_a,
                                        int transpose_b, int threads) {
    const MatmulShape shape{m, n, k, alpha, beta, transpose_a != 0, transpose_b != 0, column_major != 0};
    return bytes_of_plan(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return matmul_memory_bytes<float>(configs, shape, options);
    });
}

int rooftune_matmul_part_f32(rooftune_plan* plan, int part, int n, const float* a, const float* b, float* c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul", [&](auto& p) { p.run_part(part, n, a, b, c); });
}

int rooftune_matmul_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, const float* a,
                           const float* b, float* c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul",
                                   [&](auto& p) { p.run(CExecutor(executor, data), a, b, c); });
}

rooftune_plan* rooftune_stencil_plan_f64(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic,
                                         const double coefficients[4], int threads) {
    return stencil<double>(tuned, {nx, ny, nz, points, steps, periodic != 0}, coefficients, threads);
}

rooftune_plan* rooftune_stencil_plan_f32(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic,
                                         const double coefficients[4], int threads) {
    return stencil<float>(tuned, {nx, ny, nz, points, steps, periodic != 0}, coefficients, threads);
}

int rooftune_stencil_fill(rooftune_plan* plan, double (*value)(void*, int64_t, int64_t, int64_t),
                          void* context) {
    const auto fill = [&](auto& p) {
        if (value == nullptr) throw InputError("stencil: value is a null pointer; hand over a function");
        p.fill([&](std::int64_t x, std::int64_t y, std::int64_t z) { return value(context, x, y, z); });
    };
    return with_stencil(plan, fill);
}

double* rooftune_stencil_row_f64(rooftune_plan* plan, int64_t y, int64_t z) {
    return stencil_row<double>(plan, y, z);
}

float* rooftune_stencil_row_f32(rooftune_plan* plan, int64_t y, int64_t z) {
    return stencil_row<float>(plan, y, z);
}

int rooftune_stencil_run(rooftune_plan* plan) {
    return with_stencil(plan, [](auto& p) { p.run(); });
}

int rooftune_stencil_part(rooftune_plan* plan, int part, int n) {
    return with_stencil(plan, [&](auto& p) { p.run_part(part, n); });
}

int rooftune_stencil_on(rooftune_plan* plan, rooftune_executor executor, void* data) {
    return with_stencil(plan, [&](auto& p) { p.run(CExecutor(executor, data)); });
}

int rooftune_stencil_advance(rooftune_plan* plan, int64_t steps, const double coefficients[4]) {
    const auto advance = [&](auto& p) {
        std::array<double, 4> own = p.shape().coefficients;
        if (coefficients != nullptr) std::copy_n(coefficients, own.size(), own.begin());
        p.run(steps, own);
    };
    return with_stencil(plan, advance);
}

size_t rooftune_stencil_memory_bytes_f64(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic, int threads) {
    return bytes_of_plan(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return stencil_memory_bytes<double>(
            configs, without_coefficients(nx, ny, nz, points, steps, periodic), options);
    });
}

size_t rooftune_stencil_memory_bytes_f32(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic, int threads) {
    return bytes_of_plan(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return stencil_memory_bytes<float>(configs, without_coefficients(nx, ny, nz, points, steps, periodic),
                                           options);
    });
}

}  // extern "C"
