#include "tuner/machine/topology_svg.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

#include "tuner/base/ranges_text.h"
#include "tuner/base/si.h"
#include "tuner/base/text_width.h"

namespace rooftune {
namespace {

using namespace plot_style;

constexpr double kWidth = 1040.0, kEdge = 24.0, kBandTop = 66.0, kBandGap = 22.0;
constexpr double kRow = 24.0, kUnitRow = 40.0, kGap = 2.0;  // between the boxes of a row
constexpr double kWidestUnit = 84.0;
constexpr std::string_view kPlain = "class=\"frame\" stroke-width=\"1\"";
constexpr std::string_view kWithheld = "class=\"frame\" stroke-width=\"1\" stroke-dasharray=\"3 3\"";
constexpr std::string_view kPinned = "class=\"series0 fill\" fill-opacity=\"0.28\"";

/// A package, or the whole machine where it has none: its units, in order.
struct Band {
    std::string name;
    std::vector<std::size_t> units;
};

std::vector<Band> bands_of(const Layout& layout) {
    std::vector<Band> bands;
    std::set<std::size_t> seen;
    for (const LayoutPart* package : parts_of(layout, LayoutType::package)) {
        bands.push_back({part_name(*package), package->units});
        seen.insert(package->units.begin(), package->units.end());
    }
    Band rest{bands.empty() ? "machine" : "in no package", {}};
    for (std::size_t i = 0; i < layout.units.size(); ++i) {
        if (!seen.contains(i)) rest.units.push_back(i);
    }
    if (!rest.units.empty()) bands.push_back(std::move(rest));
    return bands;
}

/// The rows of a band, outermost first.
std::vector<std::vector<const LayoutPart*>> levels_of(const Layout& layout) {
    std::vector<std::vector<const LayoutPart*>> rows{parts_of(layout, LayoutType::node)};
    for (int level = 5; level >= 1; --level) rows.push_back(parts_of(layout, LayoutType::cache, level));
    rows.push_back(parts_of(layout, LayoutType::core));
    std::erase_if(rows, [](const auto& row) { return row.empty(); });
    return rows;
}

/// Where the band's units lie that a part holds: runs of neighbours, from the first to one behind the last.
std::vector<std::pair<std::size_t, std::size_t>> runs_of(const Band& band, const LayoutPart& part) {
    std::vector<std::pair<std::size_t, std::size_t>> runs;
    for (std::size_t i = 0; i < band.units.size(); ++i) {
        if (std::find(part.units.begin(), part.units.end(), band.units[i]) == part.units.end()) continue;
        if (!runs.empty() && runs.back().second == i) {
            ++runs.back().second;
        } else {
            runs.emplace_back(i, i + 1);
        }
    }
    return runs;
}

std::string label_of(const Layout& layout, const LayoutPart& part) {
    std::string text = part_name(part);
    if (part.type == LayoutType::cache) text = fmt::format("L{}", part.level);
    if (part.bytes > 0.0) text += ", " + format_capacity(part.bytes);
    if (part.type == LayoutType::core && layout.kinds > 1) text += fmt::format(", kind {}", part.kind);
    return text;
}

std::string tooltip_of(const Layout& layout, const LayoutPart& part) {
    std::vector<int> numbers;
    for (const std::size_t place : part.units) numbers.push_back(layout.units[place].number);
    return part_name(part) + (part.bytes > 0.0 ? ", " + format_capacity(part.bytes) : "") +
           ": processing units " + ranges_text(numbers);
}

class Drawing {
public:
    Drawing(SvgCanvas& canvas, const TopologyView& view) : canvas_(canvas), layout_(view.layout) {}

    /// Returns the band's box.
    Box draw(const Band& band, double top) {
        const auto count = static_cast<double>(band.units.size());
        const double column = std::min(kWidestUnit, (kWidth - 2.0 * kEdge) / count);
        const Box area{kEdge, top, column * count, height()};
        canvas_.text_within(kWidth - 2.0 * kEdge, kEdge, top - 6.0, band.name, Anchor::start,
                            {kFont, "ink", true});
        double y = top;
        for (const auto& row : levels_of(layout_)) {
            for (const LayoutPart* part : row) {
                for (const auto& [from, to] : runs_of(band, *part))
                    draw_part(*part, {area.left + column * static_cast<double>(from), y,
                                      column * static_cast<double>(to - from), kRow});
            }
            y += kRow;
        }
        for (std::size_t i = 0; i < band.units.size(); ++i)
            draw_unit(layout_.units[band.units[i]],
                      {area.left + column * static_cast<double>(i), y, column, kUnitRow});
        return area;
    }

