/* Makes and runs a plan of each kind in every way that runs one, in both types, on one thread and on all, and
 * says what was wrong of what it is told: for a checker of memory, which sees what no answer shows. */
#include <rooftune/rooftune_c.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;

static void expect(int holds, const char* what) {
    if (holds) return;
    fprintf(stderr, "WRONG: %s: %s\n", what, rooftune_error());
    ++failures;
}

/* A band of three in 97 rows, the last of them empty. */
enum { ROWS = 97 };

static void sparse(int threads) {
    int64_t begin[ROWS + 1] = {0};
    int32_t column[3 * ROWS];
    double value[3 * ROWS], x[ROWS], y[ROWS], *own;
    float value_f32[3 * ROWS], x_f32[ROWS], y_f32[ROWS];
    rooftune_plan* plan;
    int64_t i, entries = 0;
    for (i = 0; i < ROWS; ++i) {
        int64_t j;
        for (j = i - 1; i + 1 < ROWS && j <= i + 1; ++j) {
            if (j < 0) continue;
            column[entries] = (int32_t)j;
            value_f32[entries] = 1.0F;
            value[entries++] = 1.0;
        }
        begin[i + 1] = entries;
        x[i] = 1.0;
        x_f32[i] = 1.0F;
    }
    plan = rooftune_spmv_plan_f64(NULL, ROWS, ROWS, begin, column, value, 0, threads);
    expect(plan && rooftune_spmv_f64(plan, x, y) == ROOFTUNE_OK, "spmv f64");
    expect(plan && y[0] == 2.0 && y[1] == 3.0 && y[ROWS - 1] == 0.0, "answer of spmv f64");
    expect(rooftune_spmv_f64(plan, x, x) == ROOFTUNE_BAD_INPUT, "spmv into its own vector");
    /* The values end where the memory does. */
    own = malloc((size_t)entries * sizeof *own);
    for (i = 0; i < entries; ++i) own[i] = 2.0;
    expect(rooftune_spmv_view_values_f64(plan, own, entries) == ROOFTUNE_OK, "values that stay here");
    own[entries - 1] = 5.0;
    expect(rooftune_spmv_f64(plan, x, y) == ROOFTUNE_OK && y[0] == 4.0 && y[1] == 6.0 && y[ROWS - 2] == 9.0 &&
               y[ROWS - 1] == 0.0,
           "answer of values that stay here");
    rooftune_free_plan(plan);
    free(own);
    plan = rooftune_spmv_plan_f32(NULL, ROWS, ROWS, begin, column, value_f32, 0, threads);
    expect(plan && rooftune_spmv_f32(plan, x_f32, y_f32) == ROOFTUNE_OK, "spmv f32");
    expect(plan && y_f32[0] == 2.0F && y_f32[1] == 3.0F && y_f32[ROWS - 1] == 0.0F, "answer of spmv f32");
    rooftune_free_plan(plan);
    expect(!rooftune_spmv_plan_f64(NULL, ROWS, 2, begin, column, value, 0, threads),
           "columns that are outside");
}

enum { M = 33, N = 21, K = 45 };

static void products(int threads) {
    double *a = malloc(M * K * sizeof *a), *b = malloc(K * N * sizeof *b), *c = malloc(M * N * sizeof *c);
    float *a_f32 = malloc(M * K * sizeof *a_f32), *b_f32 = malloc(K * N * sizeof *b_f32),
          *c_f32 = malloc(M * N * sizeof *c_f32);
    rooftune_plan* plan;
    int i;
    for (i = 0; i < M * K; ++i) a_f32[i] = (float)(a[i] = 2.0);
    for (i = 0; i < K * N; ++i) b_f32[i] = (float)(b[i] = 3.0);
    plan = rooftune_matmul_plan_f64(NULL, M, N, K, 1.0, 0.0, 0, 0, threads);
    expect(plan && rooftune_matmul_f64(plan, a, b, c) == ROOFTUNE_OK, "matmul f64");
    expect(plan && c[0] == 6.0 * K && c[M * N - 1] == 6.0 * K, "answer of matmul f64");
    rooftune_free_plan(plan);
    plan = rooftune_matmul_plan_f32(NULL, M, N, K, 1.0, 0.0, 1, 1, threads);
    expect(plan && rooftune_matmul_f32(plan, a_f32, b_f32, c_f32) == ROOFTUNE_OK, "matmul f32");
    expect(plan && c_f32[0] == 6.0F * K && c_f32[M * N - 1] == 6.0F * K, "answer of matmul f32");
    expect(rooftune_matmul_f64(plan, a, b, c) == ROOFTUNE_BAD_INPUT, "a plan of another type");
    rooftune_free_plan(plan);
    free(a);
    free(b);
    free(c);
    free(a_f32);
    free(b_f32);
    free(c_f32);
}

