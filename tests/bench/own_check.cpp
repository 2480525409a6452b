// Kernels of users, measured whole: does what is excluded by declared work hold a variant that is faster than
// the winner? Prints one row of a Markdown table for results/own.md. Nothing is measured here.
//
//   own_check EXPORT RATIO   (EXPORT as `rooftune export --format rooftune --with-machine` writes it of an
//                            exhaustive tune; RATIO: words for the table's last column)
//
// Status 1 where a variant was faster than its bound, or one that is excluded was faster than the winner.
#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/support/recorded_problem.h"
#include "tuner/external/family.h"

namespace rooftune {
namespace {

double median(const std::vector<Slot>& slots) {
    std::vector<double> seconds;
    for (const Slot& slot : slots) seconds.push_back(slot.seconds);
    const auto middle = seconds.begin() + static_cast<std::ptrdiff_t>(seconds.size() / 2);
    std::nth_element(seconds.begin(), middle, seconds.end());
    return *middle;
}

bool holds(const std::string& path, const std::string& ratio) {
    const test::RecordedProblem r = test::load_recorded(path, all_families());
    const Roofs roofs(r.machine);
    const BoundModel bound(roofs);
    struct Timed {
        double lower, fastest, median;
    };
    std::vector<Timed> all;
    std::size_t failed = 0;
    for (const auto& [variant, record] : by_variant(r, r.file.records, path)) {
        if (is_failure(record.outcome) || record.slots.empty()) {
            ++failed;
            continue;
        }
        const auto fastest =
            std::min_element(record.slots.begin(), record.slots.end(),
                             [](const Slot& a, const Slot& b) { return a.seconds < b.seconds; });
        all.push_back({bound.seconds(r.model->work(variant), r.model->traits(variant)).value,
                       fastest->seconds, median(record.slots)});
    }
    if (all.empty()) return false;
    const auto winner = *std::min_element(all.begin(), all.end(),
                                          [](const Timed& a, const Timed& b) { return a.median < b.median; });
    std::size_t excluded = 0, wrong = 0, beaten = 0;
    double largest = 0.0;
    for (const Timed& t : all) {
        beaten += t.lower > t.fastest;
        largest = std::max(largest, t.lower / t.fastest);
        if (t.lower < winner.median) continue;
        ++excluded;
        wrong += t.fastest < winner.median;
    }
    std::printf("| %s | %zu | %zu | %zu (%.0f %%) | %zu | %zu | %.2f | %.0f %% | %s |\n",
                r.problem->title().c_str(), all.size() + failed, failed, excluded,
                100.0 * static_cast<double>(excluded) / static_cast<double>(all.size()), wrong, beaten,
                largest, 100.0 * winner.lower / winner.median, ratio.c_str());
    return wrong == 0 && beaten == 0;
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    try {
        if (argc != 3) throw std::runtime_error("usage: own_check EXPORT RATIO");
        return rooftune::holds(argv[1], argv[2]) ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "own_check: %s\n", error.what());
        return 2;
    }
}
