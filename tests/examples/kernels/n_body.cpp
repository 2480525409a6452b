// Accelerations of n bodies in single precision: compute bound, and fast only where the compiler may reorder
// sums and take approximate roots. The tolerance decides whether the answer is still right.

// rooftune: size n = 2048
// rooftune: in x f32[n] all
// rooftune: in y f32[n] all
// rooftune: in z f32[n] all
// rooftune: out ax f32[n] all
// rooftune: out ay f32[n] all
// rooftune: out az f32[n] all
// rooftune: parameter MATH "" -ffast-math (flag)
// rooftune: parameter PADDED 0 1 3
// rooftune: parameter BLOCK 256 512 1024 2048
// rooftune: parameter ISA -march=x86-64 -march=x86-64-v3 -march=native (flag)
// rooftune: parameter threads 1 all
// rooftune: flags -O3 -fopenmp
// rooftune: tolerance 1e-4

// Ten additions and seven products a pair, besides a root and a quotient; PADDED does all of them again.

// rooftune: flops (17 + 17*PADDED)*n*n
// rooftune: call accelerate(n, x, y, z, ax, ay, az)
// rooftune: reference plain(n, x, y, z, ax, ay, az)
#include <algorithm>
#include <cmath>

static inline void add(float dx, float dy, float dz, float& a, float& b, float& c) {
    const float r2 = dx * dx + dy * dy + dz * dz + 0.01f;
    const float w = 1.0f / (r2 * std::sqrt(r2));
    a += w * dx;
    b += w * dy;
    c += w * dz;
}

// Read anew each time, so that no compiler sees that a pass is the same as the one before.
static volatile float nothing = 0.0f;

void accelerate(long n, const float* x, const float* y, const float* z, float* ax, float* ay, float* az) {
#pragma omp parallel for schedule(static)
    for (long i = 0; i < n; ++i) {
        float again = 0.0f;
        for (int pass = 0; pass <= PADDED; ++pass) {
            float a = 0.0f, b = 0.0f, c = 0.0f;
            for (long j0 = 0; j0 < n; j0 += BLOCK) {
                const long j1 = std::min<long>(n, j0 + BLOCK);
                for (long j = j0; j < j1; ++j) add(x[j] - x[i], y[j] - y[i], z[j] - z[i] + again, a, b, c);
            }
            ax[i] = a;
            ay[i] = b;
            az[i] = c;
            again = nothing;
        }
    }
}

void plain(long n, const float* x, const float* y, const float* z, float* ax, float* ay, float* az) {
    for (long i = 0; i < n; ++i) {
        double a = 0.0, b = 0.0, c = 0.0;
        for (long j = 0; j < n; ++j) {
            const double dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
            const double r2 = dx * dx + dy * dy + dz * dz + 0.01;
            const double w = 1.0 / (r2 * std::sqrt(r2));
            a += w * dx;
            b += w * dy;
            c += w * dz;
        }
        ax[i] = static_cast<float>(a);
        ay[i] = static_cast<float>(b);
        az[i] = static_cast<float>(c);
    }
}
