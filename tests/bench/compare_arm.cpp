// The arm of tests/bench/compare.sh: a chain of products of a given length. `compare_arm calibrate SECONDS`
// prints how many iterations take so long here.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

volatile double some_factor = 1.0 + 1e-12;
volatile double somebody = 0.0;

double seconds_of(long iterations) {
    const auto start = std::chrono::steady_clock::now();
    const double factor = some_factor;
    double product = 1.0;
    for (long i = 0; i < iterations; ++i) product *= factor;
    somebody = product;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
    if (argc == 3 && std::string(argv[1]) == "calibrate") {
        constexpr long kTrial = 20'000'000;
        double least = seconds_of(kTrial);
        for (int i = 0; i < 4; ++i) least = std::min(least, seconds_of(kTrial));
        std::printf("%ld\n", static_cast<long>(std::atof(argv[2]) / least * kTrial));
        return 0;
    }
    if (argc != 2) {
        std::fprintf(stderr, "usage: compare_arm ITERATIONS | calibrate SECONDS\n");
        return 2;
    }
    seconds_of(std::atol(argv[1]));
    return 0;
}
