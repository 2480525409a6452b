// PyTorch's profiler: the Chrome trace of `profile(record_shapes=True, with_flops=True)`.
#pragma once

#include <string>
#include <string_view>

#include "tuner/formats/measured_points.h"

namespace rooftune::imports {

/// One point for each operator and set of shapes, the longest time first. An operator's time is that of
/// the device kernels it launched (linked by "External id"), or on the CPU its own duration. Flops are the
/// trace's where it has them ("flops", "kernel_flop"), else those of the operator's formula for its shapes
/// (mm, addmm, bmm, baddbmm, linear, matmul, convolutions); bytes are the least for the shapes, each operand
/// once, which the note says. Operators without flops that contain others that have them are left out, as
/// are operators without shapes. Throws InputError: no JSON (with line and column), no "traceEvents", no
/// operator with shapes (then how to record them).
MeasuredPoints read_torch(std::string_view text, const std::string& file);

}  // namespace rooftune::imports