/* One after the other on the thread that asks, the last first. */
static void one_by_one(void* data, int n, void (*body)(void* context, int i), void* context) {
    int i;
    ++*(int*)data;
    for (i = n - 1; i >= 0; --i) body(context, i);
}

/* Whether its variant runs on several threads. */
static int is_shared_out(const rooftune_plan* plan) {
    return strstr(rooftune_variant(plan), "on 1 thread") == NULL;
}

/* Every other way to run a sparse plan: [2 1 0; 0 0 3] and what beta leaves of what was there. Vectors come
 * from the heap, so that a step beyond their ends is seen; what is not read was never written. */
static void sparse_in_every_way(int threads) {
    const int64_t begin[] = {0, 2, 3};
    const int32_t column[] = {0, 1, 2};
    double value[] = {2.0, 1.0, 3.0}, again[] = {4.0, 2.0, 6.0};
    float value_f32[] = {2.0F, 1.0F, 3.0F};
    double *x = malloc(3 * sizeof *x), *y = malloc(2 * sizeof *y), *t = malloc(3 * sizeof *t),
           *u = malloc(2 * sizeof *u), *two_x = malloc(8 * sizeof *two_x), *two_y = malloc(5 * sizeof *two_y);
    float *x_f32 = malloc(3 * sizeof *x_f32), *y_f32 = malloc(2 * sizeof *y_f32),
          *t_f32 = malloc(3 * sizeof *t_f32);
    int i, asked = 0, several = 0;
    rooftune_plan* plan = rooftune_spmv_plan_f64(NULL, 2, 3, begin, column, value, 0, threads);
    expect(rooftune_spmv_memory_bytes_f64(NULL, 2, 3, begin, column, value, 0, threads) ==
               rooftune_memory_bytes(plan),
           "bytes of a sparse plan before and after it is made");
    for (i = 0; i < 3; ++i) x_f32[i] = (float)(x[i] = 1.0);
    for (i = 0; i < 2; ++i) u[i] = 1.0;
    expect(rooftune_spmv_scaled_f64(plan, 2.0, x, 0.0, y) == ROOFTUNE_OK && y[0] == 6.0 && y[1] == 6.0,
           "2Ax");
    expect(rooftune_spmv_scaled_f64(plan, 1.0, x, -1.0, y) == ROOFTUNE_OK && y[0] == -3.0 && y[1] == -3.0,
           "Ax-y");
    expect(rooftune_spmv_scaled_f64(plan, 0.0, NULL, 2.0, y) == ROOFTUNE_OK && y[0] == -6.0, "2y");
    expect(rooftune_spmv_transposed_f64(plan, 1.0, u, 0.0, t) == ROOFTUNE_OK && t[0] == 2.0 && t[2] == 3.0,
           "A^T u");
    expect(rooftune_spmv_update_values_f64(plan, again, 3) == ROOFTUNE_OK, "new values");
    expect(rooftune_spmv_update_values_f64(plan, again, 2) == ROOFTUNE_BAD_INPUT, "too few values");
    expect(rooftune_spmv_transposed_f64(plan, 1.0, u, 1.0, t) == ROOFTUNE_OK && t[0] == 6.0 && t[1] == 3.0,
           "t+A^T u");
    /* Two vectors, of which the first column's gap is never written. */
    for (i = 0; i < 3; ++i) two_x[i] = two_x[5 + i] = 1.0;
    expect(rooftune_spmv_columns_f64(plan, 0, 2, 1.0, two_x, 5, 0.0, two_y, 3) == ROOFTUNE_OK &&
               two_y[0] == 6.0 && two_y[4] == 6.0,
           "two vectors at once");
    for (i = 0; i < 6; ++i) two_x[i] = i % 2 + 1.0;
    expect(rooftune_spmv_interleaved_f64(plan, 0, 2, 1.0, two_x, 2, 0.0, two_y, 2) == ROOFTUNE_OK &&
               two_y[0] == 6.0 && two_y[1] == 12.0,
           "two vectors side by side");
    for (i = 0; i < 3; ++i) two_x[i] = two_x[5 + i] = 1.0;
    two_y[0] = two_y[4] = 0.0;
    expect(rooftune_spmv_columns_on_f64(plan, one_by_one, &several, 0, 2, 1.0, two_x, 5, 0.0, two_y, 3) ==
                   ROOFTUNE_OK &&
               two_y[0] == 6.0 && two_y[4] == 6.0,
           "two vectors on an executor");
    expect((several > 0) == is_shared_out(plan), "what two vectors on several threads want of an executor");
    expect(rooftune_spmv_on_f64(plan, one_by_one, &asked, x, y) == ROOFTUNE_OK && y[0] == 6.0 && asked <= 1,
           "a sparse plan on an executor");
    expect(rooftune_spmv_part_f64(plan, 0, 1, x, y) == ROOFTUNE_OK && y[1] == 6.0, "all of it as one part");
    expect(rooftune_spmv_part_f64(plan, 1, 1, x, y) == ROOFTUNE_BAD_INPUT, "a part that is none");
    rooftune_free_plan(plan);
    plan = rooftune_spmv_plan_f32(NULL, 2, 3, begin, column, value_f32, 0, threads);
    expect(rooftune_spmv_scaled_f32(plan, 2.0F, x_f32, 0.0F, y_f32) == ROOFTUNE_OK && y_f32[0] == 6.0F,
           "2Ax f32");
    expect(rooftune_spmv_transposed_f32(plan, 1.0F, y_f32, 0.0F, t_f32) == ROOFTUNE_OK && t_f32[2] == 18.0F,
           "A^T y f32");
    expect(rooftune_spmv_on_f32(plan, one_by_one, &asked, x_f32, y_f32) == ROOFTUNE_OK && y_f32[1] == 3.0F,
           "a sparse plan on an executor, f32");
    rooftune_free_plan(plan);
    free(x);
    free(y);
    free(t);
    free(u);
    free(two_x);
    free(two_y);
    free(x_f32);
    free(y_f32);
    free(t_f32);
}

