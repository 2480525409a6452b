// The execution-cache-memory model: an ESTIMATE of a loop's time, for ranking and never for pruning. It adds
// up what the roofline lets overlap: on the cores that it was made for, loads and the transfers between cache
// levels exclude each other, and only arithmetic runs beside them.
//
//   T = max(T_OL, T_nOL + Σ T_k)            one core
//   n_sat = ⌈T / T_mem⌉                     cores that saturate the memory interface
//
// H. Stengel, J. Treibig, G. Hager, G. Wellein, "Quantifying performance bottlenecks of stencil computations
// using the Execution-Cache-Memory model", ICS 2015. Of ten published kernel × machine pairs the roofline's
// time was a true lower limit in ten, and ECM's exceeded the measured time in four.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

namespace rooftune {

/// Times of one unit of work on one core, in any one unit: cycles a cache line, seconds a repetition.
struct EcmInput {
    double overlapping = 0.0;       ///< T_OL: arithmetic and all else that runs beside transfers
    double loads = 0.0;             ///< T_nOL: loads and stores between registers and the first cache
    std::vector<double> transfers;  ///< T_k between neighbouring levels, the memory's last
};

/// Estimated time on one core with the data in memory.
inline double ecm_time(const EcmInput& in) {
    double moving = in.loads;
    for (const double transfer : in.transfers) moving += transfer;
    return std::max(in.overlapping, moving);
}

/// The same with the data in the cache that the first `levels` transfers reach: 0, the first cache.
inline double ecm_time_from(const EcmInput& in, std::size_t levels) {
    EcmInput part = in;
    part.transfers.resize(std::min(levels, part.transfers.size()));
    return ecm_time(part);
}

/// Cores that saturate the memory interface; 0 where nothing is moved there.
inline double ecm_saturation(const EcmInput& in) {
    if (in.transfers.empty() || in.transfers.back() <= 0.0) return 0.0;
    return std::ceil(ecm_time(in) / in.transfers.back());
}

/// Estimated time of one unit of work on `cores`: they scale until the memory interface, which all share, is
/// busy all the time.
inline double ecm_time_on(const EcmInput& in, double cores) {
    const double memory = in.transfers.empty() ? 0.0 : in.transfers.back();
    return std::max(ecm_time(in) / cores, memory);
}

}  // namespace rooftune
