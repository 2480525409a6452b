// How well does the ranking estimate order variants that were measured? Prints Markdown for results/. Nothing
// is measured here.
//
//   estimate_check FILE…   (as `rooftune export --format rooftune --with-machine` writes them)
//
// For each share of the shorter part that is taken not to hide behind the longer one: how the estimate and
// the times agree in order, and how far the best of the first few by estimate is from the best of all.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numeric>
#include <random>

#include "kernels/runtime/error.h"
#include "tests/support/recorded_problem.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/enumerate/bound_source.h"

namespace rooftune {
namespace {

constexpr std::size_t kFirst[] = {8, 16, 32, 64};
constexpr int kDraws = 201;  // orders of what ties

struct Timed {
    RankParts parts;
    double seconds = 0.0;  ///< the fastest slot
    double key = 0.0, tie = 0.0;
};

// Spearman's: the correlation of the two orders, equals at their mean place.
std::vector<double> places(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [&](auto a, auto b) { return values[a] < values[b]; });
    std::vector<double> place(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]]) ++end;
        for (std::size_t k = i; k < end; ++k) place[order[k]] = 0.5 * static_cast<double>(i + end - 1);
        i = end;
    }
    return place;
}

double correlation(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> p = places(a), q = places(b);
    const double middle = 0.5 * static_cast<double>(p.size() - 1);
    double both = 0.0, own_p = 0.0, own_q = 0.0;
    for (std::size_t i = 0; i < p.size(); ++i) {
        both += (p[i] - middle) * (q[i] - middle);
        own_p += (p[i] - middle) * (p[i] - middle);
        own_q += (q[i] - middle) * (q[i] - middle);
    }
    return both / std::sqrt(own_p * own_q);
}

void row(std::vector<Timed>& all, double not_hidden, double best) {
    std::vector<double> keys, seconds, ratios;
    for (Timed& t : all) {
        t.key = BoundSource::estimate(t.parts, not_hidden);
        keys.push_back(t.key);
        seconds.push_back(t.seconds);
        ratios.push_back(t.seconds / t.key);
    }
    std::sort(ratios.begin(), ratios.end());
    const auto at = [&](double q) {
        return ratios[static_cast<std::size_t>(q * static_cast<double>(ratios.size() - 1))];
    };
    std::printf("| %.2f | %.3f | %.2f | %.2f |", not_hidden, correlation(keys, seconds), at(0.1), at(0.9));
    std::mt19937_64 random(1);
    std::vector<std::vector<double>> regrets(std::size(kFirst));
    for (int draw = 0; draw < kDraws; ++draw) {
        for (Timed& t : all) t.tie = static_cast<double>(random() >> 11);
        std::partial_sort(
            all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(all.size(), kFirst[3])),
            all.end(),
            [](const Timed& a, const Timed& b) { return a.key != b.key ? a.key < b.key : a.tie < b.tie; });
        double least = INFINITY;
        std::size_t k = 0;
        for (std::size_t i = 0; i < std::min(all.size(), kFirst[3]); ++i) {
            least = std::min(least, all[i].seconds);
            if (i + 1 == kFirst[k]) regrets[k++].push_back(least / best - 1.0);
        }
    }
    for (const auto& r : regrets) std::printf(" %.1f %% |", 100.0 * (r.empty() ? NAN : median(r)));
    std::printf("\n");
    std::fflush(stdout);
}

void report(const std::string& path, const Registry& registry) {
    const test::RecordedProblem r = test::load_recorded(path, registry);
    const Roofs roofs(r.machine);
    const BoundModel bound(roofs);
    const BoundSource source{r.space.get(), r.model.get(), &bound};
    std::vector<Timed> all;
    double best = INFINITY;
    for (const auto& [variant, record] : by_variant(r, r.file.records, path)) {
        if (is_failure(record.outcome) || record.slots.empty()) continue;
        double seconds = INFINITY;
        for (const Slot& slot : record.slots) seconds = std::min(seconds, slot.seconds);
        all.push_back({source.parts(variant), seconds});
        best = std::min(best, seconds);
    }
    if (all.empty()) throw InputError(path + ": nothing was timed");
    std::printf("## %s\n\n%s, %zu variants timed.\n\n", r.problem->title().c_str(), r.machine.name.c_str(),
                all.size());
    std::printf("| not hidden | order | time/estimate, p10 | p90 | best of first 8 | 16 | 32 | 64 |\n");
    std::printf("|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (const double share : {0.0, 0.25, 0.5, 0.75, 1.0}) row(all, share, best);
    std::printf("\n");
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    const rooftune::Registry registry = rooftune::built_in_families();
    try {
        for (int i = 1; i < argc; ++i) rooftune::report(argv[i], registry);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "estimate_check: %s\n", error.what());
        return 2;
    }
    return argc > 1 ? 0 : 2;
}
