// Audit: what the run excluded or set aside is measured for a sample (audit_sample.h). Each is abandoned
// where it is hopeless (RunState::race). A variant that looks faster is measured against the incumbent in
// rotation before it counts.
#include <algorithm>
#include <cmath>

#include "tuner/measure/statistics.h"
#include "tuner/search/audit_sample.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kAuditRounds = 12;

// Of what was excluded, more than this is not listed but drawn from; what a cut beyond the list contributes
// to those near the threshold.
constexpr std::size_t kListed = 500'000, kDrawnOfCut = 200;
constexpr std::size_t kCutsDrawnFrom = 20;

RuledOutClass set_aside_class(RunState& run) {
    const double high = run.ledger.high();
    RuledOutClass aside;
    for (const Node& node : run.tree->pool(high)) {
        if (!run.ledger.evaluated(node.partial) &&
            set_aside(*run.tree, node.partial, node.rank, run.ledger.paced_high()))
            aside.listed.push_back({node.partial, node.rank});
    }
    return aside;
}

RuledOutClass excluded_class(RunState& run) {
    RuledOutClass out;
    std::vector<const Node*> cuts;
    for (const Node& cut : run.tree->cut()) cuts.push_back(&cut);
    std::sort(cuts.begin(), cuts.end(), [](const Node* a, const Node* b) {
        return a->lower != b->lower ? a->lower < b->lower : a->partial < b->partial;
    });
    for (const Node* cut : cuts) {
        if (out.listed.size() + cut->variants > kListed) {
            if (out.beyond.size() < kCutsDrawnFrom) {
                for (const Variant& variant :
                     sample_below(run.space(), {cut->partial}, kDrawnOfCut, run.random)) {
                    if (!run.ledger.evaluated(variant))
                        out.near_beyond.push_back({variant, run.source().lower(variant)});
                }
            }
            out.beyond.push_back(cut->partial);
            out.variants_beyond += cut->variants;
            continue;
        }
        run.space().each(cut->partial, [&](const Variant& variant) {
            if (!run.ledger.evaluated(variant)) out.listed.push_back({variant, run.source().lower(variant)});
            return true;
        });
    }
    return out;
}

// In the space's own order neighbours share a converted format, which costs more than a slot. But a budget
// that ends early must still leave a fair sample: so only within groups, each with its part of both classes.
std::vector<std::vector<AuditDraw>> groups_of(std::vector<AuditDraw> draws, std::mt19937_64& random) {
    constexpr std::size_t kGroup = 12;
    for (std::size_t i = draws.size(); i > 1; --i) std::swap(draws[i - 1], draws[below(random, i)]);
    std::vector<std::vector<AuditDraw>> groups;
    for (std::size_t from = 0; from < draws.size(); from += kGroup) {
        const auto first = draws.begin() + static_cast<std::ptrdiff_t>(from);
        groups.emplace_back(
            first, draws.begin() + static_cast<std::ptrdiff_t>(std::min(draws.size(), from + kGroup)));
        std::sort(groups.back().begin(), groups.back().end(),
                  [](const AuditDraw& a, const AuditDraw& b) { return a.variant < b.variant; });
    }
    return groups;
}

// One audited variant, counted where it belongs. True: it became the incumbent. Nothing is counted of one
// that the environment failed.
bool audit_one(RunState& run, const AuditDraw& draw, AuditReport& report, AuditedClass& drawn) {
    const Incumbent incumbent = *run.ledger.incumbent();
    AuditedClass& its = draw.aside ? report.set_aside : report.excluded;
    const double by = draw.aside ? run.source().rank(draw.variant) : run.source().lower(draw.variant);
    EvaluationRequest request = run.race("audit");
    request.slots = 1;
    const Record& record = run.evaluate(draw.variant, request);
    // An alarm measures in full, but only the rotation below changes the winner.
    run.ledger.crown(incumbent.variant, incumbent.seconds, incumbent.pace);
    if (record.outcome == Outcome::environment) return false;
    ++report.measured;
    ++its.measured;
    if (draw.uniform) ++drawn.drawn;
    if (is_failure(record.outcome)) return false;
    its.ratios.push_back(fastest(record) / by);
    if (fastest(record) / record.pace >= incumbent.seconds.low / incumbent.pace) return false;
    const std::vector<Record> pair =
        run.evaluator.rotate({draw.variant, incumbent.variant}, kAuditRounds, 1.0, "audit");
    run.evaluations += 2;
    if (pair[0].outcome != Outcome::measured || pair[1].outcome != Outcome::measured) return false;
    run.ledger.add_known(draw.variant, pair[0]);
    run.trace("audit rotation " + run.space().to_text(draw.variant));
    // Round by round, so that the machine's drift cancels.
    if (ratio_interval(pair[0].slots, pair[1].slots).high >= 1.0) return false;
    ++report.regrets;
    ++its.wrong;
    if (draw.uniform) ++drawn.drawn_wrong;
    run.notice("the audit found a faster variant among those ruled out: " +
               run.space().to_text(draw.variant));
    const double pace = interval_of(pair[1].slots).median / incumbent.paced();
    run.ledger.crown(draw.variant, interval_of(pair[0].slots), pace);
    run.result.best_record = pair[0];
    return true;
}

}  // namespace

bool audit_stage(RunState& run, int count) {
    if (count <= 0 || !run.ledger.incumbent()) return false;
    run.tree->expand(run.ledger.high(), std::size_t{1'000'000});
    const RuledOutClass excluded = excluded_class(run), aside = set_aside_class(run);
    const auto evaluated = [&](const Variant& variant) { return run.ledger.evaluated(variant); };
    const std::vector<std::vector<AuditDraw>> groups = groups_of(
        draw_audit(run.space(), excluded, aside, static_cast<std::size_t>(count), evaluated, run.random),
        run.random);

    AuditReport& report = run.result.certificate.audit;
    const int violations_before = run.result.certificate.violations;
    bool regretted = false, over = false;
    for (const std::vector<AuditDraw>& group : groups) {
        // Of a group that was not measured to its end the space's order chose who was: no limit is told by
        // those.
        AuditedClass drawn[2];
        for (const AuditDraw& draw : group) {
            over =
                over || run.evaluator.interrupted() || run.out_of_time(0.97) || run.evaluations_left() == 0;
            if (over) break;
            regretted |= audit_one(run, draw, report, drawn[draw.aside ? 1 : 0]);
        }
        if (over) break;
        for (const bool is_aside : {false, true}) {
            AuditedClass& its = is_aside ? report.set_aside : report.excluded;
            its.drawn += drawn[is_aside ? 1 : 0].drawn;
            its.drawn_wrong += drawn[is_aside ? 1 : 0].drawn_wrong;
        }
    }
    report.violations = run.result.certificate.violations - violations_before;
    set_limits(report, excluded.size(), aside.size());
    for (AuditedClass* its : {&report.excluded, &report.set_aside})
        std::sort(its->ratios.begin(), its->ratios.end());
    return regretted;
}

}  // namespace rooftune
