// Both tiers of bounds against variants drawn at random and measured, in spaces too large to be measured
// whole: is any variant faster than its bound allows? Prints a Markdown table for results/. Nothing is
// measured here.
//
//   drawn_check FILE…   (as `rooftune export --format rooftune --with-machine` writes them)
//
// Status 1 where a variant was faster than is proven, where more than one in a thousand was faster than the
// second tier allows, or where a file holds nothing that was timed.
#include <algorithm>
#include <cstdio>

#include "tests/support/recorded_problem.h"

namespace rooftune {
namespace {

/// One tier: how many variants were faster than it allows, by their fastest slot and without a margin.
struct Tier {
    std::size_t above = 0;
    double largest = 0.0;  ///< of what it allows over the fastest slot
    void look(double lower, double seconds) {
        if (lower > seconds) ++above;
        largest = std::max(largest, lower / seconds);
    }
};

bool holds(const std::string& path, const Registry& registry) {
    const test::RecordedProblem r = test::load_recorded(path, registry);
    const Roofs roofs(r.machine);
    const BoundModel bound(roofs);
    Tier proven, replacement;
    std::size_t timed = 0, failed = 0;
    for (const auto& [variant, record] : by_variant(r, r.file.records, path)) {
        if (is_failure(record.outcome) || record.slots.empty()) {
            ++failed;
            continue;
        }
        const double seconds =
            std::min_element(record.slots.begin(), record.slots.end(), [](const Slot& a, const Slot& b) {
                return a.seconds < b.seconds;
            })->seconds;
        const Work work = r.model->work(variant);
        const Traits traits = r.model->traits(variant);
        ++timed;
        proven.look(bound.seconds(work, traits).value, seconds);
        replacement.look(bound.with_replacement(work, traits, true).value, seconds);
    }
    std::printf("| %s | %s | %llu | %zu | %zu | %zu | %.4f | %zu | %.4f |\n", r.problem->title().c_str(),
                r.machine.name.c_str(), static_cast<unsigned long long>(r.space->count(PartialVariant{})),
                timed, failed, proven.above, proven.largest, replacement.above, replacement.largest);
    std::fflush(stdout);
    return timed > 0 && proven.above == 0 && 1000 * replacement.above <= timed;
}

}  // namespace
}  // namespace rooftune

int main(int argc, char** argv) {
    const rooftune::Registry registry = rooftune::built_in_families();
    std::printf(
        "| problem | machine | variants | timed | failed | faster than proven | largest bound/time | faster "
        "than the "
        "second tier | largest |\n|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
    try {
        bool all = argc > 1;
        for (int i = 1; i < argc; ++i) all = rooftune::holds(argv[i], registry) && all;
        return all ? 0 : 1;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "drawn_check: %s\n", error.what());
        return 2;
    }
}
