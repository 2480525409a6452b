#include "tuner/chart/roofline_plot.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "models/vocabulary.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/opportunity_text.h"
#include "tuner/chart/phrases.h"
#include "tuner/formats/setting_words.h"

namespace rooftune {
namespace {

bool plottable(double value) {
    return std::isfinite(value) && value > 0.0;
}

constexpr std::string_view kOwn = " (this problem)";
constexpr std::string_view kOwnWords = ", this problem";

/// "f64 256 bit" → group f64, "256-bit SIMD"; "from 1 MiB (this problem)" → "≥ 1 MiB, this problem", the
/// basis.
PlotLine line_of(const PlotCeiling& ceiling) {
    PlotLine line{.label = ceiling.label, .bandwidth = ceiling.bandwidth, .rate = ceiling.rate};
    std::string_view label = ceiling.label;
    if (ceiling.bandwidth) {
        // Each stretch of footprints has a roof of its own.
        line.basis = label.ends_with(kOwn);
        if (line.basis) label.remove_suffix(kOwn.size());
        line.label = label.starts_with("from ") ? "≥ " + std::string(label.substr(5)) : std::string(label);
        if (line.basis) line.label += kOwnWords;
        line.group = line.label;
        line.roof = true;
        return line;
    }
    const std::size_t space = label.find(' ');
    const auto dtype = dtype_from(label.substr(0, space));
    if (space == std::string_view::npos || !dtype) return line;
    line.group = label.substr(0, space);
    const std::string_view width = label.substr(space + 1);
    line.label = width == "scalar"         ? "no SIMD"
                 : width.ends_with(" bit") ? std::string(width.substr(0, width.size() - 4)) + "-bit SIMD"
                                           : std::string(width);
    if (is_integer(*dtype)) line.unit = "op/s";
    return line;
}

/// A ceiling probed for several results is drawn once, at its highest rate.
void add_line(std::vector<PlotLine>& lines, const PlotLine& line) {
    if (!plottable(line.rate)) return;
    for (PlotLine& known : lines) {
        if (known.bandwidth != line.bandwidth || known.group != line.group || known.label != line.label)
            continue;
        known.rate = std::max(known.rate, line.rate);
        return;
    }
    lines.push_back(line);
}

// The highest compute line of each group is its roof, and says which element type it is of.
void name_compute_roofs(std::vector<PlotLine>& lines) {
    std::vector<std::string> seen;
    for (PlotLine& line : lines) {
        if (line.bandwidth || std::find(seen.begin(), seen.end(), line.group) != seen.end()) continue;
        line.roof = true;
        line.basis = seen.empty();
        seen.push_back(line.group);
        if (!line.group.empty()) line.label = line.group + " peak, " + line.label;
    }
}

// Diagonals of several problems, each with one at its own footprint: none so close to the one above it that
// they cannot be told apart, and no problem's own. The lowest is what memory gives them all.
void thin_out_diagonals(std::vector<PlotLine>& lines) {
    constexpr double kApart = 1.15;
    double above = 0.0;
    std::erase_if(lines, [&](const PlotLine& line) {
        if (!line.bandwidth) return false;
        if (above > 0.0 && line.rate * kApart > above) return true;
        above = line.rate;
        return false;
    });
    PlotLine* last = nullptr;
    for (PlotLine& line : lines) {
        if (!line.bandwidth) continue;
        line.label = line.label.substr(0, line.label.find(kOwnWords));
        line.group = line.label;
        line.basis = false;
        last = &line;
    }
    if (last) last->basis = true;
}

MarkKind kind_from(std::string_view kind) {
    return kind == "winner"     ? MarkKind::winner
           : kind == "naive"    ? MarkKind::naive
           : kind == "default"  ? MarkKind::fallback
           : kind == "excluded" ? MarkKind::excluded
                                : MarkKind::measured;
}

const PlotMark* find_kind(const PlotSeries& series, MarkKind kind) {
    const auto found = std::find_if(series.marks.begin(), series.marks.end(),
                                    [&](const PlotMark& mark) { return mark.kind == kind; });
    return found == series.marks.end() ? nullptr : &*found;
}

// Closer points are one point: an arrow between them would point nowhere.
bool apart(const PlotMark& a, const PlotMark& b) {
    constexpr double kLeast = 0.005;
    return std::abs(std::log(a.rate / b.rate)) > kLeast ||
           std::abs(std::log(a.intensity / b.intensity)) > kLeast;
}

/// The winner's intensity with the traffic that probably comes on top of the least: the estimate and the
/// seconds that each cause of it costs are at one rate, so their ratio is one of bytes.
PlotBand band_of(const TuneResult& result, double intensity) {
    PlotBand band;
    double likely = 0.0, on_top = 0.0;
    for (const EstimateReport& estimate : result.explanation.estimates) {
        if (estimate.kind == "traffic") likely = std::max(likely, estimate.seconds);
    }
    for (const OpportunityReport& opportunity : result.explanation.opportunities) {
        if (opportunity.kind != "traffic" || !(opportunity.seconds < result.seconds.median)) continue;
        on_top += result.seconds.median - opportunity.seconds;
        for (const std::string& cause : opportunity.what)
            band.what += (band.what.empty() ? "" : ", ") + cause;
    }
    if (on_top > 0.0 && on_top < likely && plottable(intensity)) {
        band.low = intensity * (1.0 - on_top / likely);
        band.high = intensity;
    }
    return band;
}

/// The element type that most of the flops were done in.
std::string main_type(const MeasuredPoint& point) {
    const auto most = std::max_element(point.flops_by_type.begin(), point.flops_by_type.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == point.flops_by_type.end() ? "" : most->first;
}

const char* lacks(const MeasuredPoint& point) {
    if (!plottable(point.seconds)) return "no time";
    if (!plottable(point.flops)) return "no floating-point operations counted";
    if (!plottable(point.bytes)) return "no bytes counted";
    return plottable(point.intensity()) && plottable(point.flops_per_second()) ? nullptr
                                                                               : "figures out of range";
}

}  // namespace

std::string line_name(const PlotLine& line) {
    const std::string rate = format_si(line.rate, line.bandwidth ? "B/s" : line.unit);
    return line.label.empty() ? rate : rate + ", " + printable(line.label);
}

const PlotLine* basis_of(const std::vector<PlotLine>& lines, bool bandwidth) {
    const PlotLine* highest = nullptr;
    for (const PlotLine& line : lines) {
        if (line.bandwidth != bandwidth) continue;
        if (line.basis) return &line;
        if (!highest || line.rate > highest->rate) highest = &line;
    }
    return highest;
}

Attainable attainable(const std::vector<PlotLine>& lines, const PlotMark& mark) {
    const PlotLine* compute = basis_of(lines, false);
    for (const PlotLine& line : lines) {
        if (!line.bandwidth && line.roof && !mark.group.empty() && line.group == mark.group) compute = &line;
    }
    const PlotLine* memory = basis_of(lines, true);
    if (memory && mark.rate > memory->rate * mark.intensity) {
        // Lines are sorted from the highest: the last one that is not below the point.
        for (const PlotLine& line : lines) {
            if (line.bandwidth && line.roof && line.rate > basis_of(lines, true)->rate &&
                line.rate * mark.intensity >= mark.rate) {
                memory = &line;
            }
        }
    }
    Attainable best;
    if (compute) best = {compute->rate, compute};
    if (memory && (!compute || memory->rate * mark.intensity < best.rate))
        best = {memory->rate * mark.intensity, memory};
    return best;
}

std::string series_name(const TuneResult& result) {
    const std::string name = result.title.empty() ? result.family : result.title;
    return name + setting_words(result.backend, result.state);
}

std::vector<PlotLine> result_lines(const std::vector<TuneResult>& results) {
    std::vector<PlotLine> lines;
    for (const TuneResult& result : results) {
        for (const PlotCeiling& ceiling : result.ceilings) add_line(lines, line_of(ceiling));
    }
    std::stable_sort(lines.begin(), lines.end(),
                     [](const PlotLine& a, const PlotLine& b) { return a.rate > b.rate; });
    name_compute_roofs(lines);
    if (results.size() > 1) thin_out_diagonals(lines);
    return lines;
}

void add_result(RooflinePlot& plot, const TuneResult& result, bool all) {
    PlotSeries series;
    series.name = series_name(result);
    for (const PlotPoint& point : result.points) {
        const MarkKind kind = kind_from(point.kind);
        if (!all && (kind == MarkKind::measured || kind == MarkKind::excluded)) continue;
        if (!plottable(point.intensity) || !plottable(point.flops_per_second)) {
            ++plot.left_out["no positive time or traffic"];
            continue;
        }
        PlotMark mark{.name = point.label,
                      .intensity = point.intensity,
                      .rate = point.flops_per_second,
                      .kind = kind,
                      .group = result.dtype,
                      .bound = plottable(point.bound) ? point.bound : 0.0,
                      .low = plottable(point.low) ? point.low : 0.0,
                      .high = plottable(point.high) ? point.high : 0.0,
                      .binding = point.binding.empty() ? "" : term_phrase(point.binding)};
        if (kind == MarkKind::winner) {
            mark.name = variant_phrase(result.family, result.best);
            mark.note = point.label;
            mark.bound = 0.0;
            if (plottable(result.flops_nominal)) {
                const auto rate = [&](double s) { return plottable(s) ? result.flops_nominal / s : 0.0; };
                mark.bound = rate(result.bound.seconds_lower);
                mark.low = rate(result.seconds.high);
                mark.high = rate(result.seconds.low);
            }
            if (const TermReport* term = binding_term(result.bound)) mark.binding = resource_phrase(*term);
        }
        series.marks.push_back(mark);
    }
    const std::size_t index = plot.series.size();
    const PlotMark* winner = find_kind(series, MarkKind::winner);
    const PlotMark* naive = find_kind(series, MarkKind::naive);
    const PlotMark* fallback = find_kind(series, MarkKind::fallback);
    if (winner) series.band = band_of(result, winner->intensity);
    const auto ratio_over = [](double speedup) { return plottable(speedup) ? speedup : 0.0; };
    if (winner && naive && apart(*naive, *winner))
        plot.arrows.push_back({*naive, *winner, index, false, ratio_over(result.speedup_over_naive)});
    if (winner && fallback && apart(*fallback, *winner) && !(naive && !apart(*naive, *fallback)))
        plot.arrows.push_back({*fallback, *winner, index, true, ratio_over(result.speedup_over_default)});
    plot.series.push_back(std::move(series));
}

void add_points(RooflinePlot& plot, const MeasuredPoints& points) {
    PlotSeries series;
    series.name = points.file.substr(points.file.find_last_of('/') + 1);
    if (series.name.empty()) series.name = points.tool;
    double seconds = 0.0;
    for (const MeasuredPoint& point : points.points) {
        if (plottable(point.seconds)) seconds += point.seconds;
    }
    for (const MeasuredPoint& point : points.points) {
        if (const char* reason = lacks(point)) {
            ++plot.left_out[reason];
            continue;
        }
        PlotMark mark{.name = point.name.empty() ? "unnamed" : point.name,
                      .intensity = point.intensity(),
                      .rate = point.flops_per_second(),
                      .group = main_type(point),
                      .share = point.seconds / seconds,
                      .note = point.note};
        if (point.launches > 1)
            mark.note =
                fmt::format("{} launches{}{}", point.launches, mark.note.empty() ? "" : ", ", mark.note);
        series.marks.push_back(mark);
    }
    const std::size_t index = plot.series.size();
    for (const PlotMark& mark : series.marks) {
        for (auto earlier = plot.series.rbegin(); earlier != plot.series.rend(); ++earlier) {
            const auto same = std::find_if(
                earlier->marks.begin(), earlier->marks.end(),
                [&](const PlotMark& old) { return old.kind == MarkKind::kernel && old.name == mark.name; });
            if (same == earlier->marks.end()) continue;
            if (apart(*same, mark)) plot.arrows.push_back({*same, mark, index});
            break;
        }
    }
    plot.series.push_back(std::move(series));
}

std::string subtitle_of(const std::vector<TuneResult>& results) {
    if (results.empty()) return "";
    const TuneResult& first = results.front();
    const bool one_machine = std::all_of(results.begin(), results.end(), [&](const TuneResult& r) {
        return r.machine_id == first.machine_id && r.machine_name == first.machine_name;
    });
    std::string text = first.machine_name.empty() ? first.machine_id : first.machine_name;
    if (!one_machine) text = "several machines, the highest of each ceiling";
    if (results.size() == 1 && !first.state.empty())
        text += (text.empty() ? "" : " · ") + first.state + " caches";
    return text;
}

RooflinePlot roofline_plot(const std::vector<TuneResult>& results, bool every_variant) {
    RooflinePlot plot;
    plot.lines = result_lines(results);
    for (const TuneResult& result : results) add_result(plot, result, every_variant || results.size() == 1);
    plot.title = results.empty()       ? "Roofline: no results"
                 : results.size() == 1 ? "Roofline: " + plot.series.front().name
                                       : fmt::format("Roofline: {} problems", results.size());
    plot.subtitle = subtitle_of(results);
    return plot;
}

}  // namespace rooftune
