#include "tuner/chart/plot_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/plot_parts.h"
#include "tuner/chart/plot_style.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kLeader = 18.0;         // from the plot to the labels beside it
constexpr double kRoomForNames = 100.0;  // beside the plot

double highest_line(const RooflinePlot& plot, bool bandwidth) {
    double rate = 0.0;
    for (const PlotLine& line : plot.lines) {
        if (line.bandwidth == bandwidth) rate = std::max(rate, line.rate);
    }
    return rate;
}

std::string_view hue_of(const PlotLine& line) {
    return line.bandwidth ? kBandwidthHue : type_hue(line.group);
}

// The roofs that bind are heavy, caches in between, ceilings thin.
bool heavy(const PlotLine& line) {
    return line.roof && (line.basis || !line.bandwidth);
}

std::string line_style(const PlotLine& line) {
    return stroke(hue_of(line),
                  heavy(line) ? 2.6
                  : line.roof ? 1.7
                              : 1.1,
                  line.bandwidth ? "" : type_dash(line.group));
}

std::string line_tooltip(const PlotLine& line) {
    const std::string name = line_name(line);
    return line.detail.empty() ? name : name + " (" + line.detail + ")";
}

/// Flat lines of one rate: drawn once, under one label.
struct FlatLine {
    const PlotLine* line;
    std::string text, tooltip;
    std::string types;  ///< element types, separated by blanks
};

// "f16 peak, matrix unit" and "bf16 peak, matrix unit": "f16 and bf16 peak, matrix unit"; with different
// units the tooltip tells them.
std::string joined(const std::string& text, const PlotLine& first, const PlotLine& next) {
    const std::size_t at = text.find(" peak");
    if (!first.roof || !next.roof || next.group.empty() || at == std::string::npos)
        return text + " and " + printable(next.label);
    const bool alike = first.label.substr(first.group.size()) == next.label.substr(next.group.size());
    return text.substr(0, at) + " and " + next.group + (alike ? text.substr(at) : " peak");
}

std::vector<FlatLine> flat_lines(const RooflinePlot& plot) {
    constexpr double kEqual = 1.002;
    std::vector<FlatLine> flat;
    for (const PlotLine& line : plot.lines) {
        if (line.bandwidth) continue;
        if (!flat.empty() && flat.back().line->rate <= kEqual * line.rate) {
            flat.back().text = joined(flat.back().text, *flat.back().line, line);
            flat.back().tooltip += "; " + line_tooltip(line);
            flat.back().types += " " + line.group;
            if (line.roof && !flat.back().line->roof) flat.back().line = &line;
        } else {
            flat.push_back({&line, line_name(line), line_tooltip(line), line.group});
        }
    }
    return flat;
}

void draw_flat(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    const double bandwidth = highest_line(plot, true);
    const double right = frame.area.right();
    std::vector<FlatLine> flat = flat_lines(plot);
    std::erase_if(flat, [&](const FlatLine& f) { return f.line->rate < frame.y.low(); });
    for (auto f = flat.rbegin(); f != flat.rend(); ++f) {
        // Left of the highest diagonal nothing can reach this rate.
        const double from = bandwidth > 0.0 ? frame.x.at(f->line->rate / bandwidth) : frame.area.left;
        const double y = frame.y.at(f->line->rate);
        const PlotPart part(canvas, plot, f->types);
        canvas.line(from, y, right, y, line_style(*f->line), f->tooltip);
    }
    // A column beside the plot holds so many labels. Roofs come first, the rest from the top.
    const auto most = static_cast<std::size_t>(std::max(1.0, std::floor(frame.area.height / kLineHeight)));
    for (const bool roofs : {false, true}) {
        for (std::size_t i = flat.size(); i-- > 0 && flat.size() > most;) {
            if (flat[i].line->roof == roofs) flat.erase(flat.begin() + static_cast<std::ptrdiff_t>(i));
        }
    }
    std::vector<double> wanted;
    for (const FlatLine& f : flat) wanted.push_back(frame.y.at(f.line->rate));
    const std::vector<double> placed = spread(wanted, kLineHeight, frame.area.top + 0.5 * kLineHeight,
                                              frame.area.bottom() - 0.5 * kLineHeight);
    const double text_left = right + kLeader;
    for (std::size_t i = 0; i < flat.size(); ++i) {
        const PlotLine& line = *flat[i].line;
        const PlotPart part(canvas, plot, flat[i].types);
        canvas.line(right, wanted[i], text_left - 4.0, placed[i], stroke(hue_of(line), 0.8));
        const std::string look = text_in(hue_of(line));
        const double size = kFont * (heavy(line) ? 1.07 : 1.0), room = frame.right - text_left;
        // In a narrow column the beginning of a name tells less than the rate alone.
        const bool cramped = room < kRoomForNames && pixel_width(flat[i].text, size) > room;
        canvas.text(text_left, placed[i] + 0.33 * kFont,
                    cut_to_pixels(cramped ? format_si(line.rate, line.unit) : flat[i].text, size, room),
                    Anchor::start, {kFont, look, heavy(line)}, 0.0, flat[i].tooltip);
    }
}

