/* The functions for C as programs know them that were built against version 0.1: abi.sh compiles this beside the
 * header of today and links it with the library of today. A function that returns or takes something else is a
 * conflict of declarations, one that is gone is missed by the linker, a constant with another value is asserted;
 * new functions are no matter. Whoever adds a function adds it here too, in the words of rooftune_c.h: from then on it
 * stays. Whoever must break one raises the minor version, which is part of the library's soname. */
#include <rooftune/rooftune_c.h>

/* A type of functions that is declared twice has to be the same both times. */
typedef void (*rooftune_executor)(void* data, int n, void (*body)(void* context, int i), void* context);

const char* rooftune_error(void);

rooftune_tuned* rooftune_load_tuned(const char* folder);
void rooftune_free_tuned(rooftune_tuned* tuned);
size_t rooftune_notices(const rooftune_tuned* tuned);
const char* rooftune_notice(const rooftune_tuned* tuned, size_t index);

int rooftune_from(const rooftune_plan* plan);
const char* rooftune_variant(const rooftune_plan* plan);
const char* rooftune_why(const rooftune_plan* plan);
void rooftune_free_plan(rooftune_plan* plan);
size_t rooftune_memory_bytes(const rooftune_plan* plan);

rooftune_plan* rooftune_spmv_plan_f64(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const double* value,
                                      int base, int threads);
rooftune_plan* rooftune_spmv_plan_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads);
int rooftune_spmv_f64(rooftune_plan* plan, const double* x, double* y);
int rooftune_spmv_f32(rooftune_plan* plan, const float* x, float* y);
int rooftune_spmv_scaled_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y);
int rooftune_spmv_scaled_f32(rooftune_plan* plan, float alpha, const float* x, float beta, float* y);
int rooftune_spmv_transposed_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y);
int rooftune_spmv_transposed_f32(rooftune_plan* plan, float alpha, const float* x, float beta, float* y);
int rooftune_spmv_columns_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                              const double* x, int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_interleaved_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                                  const double* x, int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_columns_f32(rooftune_plan* plan, int transposed, int64_t columns, float alpha,
                              const float* x, int64_t ldx, float beta, float* y, int64_t ldy);
int rooftune_spmv_interleaved_f32(rooftune_plan* plan, int transposed, int64_t columns, float alpha,
                                  const float* x, int64_t ldx, float beta, float* y, int64_t ldy);
int rooftune_spmv_columns_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed, int64_t columns, double alpha, const double* x, int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_columns_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed, int64_t columns, float alpha, const float* x, int64_t ldx, float beta, float* y, int64_t ldy);
int rooftune_spmv_interleaved_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed, int64_t columns, double alpha, const double* x, int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_interleaved_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed, int64_t columns, float alpha, const float* x, int64_t ldx, float beta, float* y, int64_t ldy);
int rooftune_spmv_view_values_f64(rooftune_plan* plan, const double* value, int64_t count);
int rooftune_spmv_update_values_f64(rooftune_plan* plan, const double* value, int64_t count);
int rooftune_spmv_view_values_f32(rooftune_plan* plan, const float* value, int64_t count);
int rooftune_spmv_update_values_f32(rooftune_plan* plan, const float* value, int64_t count);
int rooftune_spmv_update_values_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data,
                                       const double* value, int64_t count);
int rooftune_spmv_update_values_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data,
                                       const float* value, int64_t count);
size_t rooftune_spmv_memory_bytes_f64(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const double* value,
                                      int base, int threads);
size_t rooftune_spmv_memory_bytes_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads);
int rooftune_spmv_part_f64(rooftune_plan* plan, int part, int n, const double* x, double* y);
int rooftune_spmv_part_f32(rooftune_plan* plan, int part, int n, const float* x, float* y);
int rooftune_spmv_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, const double* x,
                         double* y);
int rooftune_spmv_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, const float* x,
                         float* y);

rooftune_plan* rooftune_matmul_plan_f64(const rooftune_tuned* tuned, int64_t m, int64_t n, int64_t k,
                                        double alpha, double beta, int transpose_a, int transpose_b,
                                        int threads);
