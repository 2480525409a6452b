#include "tuner/measure/judge.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

#include "tuner/base/clock.h"

namespace rooftune {
namespace {

// With all digits, also of a whole number that no double holds.
std::string exact(double rounded, double rest) {
    char text[48];
    constexpr double kWhole = 0x1p53, kMost = 0x1p64;  // of 64 bits, where a double has no digits left
    if (rest == 0.0 && (std::fabs(rounded) <= kWhole || std::fabs(rounded) > kMost)) {
        std::snprintf(text, sizeof text, "%.17g", rounded);
    } else if (rest == 0.0) {
        std::snprintf(text, sizeof text, "%.0f", rounded);
    } else if (rounded < 0.0) {
        std::snprintf(text, sizeof text, "%lld",
                      static_cast<long long>(rounded) + static_cast<long long>(rest));
    } else {
        const unsigned long long near = rounded >= 0x1p64 ? 0 : static_cast<unsigned long long>(rounded);
        std::snprintf(text, sizeof text, "%llu",
                      near + static_cast<unsigned long long>(static_cast<long long>(rest)));
    }
    return text;
}

Correctness correctness_of(const Worst& worst) {
    Correctness verdict;
    verdict.error = worst.error;
    verdict.right = worst.error <= 1.0;
    if (!verdict.right) {
        char text[200];
        std::snprintf(text, sizeof text, "element %zu: expected %s within %.3g, found %s", worst.element,
                      exact(worst.expected, worst.expected_rest).c_str(), worst.tolerance,
                      exact(worst.found, worst.found_rest).c_str());
        verdict.detail = text;
    }
    return verdict;
}

}  // namespace

Correctness judge(std::span<const double> answer, const Oracle& oracle) {
    const bool single = oracle.tolerance.size() == 1;
    if (answer.size() != oracle.expected.size() || (!single && answer.size() != oracle.tolerance.size())) {
        Correctness verdict;
        verdict.error = std::numeric_limits<double>::infinity();
        verdict.detail = "the output has " + std::to_string(answer.size()) + " elements, expected " +
                         std::to_string(oracle.expected.size());
        return verdict;
    }
    Worst worst;
    for (std::size_t i = 0; i < answer.size(); ++i) {
        const double tolerance = oracle.tolerance[single ? 0 : i];
        const double error = error_of(answer[i], oracle.expected[i], tolerance);
        if (error > worst.error) worst = {error, i, oracle.expected[i], tolerance, answer[i]};
    }
    return correctness_of(worst);
}

Correctness verify_answer(Prepared& prepared, Bench& bench, Team& team, std::span<const std::uint64_t> seeds,
                          double enough_above) {
    Correctness worst;
    worst.right = true;
    for (const std::uint64_t seed : seeds) {
        prepared.reset(seed);
        const double start = monotonic_seconds();
        prepared.run();
        const double seconds = monotonic_seconds() - start;
        prepared.come_to_rest();
        Correctness verdict;
        if (!prepared.guards_intact()) {
            verdict.error = std::numeric_limits<double>::infinity();
            verdict.detail = "wrote outside its output (a guard zone or its input changed)";
        } else if (const std::optional<Worst> in_place = bench.compare(prepared, seed, team)) {
            verdict = correctness_of(*in_place);
        } else {
            verdict = judge(prepared.output(), bench.oracle(seed));
        }
        if (!verdict.right) {
            verdict.detail += ", seed " + std::to_string(seed);
            return verdict;
        }
        worst.error = std::max(worst.error, verdict.error);
        worst.seconds = worst.seconds > 0.0 ? std::min(worst.seconds, seconds) : seconds;
        if (enough_above > 0.0 && seconds > enough_above) break;
    }
    return worst;
}

}  // namespace rooftune
