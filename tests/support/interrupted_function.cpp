// A program that tunes a function of its own and is interrupted while a variant runs. Arguments: the folder
// of its results, a machine's file, and how often SIGINT comes. Prints the winner, if it is not ended before.
#include <signal.h>

#include <cstdio>
#include <cstdlib>

#include "tuner/tune/kernel.h"

int main(int argc, char** argv) {
    if (argc != 4) return 2;
    int signals = std::atoi(argv[3]);
    rooftune::Kernel kernel("interrupted");
    kernel.parameter("TILE", {8, 16, 32});
    kernel.run([&](const rooftune::Values& v) {
        if (v.integer("TILE") != 8) {
            for (; signals > 0; --signals) raise(SIGINT);
        }
        volatile double sum = 0.0;
        for (int i = 0; i < 800'000 / v.integer("TILE"); ++i) sum = sum + i;
    });
    const rooftune::TunedKernel tuned = rooftune::tune(
        kernel, {.budget = std::chrono::seconds(5), .audit = 0, .results = argv[1], .machine = argv[2]});
    std::printf("%s, %d failed\n", tuned.found() ? tuned.values.text("TILE").c_str() : "none",
                static_cast<int>(tuned.result.certificate.failed));
    return 0;
}
