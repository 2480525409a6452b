/* Tuned kernels for programs in C, and in Fortran through the module of rooftune.f90. Everything is as in the
 * C++ headers (rooftune.h), which say what each plan does with its arrays.
 *
 * Functions that make something return NULL when they cannot, the others one of the statuses below, and
 * rooftune_error() says why. Nothing here is shared between threads but what the caller shares: a plan may be
 * run from several threads, its runs then follow each other. No thread of the caller's is moved or kept; a
 * child of fork() has to make plans of its own, or to run its parent's on threads of its own. */
#ifndef ROOFTUNE_C_H
#define ROOFTUNE_C_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#pragma GCC visibility push(default)
#endif
#ifdef __cplusplus
extern "C" {
#endif

enum { ROOFTUNE_OK = 0, ROOFTUNE_BAD_INPUT = 2, ROOFTUNE_BAD_ENVIRONMENT = 3 };

/* Why the last call of this thread failed: what was wrong, where, and what to do, in at most 1023 bytes.
 * Empty when it did not. */
const char* rooftune_error(void);

/* ---- what was tuned ----------------------------------------------------------------------------- */

typedef struct rooftune_tuned rooftune_tuned;

/* The tuned configs of a folder; NULL: of the one that ROOFTUNE_TUNED names. What cannot be read is a notice.
 */
rooftune_tuned* rooftune_load_tuned(const char* folder);
void rooftune_free_tuned(rooftune_tuned* tuned);
size_t rooftune_notices(const rooftune_tuned* tuned);
/* NULL beyond the last. */
const char* rooftune_notice(const rooftune_tuned* tuned, size_t index);

/* ---- plans -------------------------------------------------------------------------------------- */

typedef struct rooftune_plan rooftune_plan;

enum { ROOFTUNE_TUNED = 0, ROOFTUNE_NEARBY = 1, ROOFTUNE_FALLBACK = 2 };

/* Which variant a plan took, where it is from, and why. The texts live as long as the plan; of NULL they are
 * empty. */
int rooftune_from(const rooftune_plan* plan);
const char* rooftune_variant(const rooftune_plan* plan);
const char* rooftune_why(const rooftune_plan* plan);
/* Bytes that the plan holds now, at most (memory_bytes() in the C++ headers); 0 of NULL. */
size_t rooftune_memory_bytes(const rooftune_plan* plan);
void rooftune_free_plan(rooftune_plan* plan);

/* `tuned` may be NULL (every plan then takes its default variant) and may be freed before the plan.
 * `threads`: 0 takes all processing units that the process may run on, less where it shares them with others
 * (see workers.h). */

/* On threads of the caller's own (what SpmvPlan::run_part() and executor.h say holds):
 * rooftune_X_part(plan, part, n, ...) is called by n threads at once, each with its own part of 0 to n-1;
 * rooftune_X_on(plan, executor, data, ...) calls executor(data, n, body, context), which calls body(context,
 * i) once for each i of 0 to n-1, on any threads and in any order, and returns when all are done. */
typedef void (*rooftune_executor)(void* data, int n, void (*body)(void* context, int i), void* context);

/* Compressed rows; columns and row_begin counted from `base`, 0 or 1. The arrays must
 * not change until the call returns; nothing of them is kept. */
rooftune_plan* rooftune_spmv_plan_f64(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const double* value,
                                      int base, int threads);
rooftune_plan* rooftune_spmv_plan_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads);
/* y = A*x */
int rooftune_spmv_f64(rooftune_plan* plan, const double* x, double* y);
int rooftune_spmv_f32(rooftune_plan* plan, const float* x, float* y);
int rooftune_spmv_part_f64(rooftune_plan* plan, int part, int n, const double* x, double* y);
int rooftune_spmv_part_f32(rooftune_plan* plan, int part, int n, const float* x, float* y);
int rooftune_spmv_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, const double* x,
                         double* y);
int rooftune_spmv_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, const float* x,
                         float* y);
