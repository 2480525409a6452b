// The kernel summary of Nsight Systems: `nsys stats --report cuda_gpu_kern_sum --format csv`.
#include <algorithm>
#include <optional>

#include "tuner/base/text_lines.h"
#include "tuner/import/figures.h"
#include "tuner/import/ncu.h"

namespace rooftune::imports {
namespace {

/// "Total Time (ns)" → 1e-9; nullopt for any other heading.
std::optional<double> total_time_unit(std::string_view heading) {
    constexpr std::string_view begin = "Total Time (";
    if (!heading.starts_with(begin) || !heading.ends_with(")")) return std::nullopt;
    return unit_factor(heading.substr(begin.size(), heading.size() - begin.size() - 1));
}

}  // namespace

Times read_nsys(std::string_view text, const std::string& file) {
    Times times;
    int name = -1, total = -1, instances = -1;
    double unit = 1e-9;
    for (const Line& line : lines_of(file, text)) {
        if (line.text.find("Total Time (") != std::string_view::npos) {
            const std::vector<Cell> heading = cells_of(file, line);
            name = total = instances = -1;
            for (std::size_t i = 0; i < heading.size(); ++i) {
                if (heading[i].text == "Name") name = static_cast<int>(i);
                // Only kernels have instances; calls of the API and copies are counted otherwise.
                if (heading[i].text == "Instances") instances = static_cast<int>(i);
                if (const auto factor = total_time_unit(heading[i].text)) {
                    total = static_cast<int>(i);
                    unit = *factor;
                }
            }
            continue;
        }
        const bool row =
            !line.text.empty() && (line.text[0] == '"' || (line.text[0] >= '0' && line.text[0] <= '9'));
        if (instances < 0 || name < 0 || total < 0 || !row) continue;
        const std::vector<Cell> cells = cells_of(file, line);
        const auto needed = static_cast<std::size_t>(std::max({name, total, instances}));
        if (cells.size() <= needed) fail(file, cells.back().at, "the line is cut short");
        const Cell& cell = cells[static_cast<std::size_t>(total)];
        const auto value = figure_from(cell.text, Decimal::point);
        if (!value || *value < 0.0) fail(file, cell.at, "'" + cell.text + "' is not a time");
        const Cell& count = cells[static_cast<std::size_t>(instances)];
        const auto launches = figure_from(count.text, Decimal::point);
        if (!launches || *launches < 1.0) fail(file, count.at, "'" + count.text + "' is not a count");
        times.push_back({cells[static_cast<std::size_t>(name)].text, *value * unit, *launches});
    }
    if (times.empty()) {
        fail(file, {1, 1},
             "no kernel summary found: expected the output of `nsys stats --report cuda_gpu_kern_sum "
             "--format csv`");
    }
    return times;
}

}  // namespace rooftune::imports
