/* A sparse matrix times a vector, from C.
 *
 *   matvec [FOLDER OF TUNED CONFIGS] */
#include <rooftune/rooftune_c.h>
#include <stdio.h>

int main(int argc, char** argv) {
    /* 4 0 1
     * 0 0 0
     * 2 3 0 */
    const int64_t row_begin[] = {0, 2, 2, 4};
    const int32_t column[] = {0, 2, 0, 1};
    const double value[] = {4.0, 1.0, 2.0, 3.0};
    const double x[] = {1.0, 10.0, 100.0};
    const double expected[] = {104.0, 0.0, 32.0};
    double y[3];
    rooftune_tuned* tuned = rooftune_load_tuned(argc > 1 ? argv[1] : NULL);
    rooftune_plan* plan;
    size_t i;
    for (i = 0; i < rooftune_notices(tuned); ++i) fprintf(stderr, "note: %s\n", rooftune_notice(tuned, i));
    plan = rooftune_spmv_plan_f64(tuned, 3, 3, row_begin, column, value, 0, 0);
    rooftune_free_tuned(tuned);
    if (!plan) {
        fprintf(stderr, "error: %s\n", rooftune_error());
        return 2;
    }
    printf("runs %s: %s\n", rooftune_variant(plan), rooftune_why(plan));
    if (rooftune_spmv_f64(plan, x, y) != ROOFTUNE_OK) {
        fprintf(stderr, "error: %s\n", rooftune_error());
        return 2;
    }
    rooftune_free_plan(plan);
    for (i = 0; i < 3; ++i) {
        if (y[i] != expected[i]) {
            printf("WRONG: y[%d] is %g\n", (int)i, y[i]);
            return 1;
        }
    }
    printf("as it must be\n");
    return 0;
}
