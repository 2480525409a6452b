// Points measured elsewhere as a table: each against the roofline of a machine, where one is named.
#pragma once

#include <optional>
#include <string>

#include "models/machine.h"
#include "tuner/formats/measured_points.h"

namespace rooftune {

/// Where a point lies under a machine's roofline.
struct PointStanding {
    double attainable = 0.0;  ///< flop/s, or byte/s of a point without flops; 0: not known
    double fraction = 0.0;    ///< of the attainable
    std::string bound;        ///< "compute f32", "memory"; empty: not known
};

/// Against the peak of the type that does most of the point's operations (each type in turn where several
/// share them) and the highest bandwidth of the memory. `type` is taken for points that do not tell theirs.
PointStanding standing_of(const MeasuredPoint& point, const Machine& machine, std::optional<DType> type);

/// A sentence, then the table, the longest time first. Ends with a newline.
std::string points_text(const MeasuredPoints& points, const Machine* machine, std::optional<DType> type);

}  // namespace rooftune
