#include "tuner/search/certificate.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "models/space_count.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/calibration.h"

namespace rooftune {
namespace {

EvaluatedBelow evaluated_of(const Space& space, const Ledger& ledger, const PartialVariant& slice) {
    EvaluatedBelow evaluated(space, slice);
    for (const auto& [variant, record] : ledger.records()) evaluated.add(variant);
    return evaluated;
}

// Of a subtree that is cut.
std::uint64_t excluded_of(const Node& cut, const EvaluatedBelow& evaluated) {
    return cut.variants - evaluated(cut.partial);
}

// The second tier of a variant at these rates (null: the machine's), seconds: at least T_lower.
double second_tier(const BoundSource& source, const BoundModel* rates, const Variant& variant) {
    const Work work = source.model->work(variant);
    const Traits traits = source.model->traits(variant);
    const Seconds stored = source.bound->with_replacement(work, traits, true);
    if (!rates) return stored.value;
    return std::max(stored, rates->with_replacement(work, traits, true)).value;
}

// Whether what is known of a variant is what an earlier run found.
bool is_earlier(const Meanwhile& meanwhile, const Variant& variant, const Record& record) {
    if (!meanwhile.known) return false;
    const auto known = meanwhile.known->find(variant);
    const auto same = [](const Slot& a, const Slot& b) { return a.seconds == b.seconds; };
    return known != meanwhile.known->end() &&
           std::equal(known->second.slots.begin(), known->second.slots.end(), record.slots.begin(),
                      record.slots.end(), same);
}

// What the second tier allows a variant over the time that it took; nothing where that time is not one to
// hold against these rates. Rates between the turns of the finals are medians over their rounds, and so is
// the time that they are held against.
std::optional<double> share_of_second_tier(const BoundSource& source, const Meanwhile& meanwhile,
                                           const Variant& variant, const Record& record) {
    if (meanwhile.paired()) {
        const auto its = meanwhile.finalists->find(variant);
        if (its == meanwhile.finalists->end() || is_failure(record.outcome)) return std::nullopt;
        const Roofs roofs(its->second.machine);
        const BoundModel rates(roofs, source.bound->demoted());
        return second_tier(source, &rates, variant) / its->second.seconds;
    }
    double fastest = std::numeric_limits<double>::infinity();
    for (const Slot& slot : record.slots) fastest = std::min(fastest, slot.seconds);
    if (!std::isfinite(fastest) || is_failure(record.outcome) || is_earlier(meanwhile, variant, record))
        return std::nullopt;
    return second_tier(source, meanwhile.rates, variant) / fastest;
}

// Counts in what the second tier allows a (partial) variant: the machine's roofs with the margin that the
// noise of highest rates needs, and without one rates that were taken in the rounds of the time that they are
// held against. What these differ by from round to round is in the interval of the gap. `proven` is what it
// needs at least by the first tier, margin off: nor can the second allow less.
void count_allowed(const BoundTree& tree, const Meanwhile& meanwhile, const PartialVariant& partial,
                   double proven, LeastAllowed& least) {
    if (proven >= std::max({least.typical, least.at_low, least.at_high})) return;
    const BoundSource& source = tree.source();
    const Work work = source.model->work(partial);
    const Traits traits = source.model->traits(partial);
    const bool complete = source.space->complete(partial);
    const double stored =
        (1.0 - tree.margin()) * source.bound->with_replacement(work, traits, complete).value;
    const auto held = [&](const BoundModel& rates) {
        return (meanwhile.paired() ? 1.0 : 1.0 - tree.margin()) *
               rates.with_replacement(work, traits, complete).value;
    };
    const double typical = meanwhile.rates ? held(*meanwhile.rates) : 0.0;
    if (std::max(stored, typical) < least.typical) {
        least.typical = std::max(stored, typical);
        least.by_rates = typical > stored;
    }
    const double low = meanwhile.low ? held(*meanwhile.low) : typical;
    const double high = meanwhile.high ? held(*meanwhile.high) : typical;
    least.at_low = std::min(least.at_low, std::max(stored, low));
    least.at_high = std::min(least.at_high, std::max(stored, high));
}

// By the winner's median, with the ends of its interval beside it: noise in its time is nothing that another
// variant could gain.
void tell_gap(const std::optional<Incumbent>& incumbent, double lowest, CertificateReport& report) {
    constexpr double kNobody = std::numeric_limits<double>::infinity();
    report.gap = gap_of(incumbent ? incumbent->seconds.median : kNobody, lowest);
    report.gap_low = gap_of(incumbent ? incumbent->seconds.low : kNobody, lowest);
    report.gap_high = gap_of(incumbent ? incumbent->seconds.high : kNobody, lowest);
}

// The same for the second tier. A variant that was faster than its rates allow shows that the machine gave
// more in between: so much is allowed for. Where the gap is by rates of the rounds that the time is of, what
// spreads is their product, round by round, and not the time alone: most of what moves the one moves the
// other.
void tell_gap(const std::optional<Incumbent>& incumbent, const Meanwhile& meanwhile,
              const LeastAllowed& lowest, ReplacementReport& report) {
    constexpr double kNobody = std::numeric_limits<double>::infinity();
    const double beaten_by = std::max(1.0, report.largest);
    const auto gap = [&](double seconds, double least) { return gap_of(seconds, least / beaten_by); };
    const double typical = incumbent ? incumbent->seconds.median : kNobody;
    report.gap = gap(typical, lowest.typical);
    if (meanwhile.low && meanwhile.high && incumbent && lowest.by_rates) {
        report.gap_low = std::min(report.gap, gap(typical, lowest.at_low));
        report.gap_high = std::max(report.gap, gap(typical, lowest.at_high));
        return;
    }
    report.gap_low = gap(incumbent ? incumbent->seconds.low : kNobody, lowest.typical);
    report.gap_high = gap(incumbent ? incumbent->seconds.high : kNobody, lowest.typical);
}

}  // namespace

bool set_aside(const BoundTree& tree, const Variant& variant, double rank, double high) {
    if (!std::isfinite(high)) return false;
    const Calibration* calibration = tree.source().calibration;
    const double factor = calibration ? calibration->factor(Calibration::kind_of(variant)) : 1.0;
    return (1.0 - tree.margin()) * factor * rank >= high;
}

std::uint64_t excluded_count(const BoundTree& tree, const EvaluatedBelow& evaluated) {
    std::uint64_t excluded = 0;
    for (const Node& node : tree.cut()) excluded += excluded_of(node, evaluated);
    return excluded;
}

Judged judge_rest(BoundTree& tree, const Ledger& ledger, std::size_t limit, const Meanwhile& meanwhile) {
    const Space& space = *tree.source().space;
    const double high = ledger.high();
    tree.expand(high, limit);
    const EvaluatedBelow evaluated = evaluated_of(space, ledger, PartialVariant{});
    Judged judged;
    judged.lowest = std::numeric_limits<double>::infinity();
    const auto left = [&](const Node& node) {
        const double proven = (1.0 - tree.margin()) * node.lower;
        judged.lowest = std::min(judged.lowest, proven);
        count_allowed(tree, meanwhile, node.partial, proven, judged.replacement);
    };
    for (const Node& node : tree.pool(high)) {
        if (ledger.evaluated(node.partial)) continue;
        left(node);
        ++(set_aside(tree, node.partial, node.rank, ledger.paced_high()) ? judged.set_aside
                                                                         : judged.unmeasured);
    }
    for (const Node& node : tree.waiting()) {
        left(node);
        judged.unmeasured += space.count(node.partial) - evaluated(node.partial);
    }
    for (const Node& node : tree.cut()) {
        const std::uint64_t n = excluded_of(node, evaluated);
        if (n == 0) continue;
        judged.excluded += n;
        if (const auto kind = tree.source().binding(node.partial))
            judged.excluded_by[std::string(to_text(*kind))] += n;
    }
    return judged;
}

double gap_of(double high, double lowest) {
    constexpr double kUnknown = std::numeric_limits<double>::infinity();
    if (!std::isfinite(lowest)) return 0.0;
    if (!std::isfinite(high) || lowest <= 0.0) return kUnknown;
    return std::max(0.0, high / lowest - 1.0);
}

void certify(BoundTree& tree, const Ledger& ledger, std::size_t limit, CertificateReport& report,
             const Meanwhile& meanwhile) {
    const Judged judged = judge_rest(tree, ledger, limit, meanwhile);
    double lowest = judged.lowest;
    LeastAllowed least_allowed = judged.replacement;
    ReplacementReport& replacement = report.replacement;
    replacement.meanwhile = meanwhile.rates && !meanwhile.rates->roofs().machine().ceilings.empty();
    for (const auto& [variant, record] : ledger.records()) {
        if (const auto ratio = share_of_second_tier(tree.source(), meanwhile, variant, record)) {
            ++replacement.timed;
            if ((1.0 - tree.margin()) * *ratio > 1.0) ++replacement.beaten;
            replacement.largest = std::max(replacement.largest, *ratio);
        }
        if (!stays_open(record.outcome)) continue;
        const double proven = (1.0 - tree.margin()) * tree.source().lower(variant);
        lowest = std::min(lowest, proven);
        count_allowed(tree, meanwhile, variant, proven, least_allowed);
    }
    const OutcomeCounts counts = ledger.counts();
    report.measured = counts.measured;
    report.raced_out = counts.raced_out;
    report.failed = counts.failed;
    report.failed_environment = counts.failed_environment;
    report.space = tree.source().space->count(PartialVariant{});
    report.excluded = judged.excluded;
    report.set_aside = judged.set_aside;
    report.unmeasured = judged.unmeasured;
    report.excluded_by = judged.excluded_by;
    tell_gap(ledger.incumbent(), lowest, report);
    tell_gap(ledger.incumbent(), meanwhile, least_allowed, replacement);
    // Beaten by more than it is ahead of the proof, this tier says nothing that the proof does not.
    if (replacement.largest > 1.0 && replacement.gap > report.gap) {
        replacement.gap = report.gap;
        replacement.gap_low = report.gap_low;
        replacement.gap_high = report.gap_high;
    }
    report.bounds_evaluated = tree.counters().bounds_evaluated;
    report.subtrees_cut = tree.counters().subtrees_cut;
}

SliceReport slice_of(BoundTree& tree, const Ledger& ledger, const Variant& winner) {
    const Space& space = *tree.source().space;
    SliceReport report;
    PartialVariant slice;
    for (const char* name : {"simd", "vector", "threads"}) {
        const int p = space.find(name);
        if (p < 0 || !winner.fixed(p)) continue;
        slice.fix(p, winner[p]);
        report.where[name] = std::string(space.text(winner, p));
    }
    if (report.where.empty()) return {};
    const double high = ledger.high();
    const EvaluatedBelow evaluated = evaluated_of(space, ledger, slice);
    const auto inside = [&](const Node& node) { return space.counts().count(node.partial, slice); };
    report.space = space.counts().count(PartialVariant{}, slice);
    report.evaluated = evaluated(PartialVariant{});
    for (const Node& node : tree.pool(high)) {
        if (ledger.evaluated(node.partial)) continue;
        (set_aside(tree, node.partial, node.rank, ledger.paced_high()) ? report.set_aside
                                                                       : report.unmeasured) += inside(node);
    }
    for (const Node& node : tree.waiting()) report.unmeasured += inside(node) - evaluated(node.partial);
    for (const Node& node : tree.cut()) report.excluded += inside(node) - evaluated(node.partial);
    return report;
}

}  // namespace rooftune
