// A sweep of the 5-point stencil in two dimensions, blocked in x, shared out in y by OpenMP.
// rooftune: size nx = 1024
// rooftune: size ny = 1024
// rooftune: in u f64[(nx + 2)*(ny + 2)] all
// rooftune: out v f64[nx*ny] all
// rooftune: parameter BLOCK 64:1024:x2
// rooftune: parameter ROWS 1 2 4
// rooftune: parameter SIMD 0 1
// rooftune: parameter threads 1 all
// rooftune: parameter CHUNK 1 4 16 when threads > 1
// rooftune: flags -O3 -march=native -fopenmp
// rooftune: flops 5*nx*ny
// rooftune: call sweep(nx, ny, u, v)
// rooftune: reference plain(nx, ny, u, v)

#ifndef CHUNK
#define CHUNK 1
#endif
#if SIMD
#define LOOP _Pragma("omp simd")
#else
#define LOOP
#endif

static inline double point(const double* u, long w, long i) {
    return 0.25 * (u[i - 1] + u[i + 1] + u[i - w] + u[i + w]) - u[i];
}

void sweep(long nx, long ny, const double* __restrict u, double* __restrict v) {
    const long w = nx + 2;
#pragma omp parallel for schedule(static, CHUNK)
    for (long yy = 0; yy < ny; yy += ROWS) {
        for (long xx = 0; xx < nx; xx += BLOCK) {
            const long x_end = xx + BLOCK < nx ? xx + BLOCK : nx;
            for (long y = yy; y < yy + ROWS && y < ny; ++y) {
                LOOP for (long x = xx; x < x_end; ++x) v[y * nx + x] = point(u, w, (y + 1) * w + x + 1);
            }
        }
    }
}

void plain(long nx, long ny, const double* u, double* v) {
    for (long y = 0; y < ny; ++y) {
        for (long x = 0; x < nx; ++x) v[y * nx + x] = point(u, nx + 2, (y + 1) * (nx + 2) + x + 1);
    }
}
