#include "tuner/chart/opportunity_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/base/joined.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"

namespace rooftune {
namespace {

// Below this share of its bound a variant is not said to be bound by it.
constexpr double kBoundBy = 0.6;
// At or above this share nothing is left to explain.
constexpr double kAtBound = 0.97;
// Parameters that change the bound, each a line of its own.
constexpr int kParametersShown = 2;

/// "DRAM reads bind", "arithmetic binds".
std::string binds(const BoundReport& bound, const std::string& kind) {
    const std::string resource = resource_phrase(bound, kind);
    const bool one = resource.starts_with("arithmetic") || resource == "instruction issue" ||
                     resource.starts_with("the latency");
    return resource + (one ? " binds" : " bind");
}

std::string names(const std::vector<std::string>& parameters) {
    std::vector<std::string> quoted;
    for (const std::string& name : parameters) quoted.push_back("`" + printable(name) + "`");
    return joined(quoted, " or ");
}

/// What binds once the bottleneck is free, and what after that.
std::string bottleneck_sentence(const TuneResult& r, const OpportunityReport& opportunity) {
    if (opportunity.then.empty()) return opportunity.how + "; nothing else that is known would bind";
    std::string text = fmt::format("{}; then {}", opportunity.how, binds(r.bound, opportunity.then));
    // The next bottleneck in turn: the one that frees one more than this.
    for (const OpportunityReport& next : r.explanation.opportunities) {
        if (next.kind != "bottleneck" || next.what.size() != opportunity.what.size() + 1 || next.then.empty())
            continue;
        text +=
            fmt::format(", and {} at {}", resource_phrase(r.bound, next.then), format_ratio(next.at_most));
    }
    return text;
}

std::string parameter_sentence(const TuneResult& r, const OpportunityReport& opportunity) {
    std::string text = fmt::format("another value of {}", names(opportunity.what));
    if (!opportunity.to.empty()) text += fmt::format(" (to {})", variant_assignment(opportunity.to));
    text += fmt::format(", {} left open", format_plural(opportunity.open, "alternative"));
    if (opportunity.to.empty()) return text + " that no bound tells from the winner";
    return opportunity.then.empty() ? text
                                    : text + fmt::format("; then {}", binds(r.bound, opportunity.then));
}

/// Values of parameters that no bound tells apart: their limit is the variant's own.
bool moves_no_bound(const OpportunityReport& opportunity) {
    return opportunity.kind == "parameter" && opportunity.to.empty();
}

/// A change whose own bound is no lower than the winner's: it lifts nothing, though it may still be faster.
bool lifts_nothing(const TuneResult& r, const OpportunityReport& opportunity) {
    constexpr double kSame = 1.0 + 1e-6;
    return opportunity.kind == "parameter" && !opportunity.to.empty() && opportunity.seconds > 0.0 &&
           opportunity.seconds * kSame >= r.bound.seconds_lower;
}

}  // namespace

std::string resource_phrase(const TermReport& term) {
    const std::string level = term.level.empty() ? "memory" : printable(term.level);
    const auto traffic = [&](std::string_view what, bool one) {
        return fmt::format("{} {}{}", level, what, one ? " of the heaviest thread" : "");
    };
    const std::string& k = term.kind;
    if (k == "reads" || k == "reads_thread") return traffic("reads", k != "reads");
    if (k == "writes" || k == "writes_thread") return traffic("writes", k != "writes");
    if (k == "both" || k == "both_thread") return traffic("reads and writes", k != "both");
    if (k == "compute") return "arithmetic";
    if (k == "compute_thread") return "arithmetic of the heaviest thread";
    if (k == "fmas") return "the floating-point ports";
    if (k == "instructions") return "instruction issue";
    if (k == "loads") return "the load ports";
    if (k == "chain") return "the latency of dependent operations";
    return term_phrase(k);
}

std::string resource_phrase(const BoundReport& bound, std::string_view kind) {
    for (const TermReport& term : bound.terms) {
        if (term.kind == kind) return resource_phrase(term);
    }
    return resource_phrase(TermReport{.kind = std::string(kind)});
}

std::string limit_phrase(double at_most) {
    if (!std::isfinite(at_most) || at_most <= 0.0) return "no limit known";
    const double scale = at_most < 10.0 ? 100.0 : at_most < 100.0 ? 10.0 : 1.0;
    const double scaled = at_most * scale;
    return "at most " + format_ratio(scaled < 1e15 ? std::ceil(scaled - 1e-6) / scale : at_most);
}

std::string binding_sentence(const TuneResult& r) {
    const TermReport* binding = binding_term(r.bound);
    const double share = r.fraction_of_variant_bound;
    if (binding == nullptr) return "Nothing bounds it: no ceiling applies.";
    const std::string what = resource_phrase(*binding);
    if (!std::isfinite(share) || share <= 0.0) return fmt::format("Bound by {}.", what);
    if (share > 1.0) {
        return fmt::format(
            "Faster than its bound by {}: what was probed there is too low, or the share is within its "
            "noise.",
            what);
    }
    const std::string left = limit_phrase(1.0 / share);
    if (share >= kBoundBy) {
        return fmt::format(
            "Bound by {}: it runs at {} of what this variant could reach, so {} is left in it.", what,
            format_percent(share), left);
    }
    return fmt::format(
        "Far from its bound: the tightest, {}, explains {} of its time ({}). Something that is no bound "
        "costs "
        "the rest.",
        what, format_percent(share), left);
}

std::vector<OpportunityReport> shown_opportunities(const TuneResult& r) {
    const std::vector<OpportunityReport>& all = r.explanation.opportunities;
    // The binding bottleneck alone: the one with the fewest made free.
    const OpportunityReport* first = nullptr;
    for (const OpportunityReport& opportunity : all) {
        if (opportunity.kind == "bottleneck" &&
            (first == nullptr || opportunity.what.size() < first->what.size()))
            first = &opportunity;
    }
    std::vector<OpportunityReport> shown;
    int parameters = 0;
    for (const OpportunityReport& opportunity : all) {
        if (opportunity.kind == "bottleneck" && &opportunity != first) continue;
        if (moves_no_bound(opportunity) || lifts_nothing(r, opportunity)) continue;  // told with the variant
        if (opportunity.kind == "parameter" && !opportunity.to.empty() && ++parameters > kParametersShown)
            continue;
        shown.push_back(opportunity);
    }
    // Far from its bound nothing that it is bound by costs the time: what would lift the bound without end
    // comes last.
    if (r.fraction_of_variant_bound > 0.0 && r.fraction_of_variant_bound < kBoundBy)
        std::stable_partition(shown.begin(), shown.end(), [](const OpportunityReport& o) {
            return o.kind != "bottleneck" || (std::isfinite(o.at_most) && o.at_most > 0.0);
        });
    return shown;
}

std::string opportunity_sentence(const TuneResult& r, const OpportunityReport& opportunity) {
    std::string limit = limit_phrase(opportunity.at_most);
    limit[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(limit[0])));
    const std::string how = printable(opportunity.how);
    if (opportunity.kind == "bottleneck")
        return fmt::format("{}: {}.", limit, bottleneck_sentence(r, opportunity));
    if (opportunity.kind == "parameter")
        return fmt::format("{}: {}.", limit, parameter_sentence(r, opportunity));
    if (opportunity.kind == "variant") {
        std::string text = fmt::format("{}: this variant as it is, run at its bound", limit);
        for (const OpportunityReport& other : r.explanation.opportunities) {
            if (moves_no_bound(other)) text += ", or " + parameter_sentence(r, other);
        }
        std::vector<std::string> weaker;
        for (const OpportunityReport& other : r.explanation.opportunities) {
            if (lifts_nothing(r, other)) weaker.insert(weaker.end(), other.what.begin(), other.what.end());
        }
        if (!weaker.empty()) text += fmt::format("; less with another value of {}", names(weaker));
        return text + ".";
    }
    if (opportunity.kind == "traffic")
        return fmt::format("{}, by an estimate: {} (its {} traffic).", limit, how,
                           joined(opportunity.what) == "write_allocate"
                               ? "write-allocate"
                               : printable(joined(opportunity.what)));
    if (opportunity.kind == "ceiling")
        return fmt::format("{}, by an estimate: {}, as the probe gained by it.", limit, how);
    if (!opportunity.proven) return fmt::format("{}, by an estimate: {}.", limit, how);
    return fmt::format("{}: {}.", limit, how);
}

