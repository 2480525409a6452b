// A config, a machine and measurements on which nothing is wrong, for tests that plant one fault at a time.
#pragma once

#include <vector>

#include "tests/support/catch.h"
#include "tuner/measure/verdict.h"
#include "tuner/verify/measured.h"
#include "tuner/verify/static_checks.h"
#include "tuner/verify/verdict.h"

namespace rooftune::test {

inline verify::Claim sound_claim() {
    verify::Claim claim;
    claim.file = "tuned/product.json";
    claim.created = "2026-11-20T10:00:00Z";
    claim.compiler = "GNU 12.2.0";
    claim.kernels_build = "b41ld";
    TuneResult& r = claim.tuned;
    r.family = "matmul";
    r.problem = {{"m", "64"}, {"n", "64"}, {"k", "64"}};
    r.title = "matmul 64 x 64 x 64, f64";
    r.digest = "d1g3st";
    r.dtype = "f64";
    r.state = "warm";
    r.threads = 2;
    r.machine_id = "GenuineIntel-6-143-8-c2t2n1-w512-48K-2048K-33792Kx2-KVMKVMKVM";
    r.machine_name = "Some Xeon";
    r.space_version = 3;
    r.best = {{"simd", "512"}, {"threads", "2"}};
    r.fallback = {{"simd", "256"}, {"threads", "2"}};
    r.runner_up = {{"simd", "512"}, {"threads", "1"}};
    r.runner_up_ratio = {1.04, 1.02, 1.06, 0.0, 12};
    r.default_ratio = {1.4, 1.3, 1.5, 0.0, 12};
    r.seconds = {1.0e-3, 0.98e-3, 1.02e-3, 0.97e-3, 20};
    r.needs = {512, 2};
    r.problem_roof_seconds = 0.80e-3;
    r.fraction_of_problem_roof = 0.80;
    r.fraction_of_roof_now = 0.84;  // probed 5 % below the highest rate ever
    r.certificate.margin = 0.03;
    return claim;
}

inline verify::Environment sound_here() {
    const verify::Claim claim = sound_claim();
    verify::Environment here;
    here.machine_id = claim.tuned.machine_id;
    here.widths = {128, 256, 512};
    here.processors = 2;
    here.compiler = claim.compiler;
    here.kernels_build = claim.kernels_build;
    here.digest = claim.tuned.digest;
    here.space_version = claim.tuned.space_version;
    here.no_variant = "";
    return here;
}

/// Rounds of a rival whose time is `ratio` of the winner's, which takes `seconds`. The little noise does not
/// correlate between neighbours.
inline track::RoundTimes rounds(int count, double ratio, double noise = 0.002, double seconds = 1e-3) {
    static constexpr int kPattern[] = {3, -2, -5, 2, -6, 5, -4, -8, 9, 7, -9, -1, 8, 4, -7, -3, 6, 1, 0, 2};
    track::RoundTimes times;
    for (int i = 0; i < count; ++i) {
        const double wiggle = noise * kPattern[i % 20] / 9.0;
        times.base.push_back(seconds);
        times.candidate.push_back(seconds * ratio * (1.0 + wiggle));
        times.again.push_back(seconds * (1.0 - 0.2 * wiggle));
        times.control.push_back(2e-2);
    }
    return times;
}

inline verify::Measured sound_measured() {
    verify::Measured m;
    m.answer = {verify::Answer::Found::right, 3, 0.1, ""};
    m.duel = track::judge(rounds(20, 1.10), 0.03);
    m.rival = verify::Rival::runner_up;
    m.rival_phrase = "512-bit vectors on 1 thread";
    m.turns.seconds = {1.0e-3, 0.99e-3, 1.01e-3, 0.98e-3, 20};
    m.roof = {0.80e-3, 0.84e-3, 0.84e-3};
    m.ceiling = "FMA, 512 bits, 2 threads";
    return m;
}

inline std::vector<verify::Check> all_checks(const verify::Claim& claim, const verify::Environment& here,
                                             const verify::Measured& measured) {
    std::vector<verify::Check> checks = static_checks(claim, here);
    for (const verify::Check& c : measured_checks(claim, measured)) checks.push_back(c);
    return checks;
}

inline verify::Check check_of(const std::vector<verify::Check>& checks, verify::Question question) {
    for (const verify::Check& c : checks)
        if (c.question == question) return c;
    FAIL("no check of " << to_text(question));
    return {};
}

}  // namespace rooftune::test
