// B = A', whose columns lie a power of two apart: caches have conflicts, and blocks and padding help.
// rooftune: size n = 1024
// rooftune: in a f64[n*n] all
// rooftune: out b f64[n*n] all
// rooftune: parameter BLOCK 1 4 8 16 32 64
// rooftune: parameter BUFFERED 0 1 when BLOCK > 1
// rooftune: parameter ORDER rows columns
// rooftune: call transpose(n, a, b)
// rooftune: reference plain(n, a, b)

#define rows 1
#define columns 2
#ifndef BUFFERED
#define BUFFERED 0
#endif

static void block(long n, long i0, long j0, const double *restrict a, double *restrict b) {
    long i1 = i0 + BLOCK < n ? i0 + BLOCK : n, j1 = j0 + BLOCK < n ? j0 + BLOCK : n;
#if BUFFERED
    double t[BLOCK][BLOCK + 1];
    for (long i = i0; i < i1; ++i)
        for (long j = j0; j < j1; ++j) t[j - j0][i - i0] = a[i * n + j];
    for (long j = j0; j < j1; ++j)
        for (long i = i0; i < i1; ++i) b[j * n + i] = t[j - j0][i - i0];
#else
    for (long i = i0; i < i1; ++i)
        for (long j = j0; j < j1; ++j) b[j * n + i] = a[i * n + j];
#endif
}

void transpose(long n, const double *a, double *b) {
#if ORDER == rows
    for (long i = 0; i < n; i += BLOCK)
        for (long j = 0; j < n; j += BLOCK) block(n, i, j, a, b);
#else
    for (long j = 0; j < n; j += BLOCK)
        for (long i = 0; i < n; i += BLOCK) block(n, i, j, a, b);
#endif
}

void plain(long n, const double *a, double *b) {
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < n; ++j) b[j * n + i] = a[i * n + j];
}
