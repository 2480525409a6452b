// A sweep of the 5-point stencil in two dimensions, blocked in x, shared out in y by OpenMP. STAGED keeps the
// sums of neighbours in arrays between two loops, as code does that is written operator by operator: it must
// write them.

// rooftune: size nx = 2048
// rooftune: size ny = 2048
// rooftune: in u f64[(nx + 2)*(ny + 2)] all
// rooftune: out v f64[nx*ny] all
// rooftune: parameter STAGED 0 1
// rooftune: parameter BLOCK 128:2048:x4
// rooftune: parameter ROWS 1 2 4
// rooftune: parameter SIMD 0 1
// rooftune: parameter threads 1 all
// rooftune: parameter CHUNK 1 16 when threads > 1
// rooftune: flags -O3 -march=native -fopenmp
// rooftune: flops 5*nx*ny
// rooftune: writes STAGED*2*8*nx*ny
// rooftune: call sweep(nx, ny, u, v)
// rooftune: reference plain(nx, ny, u, v)
#include <vector>

#ifndef CHUNK
#define CHUNK 1
#endif
#if SIMD
#define LOOP _Pragma("omp simd")
#else
#define LOOP
#endif

// For each row and block of it, shared out by rows.
template <typename Row>
static inline void each_block(long nx, long ny, const Row& row) {
#pragma omp parallel for schedule(static, CHUNK)
    for (long yy = 0; yy < ny; yy += ROWS) {
        for (long xx = 0; xx < nx; xx += BLOCK) {
            for (long y = yy; y < yy + ROWS && y < ny; ++y) row(y, xx, xx + BLOCK < nx ? xx + BLOCK : nx);
        }
    }
}

void sweep(long nx, long ny, const double* __restrict u, double* __restrict v) {
    const long w = nx + 2;
#if STAGED
    static std::vector<double> beside_each, above_each;
    beside_each.resize(static_cast<std::size_t>(nx * ny));
    above_each.resize(static_cast<std::size_t>(nx * ny));
    double* __restrict const beside = beside_each.data();
    double* __restrict const above = above_each.data();
    each_block(nx, ny, [&](long y, long begin, long end) {
        const double* const at = u + (y + 1) * w + 1;
        LOOP for (long x = begin; x < end; ++x) {
            beside[y * nx + x] = at[x - 1] + at[x + 1];
            above[y * nx + x] = at[x - w] + at[x + w];
        }
    });
    each_block(nx, ny, [&](long y, long begin, long end) {
        const double* const at = u + (y + 1) * w + 1;
        LOOP for (long x = begin; x < end; ++x) v[y * nx + x] =
            0.25 * (beside[y * nx + x] + above[y * nx + x]) - at[x];
    });
#else
    each_block(nx, ny, [&](long y, long begin, long end) {
        const double* const at = u + (y + 1) * w + 1;
        LOOP for (long x = begin; x < end; ++x) v[y * nx + x] =
            0.25 * (at[x - 1] + at[x + 1] + at[x - w] + at[x + w]) - at[x];
    });
#endif
}

void plain(long nx, long ny, const double* u, double* v) {
    for (long y = 0; y < ny; ++y) {
        for (long x = 0; x < nx; ++x) {
            const double* const at = u + (y + 1) * (nx + 2) + x + 1;
            v[y * nx + x] = 0.25 * (at[-1] + at[1] + at[-(nx + 2)] + at[nx + 2]) - at[0];
        }
    }
}
