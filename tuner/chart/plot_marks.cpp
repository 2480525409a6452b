#include "tuner/chart/plot_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "tuner/base/si.h"
#include "tuner/base/text_width.h"
#include "tuner/chart/plot_lines.h"
#include "tuner/chart/plot_notes.h"
#include "tuner/chart/plot_parts.h"
#include "tuner/chart/plot_style.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr std::array<MarkKind, 6> kDrawingOrder{MarkKind::excluded, MarkKind::measured, MarkKind::naive,
                                                MarkKind::fallback, MarkKind::kernel,   MarkKind::winner};
constexpr std::size_t kMostNames = 8;  // more are numbered
constexpr std::size_t kLongestTable = 60;

struct Kind {
    MarkKind kind;
    std::string_view word, name;  ///< in results and hooks; for people
};

constexpr std::array<Kind, 6> kKinds{{{MarkKind::measured, "measured", "measured"},
                                      {MarkKind::excluded, "excluded", "excluded, at its bound"},
                                      {MarkKind::naive, "naive", "naive variant"},
                                      {MarkKind::fallback, "default", "default variant"},
                                      {MarkKind::winner, "winner", "winner"},
                                      {MarkKind::kernel, "kernel", "kernel"}}};

const Kind& kind_of(MarkKind kind) {
    const auto found =
        std::find_if(kKinds.begin(), kKinds.end(), [&](const Kind& k) { return k.kind == kind; });
    return found == kKinds.end() ? kKinds.front() : *found;
}

bool named(const PlotMark& mark) {
    return mark.kind == MarkKind::winner || mark.kind == MarkKind::kernel;
}
bool small(const PlotMark& mark) {
    return mark.kind == MarkKind::measured || mark.kind == MarkKind::excluded;
}

std::size_t count_named(const RooflinePlot& plot) {
    std::size_t count = 0;
    for (const PlotSeries& series : plot.series)
        count += static_cast<std::size_t>(std::count_if(series.marks.begin(), series.marks.end(), named));
    return count;
}

double radius_of(MarkKind kind, double share) {
    switch (kind) {
        case MarkKind::winner:
            return 9.5;
        case MarkKind::naive:
        case MarkKind::fallback:
            return 6.5;
        case MarkKind::kernel:
            return 4.2 + 6.5 * std::sqrt(std::clamp(share, 0.0, 1.0));
        default:
            return 2.8;
    }
}

std::string tooltip_of(const RooflinePlot& plot, const PlotSeries& series, const PlotMark& mark) {
    std::string text = plot.series.size() > 1 ? series.name + ": " : "";
    if (mark.kind != MarkKind::kernel) text += std::string(kind_name(mark.kind)) + ": ";
    text += mark.name + ": " + format_si(mark.rate, "flop/s");
    text += fmt::format(" at {:.3g} flop/byte", mark.intensity);
    if (const std::string share = attainable_text(plot, mark); !share.empty()) text += ", " + share;
    if (mark.bound > 0.0)
        text += fmt::format(", {} of its own bound {}", format_percent(mark.rate / mark.bound),
                            format_si(mark.bound, "flop/s"));
    if (mark.share > 0.0) text += fmt::format(", {} of the time", format_percent(mark.share));
    if (!mark.note.empty()) text += "; " + mark.note;
    return text;
}

/// A triangle at the edge, pointing to where the point lies.
void draw_beyond(SvgCanvas& canvas, const Spot& spot, std::string_view hue) {
    const double x = spot.beyond_x, y = -spot.beyond_y;
    const double length = std::hypot(x, y);
    const double dx = x / length, dy = y / length;
    constexpr double kTip = 10.5, kFoot = 6.5, kHalf = 3.6;
    const std::vector<PixelPoint> triangle{
        {spot.at.x + kTip * dx, spot.at.y + kTip * dy},
        {spot.at.x + kFoot * dx - kHalf * dy, spot.at.y + kFoot * dy + kHalf * dx},
        {spot.at.x + kFoot * dx + kHalf * dy, spot.at.y + kFoot * dy - kHalf * dx}};
    canvas.polyline(triangle, true, filled(hue), "lies beyond the axes");
}

