#include "tuner/report/explain_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "tuner/report/phrases.h"
#include "tuner/report/si.h"
#include "tuner/report/table.h"
#include "tuner/report/text_width.h"

namespace rooftune {
namespace {

std::string times_sentence(const TuneResult& r) {
    const BoundReport& b = r.bound;
    const TermReport* binding = binding_term(b);
    std::string text = fmt::format("At least {}", format_seconds(b.seconds_lower));
    if (binding != nullptr) text += fmt::format(", for {}", term_phrase(*binding));
    text += fmt::format("; {} if arithmetic and traffic did not overlap at all.",
                        format_seconds(b.seconds_serial));
    if (r.seconds.median <= 0.0) return text;
    text += fmt::format(" Measured: {}",
                        format_seconds_interval(r.seconds.median, r.seconds.low, r.seconds.high));
    if (r.fraction_of_variant_bound > 0.0) {
        text += fmt::format(", {} of its bound", format_percent(r.fraction_of_variant_bound));
    }
    text += ".";
    if (r.seconds.low > b.seconds_serial && b.seconds_serial > 0.0) {
        text +=
            " That is slower than no overlap explains: latency, gathers, an uneven partition or a disturbed "
            "machine, none of which is a term of the bound.";
    }
    return text;
}

std::string terms_table(const BoundReport& bound) {
    Table table({{"term", Align::left},
                 {"at least", Align::right},
                 {"rate", Align::right},
                 {"time", Align::right},
                 {"of the bound", Align::right}});
    for (const TermReport& term : bound.terms) {
        const std::string unit(term_unit(term.kind));
        std::string share =
            bound.seconds_lower > 0.0 ? format_percent(term.seconds / bound.seconds_lower) : "n/a";
        if (term.demoted) share = "demoted";
        table.add({term_phrase(term), format_si(term.amount, unit), format_si(term.rate, unit + "/s"),
                   format_seconds(term.seconds), share});
    }
    return table.to_text();
}

/// What stands behind each term: in sentences, because a table of them is wider than any terminal.
std::string levers_list(const BoundReport& bound) {
    std::string text;
    for (const TermReport& term : bound.terms) {
        std::string item = term_phrase(term) + ":";
        if (!term.ceiling.empty()) item += " the ceiling is " + printable(term.ceiling) + ";";
        item += term.lever.empty() ? " no lever is known." : " moved by " + printable(term.lever) + ".";
        text += list_item(item);
    }
    return text;
}

std::string excluded_table(const CertificateReport& c) {
    std::vector<std::pair<std::string, std::uint64_t>> rows(c.excluded_by.begin(), c.excluded_by.end());
    std::stable_sort(rows.begin(), rows.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    Table table({{"excluded by", Align::left},
                 {"variants", Align::right},
                 {"of the excluded", Align::right},
                 {"of the space", Align::right}});
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return whole > 0 ? format_percent(static_cast<double>(part) / static_cast<double>(whole))
                         : std::string("n/a");
    };
    for (const auto& [kind, count] : rows) {
        table.add({term_phrase(kind), format_count(count), share(count, c.excluded), share(count, c.space)});
    }
    return table.to_text();
}

}  // namespace

std::string explain_text(const TuneResult& r) {
    std::string text = fmt::format("## {}\n\n", printable(r.title.empty() ? r.family : r.title));
    if (r.best.empty()) {
        text += "No variant works, so there is no winner to explain.\n\n";
    } else {
        text += wrap(fmt::format("{} ({}).", variant_phrase(r.family, r.best), variant_assignment(r.best))) +
                "\n\n";
        if (r.bound.terms.empty()) {
            text += wrap(
                        "No ceiling applies to it, so nothing bounds it: `rooftune machine` measures the "
                        "ceilings.") +
                    "\n\n";
        } else {
            text +=
                wrap(times_sentence(r)) + "\n\n" + terms_table(r.bound) + "\n" + levers_list(r.bound) + "\n";
            const bool demoted = std::any_of(r.bound.terms.begin(), r.bound.terms.end(),
                                             [](const TermReport& term) { return term.demoted; });
            if (demoted) {
                text += wrap(
                            "Demoted: a measurement beat this term and no probe could follow it, so it is "
                            "shown but "
                            "bounds nothing.") +
                        "\n\n";
            }
        }
    }
    const CertificateReport& c = r.certificate;
    text += wrap(fmt::format(
                "Branch and bound: {} evaluated and {} cut in a space of {}; {} excluded ({}).",
                format_plural(c.bounds_evaluated, "bound"), format_plural(c.subtrees_cut, "subtree"),
                format_plural(c.space, "variant"), format_count(c.excluded),
                c.space > 0 ? format_percent(static_cast<double>(c.excluded) / static_cast<double>(c.space))
                            : "n/a")) +
            "\n";
    if (!c.excluded_by.empty()) text.append("\n").append(excluded_table(c));
    return text;
}

}  // namespace rooftune
