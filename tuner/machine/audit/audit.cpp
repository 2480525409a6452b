#include "tuner/machine/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/si.h"

namespace rooftune::audit {
namespace {

bool any_beyond_margin(const std::vector<Check>& checks) {
    return std::any_of(checks.begin(), checks.end(), [](const Check& c) { return c.beyond_margin(); });
}

bool any_above(const std::vector<Check>& checks) {
    return std::any_of(checks.begin(), checks.end(), [](const Check& c) { return c.above(); });
}

// "1.03 of the ceiling", with as many digits as it takes to tell it from 1.
std::string share_text(double share) {
    return fmt::format("{:.3f}", share);
}

// The ceilings of `fresh` that the machine does not have as high.
std::vector<Ceiling> risen(const Machine& machine, const std::vector<Ceiling>& fresh) {
    std::vector<Ceiling> result;
    for (const Ceiling& c : fresh) {
        const bool known =
            std::any_of(machine.ceilings.begin(), machine.ceilings.end(), [&](const Ceiling& old) {
                return old.resource == c.resource && old.when == c.when && old.max >= c.max;
            });
        if (c.windows > 0 && !known) result.push_back(c);
    }
    return result;
}

class Auditor {
public:
    Auditor(Machine& machine, const Rules& rules, const World& world)
        : machine_(machine), rules_(rules), world_(world), roofs_(machine) {}

    PeerFinding examine(int pass, const Case& what) {
        PeerFinding finding;
        finding.pass = pass;
        finding.what = what;
        finding.measurement = world_.measure(what, 1.0);
        if (finding.measurement.amounts) finding.what.least = *finding.measurement.amounts;
        finding.checks = judge(what, finding.measurement, roofs_);
        if (finding.checks.empty()) {
            finding.explanation = why_not_judged(finding.measurement);
        } else if (!any_above(finding.checks)) {
            finding.verdict = PeerVerdict::below;
        } else {
            follow_up(finding);
        }
        return finding;
    }

    std::vector<Ceiling> raised() const { return raised_; }

private:
    static std::string why_not_judged(const Measurement& m) {
        if (m.outcome != Outcome::measured) return m.detail;
        if (!std::isfinite(m.seconds) || m.seconds <= 0.0)
            return fmt::format("its time is no time: {} s", m.seconds);
        return "no ceiling was measured for this";
    }

    // Against what the probes found so far in this audit, on top of the machine as it was.
    std::vector<Check> judge_by_fresh(const PeerFinding& finding) const {
        Machine now = machine_;
        for (const Ceiling& c : fresh_) merge(now, c);
        return judge(finding.what, finding.measurement, Roofs(now));
    }

    void follow_up(PeerFinding& finding) {
        const Case& what = finding.what;
        // A measurement that is not above when repeated was a window that the clock or a neighbour made
        // short.
        bool repeated = false;
        double stretch = 1.0;
        for (int i = 0; i < rules_.again && world_.keep_going(); ++i) {
            stretch *= 2.0;
            const Measurement another = world_.measure(what, stretch);
            const std::vector<Check> checks = judge(what, another, roofs_);
            if (!any_above(checks)) continue;
            repeated = true;
            if (another.seconds >= finding.measurement.seconds) continue;
            finding.measurement = another;
            finding.checks = checks;
        }
        const double best = tightest(finding.checks)->share();
        std::vector<Check> after = judge_by_fresh(finding);
        // What was probed for another case may cover this one. A ceiling that is nearly there is probed
        // better.
        for (int i = 0; i < rules_.probes && any_above(after) && world_.keep_going(); ++i) {
            for (const Ceiling& c : risen(machine_, world_.probe_again(what))) fresh_.push_back(c);
            after = judge_by_fresh(finding);
        }
        const bool reached = !any_above(after);
        const std::string first =
            fmt::format("{} of the ceiling{}", share_text(best),
                        repeated ? ", repeatedly" : fmt::format(", once in {}", 1 + rules_.again));
        if (reached) {
            finding.verdict = rules_.frozen ? PeerVerdict::outgrown : PeerVerdict::raised;
            finding.explanation = first + "; probed again, the ceiling reaches " +
                                  format_si(ceiling_of(after, finding.checks), unit_of(claim_of(finding))) +
                                  (rules_.frozen ? ", and stays frozen" : " and rises");
            if (!rules_.frozen) raise();
        } else if (!repeated) {
            finding.verdict = PeerVerdict::not_repeated;
            finding.explanation = first + ": neither another measurement nor the probe came so far again";
        } else if (!any_beyond_margin(after)) {
            const Check& nearest = *tightest(after);
            finding.verdict = PeerVerdict::within_margin;
            finding.explanation =
                first + fmt::format(
                            "; probed again, the ceiling stands at {}, {:.1f} % below, and every "
                            "exclusion leaves it a margin of {:.1f} %",
                            format_si(nearest.ceiling, unit_of(nearest.claim)),
                            100.0 * (nearest.share() - 1.0), 100.0 * nearest.margin);
        } else {
            finding.verdict = PeerVerdict::unexplained;
            finding.explanation = first + "; probed again, the ceiling stays at " +
                                  format_si(ceiling_of(after, finding.checks), unit_of(claim_of(finding))) +
                                  ": the flops, bytes or clock behind this rate are wrong, or the probe is";
        }
    }