/// The winner's way to its own bound: a dashed line up to a bar.
void draw_distance(SvgCanvas& canvas, const Frame& frame, const PlotMark& mark, std::string_view hue) {
    if (!(mark.bound > mark.rate) || !std::isfinite(mark.bound)) return;
    const PixelPoint from = spot_of(frame, mark.intensity, mark.rate).at;
    const PixelPoint to = spot_of(frame, mark.intensity, mark.bound).at;
    if (from.y - to.y < 3.0) return;
    canvas.line(from.x, from.y, to.x, to.y, stroke(hue, 1.6, "3 2"));
    canvas.line(to.x - 9.0, to.y, to.x + 9.0, to.y, stroke(hue, 1.6),
                fmt::format("the winner's own bound: {}", format_si(mark.bound, "flop/s")));
}

struct LineLook {
    std::string_view hue, dashes;
};

/// An arrow on a shallow arc, clear of both markers; returns the middle of the arc, nothing where the points
/// are too near for one.
std::optional<PixelPoint> draw_arrow(SvgCanvas& canvas, const Frame& frame, const PlotArrow& arrow,
                                     const LineLook& look, std::string_view tooltip) {
    const PixelPoint a = spot_of(frame, arrow.from.intensity, arrow.from.rate).at;
    const PixelPoint b = spot_of(frame, arrow.to.intensity, arrow.to.rate).at;
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const double skip = radius_of(arrow.from.kind, arrow.from.share) + 2.0;
    const double stop = radius_of(arrow.to.kind, arrow.to.share) + 3.0;
    constexpr double kHead = 8.0;
    if (length < skip + stop + kHead + 3.0) return std::nullopt;
    // Arcs of the two arrows to one winner lie on either side.
    const double bow = (arrow.minor ? -1.0 : 1.0) * std::min(26.0, 6.0 + 0.16 * length);
    const PixelPoint middle{0.5 * (a.x + b.x) + bow * (b.y - a.y) / length * 1.0,
                            0.5 * (a.y + b.y) - bow * (b.x - a.x) / length * 1.0};
    const auto at = [&](double t) {
        const double u = 1.0 - t;
        return PixelPoint{u * u * a.x + 2.0 * u * t * middle.x + t * t * b.x,
                          u * u * a.y + 2.0 * u * t * middle.y + t * t * b.y};
    };
    const double end = 1.0 - stop / length;
    const PixelPoint tip = at(end);
    const PixelPoint neck = at(std::max(skip / length, end - kHead / length));
    std::vector<PixelPoint> points;
    constexpr int kSteps = 16;
    const double begin = skip / length, until = std::max(begin, end - 0.6 * kHead / length);
    for (int i = 0; i <= kSteps; ++i) points.push_back(at(begin + (until - begin) * i / kSteps));
    canvas.polyline(points, false, stroke(look.hue, arrow.minor ? 1.1 : 1.8, look.dashes), tooltip);
    const double dx = tip.x - neck.x, dy = tip.y - neck.y, d = std::max(1e-9, std::hypot(dx, dy));
    const double half = arrow.minor ? 3.0 : 4.0;
    canvas.polyline({tip,
                     {neck.x - half * dy / d, neck.y + half * dx / d},
                     {neck.x + half * dy / d, neck.y - half * dx / d}},
                    true, filled(look.hue), tooltip);
    return at(0.5);
}

/// A text beside a point, before it has a place.
struct Note {
    std::vector<std::string> lines;
    NoteRequest request;
    std::string_view hue;
    // For the page that holds the drawing:
    std::size_t series = 0;
    std::string type{};
    MarkKind kind = MarkKind::winner;
};

Note note_of(std::vector<std::string> lines, PixelPoint at, double clear, std::string_view hue, bool needed) {
    Note note{std::move(lines), {}, hue};
    double width = 0.0;
    for (const std::string& line : note.lines) width = std::max(width, 1.07 * pixel_width(line, kSmall));
    note.request = {width, (kLineHeight - 1.0) * static_cast<double>(note.lines.size()), at, clear, 150.0,
                    needed};
    return note;
}