rooftune_plan* rooftune_matmul_plan_f32(const rooftune_tuned* tuned, int64_t m, int64_t n, int64_t k,
                                        double alpha, double beta, int transpose_a, int transpose_b,
                                        int threads);
int rooftune_matmul_f64(rooftune_plan* plan, const double* a, const double* b, double* c);
int rooftune_matmul_f32(rooftune_plan* plan, const float* a, const float* b, float* c);
rooftune_plan* rooftune_matmul_plan_ld_f64(const rooftune_tuned* tuned, int column_major, int64_t m,
                                           int64_t n, int64_t k, double alpha, double beta, int transpose_a,
                                           int transpose_b, int64_t lda, int64_t ldb, int64_t ldc,
                                           int threads);
rooftune_plan* rooftune_matmul_plan_ld_f32(const rooftune_tuned* tuned, int column_major, int64_t m,
                                           int64_t n, int64_t k, double alpha, double beta, int transpose_a,
                                           int transpose_b, int64_t lda, int64_t ldb, int64_t ldc,
                                           int threads);
int rooftune_matmul_scaled_f64(rooftune_plan* plan, double alpha, const double* a, const double* b,
                               double beta, double* c);
int rooftune_matmul_scaled_f32(rooftune_plan* plan, float alpha, const float* a, const float* b, float beta,
                               float* c);
int rooftune_matmul_strided_f64(rooftune_plan* plan, int64_t count, double alpha, const double* a,
                                int64_t stride_a, const double* b, int64_t stride_b, double beta, double* c,
                                int64_t stride_c);
int rooftune_matmul_strided_f32(rooftune_plan* plan, int64_t count, float alpha, const float* a,
                                int64_t stride_a, const float* b, int64_t stride_b, float beta, float* c,
                                int64_t stride_c);
int rooftune_matmul_pointers_f64(rooftune_plan* plan, int64_t count, double alpha, const double* const* a,
                                 const double* const* b, double beta, double* const* c);
int rooftune_matmul_pointers_f32(rooftune_plan* plan, int64_t count, float alpha, const float* const* a,
                                 const float* const* b, float beta, float* const* c);
size_t rooftune_matmul_memory_bytes_f64(const rooftune_tuned* tuned, int column_major, int64_t m, int64_t n,
                                        int64_t k, double alpha, double beta, int transpose_a,
                                        int transpose_b, int threads);
size_t rooftune_matmul_memory_bytes_f32(const rooftune_tuned* tuned, int column_major, int64_t m, int64_t n,
                                        int64_t k, double alpha, double beta, int transpose_a,
                                        int transpose_b, int threads);
int rooftune_matmul_part_f64(rooftune_plan* plan, int part, int n, const double* a, const double* b,
                             double* c);
int rooftune_matmul_part_f32(rooftune_plan* plan, int part, int n, const float* a, const float* b, float* c);
int rooftune_matmul_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, const double* a,
                           const double* b, double* c);
int rooftune_matmul_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, const float* a,
                           const float* b, float* c);

rooftune_plan* rooftune_stencil_plan_f64(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic,
                                         const double coefficients[4], int threads);
rooftune_plan* rooftune_stencil_plan_f32(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic,
                                         const double coefficients[4], int threads);
int rooftune_stencil_fill(rooftune_plan* plan,
                          double (*value)(void* context, int64_t x, int64_t y, int64_t z), void* context);
double* rooftune_stencil_row_f64(rooftune_plan* plan, int64_t y, int64_t z);
float* rooftune_stencil_row_f32(rooftune_plan* plan, int64_t y, int64_t z);
int rooftune_stencil_run(rooftune_plan* plan);
int rooftune_stencil_advance(rooftune_plan* plan, int64_t steps, const double coefficients[4]);
size_t rooftune_stencil_memory_bytes_f64(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic, int threads);
size_t rooftune_stencil_memory_bytes_f32(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic, int threads);
int rooftune_stencil_part(rooftune_plan* plan, int part, int n);
int rooftune_stencil_on(rooftune_plan* plan, rooftune_executor executor, void* data);

