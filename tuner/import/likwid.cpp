#include "tuner/import/likwid.h"
#include "tuner/ceilings/regions.h"

#include <algorithm>
#include <map>
#include <optional>

#include "tuner/base/text_lines.h"
#include "tuner/import/figures.h"

namespace rooftune::imports {
namespace {

/// What one group's table says of one region.
struct Table {
    std::string region, group;
    Position at;
    std::map<std::string, std::vector<double>> rows;  ///< metric → value of each thread
};

/// Starts "TABLE,…" lines: region (may hold commas no more than its cells do) and group.
std::optional<Table> table_of(const std::vector<Cell>& cells) {
    if (cells.size() < 3 || cells[0].text != "TABLE") return std::nullopt;
    Table table;
    table.at = cells[0].at;
    std::size_t at = 1;
    if (cells[1].text.starts_with("Region ")) {
        table.region = cells[1].text.substr(7);
        at = 2;
    }
    if (at + 1 >= cells.size() || !cells[at].text.starts_with("Group ")) return std::nullopt;
    // Statistics over the threads repeat what the threads' columns say; raw counts need a model of the CPU.
    if (!cells[at].text.ends_with(" Metric")) return std::nullopt;
    table.group = cells[at + 1].text;
    return table;
}

std::vector<Table> read_tables(std::string_view text, const std::string& file) {
    std::vector<Table> tables;
    bool inside = false;
    std::size_t threads = 0;
    for (const Line& line : lines_of(file, text)) {
        if (line.text.starts_with("TABLE,") || line.text.starts_with("STRUCT,")) {
            const auto table = table_of(cells_of(file, line));
            inside = table.has_value();
            threads = 0;
            if (inside) tables.push_back(*table);
            continue;
        }
        if (!inside || line.text.empty()) continue;
        const std::vector<Cell> cells = cells_of(file, line);
        if (cells[0].text == "Metric") {
            // Lines are filled with empty cells to one length.
            while (threads + 1 < cells.size() && !cells[threads + 1].text.empty()) ++threads;
            if (threads == 0) fail(file, cells[0].at, "the heading names no thread");
            continue;
        }
        if (threads == 0) fail(file, cells[0].at, "expected the heading \"Metric,HWThread 0,…\"");
        if (cells.size() < threads + 1) {
            fail(file, cells.back().at,
                 "expected " + std::to_string(threads) + " values of \"" + cells[0].text + "\", found " +
                     std::to_string(cells.size() - 1));
        }
        std::vector<double>& values = tables.back().rows[cells[0].text];
        for (std::size_t t = 1; t <= threads; ++t) {
            if (is_absent(cells[t].text)) {
                values.push_back(0.0);
                continue;
            }
            const auto value = figure_from(cells[t].text, Decimal::point);
            if (!value)
                fail(file, cells[t].at,
                     "'" + cells[t].text + "' is not a figure (of \"" + cells[0].text + "\")");
            values.push_back(*value);
        }
    }
    return tables;
}

/// Values of the first row whose name begins like this; names differ in brackets between versions:
/// "DP [MFLOP/s]", "DP MFLOP/s".
const std::vector<double>* row(const Table& table, std::string_view begins) {
    for (const auto& [name, values] : table.rows) {
        std::string plain = name;
        std::erase_if(plain, [](char c) { return c == '[' || c == ']'; });
        if (plain.starts_with(begins)) return &values;
    }
    return nullptr;
}

double sum(const std::vector<double>& values) {
    double total = 0.0;
    for (const double v : values) total += v;
    return total;
}

}  // namespace

MeasuredPoints read_likwid(std::string_view text, const std::string& file) {
    const std::vector<Table> tables = read_tables(text, file);
    MeasuredPoints all{"likwid", file, {}};
    std::map<std::string, std::size_t> index;
    std::map<std::string, std::string> timed_by;  // region → group whose time was taken
    for (const Table& table : tables) {
        const std::vector<double>* runtime = row(table, "Runtime (RDTSC)");
        if (runtime == nullptr) continue;
        const double seconds = *std::max_element(runtime->begin(), runtime->end());
        if (seconds <= 0.0) fail(file, table.at, "the runtime of group " + table.group + " is zero");
        const auto [at, fresh] = index.emplace(table.region, all.points.size());
        if (fresh) {
            MeasuredPoint point;
            point.name = table.region.empty() ? "whole program" : table.region;
            all.points.push_back(std::move(point));
        }
        MeasuredPoint& point = all.points[at->second];
        const auto add_flops = [&](std::string_view name, const std::string& type) {
            const std::vector<double>* rates = row(table, name);
            if (rates == nullptr) return;
            // Each thread's rate is over its own time.
            double flops = 0.0;
            for (std::size_t t = 0; t < rates->size(); ++t)
                flops += 1e6 * (*rates)[t] * (t < runtime->size() ? (*runtime)[t] : seconds);
            if (flops <= 0.0) return;
            for (const auto& [known, count] : point.flops_by_type) {
                if (known == type) return;  // another group that counts the same
            }
            point.flops_by_type.emplace_back(type, flops);
            point.flops += flops;
            timed_by[table.region] = table.group;
            point.seconds = seconds;
        };
        add_flops("DP MFLOP/s", "f64");
        add_flops("SP MFLOP/s", "f32");
        add_flops("HP MFLOP/s", "f16");
        const std::vector<double>* volume = row(table, "Memory data volume GBytes");
        if (volume != nullptr && point.bytes <= 0.0) {
            point.bytes = 1e9 * sum(*volume);
        } else if (const std::vector<double>* rate = row(table, "Memory bandwidth MBytes/s");
                   rate != nullptr && point.bytes <= 0.0) {
            point.bytes = 1e6 * sum(*rate) * seconds;
        }
        if (point.seconds <= 0.0) point.seconds = seconds;
        if (point.bytes > 0.0 && volume != nullptr && !timed_by[table.region].empty() &&
            timed_by[table.region] != table.group) {
            point.note =
                "flops by group " + timed_by[table.region] + ", bytes by group " + table.group + ": two runs";
        }
    }
    if (all.points.empty()) {
        fail(file, {1, 1},
             "no table of metrics with a runtime: expected the CSV of `likwid-perfctr -g GROUP -o FILE.csv`");
    }
    const bool any = std::any_of(all.points.begin(), all.points.end(),
                                 [](const MeasuredPoint& p) { return p.flops > 0.0 || p.bytes > 0.0; });
    if (!any) {
        fail(file, tables.front().at,
             "neither flops nor memory traffic: measure a group like MEM_DP, or FLOPS_DP and MEM");
    }
    sort_by_time(all);
    return all;
}

}  // namespace rooftune::imports
