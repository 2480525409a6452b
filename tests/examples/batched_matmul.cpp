// Many small matrix products of one shape: one plan, run for all of them.
//
//   batched_matmul [FOLDER OF TUNED CONFIGS]
#include <cmath>
#include <cstdio>
#include <vector>

#include "show.h"

namespace {

constexpr std::int64_t kM = 24, kN = 20, kK = 28;
constexpr int kBatch = 500;

// In [−1, 1), different for every element of every matrix.
float element(int matrix, std::int64_t i) {
    const auto h =
        static_cast<unsigned>(matrix * 2654435761U + static_cast<unsigned>(i) * 40503U) * 2246822519U;
    return static_cast<float>(h >> 8) / 8388608.0F - 1.0F;
}

std::vector<float> matrices(std::int64_t elements, int salt) {
    std::vector<float> all;
    for (int b = 0; b < kBatch; ++b) {
        for (std::int64_t i = 0; i < elements; ++i) all.push_back(element(2 * b + salt, i));
    }
    return all;
}

int multiply(const char* folder) {
    rooftune::MatmulPlan<float> plan =
        rooftune::matmul_plan<float>(load_and_tell(folder), {.m = kM, .n = kN, .k = kK});
    show(plan.choice());

    const std::vector<float> a = matrices(kM * kK, 0), b = matrices(kK * kN, 1);
    std::vector<float> c(static_cast<std::size_t>(kBatch * kM * kN));
    plan.run_batch(kBatch, 1.0F, a.data(), kM * kK, b.data(), kK * kN, 0.0F, c.data(), kM * kN);

    // Rounding of 28 products and sums of numbers up to 1, in float.
    constexpr double kRounding = 28.0 * 28.0 * 0x1p-24;
    bool right = true;
    double error = 0.0;
    for (int i = 0; i < kBatch; ++i) {
        for (std::int64_t row = 0; row < kM; ++row) {
            for (std::int64_t column = 0; column < kN; ++column) {
                double sum = 0.0;
                for (std::int64_t p = 0; p < kK; ++p) {
                    sum += static_cast<double>(a[static_cast<std::size_t>((i * kM + row) * kK + p)]) *
                           static_cast<double>(b[static_cast<std::size_t>((i * kK + p) * kN + column)]);
                }
                const double found = c[static_cast<std::size_t>((i * kM + row) * kN + column)];
                const double off = std::fabs(found - sum);
                right =
                    right && off <= kRounding;  // not of the largest: fmax() passes over what is no number
                error = std::fmax(error, off);
            }
        }
    }
    std::printf("%d products; off by at most %.1e\n", kBatch, error);
    std::printf("%s\n", right ? "as they must be" : "WRONG");
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return multiply(argc > 1 ? argv[1] : nullptr); });
}
