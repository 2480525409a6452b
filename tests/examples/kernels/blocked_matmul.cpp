// C = A B in row-major order, in blocks, with a register tile: six parameters, two of them numbers that the
// call is given.

// rooftune: size n = 256
// rooftune: in a f64[n*n] all
// rooftune: in b f64[n*n] all
// rooftune: out c f64[n*n] all
// rooftune: parameter TI 1 2 4 8
// rooftune: parameter TJ 8 16 32
// rooftune: parameter UNROLL 1 4
// rooftune: parameter bk 32 64 128 256 (argument)
// rooftune: parameter bj 64 128 256 (argument)
// rooftune: parameter ISA -march=x86-64 -march=x86-64-v3 -march=native (flag)
// rooftune: where bj >= TJ
// rooftune: where TI * TJ <= 128
// rooftune: flags -O3
// rooftune: flops 2*n*n*n
// rooftune: call multiply(n, bk, bj, a, b, c)
// rooftune: reference plain(n, a, b, c)
#include <algorithm>
#include <cstring>

#define PRAGMA(text) _Pragma(#text)
#define UNROLLED(times) PRAGMA(GCC unroll times)

// A tile of TI rows and TJ columns, over k from k0 to k1.
template <int I, int J>
static inline void tile(long n, long k0, long k1, const double* a, const double* b, double* c) {
    double sum[I][J];
    for (int i = 0; i < I; ++i) std::memcpy(sum[i], c + i * n, sizeof sum[i]);
    UNROLLED(UNROLL)
    for (long k = k0; k < k1; ++k) {
        for (int i = 0; i < I; ++i) {
            for (int j = 0; j < J; ++j) sum[i][j] += a[i * n + k] * b[k * n + j];
        }
    }
    for (int i = 0; i < I; ++i) std::memcpy(c + i * n, sum[i], sizeof sum[i]);
}

static void edge(long n, long i0, long i1, long j0, long j1, long k0, long k1, const double* a,
                 const double* b, double* c) {
    for (long i = i0; i < i1; ++i) {
        for (long k = k0; k < k1; ++k) {
            for (long j = j0; j < j1; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
        }
    }
}

void multiply(long n, long bk, long bj, const double* a, const double* b, double* c) {
    std::memset(c, 0, sizeof(double) * static_cast<std::size_t>(n * n));
    for (long k0 = 0; k0 < n; k0 += bk) {
        const long k1 = std::min(n, k0 + bk);
        for (long j0 = 0; j0 < n; j0 += bj) {
            const long j1 = std::min(n, j0 + bj);
            long i = 0;
            for (; i + TI <= n; i += TI) {
                long j = j0;
                for (; j + TJ <= j1; j += TJ) tile<TI, TJ>(n, k0, k1, a + i * n, b + j, c + i * n + j);
                edge(n, i, i + TI, j, j1, k0, k1, a, b, c);
            }
            edge(n, i, n, j0, j1, k0, k1, a, b, c);
        }
    }
}

void plain(long n, const double* a, const double* b, double* c) {
    for (long i = 0; i < n; ++i) {
        for (long j = 0; j < n; ++j) {
            double sum = 0.0;
            for (long k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
            c[i * n + j] = sum;
        }
    }
}
