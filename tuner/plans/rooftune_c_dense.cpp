// The functions for C of products and grids.
#include <algorithm>
#include <array>
#include <string>
#include <variant>

#include "tuner/plans/rooftune.h"
#include "tuner/plans/rooftune_c.h"
#include "tuner/plans/rooftune_c_inside.h"
#include "tuner/plans/wrong_use.h"

using namespace rooftune;

namespace {

// As with() for plans in both types, of which functions of stencils do not say one.
template <typename Act>
int with_stencil(rooftune_plan* plan, Act&& act) {
    if (plan && std::holds_alternative<StencilPlan<float>>(plan->plan))
        return with<StencilPlan<float>>(plan, "stencil", act);
    return with<StencilPlan<double>>(plan, "stencil", act);
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