/* y = alpha*A*x + beta*y. With beta 0 y is not read, with alpha 0 x is not, and may be NULL. */
int rooftune_spmv_scaled_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y);
int rooftune_spmv_scaled_f32(rooftune_plan* plan, float alpha, const float* x, float beta, float* y);
/* y = alpha*A^T*x + beta*y, x of as many elements as A has rows. The first call makes a plan of A^T, which
 * the plan then holds. */
int rooftune_spmv_transposed_f64(rooftune_plan* plan, double alpha, const double* x, double beta, double* y);
int rooftune_spmv_transposed_f32(rooftune_plan* plan, float alpha, const float* x, float beta, float* y);
/* Either of them for so many vectors: number j begins at x + j*ldx and y + j*ldy. */
int rooftune_spmv_columns_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                              const double* x, int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_columns_f32(rooftune_plan* plan, int transposed, int64_t columns, float alpha,
                              const float* x, int64_t ldx, float beta, float* y, int64_t ldy);
/* The same for vectors side by side, the columns of row-major matrices: element i of number j is x[i*ldx + j]
 * and y[i*ldy + j]. */
int rooftune_spmv_interleaved_f64(rooftune_plan* plan, int transposed, int64_t columns, double alpha,
                                  const double* x, int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_interleaved_f32(rooftune_plan* plan, int transposed, int64_t columns, float alpha,
                                  const float* x, int64_t ldx, float beta, float* y, int64_t ldy);
/* The same on the executor's threads, with n up to the `threads` that the plan was made with. */
int rooftune_spmv_columns_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed,
                                 int64_t columns, double alpha, const double* x, int64_t ldx, double beta,
                                 double* y, int64_t ldy);
int rooftune_spmv_columns_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data, int transposed,
                                 int64_t columns, float alpha, const float* x, int64_t ldx, float beta,
                                 float* y, int64_t ldy);
int rooftune_spmv_interleaved_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data,
                                     int transposed, int64_t columns, double alpha, const double* x,
                                     int64_t ldx, double beta, double* y, int64_t ldy);
int rooftune_spmv_interleaved_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data,
                                     int transposed, int64_t columns, float alpha, const float* x,
                                     int64_t ldx, float beta, float* y, int64_t ldy);
/* New values for the same pattern: `count` of them, in the order of the array that the plan was made of. When
 * it fails the plan is what it was. */
int rooftune_spmv_update_values_f64(rooftune_plan* plan, const double* value, int64_t count);
int rooftune_spmv_update_values_f32(rooftune_plan* plan, const float* value, int64_t count);
/* The same on the executor's threads, with n up to the `threads` that the plan was made with. When the
 * executor leaves a part out, some values are new, and they must be given again. */
int rooftune_spmv_update_values_on_f64(rooftune_plan* plan, rooftune_executor executor, void* data,
                                       const double* value, int64_t count);
int rooftune_spmv_update_values_on_f32(rooftune_plan* plan, rooftune_executor executor, void* data,
                                       const float* value, int64_t count);
/* From now on the values are read there, in the order of the array that the plan was made of: the array must
 * stay until the plan is gone, new values are there as soon as they are written, and the plan has none of its
 * own. A plan of another format becomes one of compressed rows, in the default variant: texts that were asked
 * for stay, and those asked for afterwards are of that. Not while another thread runs the plan. Fails where
 * rows were in no order or had several entries of one place; afterwards update_values fails, and there is no
 * way back. */
int rooftune_spmv_view_values_f64(rooftune_plan* plan, const double* value, int64_t count);
int rooftune_spmv_view_values_f32(rooftune_plan* plan, const float* value, int64_t count);
/* rooftune_memory_bytes() of the plan that these would make, before its first run; 0 where none can be made.
 */
size_t rooftune_spmv_memory_bytes_f64(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const double* value,
                                      int base, int threads);
size_t rooftune_spmv_memory_bytes_f32(const rooftune_tuned* tuned, int64_t rows, int64_t cols,
                                      const int64_t* row_begin, const int32_t* column, const float* value,
                                      int base, int threads);

