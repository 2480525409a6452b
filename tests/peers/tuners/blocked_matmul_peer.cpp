// The kernel of tests/examples/kernels/blocked_matmul.cpp as other tuners call it: BK, BJ and ISA are macros
// too. Kernel Tuner loads timed(); OpenTuner runs the program, which prints seconds.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <vector>

// Kernel Tuner compiles all variants with the same flags, so the source has to choose what they compute with.
#if ISA == 1
#pragma GCC target("arch=x86-64-v3")
#elif ISA == 2
#pragma GCC target("arch=" NATIVE)
#endif
#include "blocked_matmul.cpp"

extern "C" float timed(const double* a, const double* b, double* c) {
    const auto start = std::chrono::steady_clock::now();
    multiply(N, BK, BJ, a, b, c);
    return std::chrono::duration<float, std::milli>(std::chrono::steady_clock::now() - start).count();
}

#ifdef PROGRAM
int main() {
    std::vector<double> a(N * N), b(N * N), c(N * N);
    for (std::size_t i = 0; i < a.size(); ++i) {
        a[i] = static_cast<double>(i * 7 % 13) - 6.0;
        b[i] = static_cast<double>(i * 5 % 11) - 5.0;
    }
    float sum = 0.0f;
    for (int i = 0; i < 8; ++i) {
        const float each = timed(a.data(), b.data(), c.data());
        if (i > 0) sum += each;
    }
    std::printf("%.9g %g\n", sum / 7e3, c[N + 1]);
}
#endif
