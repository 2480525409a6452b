// likwid-perfctr's CSV (`-o FILE.csv`, or `-O`).
#pragma once

#include <string>
#include <string_view>

#include "tuner/ceilings/regions.h"
#include "tuner/formats/measured_points.h"

namespace rooftune::imports {

/// One point for each marked region, or one for the whole program, the longest time first. Tables are
/// "TABLE,[Region NAME,]Group N Metric,GROUP,ROWS" with a column for each thread. Of a region measured with
/// several groups (FLOPS_DP in one run, MEM in another, both in one file) the flops come from one and the
/// bytes from the other. Throws InputError with line and column: a table cut short, a figure that is none,
/// no table with a runtime, neither flops nor bytes.
MeasuredPoints read_likwid(std::string_view text, const std::string& file);

}  // namespace rooftune::imports