void write_note(SvgCanvas& canvas, const RooflinePlot& plot, const Note& note, const Box& box) {
    const PlotPart part(canvas, plot, note.series, note.type, note.kind);
    if (const auto leader = leader_of(note.request, box)) {
        canvas.line(leader->first.x, leader->first.y, leader->second.x, leader->second.y,
                    stroke(note.hue, 0.8));
    }
    // Text left of its marker ends there, so that the estimate of its width opens no gap.
    const bool at_left = box.left + box.width < note.request.at.x;
    const std::string look = fmt::format("{} fill halo", note.hue);
    const double row = box.height / static_cast<double>(note.lines.size());
    for (std::size_t i = 0; i < note.lines.size(); ++i) {
        canvas.text(at_left ? box.left + box.width : box.left,
                    box.top + row * (static_cast<double>(i) + 0.5) + 0.3 * kSmall, note.lines[i],
                    at_left ? Anchor::end : Anchor::start, {kSmall, look, i == 0});
    }
}

std::vector<NamedMark> named_marks(const RooflinePlot& plot) {
    std::vector<NamedMark> all;
    for (std::size_t s = 0; s < plot.series.size(); ++s) {
        const PlotSeries& series = plot.series[s];
        for (std::size_t rank = 0; rank < series.marks.size(); ++rank) {
            const PlotMark& mark = series.marks[rank];
            if (!named(mark)) continue;
            const bool winner = mark.kind == MarkKind::winner;
            std::string title = winner && plot.series.size() > 1 ? series.name : mark.name;
            all.push_back({&mark, s, rank, 0, printable(title)});
        }
    }
    return all;
}

std::vector<std::string> name_lines(const Frame& frame, const RooflinePlot& plot, const NamedMark& named) {
    const PlotMark& mark = *named.mark;
    std::vector<std::string> lines;
    const auto add = [&](const std::string& line) {
        lines.push_back(cut_to_pixels(printable(line), kSmall, 0.4 * frame.area.width));
    };
    add(named.title);
    if (mark.kind == MarkKind::winner && named.title != printable(mark.name)) add(mark.name);
    const std::string rate = format_si(mark.rate, "flop/s");
    const Attainable roof = attainable(plot.lines, mark);
    add(mark.bound > 0.0
            ? fmt::format("{}, {} of its own bound", rate, format_percent(mark.rate / mark.bound))
        : roof.line ? fmt::format("{}, {} of attainable", rate, format_percent(mark.rate / roof.rate))
                    : rate);
    return lines;
}

class Marks {
public:
    Marks(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot)
        : canvas_(canvas), frame_(frame), plot_(plot) {
        around_.area = frame.area;
        around_.lines = line_segments(frame, plot);
        for (const DrawnText& text : canvas.texts()) around_.texts.add(text.box);
    }

    MarksDrawn draw() {
        draw_arrows();
        draw_points();
        Surroundings before = around_;
        if (!write_names()) {
            around_ = std::move(before);
            write_numbers();
        }
        write_ratios();
        write_references();
        return std::move(drawn_);
    }

private:
    std::string_view hue(std::size_t series, const PlotMark& mark, std::size_t rank) const {
        return hue_of(plot_, series, mark, rank);
    }

    void draw_arrows() {
        for (const PlotArrow& arrow : plot_.arrows) {
            std::size_t rank = 0;
            const std::vector<PlotMark>& marks = plot_.series[arrow.series].marks;
            while (rank < marks.size() && marks[rank].name != arrow.to.name) ++rank;
            const std::string_view colour = plot_.series.size() > 1 || arrow.to.kind == MarkKind::kernel
                                                ? hue(arrow.series, arrow.to, rank)
                                                : hue(arrow.series, arrow.from, 0);
            const PlotPart part(canvas_, plot_, arrow.series, arrow.to.group, arrow.from.kind);
            const std::string ratio = format_ratio(arrow.ratio());
            const std::string tip = fmt::format("{} to {}: {}", arrow.from.name, arrow.to.name, ratio);
            const std::string_view dashes = plot_.series.size() > 1 ? series_dash(arrow.series) : "";
            if (const auto middle = draw_arrow(canvas_, frame_, arrow, {colour, dashes}, tip)) {
                drawn_.arrows = true;
                ratios_.push_back(note_of({ratio}, *middle, 4.0, colour, false));
                ratios_.back().request.farthest = 34.0;
                ratios_.back().series = arrow.series;
                ratios_.back().type = arrow.to.group;
                ratios_.back().kind = arrow.from.kind;
            }
        }
    }

    void draw_points() {
        for (const MarkKind kind : kDrawingOrder) {
            for (std::size_t s = 0; s < plot_.series.size(); ++s) {
                const PlotSeries& series = plot_.series[s];
                for (std::size_t rank = 0; rank < series.marks.size(); ++rank) {
                    const PlotMark& mark = series.marks[rank];
                    if (mark.kind == kind) draw_point(s, mark, look_of(plot_, s, mark, rank));
                }
            }
        }
    }

