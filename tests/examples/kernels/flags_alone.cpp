// A kernel that is taken as it is: only the compiler's flags vary.
// rooftune: size n = 100000
// rooftune: in x f64[n] all
// rooftune: out y f64[n] all
// rooftune: parameter LEVEL -O1 -O2 -O3 (flag)
// rooftune: parameter ISA "" -march=native (flag)
// rooftune: parameter MATH "" -fno-math-errno -ffast-math (flag)
// rooftune: flags -std=c++17
// rooftune: tolerance 1e-12
// rooftune: flops 3*n
// rooftune: call norms(n, x, y)
// rooftune: reference norms(n, x, y)
#include <cmath>

void norms(long n, const double* x, double* y) {
    for (long i = 0; i < n; ++i) y[i] = std::sqrt(x[i] * x[i] + 1.0);
}
