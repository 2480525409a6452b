// A program that tunes a function of its own, of which one variant ends the program. Arguments: the folder of
// its results, and a machine's file. Prints the winner and how many variants failed.
#include <cstdio>
#include <cstdlib>

#include "tuner/tune/kernel.h"

int main(int argc, char** argv) {
    if (argc != 3) return 2;
    rooftune::Kernel kernel("dying");
    kernel.parameter("TILE", {8, 16, 32});
    kernel.run([](const rooftune::Values& v) {
        if (v.integer("TILE") == 16) std::abort();
        volatile double sum = 0.0;
        for (int i = 0; i < 800'000 / v.integer("TILE"); ++i) sum = sum + i;
    });
    const rooftune::TunedKernel tuned = rooftune::tune(
        kernel, {.budget = std::chrono::seconds(5), .audit = 0, .results = argv[1], .machine = argv[2]});
    std::printf("%s, %d failed\n", tuned.found() ? tuned.values.text("TILE").c_str() : "none",
                static_cast<int>(tuned.result.certificate.failed));
    return 0;
}
