// What a roofline plot shows, apart from how it is drawn: lines of a machine, points of kernels.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tuner/formats/measured_points.h"
#include "tuner/formats/tune_result.h"

namespace rooftune {

/// A roof or a ceiling below it. A compute line is flat, a bandwidth line has slope 1.
struct PlotLine {
    std::string label;  ///< in words, without its rate: "one thread"
    bool bandwidth = false;
    double rate = 0.0;            ///< byte/s of a bandwidth line, else operations/s
    std::string group{};          ///< element type of a compute line, level of a bandwidth line
    bool roof = false;            ///< the highest of its group
    bool basis = false;           ///< what regions and percentages refer to; at most one of each kind
    std::string unit = "flop/s";  ///< of a compute line: integers count "op/s"
    std::string detail{};         ///< for the tooltip: how it was measured, or where it was published
};

enum class MarkKind { excluded, measured, naive, fallback, winner, kernel };

/// A point: a variant of a tune, or a kernel that was measured elsewhere.
struct PlotMark {
    std::string name;
    double intensity = 0.0;  ///< flop/byte
    double rate = 0.0;       ///< flop/s
    MarkKind kind = MarkKind::kernel;
    std::string group{};  ///< element type; empty where it is not known
    double bound = 0.0;   ///< flop/s at its own bound; 0 when unknown
    double share = 0.0;   ///< of the time of its file; 0 where times are not compared
    std::string note{};
    double low = 0.0, high = 0.0;  ///< flop/s: interval; 0 when unknown
    std::string binding{};         ///< what binds it by its own bound, in words; empty when unknown
};

/// Where a kernel's intensity may lie: at the upper end it moves each byte once, at the lower end with the
/// traffic that probably comes on top. Absent when `low` is 0.
struct PlotBand {
    double low = 0.0, high = 0.0;
    std::string what{};  ///< what comes on top, in words
};

/// One tuned problem, or one file of measured points.
struct PlotSeries {
    std::string name;
    std::vector<PlotMark> marks{};
    PlotBand band{};
};

/// From before to after, within a series or from an earlier one.
struct PlotArrow {
    PlotMark from, to;
    std::size_t series = 0;  ///< whose colour it has
    bool minor = false;      ///< beside a more important one: from the default variant
    /// How many times as fast it is where the arrow ends, as rounds of both decided; 0: by the two rates
    /// alone.
    double measured_ratio = 0.0;

    double ratio() const { return measured_ratio > 0.0 ? measured_ratio : to.rate / from.rate; }
};

/// How a page that holds the drawing finds its parts. Points and what belongs to them are then groups with
/// `data-series`, `data-type` and `data-kind`, and lines of an element type have `data-type`.
struct PlotHooks {
    std::string id{};  ///< unique on the page
    bool facts = true;  ///< points carry what is known of them as `data-…`; else a second drawing of the same
};

struct RooflinePlot {
    std::string title{}, subtitle{};
    std::vector<PlotLine> lines{};       ///< rates positive and finite, highest first
    std::vector<PlotLine> axis_lines{};  ///< what fixes the axes besides `lines`: all that the machine has
    std::vector<PlotSeries> series{};
    std::vector<PlotArrow> arrows{};
    std::map<std::string, int> left_out{};  ///< points without a place on logarithmic axes, by reason
    double width = 1040.0;                  ///< pixels; at least 480
    std::optional<PlotHooks> hooks{};       ///< none: a file of its own, with tooltips
};

/// A line's name with its rate first: "114 Gflop/s, f64 peak".
std::string line_name(const PlotLine& line);

/// The basis, or else the highest line of that kind; nullptr when there is none.
const PlotLine* basis_of(const std::vector<PlotLine>& lines, bool bandwidth);

/// What a point could reach under the roofs, and the roof that says so: min(π, β·I) with π of its element
/// type and β of the basis. A point above that diagonal runs from a cache: the next one above it counts.
struct Attainable {
    double rate = 0.0;  ///< 0 without any roof
    const PlotLine* line = nullptr;
};
Attainable attainable(const std::vector<PlotLine>& lines, const PlotMark& mark);

/// The lines that a tune kept with its result, each with its group.
std::vector<PlotLine> result_lines(const std::vector<TuneResult>& results);

/// Adds a series with arrows to the winner from the naive variant, and from the default where that is
/// another. With `all` every measured and excluded variant as well.
void add_result(RooflinePlot& plot, const TuneResult& result, bool all);

/// Adds a series of kernels; those with no place on the axes are counted by reason. Where an earlier
/// series has a kernel of the same name an arrow leads from there.
void add_points(RooflinePlot& plot, const MeasuredPoints& points);

/// The machine and the caches' state of results, for people.
std::string subtitle_of(const std::vector<TuneResult>& results);

/// What a series of this result is called.
std::string series_name(const TuneResult& result);

/// Several results share one set of axes and the union of their own ceilings. Every variant is shown of one
/// result, and of several `every_variant` asks for it.
RooflinePlot roofline_plot(const std::vector<TuneResult>& results, bool every_variant = false);

}  // namespace rooftune
