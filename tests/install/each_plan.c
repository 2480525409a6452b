/* Makes and runs a plan of each kind, in both types, on one thread and on all, and says what was wrong of what
 * it is told: for a checker of memory, which sees what no answer shows. */
#include <rooftune/rooftune_c.h>
#include <stdio.h>
#include <stdlib.h>

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
    double value[3 * ROWS], x[ROWS], y[ROWS];
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
    rooftune_free_plan(plan);
    plan = rooftune_spmv_plan_f32(NULL, ROWS, ROWS, begin, column, value_f32, 0, threads);
    expect(plan && rooftune_spmv_f32(plan, x_f32, y_f32) == ROOFTUNE_OK, "spmv f32");
    expect(plan && y_f32[0] == 2.0F && y_f32[1] == 3.0F && y_f32[ROWS - 1] == 0.0F, "answer of spmv f32");
    rooftune_free_plan(plan);
    expect(!rooftune_spmv_plan_f64(NULL, ROWS, 2, begin, column, value, 0, threads), "columns that are outside");
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

static double plane(void* context, int64_t x, int64_t y, int64_t z) {
    (void)y;
    (void)z;
    return *(double*)context * (double)x;
}

static void stencils(int threads, int points, int periodic) {
    const double coefficients[4] = {0.25, 0.125, 0.0, 0.0};
    double slope = periodic ? 0.0 : 4.0;
    rooftune_plan* plan = rooftune_stencil_plan_f64(NULL, 19, 13, 7, points, 3, periodic, coefficients, threads);
    const double* row;
    const float* row_f32;
    expect(plan && rooftune_stencil_fill(plan, plane, &slope) == ROOFTUNE_OK, "fill f64");
    expect(rooftune_stencil_run(plan) == ROOFTUNE_OK, "stencil f64");
    row = rooftune_stencil_row_f64(plan, 12, 6);
    expect(row && row[0] == 0.0 && row[18] == 18.0 * slope, "answer of stencil f64");
    expect(!rooftune_stencil_row_f64(plan, 13, 0), "a row that is outside");
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
        products(threads);
        stencils(threads, 7, 0);
        stencils(threads, 27, 1);
    }
    if (failures == 0) puts("each plan is as it must be");
    return failures == 0 ? 0 : 1;
}