/// Geometry of the diagonals, which are parallel: u runs along them, v across them (upwards).
struct Slope {
    double cosine, sine, degrees;

    explicit Slope(const Frame& frame) {
        const double angle = std::atan2(frame.y.pixels_per_decade(), frame.x.pixels_per_decade());
        cosine = std::cos(angle);
        sine = std::sin(angle);
        degrees = angle * 180.0 / std::numbers::pi;
    }
    double u(PixelPoint p) const { return p.x * cosine - p.y * sine; }
    double v(PixelPoint p) const { return -p.x * sine - p.y * cosine; }
    PixelPoint at(double along, double across) const {
        return {along * cosine - across * sine, -along * sine - across * cosine};
    }
};

struct Diagonal {
    const PlotLine* line;
    double u1, u2, v;  ///< visible part, in the slope's frame
};

/// The part of y = rate·x within the frame and below the roof; nothing when it misses it.
std::optional<Diagonal> visible(const Frame& frame, const Slope& slope, const PlotLine& line, double roof) {
    const double x1 = std::max(frame.x.low(), frame.y.low() / line.rate);
    const double x2 = std::min(frame.x.high(), roof / line.rate);
    if (!(x1 < x2)) return std::nullopt;
    const PixelPoint from = frame.at(x1, line.rate * x1), to = frame.at(x2, line.rate * x2);
    return Diagonal{&line, slope.u(from), slope.u(to), slope.v(from)};
}

std::vector<Diagonal> diagonals(const Frame& frame, const Slope& slope, const RooflinePlot& plot) {
    const double compute = highest_line(plot, false);
    const double roof = compute > 0.0 ? std::min(compute, frame.y.high()) : frame.y.high();
    std::vector<Diagonal> lines;
    for (const PlotLine& line : plot.lines) {
        if (!line.bandwidth) continue;
        if (const auto part = visible(frame, slope, line, roof)) lines.push_back(*part);
    }
    return lines;
}

/// A point that labels should not cover.
struct Obstacle {
    SlantedBox box;
    double weight;
};

std::vector<Obstacle> obstacles(const Frame& frame, const RooflinePlot& plot) {
    std::vector<Obstacle> found;
    for (const PlotSeries& series : plot.series) {
        for (const PlotMark& mark : series.marks) {
            const PixelPoint p = spot_of(frame, mark.intensity, mark.rate).at;
            const bool dot = mark.kind == MarkKind::measured || mark.kind == MarkKind::excluded;
            const double radius = dot ? 4.0 : 13.0;
            found.push_back({Box{p.x - radius, p.y - radius, 2.0 * radius, 2.0 * radius}, dot ? 1.0 : 10.0});
        }
    }
    return found;
}

struct Placement {
    double u, baseline, cost;
};

/// Where a label of this width costs least along its line. It never meets another text or another
/// diagonal, and points and flat lines only where it must.
std::optional<Placement> place(const SvgCanvas& canvas, const Frame& frame, const Slope& slope,
                               const Diagonal& line, double width, const std::vector<Diagonal>& lines,
                               const std::vector<Obstacle>& points) {
    constexpr double kStep = 10.0, kAway = 4.0, kEnd = 16.0, kTall = kFont + 1.0;
    std::optional<Placement> best;
    for (const bool above : {true, false}) {
        const double low = above ? line.v + kAway - 1.0 : line.v - kAway - kTall + 1.0;
        for (double u = line.u1 + kEnd; u + width + kEnd <= line.u2; u += kStep) {
            const auto meets_line = [&](const Diagonal& other) {
                return &other != &line && other.v > low - 1.0 && other.v < low + kTall - 1.0 &&
                       other.u1 < u + width && other.u2 > u;
            };
            if (std::any_of(lines.begin(), lines.end(), meets_line)) continue;
            const PixelPoint centre = slope.at(u + 0.5 * width, low + 0.5 * kTall);
            const SlantedBox box(centre.x, centre.y, width + 10.0, kTall, slope.degrees);
            if (!box.around().within(frame.area)) continue;
            const auto meets_text = [&](const DrawnText& text) { return text.box.overlaps(box); };
            if (std::any_of(canvas.texts().begin(), canvas.texts().end(), meets_text)) continue;
            // The lower left is where the fewest points are.
            double cost = (above ? 0.0 : 0.5) + 0.002 * (u - line.u1);
            for (const Obstacle& point : points) cost += point.box.overlaps(box) ? point.weight : 0.0;
            if (!best || cost < best->cost) best = Placement{u, above ? low + 3.4 : low + 3.8, cost};
        }
    }
    return best;
}

