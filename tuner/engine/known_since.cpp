#include "tuner/engine/known_since.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/bound.h"
#include "models/opportunities.h"
#include "models/roofs.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"
#include "tuner/engine/result_machines.h"

namespace rooftune {
namespace {

// The rate that bounds a traffic term by now, whatever walk gave it; 0 where the result does not say enough
// of its threads and bytes.
double walked_now(const TuneResult& r, const TermReport& term, const Machine& machine) {
    const auto kind = term_kind_from(term.kind);
    if (!kind || r.backend != "cpu" || r.needs.threads < 1 || term.beyond <= 0.0) return 0.0;
    const Machine view = machine_of(machine, "");
    const Roofs roofs(view);
    const std::vector<BandwidthStep>& steps =
        roofs.bandwidth(runs_on_one_thread(*kind) ? 1 : r.needs.threads);
    constexpr double kRounding = 1.0 + 1e-9;
    const auto after =
        std::upper_bound(steps.begin(), steps.end(), kRounding * term.beyond,
                         [](double bytes, const BandwidthStep& step) { return bytes < step.from; });
    if (after == steps.begin()) return 0.0;
    const BandwidthStep& step = *(after - 1);
    switch (*kind) {
        case TermKind::reads:
        case TermKind::reads_thread:
            return step.read;
        case TermKind::writes:
        case TermKind::writes_thread:
            return step.write;
        case TermKind::both:
        case TermKind::both_thread:
            return step.both;
        default:
            return 0.0;
    }
}

// How many times as high a ceiling is by now as it was when it bound; 1 where it is not told.
double risen(const TuneResult& r, const Machine& machine, const char* of) {
    for (const CeilingReport& then : r.binding_ceilings) {
        if (then.of != of || then.max <= 0.0) continue;
        for (const Ceiling& c : machine.ceilings) {
            // What was never seen undisturbed often enough makes no roof, and a tune would not go by it.
            if (describe(c) == then.ceiling) return c.saturated() ? std::max(1.0, c.max / then.max) : 1.0;
        }
    }
    return 1.0;
}

std::string rate_text(double rate, const TermReport& term) {
    return format_si(rate, std::string(term_unit(term.kind)) + "/s");
}

}  // namespace

std::string known_since(const TuneResult& r, const Machine& machine) {
    if (!is_machine_of(machine, r)) return "";
    const double noise = 1.0 + r.certificate.margin;
    std::string what;
    if (const TermReport* const term = binding_term(r.bound); term != nullptr && term->rate > 0.0) {
        const double now = std::max(walked_now(r, *term, machine), term->rate * risen(r, machine, "winner"));
        if (now > noise * term->rate)
            what =
                fmt::format("{} for {}, where this tune knew {}, so that this term is {} and no longer {}",
                            rate_text(now, *term), term_phrase(*term), rate_text(term->rate, *term),
                            format_seconds(term->seconds * term->rate / now), format_seconds(term->seconds));
    }
    if (what.empty()) {
        const double factor = risen(r, machine, "problem");
        const auto ceiling = std::find_if(r.binding_ceilings.begin(), r.binding_ceilings.end(),
                                          [](const CeilingReport& c) { return c.of == "problem"; });
        if (factor <= noise || ceiling == r.binding_ceilings.end()) return "";
        what = fmt::format("{} for what bounds the problem's roof ({}), where this tune knew {}",
                           format_si(factor * ceiling->max, ceiling->unit), printable(ceiling->ceiling),
                           format_si(ceiling->max, ceiling->unit));
    }
    return "The machine is known better by now: " + what +
           ". Bounds and exclusions here are by what the tune knew: tune again to bring them up to date.";
}

}  // namespace rooftune