/* Every other way to run a product: 5 x 3 by 3 x 4 with gaps between the columns that nobody writes or reads,
 * factors of the run, and batches. */
static void products_in_every_way(int threads, int64_t m, int64_t n, int64_t k) {
    const int64_t lda = m + 2, ldb = k + 3, ldc = m + 1;
    const int64_t a_size = lda * (k - 1) + m, b_size = ldb * (n - 1) + k, c_size = ldc * (n - 1) + m;
    double *a = malloc((size_t)a_size * 2 * sizeof *a), *b = malloc((size_t)b_size * 2 * sizeof *b),
           *c = malloc((size_t)c_size * 2 * sizeof *c);
    const double *as[2], *bs[2];
    double* cs[2];
    int64_t i, j, one;
    int asked = 0;
    rooftune_plan* plan =
        rooftune_matmul_plan_ld_f64(NULL, 1, m, n, k, 1.0, 0.0, 0, 0, lda, ldb, ldc, threads);
    for (one = 0; one < 2; ++one) {
        as[one] = a + one * a_size;
        bs[one] = b + one * b_size;
        cs[one] = c + one * c_size;
        for (j = 0; j < k; ++j)
            for (i = 0; i < m; ++i) a[one * a_size + j * lda + i] = 1.0;
        for (j = 0; j < n; ++j)
            for (i = 0; i < k; ++i) b[one * b_size + j * ldb + i] = (double)(one + 1);
    }
    expect(rooftune_matmul_f64(plan, a, b, c) == ROOFTUNE_OK && c[c_size - 1] == (double)k,
           "columns with gaps");
    expect(rooftune_matmul_scaled_f64(plan, 2.0, a, b, -1.0, c) == ROOFTUNE_OK && c[0] == (double)k, "2AB-C");
    expect(
        rooftune_matmul_scaled_f64(plan, 0.0, NULL, NULL, 3.0, c) == ROOFTUNE_OK && c[0] == 3.0 * (double)k,
        "3C");
    expect(rooftune_matmul_strided_f64(plan, 2, 1.0, a, a_size, b, b_size, 0.0, c, c_size) == ROOFTUNE_OK &&
               c[0] == (double)k && c[2 * c_size - 1] == 2.0 * (double)k,
           "two products, strided");
    expect(rooftune_matmul_pointers_f64(plan, 2, 1.0, as, bs, 1.0, cs) == ROOFTUNE_OK &&
               c[0] == 2.0 * (double)k && c[2 * c_size - 1] == 4.0 * (double)k,
           "two products, by pointers");
    expect(rooftune_matmul_on_f64(plan, one_by_one, &asked, a, b, c) == ROOFTUNE_OK && c[0] == (double)k,
           "a product on an executor");
    if (m > 8)
        expect((asked > 0) == is_shared_out(plan), "what a product on several threads wants of an executor");
    expect(rooftune_matmul_part_f64(plan, 0, 1, a, b, c) == ROOFTUNE_OK && c[0] == (double)k,
           "a product as one part");
    rooftune_free_plan(plan);
    plan = rooftune_matmul_plan_f64(NULL, 0, 4, 3, 1.0, 0.0, 0, 0, threads);
    expect(plan && rooftune_matmul_f64(plan, NULL, b, NULL) == ROOFTUNE_OK, "a product of no rows");
    rooftune_free_plan(plan);
    plan = rooftune_matmul_plan_f64(NULL, 2, 2, 0, 1.0, 0.0, 0, 0, threads);
    expect(plan && rooftune_matmul_f64(plan, NULL, NULL, c) == ROOFTUNE_OK && c[0] == 0.0, "sums of nothing");
    rooftune_free_plan(plan);
    free(a);
    free(b);
    free(c);
}