/// The basis first, then roofs, then the others from the top.
std::vector<const Diagonal*> by_importance(const std::vector<Diagonal>& lines) {
    std::vector<const Diagonal*> order;
    for (const Diagonal& line : lines) order.push_back(&line);
    const auto rank = [](const Diagonal* d) { return d->line->basis ? 0 : d->line->roof ? 1 : 2; };
    std::stable_sort(order.begin(), order.end(),
                     [&](const Diagonal* a, const Diagonal* b) { return rank(a) < rank(b); });
    return order;
}

void draw_diagonals(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    const Slope slope(frame);
    const std::vector<Diagonal> lines = diagonals(frame, slope, plot);
    const std::vector<Obstacle> points = obstacles(frame, plot);
    for (const Diagonal& line : lines) {
        const PixelPoint from = slope.at(line.u1, line.v), to = slope.at(line.u2, line.v);
        canvas.line(from.x, from.y, to.x, to.y, line_style(*line.line), line_tooltip(*line.line));
    }
    for (const Diagonal* line : by_importance(lines)) {
        const std::string full = line_name(*line->line);
        const double bold = heavy(*line->line) ? 1.07 : 1.0;
        const std::string text = cut_to_pixels(full, kFont * bold, line->u2 - line->u1 - 40.0);
        constexpr int kLeastColumns = 8;  // less says nothing
        if (display_width(text) < std::min(kLeastColumns, display_width(full))) continue;
        const auto spot = place(canvas, frame, slope, *line, pixel_width(text, kFont) * bold, lines, points);
        constexpr double kTooMuch = 15.0;  // a label over so many points hides more than it tells
        if (!spot || (!line->line->basis && spot->cost > kTooMuch)) continue;
        const PixelPoint p = slope.at(spot->u, spot->baseline);
        const std::string look = fmt::format("{} fill halo", hue_of(*line->line));
        canvas.text(p.x, p.y, text, Anchor::start, {kFont, look, heavy(*line->line)}, slope.degrees,
                    line_tooltip(*line->line));
    }
}

}  // namespace

double label_column(const RooflinePlot& plot, double most) {
    double widest = 0.0;
    for (const FlatLine& f : flat_lines(plot))
        widest = std::max(widest, pixel_width(f.text, kFont) * (heavy(*f.line) ? 1.07 : 1.0));
    return std::min(most, widest + kLeader + 14.0);
}

void draw_lines(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    draw_flat(canvas, frame, plot);
    draw_diagonals(canvas, frame, plot);
}

bool draw_serial_roof(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    const PlotLine* compute = basis_of(plot.lines, false);
    const PlotLine* memory = basis_of(plot.lines, true);
    if (!compute || !memory) return false;
    constexpr int kSteps = 80;
    std::vector<PixelPoint> points;
    const double decades = std::log10(frame.x.high() / frame.x.low());
    for (int i = 0; i <= kSteps; ++i) {
        const double intensity = frame.x.low() * std::pow(10.0, decades * i / kSteps);
        const double rate = 1.0 / (1.0 / compute->rate + 1.0 / (memory->rate * intensity));
        if (rate >= frame.y.low() && rate <= frame.y.high()) points.push_back(frame.at(intensity, rate));
    }
    if (points.size() < 2) return false;
    canvas.polyline(points, false,
                    fmt::format("class=\"{} stroke\" stroke-width=\"1\" stroke-opacity=\"0.75\" "
                                "stroke-dasharray=\"2 3\"",
                                kGreyHue),
                    "the roof when arithmetic and traffic do not overlap: half at the ridge");
    return true;
}

std::vector<std::pair<PixelPoint, PixelPoint>> line_segments(const Frame& frame, const RooflinePlot& plot) {
    std::vector<std::pair<PixelPoint, PixelPoint>> segments;
    const double bandwidth = highest_line(plot, true);
    for (const PlotLine& line : plot.lines) {
        if (line.bandwidth || line.rate < frame.y.low()) continue;
        const double from = bandwidth > 0.0 ? frame.x.at(line.rate / bandwidth) : frame.area.left;
        const double y = frame.y.at(line.rate);
        segments.push_back({{from, y}, {frame.area.right(), y}});
    }
    const Slope slope(frame);
    for (const Diagonal& line : diagonals(frame, slope, plot))
        segments.push_back({slope.at(line.u1, line.v), slope.at(line.u2, line.v)});
    return segments;
}

}  // namespace rooftune
