#include "tuner/search/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace rooftune {
namespace {

// Evaluated variants below a (partial) variant.
std::uint64_t evaluated_below(const Space& space, const PartialVariant& partial, const Ledger& ledger) {
    std::uint64_t n = 0;
    for (const auto& [variant, record] : ledger.records()) {
        bool below = true;
        for (int p = 0; below && p < space.size(); ++p)
            below = partial.free_at(p) || partial[p] == variant[p];
        n += below ? 1 : 0;
    }
    return n;
}

}  // namespace

bool set_aside(const BoundTree& tree, const Variant& variant, double high) {
    return std::isfinite(high) && (1.0 - tree.margin()) * tree.source().rank(variant) >= high;
}

Judged judge_rest(BoundTree& tree, const Ledger& ledger, std::size_t limit) {
    const Space& space = *tree.source().space;
    const double high = ledger.high();
    tree.expand(high, limit);
    Judged judged;
    judged.lowest = std::numeric_limits<double>::infinity();
    for (const Node& node : tree.pool(high)) {
        if (ledger.evaluated(node.partial)) continue;
        judged.lowest = std::min(judged.lowest, (1.0 - tree.margin()) * node.lower);
        ++(set_aside(tree, node.partial, high) ? judged.set_aside : judged.unmeasured);
    }
    for (const Node& node : tree.waiting()) {
        judged.lowest = std::min(judged.lowest, (1.0 - tree.margin()) * node.lower);
        judged.unmeasured += space.count(node.partial) - evaluated_below(space, node.partial, ledger);
    }
    for (const Node& node : tree.cut()) {
        const std::uint64_t n = node.variants - evaluated_below(space, node.partial, ledger);
        if (n == 0) continue;
        judged.excluded += n;
        const Bound bound = tree.source().explain(node.partial);
        if (bound.binding >= 0) {
            judged.excluded_by[std::string(
                to_text(bound.terms[static_cast<std::size_t>(bound.binding)].kind))] += n;
        }
    }
    return judged;
}

double gap_of(double high, double lowest) {
    if (!std::isfinite(lowest) || !std::isfinite(high)) return 0.0;
    if (lowest <= 0.0) return std::numeric_limits<double>::max();
    return std::max(0.0, high / lowest - 1.0);
}

void certify(BoundTree& tree, const Ledger& ledger, std::size_t limit, CertificateReport& report) {
    const Judged judged = judge_rest(tree, ledger, limit);
    double lowest = judged.lowest;
    for (const auto& [variant, record] : ledger.records()) {
        if (record.outcome == Outcome::measured) {
            ++report.measured;
        } else if (record.outcome == Outcome::raced_out) {
            ++report.raced_out;
        } else {
            ++report.failed;
            if (record.outcome == Outcome::environment) {
                ++report.failed_environment;
                lowest = std::min(lowest, (1.0 - tree.margin()) * tree.source().lower(variant));
            }
        }
    }
    report.space = tree.source().space->count(PartialVariant{});
    report.excluded = judged.excluded;
    report.set_aside = judged.set_aside;
    report.unmeasured = judged.unmeasured;
    report.excluded_by = judged.excluded_by;
    report.gap = gap_of(ledger.high(), lowest);
    report.bounds_evaluated = tree.counters().bounds_evaluated;
    report.subtrees_cut = tree.counters().subtrees_cut;
}

SliceReport slice_of(const BoundTree& tree, const Ledger& ledger, const Variant& winner) {
    constexpr std::uint64_t kMostVariants = 4'000'000;
    const Space& space = *tree.source().space;
    SliceReport slice;
    std::vector<int> fixed;
    for (const char* name : {"simd", "vector", "threads"}) {
        const int p = space.find(name);
        if (p < 0 || !winner.fixed(p)) continue;
        fixed.push_back(p);
        slice.where[name] = std::string(space.text(winner, p));
    }
    if (fixed.empty() || space.count(PartialVariant{}) > kMostVariants) return {};
    const double high = ledger.high();
    space.each(PartialVariant{}, [&](const Variant& variant) {
        for (const int p : fixed) {
            if (variant[p] != winner[p]) return true;
        }
        ++slice.space;
        if (ledger.evaluated(variant)) {
            ++slice.evaluated;
        } else if (tree.excluded(tree.source().lower(variant), high)) {
            ++slice.excluded;
        } else {
            ++(set_aside(tree, variant, high) ? slice.set_aside : slice.unmeasured);
        }
        return true;
    });
    return slice;
}

}  // namespace rooftune
