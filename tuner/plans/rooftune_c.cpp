#include "tuner/plans/rooftune_c.h"

#include <algorithm>
#include <string_view>
#include <variant>

#include "tuner/plans/rooftune.h"
#include "tuner/plans/rooftune_c_inside.h"

using namespace rooftune;

namespace {

// Without a destructor: one that a thread has to run when it ends would keep the library in a program that
// has closed it.
constexpr std::size_t kErrorBytes = 1024;
thread_local char last_error[kErrorBytes];

const PlanChoice& choice_of(const rooftune_plan* plan) {
    return std::visit([](const auto& p) -> const PlanChoice& { return p.choice(); }, plan->plan);
}

template <typename T>
rooftune_plan* spmv(const rooftune_tuned* tuned, std::int64_t rows, std::int64_t cols,
                    const std::int64_t* row_begin, const std::int32_t* column, const T* value, int base,
                    int threads) {
    return planned(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return spmv_plan<T>(configs, SparseMatrix::view(rows, cols, row_begin, column, value, base), options);
    });
}

template <typename T>
std::size_t spmv_bytes(const rooftune_tuned* tuned, std::int64_t rows, std::int64_t cols,
                       const std::int64_t* row_begin, const std::int32_t* column, const T* value, int base,
                       int threads) {
    return bytes_of_plan(tuned, threads, [&](const Tuned& configs, const PlanOptions& options) {
        return spmv_memory_bytes<T>(configs, SparseMatrix::view(rows, cols, row_begin, column, value, base),
                                    options);
    });
}

// Whose threads, which of op(A), and the order of the vectors.
struct Several {
    bool interleaved, transposed;
    bool by_executor = false;  // by the plan's own threads otherwise
    rooftune_executor executor = nullptr;
    void* data = nullptr;
};

template <typename T>
int spmv_several(rooftune_plan* plan, const char* kind, const Several& how, std::int64_t columns, T alpha,
                 const T* x, std::int64_t ldx, T beta, T* y, std::int64_t ldy) {
    return with<SpmvPlan<T>>(plan, kind, [&](SpmvPlan<T>& p) {
        if (how.by_executor) {
            CExecutor executor(how.executor, how.data);
            p.run_several_on(PlanExecution::by(executor), how.transposed, how.interleaved, columns, alpha, x,
                             ldx, beta, y, ldy);
        } else if (how.interleaved && how.transposed) {
            p.run_transposed_interleaved(columns, alpha, x, ldx, beta, y, ldy);
        } else if (how.interleaved) {
            p.run_interleaved(columns, alpha, x, ldx, beta, y, ldy);
        } else if (how.transposed) {
            p.run_transposed_columns(columns, alpha, x, ldx, beta, y, ldy);
        } else {
            p.run_columns(columns, alpha, x, ldx, beta, y, ldy);
        }
    });
}

}  // namespace

namespace rooftune {

void remember_error(std::string_view text) {
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

void forget_error() {
    last_error[0] = '\0';
}

}  // namespace rooftune

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
    return std::visit([](const auto& p) { return p.memory_bytes(); }, plan->plan);
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

int rooftune_spmv_scaled_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run(alpha, x, beta, y); });
}

int rooftune_spmv_transposed_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.run_transposed(alpha, x, beta, y); });
}

int rooftune_spmv_columns_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                              const double* x, int64_t ldx, double beta, double* y, int64_t ldy) {
    return spmv_several<double>(plan, "f64 spmv", {false, transposed != 0}, columns, alpha, x, ldx, beta, y,
                                ldy);
}

int rooftune_spmv_interleaved_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                                  const double* x, int64_t ldx, double beta, double* y, int64_t ldy) {
    return spmv_several<double>(plan, "f64 spmv", {true, transposed != 0}, columns, alpha, x, ldx, beta, y,
                                ldy);
}

int rooftune_spmv_columns_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed,
                                 int64_t columns, double alpha, const double* x, int64_t ldx, double beta,
                                 double* y, int64_t ldy) {
    return spmv_several<double>(plan, "f64 spmv", {false, transposed != 0, true, executor, data}, columns,
                                alpha, x, ldx, beta, y, ldy);
}

int rooftune_spmv_interleaved_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data,
                                     int transposed, int64_t columns, double alpha, const double* x,
                                     int64_t ldx, double beta, double* y, int64_t ldy) {
    return spmv_several<double>(plan, "f64 spmv", {true, transposed != 0, true, executor, data}, columns,
                                alpha, x, ldx, beta, y, ldy);
}

int rooftune_spmv_view_values_f64(rooftune_plan* plan, const double* value, int64_t count) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.view_values(value, count); });
}

int rooftune_spmv_update_values_f64(rooftune_plan* plan, const double* value, int64_t count) {
    return with<SpmvPlan<double>>(plan, "f64 spmv", [&](auto& p) { p.update_values(value, count); });
}

int rooftune_spmv_update_values_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data,
                                       const double* value, int64_t count) {
    return with<SpmvPlan<double>>(plan, "f64 spmv",
                                  [&](auto& p) { p.update_values(CExecutor(executor, data), value, count); });
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
    return spmv_several<float>(plan, "f32 spmv", {false, transposed != 0}, columns, alpha, x, ldx, beta, y,
                               ldy);
}

int rooftune_spmv_interleaved_f32(rooftune_plan* plan, int transposed, int64_t columns, float alpha,
                                  const float* x, int64_t ldx, float beta, float* y, int64_t ldy) {
    return spmv_several<float>(plan, "f32 spmv", {true, transposed != 0}, columns, alpha, x, ldx, beta, y,
                               ldy);
}

int rooftune_spmv_columns_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed,
                                 int64_t columns, float alpha, const float* x, int64_t ldx, float beta,
                                 float* y, int64_t ldy) {
    return spmv_several<float>(plan, "f32 spmv", {false, transposed != 0, true, executor, data}, columns,
                               alpha, x, ldx, beta, y, ldy);
}

int rooftune_spmv_interleaved_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data,
                                     int transposed, int64_t columns, float alpha, const float* x,
                                     int64_t ldx, float beta, float* y, int64_t ldy) {
    return spmv_several<float>(plan, "f32 spmv", {true, transposed != 0, true, executor, data}, columns,
                               alpha, x, ldx, beta, y, ldy);
}

int rooftune_spmv_view_values_f32(rooftune_plan* plan, const float* value, int64_t count) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.view_values(value, count); });
}

int rooftune_spmv_update_values_f32(rooftune_plan* plan, const float* value, int64_t count) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.update_values(value, count); });
}

int rooftune_spmv_update_values_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data,
                                       const float* value, int64_t count) {
    return with<SpmvPlan<float>>(plan, "f32 spmv",
                                 [&](auto& p) { p.update_values(CExecutor(executor, data), value, count); });
}

size_t rooftune_spmv_memory_bytes_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads) {
    return spmv_bytes(tuned, rows, cols, row_begin, column, value, base, threads);
}

int rooftune_spmv_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, const float* x,
                         float* y) {
    return with<SpmvPlan<float>>(plan, "f32 spmv", [&](auto& p) { p.run(CExecutor(executor, data), x, y); });
}

}  // extern "C"
