// Nsight Compute: what `ncu` printed, as CSV (`--csv`, one metric a line; or `--csv --page raw`, one launch
// a line) or as its text log. Reading and arithmetic apart: reading gives launches with their metrics, the
// arithmetic turns these into points.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "tuner/base/position.h"
#include "tuner/formats/measured_points.h"

namespace rooftune::imports {

struct Metric {
    double value = 0.0;  ///< in base units: seconds, bytes, sectors, instructions
    Position at;
};

/// One launch of a kernel.
struct Launch {
    std::string kernel;  ///< without its grid, context and stream
    std::map<std::string, Metric> metrics;
    Position at;
};

/// Launches of a report in order. Lines that the profiler did not print as a table (its progress, the
/// program's own output) are passed over. Throws InputError with line and column: a quote not closed, a
/// line with too few cells, a figure or unit that is none, no launch at all.
std::vector<Launch> read_ncu(std::string_view text, const std::string& file);

/// Seconds of one launch by its own metrics: gpu__time_duration, the Duration of the details page, or cycles
/// over cycles a second; 0 when it has none of them.
double seconds_of(const Launch& launch);

/// Floating-point operations by element type: FMA counts 2, ADD and MUL 1, for half, single and double
/// precision (…sass_thread_inst_executed_op_ffma_pred_on.sum and its like, also `.sum.per_cycle_elapsed`
/// times the cycles), and operations of the tensor path (sm__ops_path_tensor_src_…).
std::vector<std::pair<std::string, double>> flops_of(const Launch& launch);

/// Bytes exchanged with the device's memory: dram__bytes, or read and written apart, or sectors of 32 bytes;
/// 0 when none was counted.
double bytes_of(const Launch& launch);

/// A time from elsewhere, for kernels that the report itself does not time.
struct Time {
    std::string kernel;  ///< part of the kernel's name; empty: the report's only kernel
    double seconds = 0.0;
    double instances = 0.0;  ///< launches that the seconds are of; 0: all that the report has
};
using Times = std::vector<Time>;

/// Launches of one kernel added up, the longest time first. Throws InputError when a kernel has no time.
MeasuredPoints points_of(const std::vector<Launch>& launches, const std::string& file, const Times& times);

/// Seconds and launches by kernel from the CSV of `nsys stats --report cuda_gpu_kern_sum`. Throws InputError.
Times read_nsys(std::string_view text, const std::string& file);

}  // namespace rooftune::imports