static double plane(void* context, int64_t x, int64_t y, int64_t z) {
    (void)y;
    (void)z;
    return *(double*)context * (double)x;
}

static void stencils(int threads, int points, int periodic) {
    const double coefficients[4] = {0.25, 0.125, 0.0, 0.0};
    double slope = periodic ? 0.0 : 4.0;
    rooftune_plan* plan =
        rooftune_stencil_plan_f64(NULL, 19, 13, 7, points, 3, periodic, coefficients, threads);
    const double* row;
    const float* row_f32;
    expect(plan && rooftune_stencil_fill(plan, plane, &slope) == ROOFTUNE_OK, "fill f64");
    expect(rooftune_stencil_run(plan) == ROOFTUNE_OK, "stencil f64");
    row = rooftune_stencil_row_f64(plan, 12, 6);
    expect(row && row[0] == 0.0 && row[18] == 18.0 * slope, "answer of stencil f64");
    expect(!rooftune_stencil_row_f64(plan, 13, 0), "a row that is outside");
    {
        const double nothing[4] = {1.0, 0.0, 0.0, 0.0};
        int asked = 0;
        expect(rooftune_stencil_advance(plan, 0, NULL) == ROOFTUNE_OK, "no step");
        expect(rooftune_stencil_advance(plan, 2, nothing) == ROOFTUNE_OK,
               "two steps with other coefficients");
        row = rooftune_stencil_row_f64(plan, 12, 6);
        expect(row && row[18] == 18.0 * slope, "answer of steps with other coefficients");
        expect(rooftune_stencil_on(plan, one_by_one, &asked) == ROOFTUNE_OK, "a stencil on an executor");
        expect((asked > 0) == is_shared_out(plan), "what a stencil on several threads wants of an executor");
        expect(rooftune_stencil_part(plan, 0, 1) == ROOFTUNE_OK, "a stencil as one part");
    }
    rooftune_free_plan(plan);
    plan = rooftune_stencil_plan_f32(NULL, 19, 13, 7, points, 3, periodic, coefficients, threads);
    expect(plan && rooftune_stencil_fill(plan, plane, &slope) == ROOFTUNE_OK, "fill f32");
    expect(rooftune_stencil_run(plan) == ROOFTUNE_OK, "stencil f32");
    row_f32 = rooftune_stencil_row_f32(plan, 12, 6);
    expect(row_f32 && row_f32[0] == 0.0F && row_f32[18] == (float)(18.0 * slope), "answer of stencil f32");
    rooftune_free_plan(plan);
}

int main(void) {
    rooftune_tuned* tuned = rooftune_load_tuned("a folder that is not there");
    int threads;
    expect(rooftune_notices(tuned) == 1, "the folder is missed");
    rooftune_free_tuned(tuned);
    for (threads = 1; threads >= 0; --threads) {
        sparse(threads);
        sparse_in_every_way(threads);
        products(threads);
        products_in_every_way(threads, 5, 4, 3);
        products_in_every_way(threads, 37, 29, 41);
        stencils(threads, 7, 0);
        stencils(threads, 27, 1);
    }
    if (failures == 0) puts("each plan is as it must be");
    return failures == 0 ? 0 : 1;
}