    void draw_point(std::size_t series, const PlotMark& mark, const MarkerLook& look) {
        const std::string_view colour = look.hue;
        const Spot spot = spot_of(frame_, mark.intensity, mark.rate);
        if (mark.kind == MarkKind::winner) {
            const PlotPart part(canvas_, plot_, series, mark.group, mark.kind);
            draw_distance(canvas_, frame_, mark, colour);
        }
        {
            // A page shows what its hooks say, and would show a tooltip beside it.
            const PlotPart part(canvas_, plot_, series, mark);
            draw_marker(canvas_, mark.kind, spot.at, look, mark.share,
                        plot_.hooks ? "" : tooltip_of(plot_, plot_.series[series], mark));
            if (spot.beyond()) {
                draw_beyond(canvas_, spot, colour);
                ++drawn_.beyond;
            }
        }
        const double radius = radius_of(mark.kind, mark.share) + 1.0;
        const Box box{spot.at.x - radius, spot.at.y - radius, 2.0 * radius, 2.0 * radius};
        (small(mark) ? around_.points : around_.markers).add(box);
    }

    /// What is written beside a point, and that a page may ask for with it.
    Note note_beside(std::vector<std::string> lines, std::size_t series, const PlotMark& mark,
                     std::size_t rank, bool needed) const {
        Note note = note_of(std::move(lines), spot_of(frame_, mark.intensity, mark.rate).at,
                            radius_of(mark.kind, mark.share) + 3.0, hue(series, mark, rank), needed);
        note.series = series;
        note.type = mark.group;
        note.kind = mark.kind;
        return note;
    }

    /// A box for each note that finds room.
    std::vector<std::optional<Box>> place(const std::vector<Note>& notes) {
        std::vector<NoteRequest> requests;
        for (const Note& note : notes) requests.push_back(note.request);
        return place_notes(around_, requests);
    }

    void write(const std::vector<Note>& notes, const std::vector<std::optional<Box>>& boxes) {
        for (std::size_t i = 0; i < notes.size(); ++i) {
            if (boxes[i]) write_note(canvas_, plot_, notes[i], *boxes[i]);
        }
    }

    /// Writes each name beside its point; false, with nothing written, where not all of them have room.
    bool write_names() {
        const std::vector<NamedMark> all = named_marks(plot_);
        if (all.size() > kMostNames) return false;
        std::vector<Note> notes;
        for (const NamedMark& n : all)
            notes.push_back(note_beside(name_lines(frame_, plot_, n), n.series, *n.mark, n.rank, true));
        const auto boxes = place(notes);
        if (!std::all_of(boxes.begin(), boxes.end(), [](const auto& box) { return box.has_value(); }))
            return false;
        write(notes, boxes);
        return true;
    }

    /// Numbers beside the points; what they stand for is told in the table.
    void write_numbers() {
        std::vector<NamedMark> all = named_marks(plot_);
        drawn_.unlisted = all.size() > kLongestTable ? all.size() - kLongestTable : 0;
        all.resize(all.size() - drawn_.unlisted);
        std::vector<Note> notes;
        for (NamedMark& n : all) {
            n.number = static_cast<int>(notes.size()) + 1;
            notes.push_back(note_beside({std::to_string(n.number)}, n.series, *n.mark, n.rank, true));
            notes.back().request.clear -= 1.0;
            notes.back().request.farthest = 260.0;
        }
        write(notes, place(notes));
        drawn_.table = std::move(all);
    }