    static Claim claim_of(const PeerFinding& finding) { return tightest(finding.checks)->claim; }
    static double ceiling_of(const std::vector<Check>& after, const std::vector<Check>& before) {
        const Claim claim = tightest(before)->claim;
        for (const Check& c : after) {
            if (c.claim == claim) return c.ceiling;
        }
        return 0.0;
    }

    void raise() {
        for (const Ceiling& c : fresh_) {
            merge(machine_, c);
            std::erase_if(raised_, [&](const Ceiling& old) {
                return old.resource == c.resource && old.when == c.when;
            });
            raised_.push_back(c);
        }
        fresh_.clear();
        roofs_ = Roofs(machine_);
    }

    Machine& machine_;
    const Rules& rules_;
    const World& world_;
    Roofs roofs_;
    std::vector<Ceiling> fresh_;  ///< probed in this audit, higher than the machine's
    std::vector<Ceiling> raised_;
};

}  // namespace

std::string_view to_text(PeerVerdict v) {
    switch (v) {
        case PeerVerdict::below:
            return "below";
        case PeerVerdict::raised:
            return "above: the ceiling rose";
        case PeerVerdict::outgrown:
            return "above: the ceiling would rise";
        case PeerVerdict::not_repeated:
            return "above once, not repeated";
        case PeerVerdict::within_margin:
            return "above, within the margin";
        case PeerVerdict::unexplained:
            return "above: unexplained";
        case PeerVerdict::not_judged:
            return "not judged";
    }
    return "";
}

int Audit::count(PeerVerdict v) const {
    return static_cast<int>(std::count_if(findings.begin(), findings.end(),
                                          [&](const PeerFinding& f) { return f.verdict == v; }));
}

int Audit::above() const {
    return static_cast<int>(
        std::count_if(findings.begin(), findings.end(), [](const PeerFinding& f) { return f.above(); }));
}

Audit run_audit(Machine& machine, const std::vector<Case>& cases, const Rules& rules, const World& world) {
    constexpr int kTurns = 3;
    Audit audit;
    audit.rules = rules;
    Auditor auditor(machine, audit.rules, world);
    for (int pass = 0; pass < rules.passes; ++pass) {
        std::vector<const Case*> chosen;
        for (const Case& c : cases) {
            if (c.turn < 0 || c.turn == pass % kTurns) chosen.push_back(&c);
        }
        const double start = world.now();
        int left_out = 0;
        for (std::size_t i = 0; i < chosen.size(); ++i) {
            if (!world.keep_going()) {
                audit.interrupted = true;
                break;
            }
            if (world.now() - start > rules.pass_seconds) {
                left_out = static_cast<int>(chosen.size() - i);
                break;
            }
            if (world.on_case)
                world.on_case(pass, static_cast<double>(i) / static_cast<double>(chosen.size()), *chosen[i]);
            audit.findings.push_back(auditor.examine(pass, *chosen[i]));
        }
        audit.left_out.push_back(left_out);
        if (audit.interrupted) break;
        ++audit.complete_passes;
    }
    audit.raised = auditor.raised();
    return audit;
}

}  // namespace rooftune::audit
