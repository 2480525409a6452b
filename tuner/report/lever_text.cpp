#include "tuner/report/lever_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tuner/report/phrases.h"
#include "tuner/report/si.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

// Below this share of its bound a variant is not said to be bound by it.
constexpr double kBoundBy = 0.6;
// At or above this share nothing is left to explain.
constexpr double kAtBound = 0.97;
// Parameters that change the bound, each a line of its own.
constexpr int kParametersShown = 2;

/// "a", "a and b", "a, b and c".
std::string join(const std::vector<std::string>& parts, std::string_view last = " and ",
                 std::string_view between = ", ") {
    std::string text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (i > 0) text += i + 1 == parts.size() ? last : between;
        text += parts[i];
    }
    return text;
}

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
    return join(quoted, " or ");
}

/// What binds once the bottleneck is free, and what after that.
std::string bottleneck_sentence(const TuneResult& r, const LeverReport& lever) {
    if (lever.then.empty()) return lever.how + "; nothing else that is known would bind";
    std::string text = fmt::format("{}; then {}", lever.how, binds(r.bound, lever.then));
    // The next bottleneck in turn: the one that frees one more than this.
    for (const LeverReport& next : r.explanation.levers) {
        if (next.kind != "bottleneck" || next.what.size() != lever.what.size() + 1 || next.then.empty())
            continue;
        text +=
            fmt::format(", and {} at {}", resource_phrase(r.bound, next.then), format_ratio(next.at_most));
    }
    return text;
}

std::string parameter_sentence(const TuneResult& r, const LeverReport& lever) {
    std::string text = fmt::format("another value of {}", names(lever.what));
    if (!lever.to.empty()) text += fmt::format(" (to {})", variant_assignment(lever.to));
    text += fmt::format(", {} left open", format_plural(lever.open, "alternative"));
    if (lever.to.empty()) return text + " that no bound tells from the winner";
    return lever.then.empty() ? text : text + fmt::format("; then {}", binds(r.bound, lever.then));
}

/// Values of parameters that no bound tells apart: their limit is the variant's own.
bool moves_no_bound(const LeverReport& lever) {
    return lever.kind == "parameter" && lever.to.empty();
}

/// A change whose own bound is no lower than the winner's: it lifts nothing, though it may still be faster.
bool lifts_nothing(const TuneResult& r, const LeverReport& lever) {
    constexpr double kSame = 1.0 + 1e-6;
    return lever.kind == "parameter" && !lever.to.empty() && lever.seconds > 0.0 &&
           lever.seconds * kSame >= r.bound.seconds_lower;
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

std::vector<LeverReport> shown_levers(const TuneResult& r) {
    const std::vector<LeverReport>& all = r.explanation.levers;
    // The binding bottleneck alone: the one with the fewest made free.
    const LeverReport* first = nullptr;
    for (const LeverReport& lever : all) {
        if (lever.kind == "bottleneck" && (first == nullptr || lever.what.size() < first->what.size()))
            first = &lever;
    }
    std::vector<LeverReport> shown;
    int parameters = 0;
    for (const LeverReport& lever : all) {
        if (lever.kind == "bottleneck" && &lever != first) continue;
        if (moves_no_bound(lever) || lifts_nothing(r, lever)) continue;  // told with the variant
        if (lever.kind == "parameter" && !lever.to.empty() && ++parameters > kParametersShown) continue;
        shown.push_back(lever);
    }
    return shown;
}

std::string lever_sentence(const TuneResult& r, const LeverReport& lever) {
    std::string limit = limit_phrase(lever.at_most);
    limit[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(limit[0])));
    const std::string how = printable(lever.how);
    if (lever.kind == "bottleneck") return fmt::format("{}: {}.", limit, bottleneck_sentence(r, lever));
    if (lever.kind == "parameter") return fmt::format("{}: {}.", limit, parameter_sentence(r, lever));
    if (lever.kind == "variant") {
        std::string text = fmt::format("{}: this variant as it is, run at its bound", limit);
        for (const LeverReport& other : r.explanation.levers) {
            if (moves_no_bound(other)) text += ", or " + parameter_sentence(r, other);
        }
        std::vector<std::string> weaker;
        for (const LeverReport& other : r.explanation.levers) {
            if (lifts_nothing(r, other)) weaker.insert(weaker.end(), other.what.begin(), other.what.end());
        }
        if (!weaker.empty()) text += fmt::format("; less with another value of {}", names(weaker));
        return text + ".";
    }
    if (lever.kind == "traffic")
        return fmt::format(
            "{}, by an estimate: {} (its {} traffic).", limit, how,
            join(lever.what) == "write_allocate" ? "write-allocate" : printable(join(lever.what)));
    if (lever.kind == "ceiling")
        return fmt::format("{}, by an estimate: {}, as the probe gained by it.", limit, how);
    if (!lever.proven) return fmt::format("{}, by an estimate: {}.", limit, how);
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
        text += join(parts, "; ", "; ");
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
    return fmt::format("No other value of {} is better with the others kept.", join(parts, ", nor of "));
}

}  // namespace rooftune
