#include "tuner/verify/judge.h"

#include <cmath>
#include <cstdio>
#include <limits>

namespace rooftune {

Verdict judge(std::span<const double> answer, const Oracle& oracle) {
    Verdict verdict;
    if (answer.size() != oracle.expected.size() || answer.size() != oracle.tolerance.size()) {
        verdict.error = std::numeric_limits<double>::infinity();
        verdict.detail = "the output has " + std::to_string(answer.size()) + " elements, expected " +
                         std::to_string(oracle.expected.size());
        return verdict;
    }
    std::size_t worst = 0;
    for (std::size_t i = 0; i < answer.size(); ++i) {
        const double difference = std::fabs(answer[i] - oracle.expected[i]);
        double error = 0.0;
        if (!std::isfinite(difference)) {
            error = std::numeric_limits<double>::infinity();
        } else if (difference > 0.0) {
            error = oracle.tolerance[i] > 0.0 ? difference / oracle.tolerance[i]
                                              : std::numeric_limits<double>::infinity();
        }
        if (error > verdict.error) {
            verdict.error = error;
            worst = i;
        }
    }
    verdict.right = verdict.error <= 1.0;
    if (!verdict.right) {
        char text[160];
        std::snprintf(text, sizeof text, "element %zu: expected %.17g within %.3g, found %.17g", worst,
                      oracle.expected[worst], oracle.tolerance[worst], answer[worst]);
        verdict.detail = text;
    }
    return verdict;
}

Verdict verify(Prepared& prepared, Bench& bench, std::span<const std::uint64_t> seeds) {
    Verdict worst;
    worst.right = true;
    for (const std::uint64_t seed : seeds) {
        prepared.reset(seed);
        prepared.run();
        Verdict verdict;
        if (!prepared.guards_intact()) {
            verdict.error = std::numeric_limits<double>::infinity();
            verdict.detail = "wrote outside its output (a guard zone changed)";
        } else {
            verdict = judge(prepared.output(), bench.oracle(seed));
        }
        if (!verdict.right) {
            verdict.detail += ", seed " + std::to_string(seed);
            return verdict;
        }
        worst.error = std::max(worst.error, verdict.error);
    }
    return worst;
}

}  // namespace rooftune
