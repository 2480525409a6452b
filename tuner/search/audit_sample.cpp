#include "tuner/search/audit_sample.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tuner/measure/statistics.h"
#include "tuner/search/enumerate/sampling.h"

namespace rooftune {
namespace {

using Evaluated = std::function<bool(const Variant&)>;

void shuffle(std::vector<AuditDraw>& draws, std::mt19937_64& random) {
    for (std::size_t i = draws.size(); i > 1; --i) std::swap(draws[i - 1], draws[below(random, i)]);
}

std::set<Variant> drawn_uniformly(const Space& space, const RuledOutClass& from, std::uint64_t count,
                                  const Evaluated& evaluated, std::mt19937_64& random) {
    std::set<Variant> drawn;
    const std::uint64_t size = from.size();
    const auto wanted = static_cast<std::size_t>(std::min(size, count));
    if (wanted == from.listed.size() && from.variants_beyond == 0) {
        for (const RuledOut& one : from.listed) drawn.insert(one.variant);
        return drawn;
    }
    std::vector<Variant> beyond = sample_below(space, from.beyond, wanted, random);
    while (drawn.size() < wanted) {
        const std::uint64_t at = below(random, size);
        if (at < from.listed.size()) {
            drawn.insert(from.listed[at].variant);
            continue;
        }
        // As many were drawn there as could be asked for; of those some may have been evaluated.
        if (beyond.empty()) break;
        if (!evaluated(beyond.back())) drawn.insert(beyond.back());
        beyond.pop_back();
    }
    return drawn;
}

// The nearest of those that were not drawn already. Many variants share a bound: of those that lie as near as
// the last one chance decides who it is.
std::vector<Variant> nearest_rest(const RuledOutClass& from, const std::set<Variant>& drawn,
                                  std::size_t count, std::mt19937_64& random) {
    std::vector<RuledOut> rest;
    for (const auto* some : {&from.listed, &from.near_beyond}) {
        for (const RuledOut& one : *some) {
            if (!drawn.contains(one.variant)) rest.push_back(one);
        }
    }
    count = std::min(count, rest.size());
    if (count == 0) return {};
    std::sort(rest.begin(), rest.end(), [](const RuledOut& a, const RuledOut& b) {
        return a.by != b.by ? a.by < b.by : a.variant < b.variant;
    });
    const double edge = rest[count - 1].by;
    std::vector<Variant> near, tied;
    for (const RuledOut& one : rest) {
        if (one.by > edge * (1.0 + 1e-9)) break;
        (one.by < edge * (1.0 - 1e-9) ? near : tied).push_back(one.variant);
    }
    while (near.size() < count) {
        const std::size_t at = below(random, tied.size());
        near.push_back(tied[at]);
        tied[at] = tied.back();
        tied.pop_back();
    }
    return near;
}

void draw_class(const Space& space, const RuledOutClass& from, std::uint64_t count, bool aside,
                const Evaluated& evaluated, std::vector<AuditDraw>& draws, std::mt19937_64& random) {
    const std::uint64_t uniform = from.size() <= count ? from.size() : count - count / 2;
    const std::set<Variant> drawn = drawn_uniformly(space, from, uniform, evaluated, random);
    std::vector<AuditDraw> mine;
    for (const Variant& variant : drawn) mine.push_back({variant, aside, true});
    for (const Variant& variant :
         nearest_rest(from, drawn, static_cast<std::size_t>(count - uniform), random))
        mine.push_back({variant, aside, false});
    shuffle(mine, random);
    draws.insert(draws.end(), mine.begin(), mine.end());
}

}  // namespace

std::vector<AuditDraw> draw_audit(const Space& space, const RuledOutClass& excluded,
                                  const RuledOutClass& aside, std::size_t count, const Evaluated& evaluated,
                                  std::mt19937_64& random) {
    // Of too few excluded ones the others' draws are as many more.
    const std::uint64_t left = count - std::min<std::uint64_t>(count, excluded.size());
    const std::uint64_t of_aside = std::min(aside.size(), std::max<std::uint64_t>(count / 2, left));
    std::vector<AuditDraw> draws;
    draw_class(space, excluded, count - of_aside, false, evaluated, draws, random);
    draw_class(space, aside, of_aside, true, evaluated, draws, random);
    return draws;
}

void set_limits(AuditReport& report, std::uint64_t excluded, std::uint64_t aside) {
    const auto whole = [](const AuditedClass& c, std::uint64_t size) {
        return static_cast<std::uint64_t>(c.drawn) >= size;
    };
    const auto limit = [&](const AuditedClass& c, std::uint64_t size, double confidence) {
        if (size == 0) return 0.0;
        return whole(c, size) ? static_cast<double>(c.drawn_wrong) / c.drawn
                              : upper_limit(c.drawn_wrong, c.drawn, confidence);
    };
    report.excluded.upper_limit = limit(report.excluded, excluded, 0.95);
    report.set_aside.upper_limit = limit(report.set_aside, aside, 0.95);
    const bool one = whole(report.excluded, excluded) || whole(report.set_aside, aside);
    const double confidence = one ? 0.95 : 0.975;
    const auto all = static_cast<double>(excluded + aside);
    report.upper_limit = all == 0.0
                             ? 0.0
                             : (static_cast<double>(excluded) * limit(report.excluded, excluded, confidence) +
                                static_cast<double>(aside) * limit(report.set_aside, aside, confidence)) /
                                   all;
}

}  // namespace rooftune
