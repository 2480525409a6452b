// y = a x + y in C: the shortest declaration that has everything.
// rooftune: size n = 1<<20
// rooftune: real a = 2.5
// rooftune: in x f64[n] all
// rooftune: inout y f64[n] all
// rooftune: parameter UNROLL 1 2 4 8
// rooftune: parameter OPT -O2 "-O3 -march=native" (flag)
// rooftune: parameter threads 1 all
// rooftune: flags -fopenmp
// rooftune: flops 2*n
// rooftune: call axpy(n, a, x, y)
// rooftune: reference axpy_plain(n, a, x, y)

void axpy(long n, double a, const double *restrict x, double *restrict y) {
    long whole = n / UNROLL * UNROLL;
#pragma omp parallel for schedule(static)
    for (long i = 0; i < whole; i += UNROLL) {
        for (int k = 0; k < UNROLL; ++k) y[i + k] += a * x[i + k];
    }
    for (long i = whole; i < n; ++i) y[i] += a * x[i];
}

void axpy_plain(long n, double a, const double *x, double *y) {
    for (long i = 0; i < n; ++i) y[i] += a * x[i];
}
