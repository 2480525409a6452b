// Results as a tune leaves them today: with the convergence of the search and what is known of each point.
#pragma once

#include "tests/unit/chart/fixtures.h"

namespace rooftune::test {

/// With the course of its search, and what is known of each of its points.
inline TuneResult with_convergence(TuneResult r) {
    const double best = r.seconds.median;
    r.convergence = {{1, 1.9 * best, 0.0},    {2, 1.2 * best, 0.31},   {9, 1.12 * best, 0.42},
                     {24, 1.05 * best, 0.71}, {61, 0.99 * best, 0.84}, {150, 0.99 * best, 0.86},
                     {162, best, 0.85},       {222, best, 0.88}};
    for (PlotPoint& p : r.points) {
        p.bound = p.kind == "excluded" ? p.flops_per_second : p.intensity * 40e9;
        p.binding = "reads";
        if (p.kind == "excluded") continue;
        p.low = 0.98 * p.flops_per_second;
        p.high = 1.01 * p.flops_per_second;
    }
    return r;
}

inline TuneResult f32_result() {
    constexpr double kFaster = 1.5;
    TuneResult r = spmv_result();
    for (double* time : {&r.seconds.median, &r.seconds.low, &r.seconds.high, &r.seconds.min,
                         &r.bound.seconds_lower, &r.bound.seconds_serial, &r.problem_roof_seconds})
        *time /= kFaster;
    for (TermReport& t : r.bound.terms) t.seconds /= kFaster;
    r = with_convergence(r);
    r.title = "spmv ship_001_mesh, f32";
    r.dtype = "f32";
    r.problem["dtype"] = "f32";
    for (PlotPoint& p : r.points) {
        p.intensity *= 1.6;
        for (double* rate : {&p.flops_per_second, &p.low, &p.high, &p.bound}) *rate *= kFaster;
    }
    for (PlotCeiling& c : r.ceilings) {
        if (!c.bandwidth) c.rate *= 2.0;
    }
    return r;
}

}  // namespace rooftune::test
