#include "tuner/search/sampled_draw.h"

#include <algorithm>

#include "tuner/measure/statistics.h"
#include "tuner/search/strategies/draws.h"

namespace rooftune {
namespace {

constexpr std::size_t kGroup = 10;

void sort_by_key(std::vector<Predicted>& population) {
    std::sort(population.begin(), population.end(), [](const Predicted& a, const Predicted& b) {
        return a.key != b.key ? a.key < b.key : a.variant < b.variant;
    });
}

// One of each stratum. On a scale where each variant is as wide as there are draws, a stratum is as wide as
// there are variants: all borders are whole numbers.
void draw_strata(const std::vector<Predicted>& sorted, std::size_t count, bool raced_out, SampleGroup& group,
                 std::mt19937_64& random) {
    const std::size_t width = sorted.size();
    for (std::size_t i = 0; i < count; ++i) {
        const auto at = static_cast<std::size_t>(below(random, width));
        group.push_back({sorted[(i * width + at) / count].variant, raced_out});
    }
}

void draw_class(std::vector<Predicted>& population, std::size_t count, bool raced_out,
                std::vector<SampleGroup>& groups, std::mt19937_64& random) {
    const bool whole = count >= population.size();
    if (whole)
        shuffle(population, random);
    else
        sort_by_key(population);
    const std::size_t all = whole ? population.size() : count;
    for (std::size_t g = 0; g < groups.size(); ++g) {
        const std::size_t from = g * all / groups.size(), to = (g + 1) * all / groups.size();
        if (!whole) draw_strata(population, to - from, raced_out, groups[g], random);
        for (std::size_t i = from; whole && i < to; ++i)
            groups[g].push_back({population[i].variant, raced_out});
    }
}

bool whole(const SampledClass& c) {
    return static_cast<std::uint64_t>(c.drawn) >= c.population;
}

double limit_of(const SampledClass& c, double confidence) {
    if (c.population == 0) return 0.0;
    const int hits = c.faster + c.untimed;
    if (whole(c)) return static_cast<double>(hits) / c.drawn;
    if (c.drawn > 1 && hits + 1 >= c.drawn) return 1.0;
    return upper_limit(hits, c.drawn, confidence);
}

}  // namespace

SampleSizes sample_sizes(std::size_t count, std::uint64_t unmeasured, std::uint64_t raced_out) {
    const auto least = [](std::uint64_t a, std::size_t b) {
        return static_cast<std::size_t>(std::min<std::uint64_t>(a, b));
    };
    SampleSizes sizes;
    sizes.unmeasured = least(unmeasured, count - least(raced_out, (count + 3) / 4));
    sizes.raced_out = least(raced_out, count - sizes.unmeasured);
    return sizes;
}

std::vector<SampleGroup> draw_sample(std::vector<Predicted> unmeasured, std::vector<Predicted> raced_out,
                                     const SampleSizes& sizes, std::mt19937_64& random) {
    const std::size_t all = sizes.unmeasured + sizes.raced_out;
    std::vector<SampleGroup> groups((all + kGroup - 1) / kGroup);
    draw_class(unmeasured, sizes.unmeasured, false, groups, random);
    draw_class(raced_out, sizes.raced_out, true, groups, random);
    return groups;
}

SampledReport cut_short(SampledReport counted) {
    for (SampledClass* its : {&counted.unmeasured, &counted.raced_out})
        its->drawn = its->faster + its->untimed;
    return counted;
}

void set_limits(SampledReport& report) {
    for (SampledClass* its : {&report.unmeasured, &report.raced_out}) its->upper_limit = limit_of(*its, 0.95);
    const bool one = whole(report.unmeasured) || whole(report.raced_out);
    const double confidence = one ? 0.95 : 0.975;
    const auto unmeasured = static_cast<double>(report.unmeasured.population);
    const auto raced_out = static_cast<double>(report.raced_out.population);
    const double all = unmeasured + raced_out;
    report.upper_limit = all == 0.0 ? 0.0
                                    : (unmeasured * limit_of(report.unmeasured, confidence) +
                                       raced_out * limit_of(report.raced_out, confidence)) /
                                          all;
}

}  // namespace rooftune
