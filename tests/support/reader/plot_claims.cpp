#include <fmt/format.h>

#include <algorithm>

#include "tests/support/reader/page_claims.h"
#include "tuner/base/si.h"
#include "tuner/chart/opportunity_text.h"
#include "tuner/chart/phrases.h"

namespace rooftune::test {
namespace {

const std::string kRate = "([0-9.]+ [kMGTP]?flop/s)";

std::string rate_words(double rate) {
    return format_si(rate, "flop/s");
}

// "from 1 MiB (this problem)" is "≥ 1 MiB, this problem" in the plot, and "f64 256 bit" is "256-bit SIMD".
std::string label_words(const PlotCeiling& ceiling) {
    std::string label = ceiling.label;
    const auto replace = [&](const std::string& from, const std::string& to) {
        const std::size_t at = label.find(from);
        if (at != std::string::npos) label.replace(at, from.size(), to);
    };
    if (!ceiling.bandwidth) return label.substr(label.find(' ') + 1);
    replace(" (this problem)", ", this problem");
    if (label.starts_with("from ")) label = "≥ " + label.substr(5);
    return label;
}

// Of "≥ 1 MiB" or "256-bit SIMD"; empty where there is none.
std::string first_number(const std::string& label) {
    const std::size_t digit = label.find_first_of("0123456789");
    if (digit == std::string::npos) return "";
    return label.substr(digit, label.find_first_not_of("0123456789.", digit) - digit);
}

void claim_roofs(Reader& reader, const TuneResult& r) {
    Reader::Truths roofs;
    for (const PlotCeiling& ceiling : r.ceilings) {
        const std::string rate = format_si(ceiling.rate, ceiling.bandwidth ? "B/s" : "flop/s");
        const std::string label = label_words(ceiling);
        const std::string first = first_number(label);
        roofs.push_back({rate, first});
        roofs.push_back({rate, ""});
    }
    const std::string any = "([0-9.]+ [kMGTP]?(?:flop/s|B/s))";
    reader.claim("a roof's name",
                 "(?:^|; |Roofs: )" + any + ", (?![0-9.]+(?: %|…))(?:≥ |f[0-9]+ peak, )?([0-9.]*)", roofs);
    Reader::Truths rates;
    for (const auto& roof : roofs) rates.push_back({roof.front()});
    reader.claim("a roof", "^([0-9.]+ [kMGTP]?(?:B|flop)/s)$", rates);
}

// What is told of a point is told of that point: by its name, which a winner has another of.
void claim_point(Reader& reader, const TuneResult& r, const PlotPoint& p, const std::string& name) {
    const bool winner = p.kind == "winner";
    const double bound = winner ? r.flops_nominal / r.bound.seconds_lower : p.bound;
    const std::string rate = rate_words(p.flops_per_second), at = fmt::format("{:.3g}", p.intensity);
    const std::string of_bound = format_percent(p.flops_per_second / bound);
    const std::string its = quoted(name) + ": ";
    reader.claim("a point", its + kRate + " at ([0-9.e-]+) flop/byte", Reader::Truths{{rate, at}});
    Reader::Truths attainable, beside;
    for (const PlotCeiling& ceiling : r.ceilings) {
        const double roof = ceiling.bandwidth ? ceiling.rate * p.intensity : ceiling.rate;
        beside.push_back({rate, format_percent(p.flops_per_second / roof)});
        attainable.push_back({format_percent(p.flops_per_second / roof), rate_words(roof),
                              first_number(label_words(ceiling))});
    }
    reader.claim("of attainable",
                 its + ".* flop/byte, " + kPercent + " of " + kRate + " \\((?:≥ |f[0-9]+ peak, )?([0-9.]*)",
                 attainable);
    reader.claim("of its bound", its + ".*, " + kPercent + " of its own bound " + kRate,
                 Reader::Truths{{of_bound, rate_words(bound)}});
    if (!winner) return;
    reader.claim("of its bound, beside the point", "^" + kRate + ", " + kPercent + " of its own bound$",
                 Reader::Truths{{rate, of_bound}});
    // Where nothing bounds the winner, a roof is told instead.
    reader.claim("of attainable, beside the point", "^" + kRate + ", " + kPercent + " of attainable$",
                 beside);
    reader.claim("of its bound, in the description",
                 its + ".* flop/byte, " + kPercent + " of its own bound\\.", of_bound);
    reader.claim("the winner's bound", "the winner's own bound: " + kRate, rate_words(bound));
}

void claim_points(Reader& reader, const TuneResult& r) {
    std::map<std::string, std::size_t> counts;
    Reader::Truths named;
    for (const PlotPoint& p : r.points) {
        ++counts[p.kind];
        named.push_back({p.label, rate_words(p.flops_per_second)});
        reader.words(p.label);
        claim_point(reader, r, p, p.kind == "winner" ? variant_phrase(r.family, r.best) : p.label);
    }
    // The winner stands there by its phrase, and its settings behind.
    for (const PlotPoint& p : r.points) {
        if (p.kind == "winner")
            reader.claim("the winner's settings", "^winner: .*flop/s; ([^ ]*=[^ ]*)$", p.label);
    }
    reader.claim("a point by its name", ": ([^ ]*=[^ ]*): " + kRate + " at ", named);
    for (const auto& [kind, name] : {std::pair{"winner", "winner"},
                                     {"default", "default variant"},
                                     {"naive", "naive variant"},
                                     {"measured", "measured"},
                                     {"excluded", "excluded, at its bound"}}) {
        reader.claim(std::string(kind) + " in the legend", std::string("^") + name + " \\(" + kCount + "\\)",
                     format_count(counts[kind]));
    }
    const std::size_t excluded = counts["excluded"];
    reader.claim("points in all", ": ([0-9]+) variants measured, ([0-9]+) excluded",
                 Reader::Truths{{std::to_string(r.points.size() - excluded), std::to_string(excluded)}});
}

void claim_arrows(Reader& reader, const TuneResult& r) {
    // The ratio of an arrow is the median over rounds, as everywhere.
    Reader::Truths ratios, ends;
    for (const PlotPoint& p : r.points) {
        if (p.kind != "naive" && p.kind != "default") continue;
        const TimeInterval& over = p.kind == "naive" ? r.naive_ratio : r.default_ratio;
        const std::string ratio = format_ratio(over.median);
        ratios.push_back({ratio});
        ends.push_back({p.label, variant_phrase(r.family, r.best), ratio});
        reader.claim(p.kind + " beside its point", "^" + p.kind + " " + kRate,
                     rate_words(p.flops_per_second));
        reader.claim(p.kind + " to the winner", "^" + p.kind + " .*, " + kRatio + " to the winner", ratio);
    }
    reader.claim("an arrow", "^([0-9.]+×)$", ratios);
    reader.claim("an arrow's ends", "^(?:From )?([^ ]*=[^ ]*) to (.*): ([0-9.]+×)\\.?$", ends);
}

}  // namespace

void claim_plot(Reader& reader, const nlohmann::json& result) {
    const TuneResult r = result_of(result);
    reader.words_of(result);
    for (const auto& variant : {r.best, r.naive, r.fallback}) reader.words(variant_phrase(r.family, variant));
    for (const TermReport& term : r.bound.terms) reader.words(term_phrase(term));
    claim_roofs(reader, r);
    claim_points(reader, r);
    claim_arrows(reader, r);
    reader.one_of_many("^(?:excluded, at its bound|measured): ",
                       "two variants may have one rate and one intensity, and then either's name is true");
    reader.one_of_many("…$",
                       "that it begins as another text does is all that can be told of a text that is cut");
    reader.excuse("^tick: .*", "where ticks stand is the drawing's affair");
    reader.excuse("optimisations pay: [0-9.e-]+ to [0-9.e+-]+ flop/byte",
                  "corners of the regions, which depend on the ends of the axes");
    reader.excuse("between [0-9.e-]+ flop/byte.* and [0-9.e-]+ where each byte moves once",
                  "the band's ends follow from bytes that the result does not keep");
    reader.excuse("^[0-9]+ points? beyond the axes", "where the axes end is the drawing's affair");
}

}  // namespace rooftune::test
