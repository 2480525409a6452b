// `rooftune peers stencil`: a plain OpenMP loop against our variants.
#include "tests/peers/program/program.h"
#include "tests/peers/stencil/plain_arm.h"

int main(int argc, char** argv) {
    using namespace rooftune;
    peers::Suite suite;
    suite.family = "stencil";
    suite.fallback = {{"points", "7"}, {"nx", "384"}, {"ny", "384"}, {"nz", "384"}, {"dtype", "f64"}};
    suite.rates = [](const Problem& problem) {
        const stencil::Grid grid = peers::grid_of(problem.spec());
        const double updates = static_cast<double>(grid.volume()) * static_cast<double>(grid.steps);
        // Bytes as single sweeps must move them, one read and one write a point and step: fused steps move
        // fewer, so their figure may lie above what the memory carries.
        return std::vector<peers::Rate>{{"LUP/s", updates},
                                        {"B/s", 2.0 * static_cast<double>(grid.element()) * updates}};
    };
    suite.peers = peers::plain_arms;
    suite.bytes = [](const Problem& problem) {
        const stencil::Grid grid = peers::grid_of(problem.spec());
        // Input, answer, and one between passes; the reference's answer in double.
        return static_cast<double>(grid.volume()) * (3.2 * static_cast<double>(grid.element()) + 8.0);
    };
    return peers::run_suite(argc, argv, suite);
}
