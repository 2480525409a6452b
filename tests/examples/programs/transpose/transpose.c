// B = A transposed in tiles, as a program of its own: it prints the shortest of five times, and leaves row
// sums of B in transpose.out.
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#ifndef TILE
#define TILE 8
#endif

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void transpose(long n, const double* a, double* b) {
    for (long ii = 0; ii < n; ii += TILE) {
        for (long jj = 0; jj < n; jj += TILE) {
            for (long i = ii; i < ii + TILE && i < n; ++i) {
                for (long j = jj; j < jj + TILE && j < n; ++j) b[j * n + i] = a[i * n + j];
            }
        }
    }
}

int main(int argc, char** argv) {
    const long n = argc > 1 ? atol(argv[1]) : 0;
    if (n < 1) {
        fprintf(stderr, "usage: transpose n\n");
        return 2;
    }
    double* a = malloc(sizeof(double) * (size_t)(n * n));
    double* b = malloc(sizeof(double) * (size_t)(n * n));
    FILE* out = fopen("transpose.out", "w");
    if (!a || !b || !out) return 1;
    for (long i = 0; i < n * n; ++i) a[i] = (double)(i % 1001) / 7.0;
    double best = 1e300;
    for (int r = 0; r < 5; ++r) {
        const double start = now();
        transpose(n, a, b);
        const double seconds = now() - start;
        if (seconds < best) best = seconds;
    }
    for (long i = 0; i < n; ++i) {
        double sum = 0.0;
        for (long j = 0; j < n; ++j) sum += (double)(j % 13) * b[i * n + j];
        fprintf(out, "%.15g\n", sum);
    }
    printf("transposed %ld x %ld in %.9f s\n", n, n, best);
    fclose(out);
    free(a);
    free(b);
    return 0;
}