std::string between_sentence(const TuneResult& r) {
    const double share = r.fraction_of_variant_bound;
    if (!std::isfinite(share) || share <= 0.0 || share >= kAtBound) return "";
    const double time = r.seconds.median;
    std::string text = "Between the bound and the measurement, by estimates: ";
    double explained = r.bound.seconds_lower;
    std::vector<std::string> parts;
    for (const EstimateReport& e : r.explanation.estimates) {
        explained = std::max(explained, e.seconds);
        parts.push_back(fmt::format("{} for {}", format_seconds(e.seconds), printable(e.why)));
    }
    if (parts.empty()) {
        text = "Nothing that is known lies between the bound and the measurement";
    } else {
        text += joined(parts, "; ", "; ");
    }
    if (explained < kAtBound * time) {
        text += fmt::format(". Not explained: {} of the time (latency, page walks, a disturbed machine)",
                            format_percent(1.0 - explained / time));
    }
    return text + ".";
}

std::string settled_sentence(const ExplanationReport& e) {
    std::vector<std::string> parts;
    if (!e.settled_by_measuring.empty()) parts.push_back(names(e.settled_by_measuring) + " (tried)");
    if (!e.settled_by_proof.empty()) parts.push_back(names(e.settled_by_proof) + " (by proof)");
    if (parts.empty()) return "";
    return fmt::format("No other value of {} is better with the others kept.", joined(parts, ", nor of "));
}

}  // namespace rooftune
