// A made-up ladder: the naive loop takes 100 ms, and threads, tiles and unrolling make it 2, 4 and 1.25 times
// as fast; prefetching has nothing to change.
#pragma once

#include <string>
#include <vector>

#include "tuner/ladder/result.h"

namespace rooftune::test {

inline ladder::Plan made_up_plan() {
    ladder::Plan plan;
    const auto tiled = [](const char* threads, const char* simd, const char* tile, const char* unroll) {
        return ladder::Stand{{{"method", "tiled"},
                              {"threads", threads},
                              {"simd", simd},
                              {"tile", tile},
                              {"unroll", unroll},
                              {"kc", "whole"},
                              {"pack_a", "no"},
                              {"pack_b", "no"},
                              {"loop", "m"}},
                             false};
    };
    plan.variants = {{{{"method", "triple_loop"}, {"threads", "1"}}, true},
                     {{{"method", "triple_loop"}, {"threads", "2"}}, false},
                     tiled("2", "512", "8x24", "1"),
                     tiled("2", "512", "8x24", "2"),
                     tiled("1", "512", "8x24", "2"),
                     tiled("2", "scalar", "4x4", "2")};
    const auto step = [&](const char* name, int variant, int before, const char* change, int without) {
        ladder::PlannedStep s;
        s.name = name;
        s.why = std::string("why ") + name;
        s.parameters = {name};
        s.variant = variant;
        s.changes = variant != before;
        s.change = change;
        s.without = without;
        plan.steps.push_back(s);
    };
    step("threads", 1, 0, "threads 1 → 2", 4);
    step("prefetch", 1, 1, "", -1);
    step("register tile and SIMD", 2, 1, "method triple_loop → tiled, simd 512, tile 8x24", 5);
    step("unrolling", 3, 2, "unroll 1 → 2", 2);
    plan.steps[2].adapted = "unroll 1 instead of 4";
    plan.steps[2].without_adapted = "prefetch_c no instead of yes";
    return plan;
}

/// Times that wobble together by `wobble` a round.
inline ladder::MeasuredRounds made_up_rounds(int rounds = 8, double wobble = 0.01) {
    ladder::MeasuredRounds m;
    m.rounds = rounds;
    m.failures.resize(6);
    for (const double seconds : {0.1, 0.05, 0.0125, 0.01, 0.018, 0.06}) {
        std::vector<double> times;
        for (int r = 0; r < rounds; ++r)
            times.push_back(seconds * (1.0 + wobble * ((r * 5 + static_cast<int>(1e4 * seconds)) % 7)));
        m.times.push_back(times);
    }
    return m;
}

/// With all that surrounds it. The roof is at 8 ms.
inline ladder::Result made_up_ladder(const ladder::MeasuredRounds& measured = made_up_rounds()) {
    ladder::Result r = ladder::result_of(made_up_plan(), measured, "the triple loop on 1 thread");
    r.subject.family = "matmul";
    r.subject.problem = {{"m", "512"}, {"n", "512"}, {"k", "512"}, {"dtype", "f64"}};
    r.subject.title = "matmul 512x512x512 f64";
    r.subject.digest = "0123abcd";
    r.subject.dtype = "f64";
    r.subject.state = "warm";
    r.subject.threads = 2;
    r.subject.space_version = 1;
    r.subject.machine_id = "feed";
    r.subject.machine_name = "made-up machine";
    r.subject.flops_nominal = 268435456.0;
    r.created = "2026-03-01T12:00:00Z";
    r.kernels_build = "b41ld";
    r.config = "tuned/matmul.json";
    r.config_created = "2026-02-28T12:00:00Z";
    r.tuned_seconds = 0.0093;
    r.roof_seconds = 0.0075;
    r.roof_now_seconds = 0.008;
    r.ceiling = "compute fma f64 × 512 bit, 2 threads";
    return r;
}

}  // namespace rooftune::test
