#include "tuner/external/example.h"

namespace rooftune::external {

std::string example_source() {
    return R"(// y = a x + y, to show how a kernel of your own is declared: `rooftune check` says what was understood,
// `rooftune tune` finds the best parameters. For a compiler these are comments, and this file is a program.

// Numbers that the kernel is given. Sizes are whole, and the command line may change them: n=1e6.
// rooftune: size n = 1<<22
// rooftune: real a = 2.5

// Arrays: in, out or inout, the type of their elements, how many. `all`: the kernel needs every element, so
// that no variant can move fewer bytes. They are filled at random, or by an expression: = i % 7
// rooftune: in x f64[n] all
// rooftune: inout y f64[n] all

// What may vary. Macros unless something else stands behind the values: (flag) flags of the compiler,
// (argument) a number that the call is given, (environment) an environment variable, (compiler) the compiler.
// A parameter `threads` is the number of OpenMP threads; without one the kernel runs on one processor.
// rooftune: parameter UNROLL 1 2 4 8
// rooftune: parameter OPT -O2 "-O3 -funroll-loops" (flag)
// rooftune: parameter threads 1 all
// rooftune: flags -march=native -fopenmp

// Rules that variants obey.
// rooftune: where UNROLL < 8 || OPT == '-O2'

// Work of one call: what it must at least do. What is left out claims nothing, and excludes nothing.
// rooftune: flops 2*n

// How it is called, and the plain loop that its answer is compared with.
// rooftune: call axpy(n, a, x, y)
// rooftune: reference axpy_plain(n, a, x, y)

#ifndef UNROLL
#define UNROLL 1
#endif

void axpy(long long n, double a, const double* x, double* y) {
    const long long whole = n / UNROLL * UNROLL;
#pragma omp parallel for schedule(static)
    for (long long i = 0; i < whole; i += UNROLL) {
        for (int k = 0; k < UNROLL; ++k) y[i + k] += a * x[i + k];
    }
    for (long long i = whole; i < n; ++i) y[i] += a * x[i];
}

void axpy_plain(long long n, double a, const double* x, double* y) {
    for (long long i = 0; i < n; ++i) y[i] += a * x[i];
}

int main() {
    double x[3] = {1, 2, 3}, y[3] = {1, 1, 1};
    axpy(3, 2.5, x, y);
    return y[2] == 8.5 ? 0 : 1;
}
)";
}

}  // namespace rooftune::external
