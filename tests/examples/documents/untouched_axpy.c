/* y = a x + y. Whoever wrote this knows nothing of tuners: what is tuned of it, and how it is called, stands in
   untouched_axpy.json beside it. */
#ifndef UNROLL
#define UNROLL 4
#endif

void axpy(long n, double a, const double *restrict x, double *restrict y) {
    const long whole = n / UNROLL * UNROLL;
    for (long i = 0; i < whole; i += UNROLL) {
        for (int k = 0; k < UNROLL; ++k) y[i + k] += a * x[i + k];
    }
    for (long i = whole; i < n; ++i) y[i] += a * x[i];
}

void axpy_plain(long n, double a, const double *x, double *y) {
    for (long i = 0; i < n; ++i) y[i] += a * x[i];
}