    void write_ratios() {
        const auto boxes = place(ratios_);
        write(ratios_, boxes);
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            if (boxes[i]) told_.push_back(ratios_[i].kind);
        }
    }

    /// ", 1.20× to the winner" where no arrow says so.
    std::string untold_ratio(const PlotMark& mark) const {
        if (std::find(told_.begin(), told_.end(), mark.kind) != told_.end()) return "";
        for (const PlotArrow& arrow : plot_.arrows) {
            if (arrow.from.kind == mark.kind) return ", " + format_ratio(arrow.ratio()) + " to the winner";
        }
        return "";
    }

    /// "naive 3.48 Gflop/s" within one tune.
    void write_references() {
        if (plot_.series.size() != 1) return;
        std::vector<Note> notes;
        for (const PlotMark& mark : plot_.series.front().marks) {
            if (mark.kind != MarkKind::naive && mark.kind != MarkKind::fallback) continue;
            const char* name = mark.kind == MarkKind::naive ? "naive" : "default";
            const std::string text =
                fmt::format("{} {}{}", name, format_si(mark.rate, "flop/s"), untold_ratio(mark));
            notes.push_back(note_beside({text}, 0, mark, 0, false));
        }
        write(notes, place(notes));
    }

    SvgCanvas& canvas_;
    const Frame& frame_;
    const RooflinePlot& plot_;
    Surroundings around_;
    std::vector<Note> ratios_;
    std::vector<MarkKind> told_;  ///< where the arrows start whose ratios are written
    MarksDrawn drawn_;
};

}  // namespace

std::string_view kind_name(MarkKind kind) {
    return kind_of(kind).name;
}

std::string_view kind_word(MarkKind kind) {
    return kind_of(kind).word;
}

std::string_view hue_of(const RooflinePlot& plot, std::size_t series, const PlotMark& mark,
                        std::size_t rank) {
    if (plot.series.size() > 1) return series_hue(series);
    switch (mark.kind) {
        case MarkKind::winner:
            return series_hue(1);
        case MarkKind::naive:
            return series_hue(5);
        case MarkKind::fallback:
            return series_hue(2);
        case MarkKind::excluded:
            return kGreyHue;
        case MarkKind::kernel:
            return series_hue(count_named(plot) <= kMostNames ? rank : 0);
        default:
            return series_hue(0);
    }
}

MarkerLook look_of(const RooflinePlot& plot, std::size_t series, const PlotMark& mark, std::size_t rank) {
    const bool by_rank = mark.kind == MarkKind::kernel && count_named(plot) <= kMostNames;
    return {hue_of(plot, series, mark, rank), plot.series.size() > 1 ? series_sign(series)
                                              : by_rank              ? series_sign(rank)
                                                                     : std::string_view()};
}

void draw_marker(SvgCanvas& canvas, MarkKind kind, PixelPoint at, const MarkerLook& look, double share,
                 std::string_view tooltip) {
    const std::string_view hue = look.hue;
    const std::string solid = fmt::format("class=\"{} fill rim\"", hue);
    switch (kind) {
        case MarkKind::winner:
            canvas.path(at.x, at.y,
                        "M0-9.5 2.6-3.1 9.4-2.6 4.2 1.9 5.8 8.6 0 5-5.8 8.6-4.2 1.9-9.4-2.6-2.6-3.1Z", solid,
                        tooltip);
            break;
        case MarkKind::naive:
            canvas.path(at.x, at.y, "M-5-5H5V5H-5Z", solid, tooltip);
            break;
        case MarkKind::fallback:
            canvas.path(at.x, at.y, "M0-6.5 6 4.5H-6Z", solid, tooltip);
            break;
        case MarkKind::kernel:
            canvas.circle(at.x, at.y, radius_of(kind, share), solid + " fill-opacity=\"0.85\"", tooltip);
            break;
        case MarkKind::excluded:
            canvas.circle(at.x, at.y, 2.8,
                          stroke(hue, 0.9) + " stroke-opacity=\"0.7\" pointer-events=\"all\"", tooltip);
            break;
        case MarkKind::measured:
            canvas.circle(at.x, at.y, 2.8, filled(hue) + " fill-opacity=\"0.6\"", tooltip);
            break;
    }
    // In the colour of the page; a pointer goes through it to the marker.
    const bool tiny = kind == MarkKind::measured || kind == MarkKind::excluded;
    if (!look.sign.empty() && !tiny)
        canvas.path(at.x, at.y, look.sign, "class=\"page\" pointer-events=\"none\"");
}

std::string attainable_text(const RooflinePlot& plot, const PlotMark& mark) {
    const Attainable roof = attainable(plot.lines, mark);
    if (!roof.line || !(roof.rate > 0.0)) return "";
    return fmt::format("{} of {} ({})", format_percent(mark.rate / roof.rate), format_si(roof.rate, "flop/s"),
                       printable(roof.line->label));
}

MarksDrawn draw_marks(SvgCanvas& canvas, const Frame& frame, const RooflinePlot& plot) {
    return Marks(canvas, frame, plot).draw();
}

}  // namespace rooftune
