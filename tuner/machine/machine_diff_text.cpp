#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
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

std::string verdict(const RatePair& pair) {
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
    std::size_t beyond = 0;
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
            table.add({pair.name, pair_rate_text(pair, pair.a), pair_rate_text(pair, pair.b),
                       format_ratio(pair.ratio()) + times, verdict(pair)});
            if (pair.beyond_margins()) ++beyond;
        }
        out += "\n" + table.to_text();
        from = to;
    }
    if (!diff.rates.empty()) {
        out += beyond == 0 ? "\nNo rate differs by more than the margin of noise.\n"
                           : fmt::format("\n{} of {} figures differ by more than the margin of noise.\n",
                                         beyond, diff.rates.size());
    } else {
        out += "\nThere is no rate that both have.\n";
    }
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
        rates.push_back({{"group", pair.group},
                         {"name", pair.name},
                         {"unit", pair.unit},
                         {"a", pair.a},
                         {"b", pair.b},
                         {"ratio", pair.ratio()},
                         {"margin_a", pair.margin_a},
                         {"margin_b", pair.margin_b},
                         {"beyond_margins", pair.beyond_margins()}});
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
