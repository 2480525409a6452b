// A sweep of the 5-point stencil in two dimensions, blocked in x, shared out in y by OpenMP. STAGED keeps
// intermediate arrays between loops, as code does that is written operator by operator, which must write
// them and read them again: 1 the sums of neighbours, 2 what each single operation gives. What a loop reads
// comes in but for what a cache of w bytes, and 64 KiB in each core beside it, hold when the loop begins: 8
// nx ny bytes in one loop, 8 and 24 in two, 8, 8, 16, 8 and 16 in five. Two arrays of 134 MB lie beyond the
// caches of most machines; those of 2048x2048 are about what two L3 caches of 32 MiB hold.

// rooftune: size nx = 4096
// rooftune: size ny = 4096
// rooftune: in u f64[(nx + 2)*(ny + 2)] all
// rooftune: out v f64[nx*ny] all
// rooftune: parameter STAGED 0 1 2
// rooftune: parameter BLOCK 128:2048:x4
// rooftune: parameter ROWS 1 2 4
// rooftune: parameter SIMD 0 1
// rooftune: parameter threads 1 all
// rooftune: parameter CHUNK 1 16 when threads > 1
// rooftune: flags -O3 -march=native -fopenmp
// rooftune: flops 5*nx*ny
// rooftune: writes 2*STAGED*8*nx*ny
// rooftune: reads_beyond(w) 8*nx*ny*(1 + 3*STAGED) - (w + threads*2^16)*(1 + STAGED^2)
// rooftune: call sweep(nx, ny, u, v)
// rooftune: reference plain(nx, ny, u, v)
#include <memory>

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
    std::unique_ptr<double[]> kept[2 * STAGED];
    for (std::unique_ptr<double[]>& array : kept) array.reset(new double[static_cast<std::size_t>(nx * ny)]);
    double* __restrict const beside = kept[0].get();
    double* __restrict const above = kept[1].get();
#if STAGED == 1
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
    double* __restrict const sum = kept[2].get();
    double* __restrict const mean = kept[3].get();
    each_block(nx, ny, [&](long y, long begin, long end) {
        const double* const at = u + (y + 1) * w + 1;
        LOOP for (long x = begin; x < end; ++x) beside[y * nx + x] = at[x - 1] + at[x + 1];
    });
    each_block(nx, ny, [&](long y, long begin, long end) {
        const double* const at = u + (y + 1) * w + 1;
        LOOP for (long x = begin; x < end; ++x) above[y * nx + x] = at[x - w] + at[x + w];
    });
    each_block(nx, ny, [&](long y, long begin, long end) {
        LOOP for (long x = begin; x < end; ++x) sum[y * nx + x] = beside[y * nx + x] + above[y * nx + x];
    });
    each_block(nx, ny, [&](long y, long begin, long end) {
        LOOP for (long x = begin; x < end; ++x) mean[y * nx + x] = 0.25 * sum[y * nx + x];
    });
    each_block(nx, ny, [&](long y, long begin, long end) {
        const double* const at = u + (y + 1) * w + 1;
        LOOP for (long x = begin; x < end; ++x) v[y * nx + x] = mean[y * nx + x] - at[x];
    });
#endif
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
