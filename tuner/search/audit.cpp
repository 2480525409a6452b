// Audit: what the run excluded or set aside is measured for a sample, half of it nearest to the
// threshold, where a wrong bound would show first. Each is killed at twice the incumbent's time. A
// variant that looks faster is measured against the incumbent in rotation before it counts.
#include <algorithm>
#include <cmath>
#include <set>

#include "tuner/measure/statistics.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kAuditRounds = 12;

// Of what was ruled out, more than this is not listed but drawn from; what a cut beyond the list contributes
// to those near the threshold.
constexpr std::size_t kListed = 500'000, kDrawnOfCut = 200;
constexpr std::size_t kCutsDrawnFrom = 20;

// Excluded and set aside variants that nobody has measured, with their bounds.
struct RuledOut {
    std::vector<Node> listed;
    std::vector<PartialVariant> beyond;  ///< cuts that would make the list too long
    std::uint64_t variants_beyond = 0;
    std::vector<Node> near;  ///< ascending: what is listed, and some of the nearest cuts beyond
};

bool nearer(const Node& a, const Node& b) {
    return a.lower != b.lower ? a.lower < b.lower : a.partial < b.partial;
}

RuledOut ruled_out(RunState& run) {
    const double high = run.ledger.high();
    RuledOut out;
    for (const Node& node : run.tree->pool(high)) {
        if (!run.ledger.evaluated(node.partial) && set_aside(*run.tree, node.partial, high))
            out.listed.push_back(node);
    }
    std::vector<const Node*> cuts;
    for (const Node& cut : run.tree->cut()) cuts.push_back(&cut);
    std::sort(cuts.begin(), cuts.end(), [](const Node* a, const Node* b) { return nearer(*a, *b); });
    const std::size_t most = out.listed.size() + kListed;
    for (const Node* cut : cuts) {
        if (out.listed.size() + cut->variants > most) {
            if (out.beyond.size() < kCutsDrawnFrom) {
                for (const Variant& variant :
                     sample_below(*run.input.space, {cut->partial}, kDrawnOfCut, run.random)) {
                    if (!run.ledger.evaluated(variant))
                        out.near.push_back({variant, run.source().lower(variant)});
                }
            }
            out.beyond.push_back(cut->partial);
            out.variants_beyond += cut->variants;
            continue;
        }
        run.input.space->each(cut->partial, [&](const Variant& variant) {
            if (!run.ledger.evaluated(variant)) out.listed.push_back({variant, run.source().lower(variant)});
            return true;
        });
    }
    out.near.insert(out.near.end(), out.listed.begin(), out.listed.end());
    std::sort(out.near.begin(), out.near.end(), nearer);
    return out;
}

}  // namespace

bool audit_stage(RunState& run, int count) {
    if (count <= 0 || !run.ledger.incumbent()) return false;
    run.tree->expand(run.ledger.high(), std::size_t{1'000'000});
    const RuledOut out = ruled_out(run);
    const std::vector<Node>& all = out.listed;
    std::vector<Variant> drawn;
    std::set<Variant> chosen;
    const std::size_t near = std::min(out.near.size(), static_cast<std::size_t>(count) / 2);
    // Many variants share a bound: of those that lie as near as the last of the near half it is drawn who is
    // in it. The nearer ones are.
    if (near > 0) {
        const double edge = out.near[near - 1].lower;
        std::vector<Variant> tied;
        for (const Node& node : out.near) {
            if (node.lower > edge * (1.0 + 1e-9)) break;
            (node.lower < edge * (1.0 - 1e-9) ? drawn : tied).push_back(node.partial);
        }
        while (drawn.size() < near) {
            const std::size_t at = below(run.random, tied.size());
            drawn.push_back(tied[at]);
            tied[at] = tied.back();
            tied.pop_back();
        }
        chosen.insert(drawn.begin(), drawn.end());
    }
    // The others come from all that was ruled out, each as likely as any.
    const std::uint64_t everything = all.size() + out.variants_beyond;
    const auto wanted =
        static_cast<std::size_t>(std::min<std::uint64_t>(everything, static_cast<std::uint64_t>(count)));
    std::vector<Variant> beyond = sample_below(*run.input.space, out.beyond, wanted, run.random);
    while (drawn.size() < wanted) {
        const std::uint64_t at = below(run.random, everything);
        if (at >= all.size() && beyond.empty()) break;
        const Variant variant = at < all.size() ? all[at].partial : beyond.back();
        if (at >= all.size()) beyond.pop_back();
        if (!run.ledger.evaluated(variant) && chosen.insert(variant).second) drawn.push_back(variant);
    }
    // In the space's own order neighbours share a converted format, which costs more than a slot. A
    // budget that ends early must still leave a fair sample, so only within groups of a dozen.
    constexpr std::size_t kGroup = 12;
    for (std::size_t i = drawn.size(); i > 1; --i) std::swap(drawn[i - 1], drawn[below(run.random, i)]);
    for (std::size_t from = 0; from < drawn.size(); from += kGroup) {
        const auto first = drawn.begin() + static_cast<std::ptrdiff_t>(from);
        std::sort(first, drawn.begin() + static_cast<std::ptrdiff_t>(std::min(drawn.size(), from + kGroup)));
    }

    AuditReport& report = run.result.certificate.audit;
    const int violations_before = run.result.certificate.violations;
    bool regretted = false;
    for (const Variant& variant : drawn) {
        if (run.evaluator.interrupted() || run.out_of_time(0.97)) break;
        const Incumbent incumbent = *run.ledger.incumbent();
        // Against the tree as it is now: what is not excluded was set aside.
        const double rank = run.source().rank(variant);
        const bool aside = !run.tree->excluded(run.source().lower(variant), incumbent.seconds.high);
        const Record& record = run.evaluate(variant, {.role = "audit",
                                                      .incumbent_high = incumbent.seconds.high,
                                                      .slots = 1,
                                                      .abandon_above = 2.0 * incumbent.seconds.high});
        // An alarm measures in full, but only the rotation below changes the winner.
        run.ledger.crown(incumbent.variant, incumbent.seconds);
        if (record.outcome == Outcome::environment) continue;
        ++report.measured;
        if (aside && !is_failure(record.outcome)) {
            ++report.set_aside.measured;
            report.set_aside.ratios.push_back(fastest(record) / rank);
        }
        if (is_failure(record.outcome) || fastest(record) >= incumbent.seconds.low) continue;
        const std::vector<Record> pair =
            run.evaluator.rotate({variant, incumbent.variant}, kAuditRounds, 1.0, "audit");
        run.evaluations += 2;
        if (pair[0].outcome != Outcome::measured || pair[1].outcome != Outcome::measured) continue;
        const TimeInterval audited = interval_of(pair[0].slots);
        const TimeInterval ours = interval_of(pair[1].slots);
        run.ledger.add_known(variant, pair[0]);
        run.trace("audit rotation " + run.input.space->to_text(variant));
        if (audited.high < ours.low) {
            ++report.regrets;
            if (aside) ++report.set_aside.wrong;
            regretted = true;
            run.notice("the audit found a faster variant among those ruled out: " +
                       run.input.space->to_text(variant));
            run.ledger.crown(variant, audited);
            run.result.best_record = pair[0];
        }
    }
    report.violations = run.result.certificate.violations - violations_before;
    report.upper_limit = upper_limit(report.regrets, report.measured);
    report.set_aside.upper_limit = upper_limit(report.set_aside.wrong, report.set_aside.measured);
    std::sort(report.set_aside.ratios.begin(), report.set_aside.ratios.end());
    return regretted;
}

}  // namespace rooftune
