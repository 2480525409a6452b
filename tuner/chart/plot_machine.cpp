// The lines of a whole machine under the points of a plot.
#include <algorithm>
#include <map>

#include "tuner/chart/plot_ceilings.h"

namespace rooftune {
namespace {

// The element type that most named points are of; empty where none tells.
std::string main_type_of(const RooflinePlot& plot) {
    std::map<std::string, int> counts;
    for (const PlotSeries& series : plot.series) {
        for (const PlotMark& mark : series.marks) {
            const bool named = mark.kind == MarkKind::winner || mark.kind == MarkKind::kernel;
            if (named && !mark.group.empty()) ++counts[mark.group];
        }
    }
    const auto most = std::max_element(counts.begin(), counts.end(),
                                       [](const auto& x, const auto& y) { return x.second < y.second; });
    return most == counts.end() ? "" : most->first;
}

}  // namespace

void draw_machine(RooflinePlot& plot, const Machine& machine, LineChoice choice) {
    if (choice.main_type.empty()) choice.main_type = main_type_of(plot);
    plot.lines = machine_lines(machine, choice);
    plot.axis_lines = machine_lines(machine, {});
}

Machine view_of(const Machine& machine, const std::vector<TuneResult>& results) {
    const bool one_device =
        !results.empty() && std::all_of(results.begin(), results.end(), [&](const auto& r) {
            return r.backend == "opencl" && r.device == results.front().device;
        });
    if (one_device) {
        for (const Device& device : machine.devices) {
            if (device.name == results.front().device) return machine_of(machine, device.id);
        }
    }
    // A machine that is a device alone has nothing else to draw.
    const Machine native = machine_of(machine, "");
    return native.ceilings.empty() && machine.devices.size() == 1
               ? machine_of(machine, machine.devices.front().id)
               : native;
}

}  // namespace rooftune