_Static_assert(ROOFTUNE_OK == 0 && ROOFTUNE_BAD_INPUT == 2 && ROOFTUNE_BAD_ENVIRONMENT == 3, "statuses");
_Static_assert(ROOFTUNE_TUNED == 0 && ROOFTUNE_NEARBY == 1 && ROOFTUNE_FALLBACK == 2, "where variants are from");

typedef void (*function)(void);

/* Every one of them, for the linker. */
static const function all[] = {
    (function)rooftune_error,
    (function)rooftune_load_tuned,
    (function)rooftune_free_tuned,
    (function)rooftune_notices,
    (function)rooftune_notice,
    (function)rooftune_from,
    (function)rooftune_variant,
    (function)rooftune_why,
    (function)rooftune_free_plan,
    (function)rooftune_memory_bytes,
    (function)rooftune_spmv_plan_f64,
    (function)rooftune_spmv_plan_f32,
    (function)rooftune_spmv_f64,
    (function)rooftune_spmv_f32,
    (function)rooftune_spmv_scaled_f64,
    (function)rooftune_spmv_scaled_f32,
    (function)rooftune_spmv_transposed_f64,
    (function)rooftune_spmv_transposed_f32,
    (function)rooftune_spmv_columns_f64,
    (function)rooftune_spmv_interleaved_f64,
    (function)rooftune_spmv_columns_f32,
    (function)rooftune_spmv_interleaved_f32,
    (function)rooftune_spmv_columns_on_f64,
    (function)rooftune_spmv_columns_on_f32,
    (function)rooftune_spmv_interleaved_on_f64,
    (function)rooftune_spmv_interleaved_on_f32,
    (function)rooftune_spmv_view_values_f64,
    (function)rooftune_spmv_update_values_f64,
    (function)rooftune_spmv_view_values_f32,
    (function)rooftune_spmv_update_values_f32,
    (function)rooftune_spmv_update_values_on_f64,
    (function)rooftune_spmv_update_values_on_f32,
    (function)rooftune_spmv_memory_bytes_f64,
    (function)rooftune_spmv_memory_bytes_f32,
    (function)rooftune_spmv_part_f64,
    (function)rooftune_spmv_part_f32,
    (function)rooftune_spmv_on_f64,
    (function)rooftune_spmv_on_f32,
    (function)rooftune_matmul_plan_f64,
    (function)rooftune_matmul_plan_f32,
    (function)rooftune_matmul_f64,
    (function)rooftune_matmul_f32,
    (function)rooftune_matmul_plan_ld_f64,
    (function)rooftune_matmul_plan_ld_f32,
    (function)rooftune_matmul_scaled_f64,
    (function)rooftune_matmul_scaled_f32,
    (function)rooftune_matmul_strided_f64,
    (function)rooftune_matmul_strided_f32,
    (function)rooftune_matmul_pointers_f64,
    (function)rooftune_matmul_pointers_f32,
    (function)rooftune_matmul_memory_bytes_f64,
    (function)rooftune_matmul_memory_bytes_f32,
    (function)rooftune_matmul_part_f64,
    (function)rooftune_matmul_part_f32,
    (function)rooftune_matmul_on_f64,
    (function)rooftune_matmul_on_f32,
    (function)rooftune_stencil_plan_f64,
    (function)rooftune_stencil_plan_f32,
    (function)rooftune_stencil_fill,
    (function)rooftune_stencil_row_f64,
    (function)rooftune_stencil_row_f32,
    (function)rooftune_stencil_run,
    (function)rooftune_stencil_advance,
    (function)rooftune_stencil_memory_bytes_f64,
    (function)rooftune_stencil_memory_bytes_f32,
    (function)rooftune_stencil_part,
    (function)rooftune_stencil_on,
};

int main(void) {
    size_t i;
    for (i = 0; i < sizeof all / sizeof all[0]; ++i) {
        if (!all[i]) return 1;
    }
    return 0;
}
