#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/ceilings/best_rates.h"
#include "tuner/formats/strict_json.h"
#include "tuner/machine/machine_diff.h"

namespace rooftune {
namespace {

// A load's latency is what people know; the file keeps loads a second, so that a maximum is the best.
std::string pair_rate_text(const RatePair& pair, double rate) {
    if (pair.unit == "load/s") return format_seconds(1.0 / rate);
    if (pair.unit == "instruction") return fmt::format("{:.0f}", rate);
    if (pair.group == "ridge point") return fmt::format("{:.3g} {}", rate, pair.unit);
    return format_si(rate, pair.unit == "byte/s" ? "B/s" : pair.unit);
}

// With its mark where it is not proven.
std::string seen_text(const RatePair& pair, double seen, double at_most, bool proven) {
    const BestRate best{seen, at_most, 0.0, proven};
    const auto text = [&](double rate) { return pair_rate_text(pair, rate); };
    return pair.group == "ridge point" ? ridge_text(best, text) : best_rate_text(best, text);
}

std::string verdict(const RatePair& pair) {
    if (!pair.judged()) return "not judged";
    const double margin = std::max(pair.margin_a, pair.margin_b);
    if (!pair.beyond_margins()) return "within " + format_percent(margin);
    return "beyond " + format_percent(margin);
}

void list(std::string& out, const std::string& title, const std::vector<std::string>& names) {
    if (names.empty()) return;
    out += "\n" + title + "\n";
    // "group: name", gathered by group: a line each.
    std::string group, line;
    for (const std::string& entry : names) {
        const std::size_t colon = entry.find(": ");
        if (entry.substr(0, colon) != group) {
            if (!line.empty()) out += list_item(line);
            group = entry.substr(0, colon);
            line = group + ": " + entry.substr(colon + 2);
        } else {
            line += "; " + entry.substr(colon + 2);
        }
    }
    out += list_item(line);
}

std::string conclusion(std::size_t all, std::size_t unjudged, std::size_t beyond) {
    if (all == 0) return "There is no rate that both have.";
    const std::size_t judged = all - unjudged;
    std::string text =
        judged == 0 ? ""
        : beyond == 0
            ? "No rate differs by more than the margin of noise."
            : fmt::format("{} of {} figures differ by more than the margin of noise.", beyond, judged);
    if (unjudged == 0) return text;
    return wrap(fmt::format(
        "{}{} not judged: on one of the machines other processes ran beside every probe of it, or beside too "
        "many, so that what was seen is no sign of what the machine can do. `rooftune machine` there, with "
        "nothing else running, probes it again.",
        text.empty() ? "" : text + " ",
        unjudged == 1 ? "1 figure is" : fmt::format("{} figures are", unjudged)));
}

}  // namespace

std::string machine_diff_text(const MachineDiff& diff) {
    std::string out = "A: " + printable(diff.name_a) + "\nB: " + printable(diff.name_b) + "\n";
    if (diff.identical) return out + "\nNo difference: topology and all ceilings are the same.\n";
    if (diff.topology.empty()) {
        out += "\nThe same topology.\n";
    } else {
        out += "\n";
        Table table({{"topology"}, {"A"}, {"B"}});
        for (const TopologyDifference& d : diff.topology) table.add({d.what, d.a, d.b});
        out += table.to_text();
    }
    std::string group;
    std::size_t beyond = 0, unjudged = 0;
    for (std::size_t from = 0; from < diff.rates.size();) {
        std::size_t to = from;
        Table table({{diff.rates[from].group},
                     {"A", Align::right},
                     {"B", Align::right},
                     {"B is", Align::right},
                     {"margin of noise"}});
        for (; to < diff.rates.size() && diff.rates[to].group == diff.rates[from].group; ++to) {
            const RatePair& pair = diff.rates[to];
            // A higher ridge is no better: the number alone.
            const std::string times =
                pair.group == "ridge point" || pair.unit == "instruction" ? "" : " as fast";
            table.add({pair.name, seen_text(pair, pair.a, pair.at_most_a, pair.proven_a),
                       seen_text(pair, pair.b, pair.at_most_b, pair.proven_b),
                       pair.judged() ? format_ratio(pair.ratio()) + times : "–", verdict(pair)});
            if (!pair.judged()) ++unjudged;
            if (pair.beyond_margins()) ++beyond;
        }
        out += "\n" + table.to_text();
        from = to;
    }
    out += "\n" + conclusion(diff.rates.size(), unjudged, beyond) + "\n";
    list(out, "Only A has", diff.only_a);
    list(out, "Only B has", diff.only_b);
    return out;
}

std::string machine_diff_json(const MachineDiff& diff) {
    Json topology = Json::array();
    for (const TopologyDifference& d : diff.topology)
        topology.push_back({{"what", d.what}, {"a", d.a}, {"b", d.b}});
    Json rates = Json::array();
    for (const RatePair& pair : diff.rates) {
        Json rate{{"group", pair.group},
                  {"name", pair.name},
                  {"unit", pair.unit},
                  {"a", pair.a},
                  {"b", pair.b},
                  {"ratio", pair.judged() ? Json(pair.ratio()) : Json(nullptr)},
                  {"margin_a", pair.margin_a},
                  {"margin_b", pair.margin_b},
                  {"judged", pair.judged()},
                  {"beyond_margins", pair.beyond_margins()}};
        // The quotient of two limits is no limit.
        const std::string key = pair.group == "ridge point" ? "in_bounds" : "at_most";
        if (!pair.proven_a && pair.at_most_a > 0.0) rate[key + "_a"] = pair.at_most_a;
        if (!pair.proven_b && pair.at_most_b > 0.0) rate[key + "_b"] = pair.at_most_b;
        rates.push_back(std::move(rate));
    }
    const Json document{{"schema", "rooftune/machine-diff/1"},
                        {"a", diff.name_a},
                        {"b", diff.name_b},
                        {"identical", diff.identical},
                        {"difference", !diff.no_difference()},
                        {"topology", topology},
                        {"rates", rates},
                        {"only_a", diff.only_a},
                        {"only_b", diff.only_b}};
    return document.dump(1) + "\n";
}

}  // namespace rooftune
