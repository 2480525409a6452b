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
        return spmv_plan<T>(configs, SparseMatrix(rows, cols, row_begin, column, value, base), options);
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

}  // extern "C"
