#include "tuner/import/points_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "models/roofs.h"
#include "tuner/base/si.h"
#include "tuner/base/table.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/phrases.h"

namespace rooftune {
namespace {

int most_threads(const Machine& machine, Resource resource) {
    int most = 1;
    for (const Ceiling& c : machine.ceilings) {
        if (c.resource == resource) most = std::max(most, c.when.threads);
    }
    return most;
}

/// Least seconds that the arithmetic takes: each type on the peak of its own, one after the other, since
/// they may share a unit. 0 when a peak is not known.
double compute_seconds(const MeasuredPoint& point, const Roofs& roofs, std::optional<DType> type) {
    const int threads = most_threads(roofs.machine(), Resource::compute);
    double seconds = 0.0, named = 0.0;
    for (const auto& [name, flops] : point.flops_by_type) {
        const std::optional<DType> of = dtype_from(name);
        const Roof roof = of ? roofs.compute(*of, kAnyWidth, threads) : Roof{};
        if (!roof) return 0.0;
        seconds += flops / roof.rate;
        named += flops;
    }
    const double rest = point.flops - named;
    if (rest <= 1e-9 * point.flops) return seconds;
    const Roof roof = type ? roofs.compute(*type, kAnyWidth, threads) : Roof{};
    return roof ? seconds + rest / roof.rate : 0.0;
}

double memory_bandwidth(const Roofs& roofs) {
    const auto& steps = roofs.bandwidth(most_threads(roofs.machine(), Resource::bandwidth));
    return steps.empty() ? 0.0 : steps.back().both;
}

std::string dash_or(double value, std::string text) {
    return value > 0.0 ? std::move(text) : std::string("–");
}

}  // namespace

PointStanding standing_of(const MeasuredPoint& point, const Machine& machine, std::optional<DType> type) {
    const Roofs roofs(machine);
    const double compute = point.flops > 0.0 ? compute_seconds(point, roofs, type) : 0.0;
    const double bandwidth = memory_bandwidth(roofs);
    const double memory = point.bytes > 0.0 && bandwidth > 0.0 ? point.bytes / bandwidth : 0.0;
    PointStanding s;
    // Without the peak of its type a point cannot be placed: memory alone would flatter it.
    if ((point.flops > 0.0 && compute <= 0.0) || std::max(compute, memory) <= 0.0 || point.seconds <= 0.0)
        return s;
    const double least = std::max(compute, memory);
    s.fraction = least / point.seconds;
    s.attainable = (point.flops > 0.0 ? point.flops : point.bytes) / least;
    s.bound = compute >= memory ? "compute" : "memory";
    return s;
}

std::string points_text(const MeasuredPoints& points, const Machine* machine, std::optional<DType> type) {
    double all = 0.0;
    for (const MeasuredPoint& p : points.points) all += p.seconds;
    std::string text =
        wrap(fmt::format("{}: {} measured by {}, {} in all.", printable(points.file),
                         format_plural(points.points.size(), "kernel"), points.tool, format_seconds(all))) +
        "\n\n";
    std::vector<Column> columns{{"kernel", Align::left},    {"time", Align::right},
                                {"share", Align::right},    {"launches", Align::right},
                                {"flop/s", Align::right},   {"byte/s", Align::right},
                                {"flop/byte", Align::right}};
    if (machine != nullptr) {
        columns.push_back({"of attainable", Align::right});
        columns.push_back({"bound by", Align::left});
    }
    Table table(columns);
    std::vector<std::string> notes;
    for (const MeasuredPoint& p : points.points) {
        constexpr std::size_t kName = 44;
        std::string name = printable(p.name);
        if (name.size() > kName) name = name.substr(0, kName - 1) + "…";
        std::vector<TableCell> row{
            name,
            format_seconds(p.seconds),
            all > 0.0 ? format_percent(p.seconds / all) : "n/a",
            format_count(static_cast<std::uint64_t>(p.launches)),
            dash_or(p.flops, format_si(p.flops_per_second(), "flop/s")),
            dash_or(p.bytes, format_si(p.seconds > 0.0 ? p.bytes / p.seconds : 0.0, "B/s")),
            dash_or(p.flops > 0.0 ? p.bytes : 0.0, fmt::format("{:.4g}", p.intensity()))};
        if (machine != nullptr) {
            const PointStanding s = standing_of(p, *machine, type);
            row.push_back(dash_or(s.attainable, format_percent(s.fraction)));
            row.push_back(s.bound.empty() ? std::string("–") : s.bound);
        }
        table.add(std::move(row));
        if (!p.note.empty()) notes.push_back(fmt::format("{}: {}.", name, printable(p.note)));
    }
    text += table.to_text();
    if (!notes.empty()) text += "\n";
    constexpr std::size_t kMostNotes = 8;
    for (std::size_t i = 0; i < notes.size() && i < kMostNotes; ++i) text += list_item(notes[i]);
    if (notes.size() > kMostNotes)
        text += list_item(fmt::format("… and {} more notes.", notes.size() - kMostNotes));
    if (machine == nullptr) {
        text += "\n" +
                wrap("`--machine NAME` places them under a machine's roofline (`rooftune list machines`).") +
                "\n";
    } else {
        const bool above = std::any_of(
            points.points.begin(), points.points.end(),
            [&](const MeasuredPoint& p) { return standing_of(p, *machine, type).fraction > 1.0; });
        if (above) {
            text +=
                "\n" +
                wrap(
                    "A kernel above 100 % means that the machine's figures are not those of the machine it "
                    "ran on, or that its bytes came from a cache.") +
                "\n";
        }
    }
    return text;
}

}  // namespace rooftune
