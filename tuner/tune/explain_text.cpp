#include "tuner/tune/explain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "tuner/base/si.h"
#include "tuner/base/suggested.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/opportunity_text.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/json_values.h"
#include "tuner/tune/edge_text.h"
#include "tuner/tune/gap_sentence.h"
#include "tuner/tune/short_call.h"
#include "tuner/tune/summary.h"

namespace rooftune {
namespace {

// Rows of a table that are worth a line.
constexpr std::size_t kTerms = 6;
constexpr std::size_t kCauses = 3;
// Where the other side takes at most this share of the bound, work on it gains nothing to speak of.
constexpr double kOneSided = 0.5;

bool traffic(const TermReport& term) {
    return term_unit(term.kind) == "B";
}

/// The largest term of the side that does not bind; nullptr when there is none.
const TermReport* other_side(const BoundReport& b, const TermReport& binding) {
    for (const TermReport& term : b.terms) {
        if (!term.demoted && traffic(term) != traffic(binding)) return &term;
    }
    return nullptr;
}

// Below this share of its bound a winner's time is not that of its terms, and neither side is the one to work
// on.
constexpr double kNearBound = 0.5;

/// Which optimisations pay, by the region of the roofline that the winner lies in; far from its bound, that
/// none of the terms is where its time goes.
std::string region_sentence(const TuneResult& r, const TermReport& binding) {
    const BoundReport& b = r.bound;
    // Terms that do not overlap may add up to what it takes.
    const bool adds_up = b.seconds_serial >= kNearBound * r.seconds.median;
    if (r.fraction_of_variant_bound > 0.0 && r.fraction_of_variant_bound < kNearBound && !adds_up) {
        return fmt::format(
            " Most of its time goes into none of the terms below, so that less of them may gain little: "
            "look at latency (indexed loads, pointers), at how evenly threads share the work, at what a "
            "call costs{}.",
            r.explanation.estimates.empty() ? "" : ", and at the estimates further down");
    }
    const TermReport* other = other_side(b, binding);
    if (other == nullptr || b.seconds_lower <= 0.0) return "";
    const double share = other->seconds / b.seconds_lower;
    const std::string which = share > kOneSided  ? "Both in-core and memory"
                              : traffic(binding) ? "Only memory"
                                                 : "Only in-core";
    return fmt::format(" {} optimisations pay: the most of the other side, {}, is {} of that.", which,
                       resource_phrase(*other), format_percent(share));
}

/// Where the measurement lies between T_lower and T_serial.
std::string band_sentence(const TuneResult& r) {
    const BoundReport& b = r.bound;
    const TermReport* binding = binding_term(b);
    std::string text = fmt::format("At least {}", format_seconds(b.seconds_lower));
    if (binding != nullptr)
        text += fmt::format(", for {}{}", term_phrase(*binding),
                            binding->beyond > 0.0 ? " (bytes that no cache of that size can save)" : "");
    text += fmt::format("; {} if arithmetic and traffic did not overlap at all.",
                        format_seconds(b.seconds_serial));
    if (r.seconds.median > 0.0) {
        text += fmt::format(" Measured: {}",
                            format_seconds_interval(r.seconds.median, r.seconds.low, r.seconds.high));
        const bool band = b.seconds_serial > b.seconds_lower && b.seconds_lower > 0.0;
        if (band && r.seconds.median > b.seconds_serial) {
            text += ", longer than even that";
        } else if (band && r.seconds.median > b.seconds_lower) {
            text += ", between the two";
        }
        text += ".";
    }
    if (binding == nullptr) return text;
    if (!binding->ceiling.empty()) {
        const std::string unit(term_unit(binding->kind));
        text += fmt::format(" The ceiling behind it: {}, {}.", printable(binding->ceiling),
                            format_si(binding->rate, unit + "/s"));
    }
    return text + region_sentence(r, *binding);
}

/// A term in few words, so that the table fits a terminal.
std::string row_label(const TermReport& term) {
    std::string text = term_phrase(term);
    const auto replace = [&](std::string_view from, std::string_view to) {
        const std::size_t at = text.find(from);
        if (at != std::string::npos) text.replace(at, from.size(), to);
    };
    replace("floating-point instructions", "FP instructions");
    replace(" of the heaviest thread", ", 1 thread");
    replace("the longest dependent chain", "dependent chain");
    return text;
}

std::string nothing_to_explain(const TuneResult& r) {
    return no_winner_phrase(r.certificate) + ", so there is no winner to explain.";
}

nlohmann::ordered_json json_of(const TuneResult& r, const std::string& since) {
    nlohmann::ordered_json terms = nlohmann::ordered_json::array();
    for (const TermReport& term : r.bound.terms) {
        terms.push_back({{"kind", term.kind},
                         {"resource", resource_phrase(term)},
                         {"seconds", finite_or_null(term.seconds)},
                         {"level", term.level},
                         {"ceiling", term.ceiling},
                         {"lever", term.opportunity},
                         {"demoted", term.demoted}});
    }
    nlohmann::ordered_json opportunities = nlohmann::ordered_json::array();
    for (const OpportunityReport& opportunity : r.explanation.opportunities) {
        opportunities.push_back({{"kind", opportunity.kind},
                                 {"what", opportunity.what},
                                 {"at_most", finite_or_null(opportunity.at_most)},
                                 {"proven", opportunity.proven},
                                 {"sentence", opportunity_sentence(r, opportunity)}});
    }
    const bool works = !r.best.empty();
    nlohmann::ordered_json document{
        {"schema", "rooftune/explanation/1"},
        {"title", r.title},
        {"backend", r.backend},
        {"state", r.state},
        {"family", r.family},
        {"machine", r.machine_name},
        {"variant", r.best},
        {"binding", r.bound.binding},
        {"sentence", works ? binding_sentence(r) : nothing_to_explain(r)},
        {"seconds", finite_or_null(r.seconds.median)},
        {"seconds_lower", finite_or_null(r.bound.seconds_lower)},
        {"seconds_serial", finite_or_null(r.bound.seconds_serial)},
        {"fraction_of_variant_bound", finite_or_null(r.fraction_of_variant_bound)},
        {"terms", std::move(terms)},
        {"levers", std::move(opportunities)},
        {"between", works ? between_sentence(r) : ""},
        {"settled", settled_sentence(r.explanation)},
        {"edge", works ? edge_sentence(r) : ""},
        {"known_since", since}};
    for (const auto& [key, value] : gap_values(proven_gap(r.certificate)))
        document[key] = finite_or_null(value);
    return document;
}

}  // namespace

Table terms_table(const BoundReport& bound, std::size_t most) {
    Table table({{"term", Align::left},
                 {"at least", Align::right},
                 {"rate", Align::right},
                 {"time", Align::right},
                 {"of bound", Align::right}});
    for (std::size_t i = 0; i < std::min(most, bound.terms.size()); ++i) {
        const TermReport& term = bound.terms[i];
        const std::string unit(term_unit(term.kind));
        TableCell share("n/a");
        if (bound.seconds_lower > 0.0) {
            const double fraction = term.seconds / bound.seconds_lower;
            share = {format_percent(fraction), fraction};
        }
        if (term.demoted) share = "demoted";
        table.add({row_label(term),
                   {format_si(term.amount, unit), term.amount},
                   {format_si(term.rate, unit + "/s"), term.rate},
                   {format_seconds(term.seconds), term.seconds},
                   share});
    }
    return table;
}

Table excluded_table(const CertificateReport& c) {
    std::vector<std::pair<std::string, std::uint64_t>> rows(c.excluded_by.begin(), c.excluded_by.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    if (rows.size() > kCauses) {
        for (std::size_t i = kCauses; i < rows.size(); ++i) rows[kCauses - 1].second += rows[i].second;
        rows[kCauses - 1].first = "other terms";
        rows.resize(kCauses);
    }
    Table table({{"excluded by", Align::left},
                 {"variants", Align::right},
                 {"of the excluded", Align::right},
                 {"of the space", Align::right}});
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        if (whole == 0) return TableCell("n/a");
        const double fraction = static_cast<double>(part) / static_cast<double>(whole);
        return TableCell(format_percent(fraction), fraction);
    };
    for (const auto& [kind, count] : rows) {
        table.add({term_phrase(kind),
                   {format_count(count), static_cast<double>(count)},
                   share(count, c.excluded),
                   share(count, c.space)});
    }
    return table;
}

ExplainParts explain_parts(const TuneResult& r) {
    ExplainParts parts;
    const CertificateReport& c = r.certificate;
    parts.search = fmt::format(
        "Branch and bound: {} evaluated and {} cut in a space of {}; {} {} ({}).",
        format_plural(c.bounds_evaluated, "bound"), format_plural(c.subtrees_cut, "subtree"),
        format_plural(c.space, "variant"), format_count(c.excluded),
        r.no_bounds ? "would have been excluded without --no-bounds" : "excluded",
        c.space > 0 ? format_percent(static_cast<double>(c.excluded) / static_cast<double>(c.space)) : "n/a");
    if (r.best.empty()) {
        parts.binding = nothing_to_explain(r);
        return parts;
    }
    parts.binding = fmt::format("{} The winner: {}.", binding_sentence(r), variant_phrase(r.family, r.best));
    if (r.bound.terms.empty()) {
        parts.band =
            declares_no_work(r)
                ? "It declares no work that a ceiling could bound: declare it (`flops`, `reads`, `writes`)."
                : suggested("machine") + " measures the ceilings that would bound it.";
        return parts;
    }
    parts.band = band_sentence(r);
    if (std::any_of(r.bound.terms.begin(), r.bound.terms.end(),
                    [](const TermReport& term) { return term.demoted; })) {
        parts.demoted =
            "Demoted: a measurement beat this term and no probe could follow it, so it is shown but bounds "
            "nothing.";
    }
    for (const OpportunityReport& opportunity : shown_opportunities(r))
        parts.opportunities.push_back(opportunity_sentence(r, opportunity));
    if (!parts.opportunities.empty()) {
        parts.opportunities_head =
            fmt::format("What would help, largest limit first (each may be {} off, as the ceilings may):",
                        format_percent_up(c.margin));
    }
    parts.between = between_sentence(r);
    const std::string settled = settled_sentence(r.explanation);
    parts.settled = settled + (settled.empty() ? "" : " ") + left_text(r);
    for (const std::string& sentence : {growth_sentence(r), edge_sentence(r)})
        parts.settled += sentence.empty() ? "" : " " + sentence;
    for (const std::string& doubt : r.model_doubts) parts.settled += " " + doubt;
    return parts;
}

std::string explain_text(const TuneResult& r, const std::string& since) {
    const ExplainParts parts = explain_parts(r);
    std::string text = fmt::format("## {}\n\n", title_of(r));
    const auto paragraph = [&](const std::string& words) {
        if (!words.empty()) text += wrap(words) + "\n\n";
    };
    paragraph(parts.binding);
    paragraph(since);
    paragraph(parts.band);
    if (!r.best.empty() && !r.bound.terms.empty()) text += terms_table(r.bound, kTerms).to_text() + "\n";
    paragraph(parts.demoted);
    paragraph(parts.opportunities_head);
    for (std::size_t i = 0; i < parts.opportunities.size(); ++i)
        text += numbered_item(i + 1, parts.opportunities[i]);
    if (!parts.opportunities.empty()) text += "\n";
    paragraph(parts.between);
    paragraph(parts.settled);
    text += wrap(parts.search) + "\n";
    if (!r.certificate.excluded_by.empty()) text += "\n" + excluded_table(r.certificate).to_text();
    return text;
}

nlohmann::ordered_json explain_json(const std::vector<TuneResult>& results,
                                    const std::vector<std::string>& since) {
    nlohmann::ordered_json all = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < results.size(); ++i)
        all.push_back(json_of(results[i], i < since.size() ? since[i] : ""));
    if (results.size() == 1) return all.front();
    return {{"results", std::move(all)}};
}

}  // namespace rooftune
