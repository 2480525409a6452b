#include <algorithm>
#include <cmath>
#include <regex>

#include "tests/support/reader/result_claims.h"
#include "tuner/base/si.h"
#include "tuner/chart/opportunity_text.h"
#include "tuner/chart/phrases.h"

namespace rooftune::test {
namespace {

void claim_band(Reader& reader, const TuneResult& r) {
    const BoundReport& b = r.bound;
    const TermReport* binding = binding_term(b);
    reader.claim("at least, and without overlap",
                 "At least " + kTime + "(?:, for .*)?; " + kTime + " if arithmetic and traffic did not",
                 Reader::Truths{{format_seconds(b.seconds_lower), format_seconds(b.seconds_serial)}});
    reader.claim("measured", "Measured: " + kTime, time_words(r.seconds));
    reader.claim("share of its bound", "runs at " + kPercent + " of what this variant could reach",
                 format_percent(r.fraction_of_variant_bound));
    reader.claim("share of its bound that is explained", "explains " + kPercent + " of its time",
                 format_percent(r.fraction_of_variant_bound));
    if (binding == nullptr || !(r.fraction_of_variant_bound > 0.0)) return;
    const std::string left = limit_phrase(1.0 / r.fraction_of_variant_bound).substr(8);
    reader.claim("left in the variant", "so at most " + kRatio + " is left in it", left);
    reader.claim("left in the variant, far from its bound", "of its time \\(at most " + kRatio, left);
    reader.claim("the binding ceiling", "The ceiling behind it: .*, ([0-9.]+ [^ ]+/s)\\.$",
                 format_si(binding->rate, std::string(term_unit(binding->kind)) + "/s"));
    const auto is_traffic = [](const TermReport& term) { return term_unit(term.kind) == "B"; };
    for (const TermReport& term : b.terms) {
        if (term.demoted || is_traffic(term) == is_traffic(*binding)) continue;
        reader.claim("share of the other side", "is " + kPercent + " of that",
                     format_percent(term.seconds / b.seconds_lower));
        break;
    }
}

void claim_terms(Reader& reader, const TuneResult& r) {
    Reader::Truths rows;
    for (const TermReport& term : r.bound.terms) {
        std::string label = term_phrase(term);
        const auto replace = [&](const std::string& from, const std::string& to) {
            const std::size_t at = label.find(from);
            if (at != std::string::npos) label.replace(at, from.size(), to);
        };
        replace("floating-point instructions", "FP instructions");
        replace(" of the heaviest thread", ", 1 thread");
        replace("the longest dependent chain", "dependent chain");
        reader.words(label);
        const std::string unit(term_unit(term.kind));
        rows.push_back({label, format_si(term.amount, unit), format_si(term.rate, unit + "/s"),
                        format_seconds(term.seconds),
                        term.demoted ? "demoted" : format_percent(term.seconds / r.bound.seconds_lower)});
    }
    reader.table("terms", {"term", "at least", "rate", "time", "of bound"}, rows,
                 std::min<std::size_t>(6, rows.size()));
}

// The three that excluded most, the last of them with all others.
void claim_excluded(Reader& reader, const CertificateReport& c) {
    std::vector<std::pair<std::uint64_t, std::string>> causes;
    for (const auto& [kind, count] : c.excluded_by) causes.emplace_back(count, term_phrase(kind));
    std::stable_sort(causes.begin(), causes.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    while (causes.size() > 3) {
        const std::uint64_t last = causes.back().first;
        causes.pop_back();
        causes.back() = {causes.back().first + last, "other terms"};
    }
    Reader::Truths rows;
    const auto share = [](std::uint64_t part, std::uint64_t whole) {
        return whole == 0 ? std::string("n/a")
                          : format_percent(static_cast<double>(part) / static_cast<double>(whole));
    };
    for (const auto& [count, what] : causes)
        rows.push_back({what, format_count(count), share(count, c.excluded), share(count, c.space)});
    reader.table("excluded by", {"excluded by", "variants", "of the excluded", "of the space"}, rows);
    reader.claim(
        "branch and bound",
        "Branch and bound: " + kCount + " bounds? evaluated and " + kCount + " subtrees? cut in a space of " +
            kCount + " variants?; " + kCount +
            " (?:excluded|would have been excluded without --no-bounds) \\(" + kPercent,
        Reader::Truths{{format_count(c.bounds_evaluated), format_count(c.subtrees_cut), format_count(c.space),
                        format_count(c.excluded), share(c.excluded, c.space)}});
}

// A page sets names in a type of their own, without their marks.
std::string unmarked(const std::string& words) {
    return std::regex_replace(quoted(words), std::regex("`"), "`?");
}

// The sentence of an opportunity says by its words which one it is; its numbers are those of the JSON.
void claim_opportunity(Reader& reader, const TuneResult& r, const OpportunityReport& o) {
    if (o.kind == "parameter") {
        std::string names;
        for (const std::string& name : o.what)
            names += (names.empty() ? "" : "(?:, | or )") + unmarked("`" + name + "`");
        const std::string to = o.to.empty() ? "" : quoted(" (to " + variant_assignment(o.to) + ")");
        reader.claim("alternatives",
                     "another value of " + names + to + ", " + kCount + " alternatives? left open",
                     format_count(o.open));
    }
    const std::string limit = limit_phrase(o.at_most), sentence = opportunity_sentence(r, o);
    const std::size_t sign = sentence.find("×");
    if (!limit.starts_with("at most ") || sign == std::string::npos) return;
    const std::string words = std::regex_replace(unmarked(sentence.substr(sign + std::string("×").size())),
                                                 std::regex("[0-9 ]+ alternative"), "[0-9 ]+ alternative");
    reader.claim("limit of an opportunity", "^(?:[0-9]\\. |- )?At most ([0-9.]+(?: [0-9]{3})*×)" + words,
                 limit.substr(8));
}

void claim_opportunities(Reader& reader, const TuneResult& r) {
    Reader::Truths then;
    for (const OpportunityReport& o : r.explanation.opportunities) {
        then.push_back({format_ratio(o.at_most)});
        if (!o.to.empty()) reader.words(variant_assignment(o.to));
        claim_opportunity(reader, r, o);
    }
    reader.claim("the next bottleneck", ", and [^;:]* at " + kRatio, then);
    reader.claim("what ceilings are known to", "each may be " + kPercent + " off, as the ceilings may",
                 format_percent_up(r.certificate.margin));
    reader.excuse("^[1-9]\\.(?: |$)", "the number of an item");
}

void claim_between(Reader& reader, const TuneResult& r) {
    Reader::Truths estimates;
    double explained = r.bound.seconds_lower;
    for (const EstimateReport& e : r.explanation.estimates) {
        estimates.push_back({format_seconds(e.seconds), e.why});
        explained = std::max(explained, e.seconds);
    }
    for (const auto& estimate : estimates) reader.words(estimate[0] + " for " + estimate[1]);
    reader.claim("not explained", "Not explained: " + kPercent + " of the time",
                 format_percent(1.0 - explained / r.seconds.median));
}

}  // namespace

void claim_explanation(Reader& reader, const nlohmann::json& result) {
    const TuneResult r = result_of(result);
    claim_band(reader, r);
    reader.excuse("The machine is known better by now: .*", "of the machine's file as it is by now");
    claim_terms(reader, r);
    claim_excluded(reader, r.certificate);
    claim_opportunities(reader, r);
    claim_between(reader, r);
}

}  // namespace rooftune::test
