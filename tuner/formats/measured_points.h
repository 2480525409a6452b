// Points measured elsewhere: what a profiler counted for each kernel, as it is imported, kept and plotted.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rooftune {

inline constexpr std::string_view kPointsSchema = "rooftune/points/1";

/// All launches of one kernel together.
struct MeasuredPoint {
    std::string name;
    double seconds = 0.0;
    double flops = 0.0;  ///< floating-point operations; 0 where the tool counted none
    double bytes = 0.0;  ///< exchanged with memory; 0 where it was not counted
    /// Operations by element type, "f16" → 1.2e9, where the tool tells them apart; they add up to `flops`.
    std::vector<std::pair<std::string, double>> flops_by_type;
    int launches = 1;
    std::string note;  ///< "4096×4096 · 4096×4096", or what was assumed

    double intensity() const { return bytes > 0.0 ? flops / bytes : 0.0; }
    double flops_per_second() const { return seconds > 0.0 ? flops / seconds : 0.0; }
};

struct MeasuredPoints {
    std::string tool;  ///< "ncu", "torch", "likwid"
    std::string file;
    std::vector<MeasuredPoint> points;  ///< the longest time first
};

/// The longest time first; equal ones as they stood.
void sort_by_time(MeasuredPoints& points);
/// A document by configs/schema/points.schema.json, indented, ended by a newline.
std::string points_to_json(const MeasuredPoints& points);
/// Throws InputError that names file, JSON pointer and what was expected.
MeasuredPoints read_points_file(const std::string& path);

}  // namespace rooftune
