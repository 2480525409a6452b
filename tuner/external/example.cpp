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

std::string opencl_example_source() {
    return R"(// y = a x + y on an OpenCL device, to show how a kernel of your own is declared: `rooftune check` says what was
// understood, `rooftune tune` finds the best parameters. For OpenCL these are comments.

// Numbers that the kernel is given. Sizes are whole, and the command line may change them: n=1e6.
// rooftune: size n = 1<<22
// rooftune: real a = 2.5

// Arrays: in, out or inout, the type of their elements, how many. `all`: the kernel needs every element, so
// that no variant can move fewer bytes. They are filled at random, or by an expression: = i % 7
// rooftune: in x f32[n] all
// rooftune: inout y f32[n] all

// What may vary. Macros unless something else stands behind the values: (flag) flags of the compiler,
// (argument) a number that the kernel is given.
// rooftune: parameter WG 32 64 128 256
// rooftune: parameter EACH 1 2 4 8
// rooftune: parameter OPT "" -cl-mad-enable (flag)

// Work items, and those of a work-group; the first are rounded up to a multiple of the second.
// rooftune: global ceil(n/EACH)
// rooftune: local WG

// Work of one call: what it must at least do. What is left out claims nothing, and excludes nothing.
// rooftune: flops 2*n

// The kernel, and the plain loop that its answer is compared with: run by one work item.
// rooftune: call axpy(n, a, x, y)
// rooftune: reference axpy_plain(n, a, x, y)

#ifndef EACH
#define EACH 1
#endif

__kernel void axpy(int n, float a, __global const float* x, __global float* y) {
    const int items = get_global_size(0);
    for (int k = 0; k < EACH; ++k) {
        const int i = get_global_id(0) + k * items;
        if (i < n) y[i] += a * x[i];
    }
}

__kernel void axpy_plain(int n, float a, __global const float* x, __global float* y) {
    for (int i = 0; i < n; ++i) y[i] += a * x[i];
}
)";
}

std::string example_description() {
    return R"(# How large dd's blocks should be, to show how a program is described that is tuned as it is. `rooftune check`
# says what was understood, `rooftune tune` finds the best parameters, `rooftune flags` how to run the winner.

# Numbers of its problem. Sizes are whole, and the command line may change them: bytes=1e9.
size bytes = 1<<26

# What may vary. {block} in the command stands for its value; behind the values, (environment) hands it over as
# a variable. A parameter `threads` is OMP_NUM_THREADS, and as many processors.
parameter block 512:4194304:x4

# Rules that variants obey.
where block <= bytes

# How it is run, in the folder of this file. No shell reads it: for pipes write sh -c '...'.
command dd if=/dev/zero of=/dev/null bs={block} count={bytes} iflag=count_bytes status=none

# What builds it, where a value makes another program of it:
#   build make -B BLOCK={block}
# Its time is that from its start to its end, unless it prints one: `time printed` takes the last number that it
# prints, `time 'took ([0-9.]+ ms)'` a group of a regular expression.
#   time printed
# A run is right that ends with status 0. A file that it writes is compared with what the first variant wrote:
#   verify out.txt
# Work of one run, at least. What is left out claims nothing, and excludes nothing:
#   flops 2*n^3
#   reads 8*n
#   writes 8*n
)";
}

}  // namespace rooftune::external
