#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "tests/support/reader/known_claims.h"
#include "tuner/base/si.h"
#include "tuner/chart/phrases.h"

namespace rooftune::test {
namespace {

using nlohmann::json;

const std::string kQuantity = "([0-9.]+(?:e[-+][0-9]+)? [^ ,.;:)]+)";

double number(const json& value) {
    return value.is_number() ? value.get<double>() : 0.0;
}

std::string intensity_words(double i) {
    return fmt::format("{:.{}f}", i, i < 1.0 ? 3 : i < 1e4 ? 2 : 0);
}

std::string rate_or_dash(const json& rate, const std::string& unit) {
    return rate.is_number() ? format_si(number(rate), unit) : "–";
}

bool is_integer_work(const json& d) {
    return d.at("workload").at("dtype").get<std::string>().starts_with("int");
}

std::string unit_of(const json& d, const std::string& kind) {
    if (kind == "compute" || kind == "compute_thread") return is_integer_work(d) ? "op" : "flop";
    return std::string(term_unit(kind));
}

std::string name_of(const json& term) {
    std::string text = term_phrase(term.at("kind").get<std::string>());
    if (number(term.at("beyond_bytes")) > 0.0)
        text += " beyond " + format_capacity(number(term.at("beyond_bytes")));
    return text;
}

void claim_terms(Reader& reader, const json& d, const json& terms) {
    Reader::Truths rows;
    for (const json& term : terms) {
        const std::string unit = unit_of(d, term.at("kind"));
        rows.push_back({format_seconds(number(term.at("seconds"))), name_of(term),
                        format_si(number(term.at("amount")), unit),
                        format_si(number(term.at("rate")), unit + "/s"), term.at("ceiling")});
        reader.words(name_of(term));
    }
    reader.table("terms", {"least time", "for", "amount", "at most", "ceiling"}, rows);
}

void claim_headline(Reader& reader, const json& d, const std::string& rate_unit) {
    reader.claim("attainable", "at most " + kQuantity, format_si(number(d.at("attainable")), rate_unit));
    const double peak = number(d.at("peak")) * number(d.at("workload").at("devices"));
    reader.claim("of the peak", kPercent + " of the peak", format_percent(number(d.at("attainable")) / peak));
    for (const json& term : d.at("terms")) {
        if (term.at("kind") != d.at("binding")) continue;
        const std::string unit = unit_of(d, term.at("kind"));
        reader.claim(
            "because",
            "because " + kQuantity + " (?:of|over) .*? at " + kQuantity + " take " + kQuantity + "\\.?$",
            Reader::Truths{{format_si(number(term.at("amount")), unit),
                            format_si(number(term.at("rate")), unit + "/s"),
                            format_seconds(number(term.at("seconds")))}});
    }
    reader.claim("T_lower and T_serial",
                 "T_lower " + kQuantity + " with perfect overlap, T_serial " + kQuantity +
                     " with none: " + kQuantity + " to " + kQuantity,
                 Reader::Truths{{format_seconds(number(d.at("seconds_lower"))),
                                 format_seconds(number(d.at("seconds_serial"))),
                                 format_si(number(d.at("attainable_serial")), rate_unit),
                                 format_si(number(d.at("attainable")), rate_unit)}});
    reader.claim("intensity", "Intensity ([0-9.]+) flop/byte", intensity_words(number(d.at("intensity"))));
    reader.claim("ridge", "ridge (?:at|of|is at) ([0-9.]+)", intensity_words(number(d.at("ridge"))));
    Reader::Truths extra;
    for (const json& part : d.at("workload").at("extra_traffic"))
        extra.push_back({format_si(number(part.at("bytes")), "B")});
    reader.claim("intensity with what comes on top", "(?:^|[^0-9.])([0-9.]+) with what probably comes on top",
                 intensity_words(number(d.at("intensity_low"))));
    reader.claim("what comes on top", "(?:write-allocate|capacity|conflict) " + kQuantity, extra);
    const double footprint = number(d.at("workload").at("footprint_bytes"));
    reader.claim("memory", "Memory (?:each )?needs " + kQuantity + " of " + kQuantity,
                 Reader::Truths{
                     {format_si(footprint, "B"), format_si(footprint / number(d.at("memory_share")), "B")}});
}

void claim_roof(Reader& reader, const json& d, const json& roof, const std::string& rate_unit) {
    if (roof.contains("why_not")) return;
    reader.claim("problem roof",
                 "none of the " + kCount + " variants of .* can be faster than " + kQuantity + " \\(" +
                     kQuantity + "\\)",
                 Reader::Truths{{format_count(roof.at("variants").get<std::uint64_t>()),
                                 format_seconds(number(roof.at("seconds_lower"))),
                                 format_si(number(roof.at("attainable")), rate_unit)}});
    for (const json& term : roof.at("terms")) reader.words(name_of(term));
    (void)d;
}

void claim_sweep(Reader& reader, const json& d, const std::string& rate_unit) {
    Reader::Truths rows;
    std::string size;
    for (const json& p : d.at("sweep")) {
        size = p.at("size");
        const json& binding = p.at("binding");
        rows.push_back({fmt::format("{:.10g}", number(p.at("value"))),
                        rate_or_dash(p.at("attainable"), rate_unit),
                        rate_or_dash(p.at("attainable_serial"), rate_unit),
                        p.at("intensity").is_number() ? intensity_words(number(p.at("intensity"))) : "–",
                        format_seconds(number(p.at("seconds_lower"))), binding.is_null() ? "–" : "*"});
    }
    reader.table("sweep", {size, "attainable", "without overlap", "flop/byte", "least time", "bound by"},
                 rows);
}

void claim_offload(Reader& reader, const json& o) {
    const auto seconds = [&](const char* key) { return format_seconds(number(o.at(key))); };
    reader.claim("the link", "over .*? at " + kQuantity + " \\(",
                 format_si(number(o.at("link_rate")), "B/s"));
    reader.claim("transfers",
                 kQuantity + " go in " + kQuantity + ", " + kQuantity + " come back in " + kQuantity +
                     "; a repetition takes at least " + kQuantity + " on .*? and " + kQuantity + " on ",
                 Reader::Truths{{format_si(number(o.at("bytes_in")), "B"), seconds("seconds_in"),
                                 format_si(number(o.at("bytes_out")), "B"), seconds("seconds_out"),
                                 seconds("seconds_on_device"), seconds("seconds_on_host")}});
    reader.claim(
        "one with its transfers",
        "One with its transfers takes " + kQuantity + " overlapped, " + kQuantity + " one after the other",
        Reader::Truths{{seconds("once_overlapped"), seconds("once_serial")}});
    reader.claim("where it pays", "it pays from ([0-9.]+) repetitions on",
                 fmt::format("{:.5g}", number(o.at("break_even_repetitions"))));
}

void claim_levels(Reader& reader, const json& d, const std::string& rate_unit) {
    const double peak = number(d.at("peak")), least = number(d.at("seconds_lower"));
    const double flops = number(d.at("workload").at("flops")) / number(d.at("workload").at("devices"));
    const json* binding = nullptr;
    for (const json& term : d.at("terms")) {
        if (binding == nullptr && term.at("kind") == d.at("binding")) binding = &term;
    }
    const std::string unit = binding ? unit_of(d, binding->at("kind")) : "";
    bool is_marked = binding == nullptr;
    Reader::Truths rows;
    for (const json& l : d.at("levels")) {
        const double bytes = number(l.at("reads")) + number(l.at("writes")),
                     seconds = number(l.at("seconds"));
        const auto intensity = [&](const char* key) {
            return l.at(key).is_number() ? intensity_words(number(l.at(key))) : std::string("–");
        };
        const double allows = number(l.at("attainable"));
        if (l.at("level") == "memory")
            reader.claim("memory's row", "Memory's row is of what lies beyond ([^,]+),",
                         format_capacity(number(l.at("beyond_bytes"))));
        const bool binds = unit == "B" && std::abs(seconds - least) <= 1e-6 * least;
        is_marked = is_marked || binds;
        rows.push_back(
            {l.at("level").get<std::string>() + (binds ? " (binds)" : ""), format_si(bytes, "B"),
             seconds > 0.0 ? format_si(bytes / seconds, "B/s") : "–", format_seconds(seconds),
             intensity("intensity"), intensity("ridge"),
             allows > 0.0 ? format_si(peak > 0.0 ? std::min(allows, peak) : allows, rate_unit) : "–"});
    }
    if (!is_marked) {
        const double amount = number(binding->at("amount"));
        rows.push_back({name_of(*binding) + " (binds)", unit == "B" ? format_si(amount, "B") : "–",
                        format_si(number(binding->at("rate")), unit + "/s"), format_seconds(least),
                        unit == "B" && flops > 0.0 ? intensity_words(flops / amount) : "–", "–",
                        flops > 0.0
                            ? format_si(peak > 0.0 ? std::min(flops / least, peak) : flops / least, rate_unit)
                            : "–"});
    }
    reader.table("levels",
                 {"level", "must move", "at most", "least time", "flop/byte", "its ridge", "allows"}, rows);
}

}  // namespace

void claim_bound(Reader& reader, const json& d) {
    const std::string rate_unit = is_integer_work(d) ? "op/s" : "flop/s";
    reader.words_of(d);
    reader.words(d.at("workload").at("title").get<std::string>());
    claim_terms(reader, d, d.at("terms"));
    claim_headline(reader, d, rate_unit);
    if (d.contains("problem_roof")) claim_roof(reader, d, d.at("problem_roof"), rate_unit);
    if (d.contains("levels")) claim_levels(reader, d, rate_unit);
    if (d.contains("sweep")) claim_sweep(reader, d, rate_unit);
    if (d.contains("offload")) claim_offload(reader, d.at("offload"));
    if (d.contains("solve") && d.at("solve").at("value").is_number())
        reader.claim("critical size", "ompute bound for [a-z]+ [<>] ([0-9.e+]+)\\.$",
                     fmt::format("{:.5g}", number(d.at("solve").at("value"))));
    if (d.contains("sweep_critical"))
        reader.claim("critical size of the sweep", "ompute bound for [a-z]+ [<>] ([0-9.e+]+)\\.$",
                     fmt::format("{:.5g}", number(d.at("sweep_critical").at("value"))));
    Reader::Truths set;
    for (const json& change : d.at("set")) {
        const std::string unit = change.at("unit");
        const std::string shown = unit == "byte/s" ? "B/s" : unit == "byte" ? "B" : unit;
        set.push_back({change.at("path"), format_si(number(change.at("value")), shown),
                       format_si(number(change.at("was")), shown)});
    }
    reader.claim("set", "with ([a-z._0-9]+) = " + kQuantity + " in place of " + kQuantity, set);
}

}  // namespace rooftune::test
