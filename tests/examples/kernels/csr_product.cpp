// A sparse matrix times a vector, by compressed rows; A=my.mtx on the command line takes another matrix.

// rooftune: matrix A small.mtx all
// rooftune: in x f64[A_columns]
// rooftune: out y f64[A_rows] all
// rooftune: parameter UNROLL 1 2 4 8
// rooftune: parameter SCHEDULE static dynamic guided
// rooftune: parameter ROWS 0 16 256
// rooftune: parameter FAST "" "-ffast-math" (flag)
// rooftune: parameter threads 1 all
// rooftune: where ROWS > 0 || SCHEDULE == 'static'
// rooftune: flags -O3 -march=native -fopenmp
// rooftune: flops 2*A_entries
// rooftune: call product(A_rows, A_start, A_column, A_value, x, y)
// rooftune: reference plain(A_rows, A_start, A_column, A_value, x, y)

#ifndef UNROLL
#define UNROLL 1
#define SCHEDULE static
#define ROWS 0
#endif

// Zero rows a share: as many for each thread.
#define PRAGMA(text) _Pragma(#text)
#if ROWS
#define SHARED_OUT(kind, rows) PRAGMA(omp parallel for schedule(kind, rows))
#else
#define SHARED_OUT(kind, rows) PRAGMA(omp parallel for schedule(kind))
#endif

void product(long rows, const int* start, const int* column, const double* value, const double* x,
             double* y) {
    SHARED_OUT(SCHEDULE, ROWS)
    for (long r = 0; r < rows; ++r) {
        double sum[UNROLL] = {};
        int i = start[r];
        for (; i + UNROLL <= start[r + 1]; i += UNROLL) {
            for (int k = 0; k < UNROLL; ++k) sum[k] += value[i + k] * x[column[i + k]];
        }
        double all = 0.0;
        for (; i < start[r + 1]; ++i) all += value[i] * x[column[i]];
        for (const double part : sum) all += part;
        y[r] = all;
    }
}

void plain(long rows, const int* start, const int* column, const double* value, const double* x, double* y) {
    for (long r = 0; r < rows; ++r) {
        y[r] = 0.0;
        for (int i = start[r]; i < start[r + 1]; ++i) y[r] += value[i] * x[column[i]];
    }
}
