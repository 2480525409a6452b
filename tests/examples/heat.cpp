// The heat equation in a box whose walls are kept cold, by explicit time steps: each is a 7-point stencil.
//
//   heat [FOLDER OF TUNED CONFIGS]
//
// A start of sin·sin·sin keeps its shape and decays by the same factor every step, so the answer is known.
#include <cmath>
#include <cstdio>
#include <numbers>

#include "show.h"

namespace {

constexpr int kPoints = 62;  // in each direction, between the walls
constexpr int kStepsARun = 4;
constexpr int kRuns = 25;
constexpr double kRate = 0.125;  // of a point's difference to a neighbour, that goes over in a step

double wave(std::int64_t i) {
    return std::sin(std::numbers::pi * static_cast<double>(i + 1) / (kPoints + 1));
}

int cool(const char* folder) {
    rooftune::StencilShape box;
    box.nx = box.ny = box.nz = kPoints;
    box.steps = kStepsARun;
    box.coefficients = {1.0 - 6.0 * kRate, kRate, 0.0, 0.0};
    rooftune::StencilPlan<double> plan = rooftune::stencil_plan<double>(load_and_tell(folder), box);
    show(plan.choice());

    plan.fill([](std::int64_t x, std::int64_t y, std::int64_t z) {
        const auto wall = [](std::int64_t i) { return i < 0 || i >= kPoints; };
        return wall(x) || wall(y) || wall(z) ? 0.0 : wave(x) * wave(y) * wave(z);
    });
    for (int run = 0; run < kRuns; ++run) plan.run();

    // The wave is an eigenvector of each direction's differences, with the eigenvalue 2·cos(pi/(n+1)) − 2.
    const double decay = 1.0 + 3.0 * kRate * (2.0 * std::cos(std::numbers::pi / (kPoints + 1)) - 2.0);
    const double left = std::pow(decay, kRuns * kStepsARun);
    bool right = true;
    double error = 0.0;
    for (std::int64_t z = 0; z < kPoints; ++z) {
        for (std::int64_t y = 0; y < kPoints; ++y) {
            const double* row = plan.row(y, z);
            for (std::int64_t x = 0; x < kPoints; ++x) {
                const double off = std::fabs(row[x] - left * wave(x) * wave(y) * wave(z));
                right = right && off < 1e-12;  // not of the largest: fmax() passes over what is no number
                error = std::fmax(error, off);
            }
        }
    }
    std::printf("after %d steps %.4f of the heat is left; off by at most %.1e\n", kRuns * kStepsARun, left,
                error);
    std::printf("%s\n", right ? "as it must be" : "WRONG");
    return right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    return end_well([&] { return cool(argc > 1 ? argv[1] : nullptr); });
}
