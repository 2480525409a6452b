// Audit: what the run excluded or set aside is measured for a sample, half of it nearest to the
// threshold, where a wrong bound would show first. Each is killed at twice the incumbent's time. A
// variant that looks faster is measured against the incumbent in rotation before it counts.
#include <algorithm>
#include <cmath>
#include <set>

#include "tuner/enumerate/sampling.h"
#include "tuner/measure/statistics.h"
#include "tuner/search/run_state.h"

namespace rooftune {
namespace {

constexpr int kRounds = 12;

// Excluded and set aside variants that nobody has measured, with their bounds; at most `limit`.
std::vector<Node> candidates(RunState& run, std::size_t limit) {
    const double high = run.ledger.high();
    std::vector<Node> all;
    for (const Node& cut : run.tree->cut()) {
        const bool more = run.input.space->each(cut.partial, [&](const Variant& variant) {
            if (!run.ledger.evaluated(variant)) all.push_back({variant, run.source().lower(variant)});
            return all.size() < limit;
        });
        if (!more) break;
    }
    for (const Node& node : run.tree->pool(high)) {
        if (!run.ledger.evaluated(node.partial) && set_aside(*run.tree, node.partial, high))
            all.push_back(node);
    }
    return all;
}

}  // namespace

bool audit_stage(RunState& run, int count) {
    if (count <= 0 || !run.ledger.incumbent()) return false;
    run.tree->expand(run.ledger.high(), std::size_t{1'000'000});
    constexpr std::size_t kListed = 500'000;
    std::vector<Node> all = candidates(run, kListed);
    std::sort(all.begin(), all.end(), [](const Node& a, const Node& b) {
        return a.lower != b.lower ? a.lower < b.lower : a.partial < b.partial;
    });
    std::vector<Variant> drawn;
    std::set<Variant> chosen;
    const std::size_t near = std::min(all.size(), static_cast<std::size_t>(count) / 2);
    // Many variants share a bound: the near half is drawn from all that lie as near as its last.
    if (near > 0) {
        const double edge = all[near - 1].lower * (1.0 + 1e-9);
        std::vector<Variant> nearest;
        for (const Node& node : all) {
            if (node.lower <= edge) nearest.push_back(node.partial);
        }
        while (drawn.size() < near) {
            const std::size_t at = below(run.random, nearest.size());
            drawn.push_back(nearest[at]);
            chosen.insert(nearest[at]);
            nearest.erase(nearest.begin() + static_cast<std::ptrdiff_t>(at));
        }
    }
    while (drawn.size() < std::min(all.size(), static_cast<std::size_t>(count))) {
        const Variant variant = all[below(run.random, all.size())].partial;
        if (chosen.insert(variant).second) drawn.push_back(variant);
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
            run.evaluator.rotate({variant, incumbent.variant}, kRounds, 1.0, "audit");
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
