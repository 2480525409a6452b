// A program that tunes a loop of its own with OpenMP's threads, to be started with OMP_PROC_BIND and the
// like. Arguments: the folder of its results, and a machine's file. Prints for how many threads the loop was
// tuned.
#include <cstdio>

#include "tuner/tune/kernel.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    rooftune::Kernel kernel("bound");
    kernel.parameter("TILE", {8, 16});
    kernel.run([](const rooftune::Values& v) {
        double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 800'000 / static_cast<int>(v.integer("TILE")); ++i) sum += 1.0 / (1 + i);
        volatile double kept = sum;
        static_cast<void>(kept);
    });
    const rooftune::TunedKernel tuned = rooftune::tune(
        kernel, {.budget = std::chrono::seconds(5), .audit = 0, .results = argv[1], .machine = argv[2]});
    std::printf("%d threads\n", tuned.result.threads);
    return tuned.found() ? 0 : 1;
}
