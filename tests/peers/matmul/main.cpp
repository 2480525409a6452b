// `rooftune peers matmul`: MKL and OpenBLAS against our variants.
#include "kernels/matmul/problem.h"
#include "tests/peers/matmul/mkl_product.h"
#include "tests/peers/matmul/openblas.h"
#include "tests/peers/program/program.h"

int main(int argc, char** argv) {
    using namespace rooftune;
    peers::Suite suite;
    suite.family = "matmul";
    suite.fallback = {{"m", "1024"}, {"n", "1024"}, {"k", "1024"}, {"dtype", "f64"}};
    suite.rates = [](const Problem&) { return std::vector<peers::Rate>{}; };
    suite.peers = [](const ProblemSpec& spec) {
        std::vector<peers::Arm> arms = peers::mkl_product_arms(spec);
        for (peers::Arm& arm : peers::openblas_arms(spec)) arms.push_back(std::move(arm));
        return arms;
    };
    suite.bytes = [](const Problem& problem) {
        const auto& p = dynamic_cast<const matmul::MatmulProblem&>(problem);
        const auto product = [](std::int64_t x, std::int64_t y) {
            return static_cast<double>(x) * static_cast<double>(y);
        };
        // The operands and packed copies of them; the oracle and its tolerances in double.
        return 2.0 * static_cast<double>(size_of(p.dtype())) *
                   (product(p.m(), p.k()) + product(p.k(), p.n()) + product(p.m(), p.n())) +
               16.0 * product(p.m(), p.n());
    };
    return peers::run_suite(argc, argv, suite);
}
