// `rooftune peers spmv`: the plain loop, Intel's MKL, Eigen and librsb against our variants.
#include "kernels/spmv/problem.h"
#include "tests/peers/program/program.h"
#include "tests/peers/spmv/arms.h"

namespace {

using namespace rooftune;

std::vector<peers::Arm> all_arms(const ProblemSpec& spec) {
    std::vector<peers::Arm> arms = peers::plain_csr_arms(spec);
    const auto add = [&arms](std::vector<peers::Arm> more) {
        for (peers::Arm& arm : more) arms.push_back(std::move(arm));
    };
    add(peers::mkl_arms(spec));
#ifdef ROOFTUNE_EIGEN
    add(peers::eigen_arms(spec));
#endif
#ifdef ROOFTUNE_RSB
    add(peers::rsb_arms(spec));
#endif
    return arms;
}

// The matrix as read, as compressed rows, and as somebody converts it; three vectors in double beside.
double bytes_of(const Problem& problem) {
    const auto& p = dynamic_cast<const spmv::SpmvProblem&>(problem);
    const auto entries = static_cast<double>(p.matrix().stored());
    const double vectors = static_cast<double>(p.matrix().rows + p.matrix().cols);
    return 12.0 * entries + 2.5 * entries * (static_cast<double>(size_of(p.dtype())) + 4.0) + 24.0 * vectors;
}

}  // namespace

int main(int argc, char** argv) {
    peers::Suite suite;
    suite.family = "spmv";
    // A generator's sizes are asked for where it is named; nothing else has a value to fall back on.
    suite.fallback = {{"dtype", "f64"}};
    suite.rates = [](const Problem& problem) {
        const auto& p = dynamic_cast<const spmv::SpmvProblem&>(problem);
        const double element = static_cast<double>(size_of(p.dtype()));
        // What compressed rows with 32-bit columns move once, x and y with them: shorter formats undercut it.
        const double bytes = static_cast<double>(p.matrix().stored()) * (element + 4.0) +
                             static_cast<double>(p.matrix().rows) * (element + 4.0) +
                             static_cast<double>(p.matrix().cols) * element;
        return std::vector<peers::Rate>{{"B/s", bytes}};
    };
    suite.peers = all_arms;
    suite.bytes = bytes_of;
    return peers::run_suite(argc, argv, suite);
}
