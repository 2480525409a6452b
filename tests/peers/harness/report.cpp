#include "tests/peers/harness/report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/measure/statistics.h"

namespace rooftune::peers {
namespace {

std::string numbers(const std::vector<int>& values) {
    std::string text;
    for (const int value : values) text += (text.empty() ? "" : ",") + std::to_string(value);
    return text;
}

std::vector<const Line*> bases_of(const Comparison& comparison) {
    std::vector<const Line*> bases;
    for (const Line& line : comparison.lines) {
        if (line.peer && !line.slots.empty()) bases.push_back(&line);
    }
    return bases;
}

int disturbed(const Line& line) {
    return static_cast<int>(
        std::count_if(line.slots.begin(), line.slots.end(), [](const Slot& s) { return s.disturbed; }));
}

}  // namespace

TimeInterval speed_over(const Line& base, const Line& arm) {
    return ratio_interval(base.slots, arm.slots);
}

std::string to_text(const Comparison& comparison) {
    const std::vector<const Line*> bases = bases_of(comparison);
    std::vector<Column> columns{{"arm", Align::left}, {"time", Align::right}};
    for (const Rate& rate : comparison.rates) columns.push_back({rate.unit, Align::right});
    for (const Line* base : bases) columns.push_back({"speed over " + base->name, Align::right});
    columns.push_back({"error", Align::right});
    Table table(columns);
    std::size_t rounds = 0;
    int marked = 0;
    std::string arms;
    std::string failures;
    for (const Line& line : comparison.lines) {
        if (!line.ready.ok) {
            failures += "- " + line.name + ": not measured: " + line.ready.detail + "\n";
            continue;
        }
        arms += "- " + line.name + ": " + line.ready.detail + "\n";
        if (line.slots.empty()) continue;
        rounds = line.slots.size();
        marked += disturbed(line);
        const TimeInterval time = interval_of(line.slots);
        std::vector<TableCell> cells{line.name, format_seconds_interval(time.median, time.low, time.high)};
        for (const Rate& rate : comparison.rates)
            cells.push_back(format_si(rate.amount / time.median, rate.unit));
        for (const Line* base : bases) {
            const TimeInterval ratio = speed_over(*base, line);
            cells.push_back(base == &line ? "1" : format_ratio_interval(ratio.median, ratio.low, ratio.high));
        }
        cells.push_back(format_ratio(line.ready.error));
        table.add(cells);
    }
    std::string text = comparison.title + "; processors " + numbers(comparison.cpus) + " of " +
                       comparison.machine + "; " + format_plural(rounds, "interleaved round") + ", " +
                       format_plural(marked, "disturbed turn") + "\n\n" + table.to_text(kWidestPage) + "\n" +
                       arms + failures;
    if (comparison.restless)
        text += "- warning: an arm's threads did not come to rest within 2 s of a turn\n";
    return text;
}

Json to_json(const Comparison& comparison) {
    Json arms = Json::array();
    for (const Line& line : comparison.lines) {
        Json arm{{"name", line.name},
                 {"peer", line.peer},
                 {"ok", line.ready.ok},
                 {"detail", line.ready.detail},
                 {"error", line.ready.error}};
        if (!line.slots.empty()) {
            const TimeInterval time = interval_of(line.slots);
            arm["seconds"] = {
                {"median", time.median}, {"low", time.low}, {"high", time.high}, {"min", time.min}};
            Json rates = Json::object();
            for (const Rate& rate : comparison.rates) rates[rate.unit] = rate.amount / time.median;
            arm["rates"] = rates;
            Json ratios = Json::object();
            for (const Line* base : bases_of(comparison)) {
                const TimeInterval ratio = speed_over(*base, line);
                ratios[base->name] = {{"median", ratio.median}, {"low", ratio.low}, {"high", ratio.high}};
            }
            arm["speed_over"] = ratios;
            Json slots = Json::array();
            for (const Slot& slot : line.slots)
                slots.push_back({slot.seconds, slot.repetitions, slot.disturbed});
            arm["slots"] = slots;
        }
        arms.push_back(arm);
    }
    return {{"schema", "rooftune/peers/1"},    {"title", comparison.title},
            {"problem", comparison.problem},   {"machine", comparison.machine},
            {"cpus", comparison.cpus},         {"longest_settle_seconds", comparison.longest_settle},
            {"restless", comparison.restless}, {"arms", arms}};
}

}  // namespace rooftune::peers
