// Audit: what the run excluded or set aside is measured for a sample (audit_sample.h), and some of what it
// left open or raced out (sampled_draw.h). Each is abandoned where it is hopeless (RunState::race). A variant
// that looks faster is measured against the incumbent in rotation before it counts.
#include <algorithm>
#include <cmath>

#include "tuner/search/audit_sample.h"
#include "tuner/search/enumerate/sampling.h"
#include "tuner/search/run_state.h"
#include "tuner/search/sampled_stage.h"
#include "tuner/search/second_look.h"

namespace rooftune {
namespace {

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
bool audit_one(RunState& run, const std::vector<AuditDraw>& draws, std::size_t at, AuditReport& report,
               AuditedClass& drawn) {
    const AuditDraw& draw = draws[at];
    const Incumbent incumbent = *run.ledger.incumbent();
    AuditedClass& its = draw.aside ? report.set_aside : report.excluded;
    const double by = draw.aside ? run.source().rank(draw.variant) : run.source().lower(draw.variant);
    EvaluationRequest request = run.race("audit", draws, at);
    request.slots = 1;
    const Record record = look_again(run, draw.variant, request);
    if (record.outcome == Outcome::environment) return false;
    ++report.measured;
    ++its.measured;
    if (draw.uniform) ++drawn.drawn;
    if (is_failure(record.outcome)) return false;
    its.ratios.push_back(fastest(record) / by);
    if (fastest(record) / record.pace >= incumbent.seconds.low / incumbent.pace) return false;
    const std::optional<TimeInterval> ratio = contest(run, draw.variant, "audit");
    if (!ratio || ratio->high >= 1.0) return false;
    ++report.regrets;
    ++its.wrong;
    if (draw.uniform) ++drawn.drawn_wrong;
    run.notice("the audit found a faster variant among those ruled out: " +
               run.space().to_text(draw.variant));
    return true;
}

// The groups of one audit, measured and counted.
class AuditedGroups {
public:
    AuditedGroups(RunState& run, const RuledOutClass& excluded, const RuledOutClass& aside, std::size_t count)
        : run_(&run), excluded_(excluded.size()), aside_(aside.size()) {
        const auto evaluated = [&](const Variant& variant) { return run.ledger.evaluated(variant); };
        groups_ =
            groups_of(draw_audit(run.space(), excluded, aside, count, evaluated, run.random), run.random);
    }
    std::size_t size() const { return groups_.size(); }
    bool regretted() const { return regretted_; }

    // `over` is asked before each variant. Of a group that was not measured to its end the space's order
    // chose who was, and what was found when it ended: only regrets count for the limits (sampled_draw.h).
    template <class Over>
    void measure(std::size_t group, Over&& over) {
        AuditReport& report = run_->result.certificate.audit;
        AuditedClass drawn[2];
        bool is_cut = false;
        for (std::size_t at = 0; at < groups_[group].size(); ++at) {
            const AuditDraw& draw = groups_[group][at];
            is_cut = over();
            if (is_cut) break;
            const int before = run_->result.certificate.violations;
            regretted_ |= audit_one(*run_, groups_[group], at, report, drawn[draw.aside ? 1 : 0]);
            report.violations += run_->result.certificate.violations - before;
        }
        for (const bool is_aside : {false, true}) {
            AuditedClass& its = is_aside ? report.set_aside : report.excluded;
            const AuditedClass& new_ones = drawn[is_aside ? 1 : 0];
            its.drawn += is_cut ? new_ones.drawn_wrong : new_ones.drawn;
            its.drawn_wrong += new_ones.drawn_wrong;
        }
    }
    void finish() {
        AuditReport& report = run_->result.certificate.audit;
        set_limits(report, excluded_, aside_);
        for (AuditedClass* its : {&report.excluded, &report.set_aside})
            std::sort(its->ratios.begin(), its->ratios.end());
    }

private:
    RunState* run_;
    std::uint64_t excluded_, aside_;
    std::vector<std::vector<AuditDraw>> groups_;
    bool regretted_ = false;
};

}  // namespace

AuditEnd audit_stage(RunState& run, int count) {
    if (count <= 0 || !run.ledger.incumbent()) return {};
    // The last one that is asked may look faster, and what that finds is to meet default and naive.
    constexpr int kKept = kContest + kSecondFinals;
    run.tree->expand(run.ledger.high(), std::size_t{1'000'000});
    const auto all = static_cast<std::size_t>(count);
    SampledStage sample(run, all / 2);
    AuditedGroups audited(run, excluded_class(run), set_aside_class(run), all - sample.size());
    // What was found is looked at by finals of its own, for which time has to be left.
    const auto over = [&] {
        const bool regretted = sample.regretted() || audited.regretted();
        return run.evaluator.interrupted() || run.evaluations_left() <= kKept ||
               run.out_of_time(regretted ? after_regret(run) : last_contest(run));
    };
    // By turns, so that a budget that ends early leaves a part of both.
    for (std::size_t g = 0; g < std::max(audited.size(), sample.groups()) && !over(); ++g) {
        if (g < audited.size()) audited.measure(g, over);
        if (g < sample.groups()) sample.measure(g, over);
    }
    audited.finish();
    sample.finish();
    return {audited.regretted() || sample.regretted(), sample.raced_out_regretted()};
}

}  // namespace rooftune
