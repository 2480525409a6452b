#include "tuner/plans/rooftune_c.h"

#include <algorithm>
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
std::size_t spmv_bytes(const rooftune_tuned* tuned, std::int64_t rows, std::int64_t cols,
                       const std::int64_t* row_begin, const std::int32_t* column, const T* value, int base,
                       int threads) {
    std::size_t bytes = 0;
    guarded([&] {
        PlanOptions options;
        options.threads = threads;
        bytes = spmv_memory_bytes<T>(tuned ? tuned->tuned : Tuned(),
                                     SparseMatrix(rows, cols, row_begin, column, value, base), options);
        return ROOFTUNE_OK;
    });
    return bytes;
}

// op(A) by columns, for both types.
template <typename T>
int spmv_columns(rooftune_plan* plan, const char* kind, bool transposed, std::int64_t columns, T alpha,
                 const T* x, std::int64_t ldx, T beta, T* y, std::int64_t ldy) {
    return with<SpmvPlan<T>>(plan, kind, [&](SpmvPlan<T>& p) {
        if (transposed) {
            p.run_transposed_columns(columns, alpha, x, ldx, beta, y, ldy);
        } else {
            p.run_columns(columns, alpha, x, ldx, beta, y, ldy);
        }
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

int rooftune_spmv_f32(rooftune_plan* plan, const float* x, float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run(x, y); });
}

int rooftune_spmv_scaled_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run(alpha, x, beta, y); });
}

int rooftune_spmv_transposed_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run_transposed(alpha, x, beta, y); });
}

int rooftune_spmv_columns_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                              const double* x, int64_t ldx, double beta, double* y, int64_t ldy) {
    return spmv_columns(plan, "f64 spmv", transposed != 0, columns, alpha, x, ldx, beta, y, ldy);
}

int rooftune_spmv_update_values_f64(rooftune_plan* plan, const double* value, int64_t count) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.update_values(value, count); });
}

size_t rooftune_spmv_memory_bytes_f64(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const double* value,
                                      int base, int threads) {
    return spmv_bytes(tuned, rows, cols, row_begin, column, value, base, threads);
}

int rooftune_spmv_scaled_f32(rooftune_plan* plan, float alpha, const float* x, float beta, float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run(alpha, x, beta, y); });
}

int rooftune_spmv_transposed_f32(rooftune_plan* plan, float alpha, const float* x, float beta, float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run_transposed(alpha, x, beta, y); });
}

int rooftune_spmv_columns_f32(rooftune_plan* plan, int transposed, int64_t columns, float alpha,
                              const float* x, int64_t ldx, float beta, float* y, int64_t ldy) {
    return spmv_columns(plan, "f32 spmv", transposed != 0, columns, alpha, x, ldx, beta, y, ldy);
}

int rooftune_spmv_update_values_f32(rooftune_plan* plan, const float* value, int64_t count) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.update_values(value, count); });
}

size_t rooftune_spmv_memory_bytes_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads) {
    return spmv_bytes(tuned, rows, cols, row_begin, column, value, base, threads);
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

int rooftune_matmul_f32(rooftune_plan* plan, const float* a, const float* b, float* c) {
    return with<MatmulPlan<float>>(plan, "f32 matmul", [&](auto& p) { p.run(a, b, c); });
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
    if (plan && std::holds_alternative<StencilPlan<float>>(plan->plan))
        return with<StencilPlan<float>>(plan, "stencil", fill);
    return with<StencilPlan<double>>(plan, "stencil", fill);
}

double* rooftune_stencil_row_f64(rooftune_plan* plan, int64_t y, int64_t z) {
    return stencil_row<double>(plan, y, z);
}

float* rooftune_stencil_row_f32(rooftune_plan* plan, int64_t y, int64_t z) {
    return stencil_row<float>(plan, y, z);
}

int rooftune_stencil_run(rooftune_plan* plan) {
    if (plan && std::holds_alternative<StencilPlan<float>>(plan->plan))
        return with<StencilPlan<float>>(plan, "stencil", [](auto& p) { p.run(); });
    return with<StencilPlan<double>>(plan, "stencil", [](auto& p) { p.run(); });
}

}  // extern "C"