    double height() const { return kRow * static_cast<double>(levels_of(layout_).size()) + kUnitRow; }

private:
    void draw_part(const LayoutPart& part, const Box& cell) {
        const Box box = cell.grown(-0.5 * kGap);
        canvas_.rectangle(box.left, box.top, box.width, box.height, kPlain, tooltip_of(layout_, part));
        const bool cache = part.type == LayoutType::cache;
        write(box, box.top + 0.5 * box.height + 0.35 * kSmall,
              {label_of(layout_, part), cache ? fmt::format("L{}", part.level) : part_name(part),
               cache ? "" : std::to_string(part.number)},
              "ink");
    }

    void draw_unit(const LayoutUnit& unit, const Box& cell) {
        const Box box = cell.grown(-0.5 * kGap);
        const std::string told =
            fmt::format("processing unit {}: {}", unit.number,
                        unit.thread >= 0 ? fmt::format("thread {} of the team", unit.thread)
                        : unit.usable    ? std::string("no thread of the team")
                                         : std::string("not for this process"));
        if (unit.thread >= 0) canvas_.rectangle(box.left, box.top, box.width, box.height, kPinned);
        canvas_.rectangle(box.left, box.top, box.width, box.height, unit.usable ? kPlain : kWithheld, told);
        const std::string number = std::to_string(unit.number);
        write(box, box.top + 15.0, {"unit " + number, number}, unit.usable ? "ink" : "faint");
        if (unit.thread < 0) {
            write(box, box.top + 30.0, {unit.usable ? "no thread" : "not ours"}, "faint");
            return;
        }
        const std::string thread = std::to_string(unit.thread);
        write(box, box.top + 30.0, {"thread " + thread, "t" + thread, thread}, "ink");
    }

    // The first of the labels that has room; a cut one would only puzzle.
    void write(const Box& box, double y, const std::vector<std::string>& labels, std::string_view look) {
        for (const std::string& text : labels) {
            if (text.empty() || pixel_width(text, kSmall) > box.width - 2.0) continue;
            canvas_.text(box.left + 0.5 * box.width, y, text, Anchor::middle, {kSmall, look});
            return;
        }
    }

    SvgCanvas& canvas_;
    const Layout& layout_;
};

std::string heading_of(const TopologyView& view) {
    return "Topology: " + (view.cpu.empty() ? std::string("this machine") : printable(view.cpu));
}

ChartDrawing drawn(const TopologyView& view, SvgCanvas& canvas) {
    ChartDrawing drawing;
    const HeadingPlace place{.left = kEdge, .room = kWidth - 2.0 * kEdge, .title = 26.0, .under = 44.0};
    const auto threads = std::count_if(view.layout.units.begin(), view.layout.units.end(),
                                       [](const LayoutUnit& unit) { return unit.thread >= 0; });
    draw_heading(
        canvas, place, heading_of(view),
        fmt::format("{}, a team of {}; coloured: with a thread, dashed: not for this process",
                    format_plural(static_cast<std::int64_t>(view.layout.units.size()), "processing unit"),
                    format_plural(threads, "thread")),
        heading_of(view));
    Drawing bands(canvas, view);
    double top = kBandTop + 12.0;
    for (const Band& band : bands_of(view.layout)) {
        drawing.panels.push_back(bands.draw(band, top));
        top = drawing.panels.back().bottom() + kBandGap + 12.0;
    }
    for (const std::string& remark : topology_remarks(view)) {
        constexpr double kLetter = 6.4;  // pixels, a little more than most take
        std::istringstream lines(wrap(remark, static_cast<int>((kWidth - 2.0 * kEdge) / kLetter)));
        for (std::string line; std::getline(lines, line);) {
            canvas.text_within(kWidth - 2.0 * kEdge, kEdge, top, line, Anchor::start, {kSmall, "faint"});
            top += kLineHeight;
        }
    }
    drawing.page = {0.0, 0.0, kWidth, top};
    drawing.texts = canvas.texts();
    return drawing;
}

}  // namespace

ChartDrawing draw_topology(const TopologyView& view) {
    SvgCanvas canvas;
    ChartDrawing drawing = drawn(view, canvas);
    std::string words;
    for (const std::string& remark : topology_remarks(view)) words += (words.empty() ? "" : " ") + remark;
    drawing.svg =
        canvas.finish(kWidth, drawing.page.height, heading_of(view),
                      words.empty() ? "Parts of the machine above their processing units" : words, css());
    return drawing;
}

std::string topology_svg(const TopologyView& view) {
    return draw_topology(view).svg;
}

}  // namespace rooftune