/* C = alpha*op(A)*op(B) + beta*C, row-major without gaps. */
rooftune_plan* rooftune_matmul_plan_f64(const rooftune_tuned* tuned, int64_t m, int64_t n, int64_t k,
                                        double alpha, double beta, int transpose_a, int transpose_b,
                                        int threads);
rooftune_plan* rooftune_matmul_plan_f32(const rooftune_tuned* tuned, int64_t m, int64_t n, int64_t k,
                                        double alpha, double beta, int transpose_a, int transpose_b,
                                        int threads);
int rooftune_matmul_f64(rooftune_plan* plan, const double* a, const double* b, double* c);
int rooftune_matmul_f32(rooftune_plan* plan, const float* a, const float* b, float* c);
/* The same with leading dimensions (0: no gaps) and, where column_major is not 0, for matrices as Fortran and
 * BLAS store them. Any of these plans may be run by any of the functions below. */
rooftune_plan* rooftune_matmul_plan_ld_f64(const rooftune_tuned* tuned, int column_major, int64_t m,
                                           int64_t n, int64_t k, double alpha, double beta, int transpose_a,
                                           int transpose_b, int64_t lda, int64_t ldb, int64_t ldc,
                                           int threads);
rooftune_plan* rooftune_matmul_plan_ld_f32(const rooftune_tuned* tuned, int column_major, int64_t m,
                                           int64_t n, int64_t k, double alpha, double beta, int transpose_a,
                                           int transpose_b, int64_t lda, int64_t ldb, int64_t ldc,
                                           int threads);
/* With factors of this run. With alpha 0, A and B are not read and may be NULL; with beta 0, C is not read.
 */
int rooftune_matmul_scaled_f64(rooftune_plan* plan, double alpha, const double* a, const double* b,
                               double beta, double* c);
int rooftune_matmul_scaled_f32(rooftune_plan* plan, float alpha, const float* a, const float* b, float beta,
                               float* c);
/* `count` products: of the matrices i*stride_a, i*stride_b and i*stride_c elements behind the first ones, or
 * of those at a[i], b[i] and c[i]. */
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
/* rooftune_memory_bytes() of such a plan before it is made, which no leading dimension changes. 0 where it
 * needs none, and where it cannot be made: rooftune_error() then says why. */
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

/* `coefficients`: of the point and each of its face, edge and corner neighbours. */
rooftune_plan* rooftune_stencil_plan_f64(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic,
                                         const double coefficients[4], int threads);
rooftune_plan* rooftune_stencil_plan_f32(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic,
                                         const double coefficients[4], int threads);
/* Sets every point and, where the grid is not periodic, the layer around it. */
int rooftune_stencil_fill(rooftune_plan* plan,
                          double (*value)(void* context, int64_t x, int64_t y, int64_t z), void* context);
/* The nx points of a row as they are now; good until the next run. NULL outside the grid. */
double* rooftune_stencil_row_f64(rooftune_plan* plan, int64_t y, int64_t z);
float* rooftune_stencil_row_f32(rooftune_plan* plan, int64_t y, int64_t z);
/* Advances the plan's steps. */
int rooftune_stencil_run(rooftune_plan* plan);
/* Advances so many, 0 and more, with these coefficients; NULL: with the plan's. */
int rooftune_stencil_advance(rooftune_plan* plan, int64_t steps, const double coefficients[4]);
/* rooftune_memory_bytes() of such a plan before it is made; 0 where it cannot be: rooftune_error() says why.
 */
size_t rooftune_stencil_memory_bytes_f64(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic, int threads);
size_t rooftune_stencil_memory_bytes_f32(const rooftune_tuned* tuned, int64_t nx, int64_t ny, int64_t nz,
                                         int points, int64_t steps, int periodic, int threads);
int rooftune_stencil_part(rooftune_plan* plan, int part, int n);
int rooftune_stencil_on(rooftune_plan* plan, rooftune_executor executor, void* data);

#ifdef __cplusplus
}
#endif
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

#endif /* ROOFTUNE_C_H */
