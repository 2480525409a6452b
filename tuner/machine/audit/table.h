// How far each ceiling lies above the fastest code seen under it: too far means that the ceiling excludes
// less than it could, or that nobody here exercises it.
#pragma once

#include <string>
#include <vector>

#include "tuner/machine/audit/audit.h"

namespace rooftune::audit {

/// One ceiling with the fastest thing that was seen under it.
struct Row {
    Claim claim = Claim::flops;
    DType dtype = DType::f64;  ///< compute only
    int threads = 1;
    std::string level;     ///< bandwidth only: what served the footprint
    Bytes footprint{0.0};  ///< of what `by` works on
    double ceiling = 0.0;  ///< per second, where `by` was measured
    double fastest = 0.0;  ///< per second
    std::string by;        ///< who reached it: "OpenBLAS gemm 1024"
    int index = -1;        ///< of the ceiling in the machine
    std::string set_by;    ///< the ceiling in words
    /// Ceiling over fastest; below 1 where the ceiling was passed.
    double ratio() const { return fastest > 0.0 ? ceiling / fastest : 0.0; }
    double like_ratio = 0.0;  ///< the least ratio to a ceiling of the code's own mix; 0: there is none
    bool loops = false;       ///< a plain loop was among the code, not whole kernels alone
    bool far = false;         ///< ratio above the limit of its kind
    std::string reason;       ///< why it is far, where that is known
};

/// A ceiling should lie no further than this above the fastest code.
inline constexpr double kComputeLimit = 1.05;
inline constexpr double kBandwidthLimit = 1.15;

/// Rows for all ceilings under which something was measured, compute first; judged against the machine as it
/// is now.
std::vector<Row> rows_of(const Audit& audit, const Machine& machine);

}  // namespace rooftune::audit
