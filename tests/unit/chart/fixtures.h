// Results as a tune would leave them, with made-up figures.
#pragma once

#include "tuner/formats/tune_result.h"

namespace rooftune::test {

inline TuneResult spmv_result() {
    TuneResult r;
    r.family = "spmv";
    r.problem = {{"matrix", "ship_001_mesh.mtx.gz"}, {"dtype", "f64"}};
    r.title = "spmv ship_001_mesh, f64";
    r.facts = {{"rows", 34920}, {"nonzeros", 4644230}};
    r.digest = "1f2e";
    r.dtype = "f64";
    r.state = "warm";
    r.threads = 2;
    r.machine_id = "a1b2c3";
    r.machine_name = "Example CPU, 2 cores";
    r.space_version = 1;
    r.best = {{"format", "sell"}, {"chunk", "16"},  {"sigma", "512"},
              {"index", "16"},    {"threads", "2"}, {"simd", "512"}};
    r.naive = {{"format", "csr"}, {"index", "32"}, {"threads", "2"}};
    r.fallback = {{"format", "sell"}, {"chunk", "8"}, {"sigma", "1"}, {"index", "32"}, {"threads", "2"}};
    r.seconds = {.median = 1.403e-3, .low = 1.391e-3, .high = 1.422e-3, .min = 1.38e-3, .slots = 24};
    r.flops_nominal = 2.0 * 4644230;
    r.fraction_of_variant_bound = 0.92;
    r.fraction_of_problem_roof = 0.88;
    r.fraction_of_roof_now = 0.953;
    r.speedup_over_naive = 1.90;
    r.speedup_over_default = 1.2;
    r.naive_ratio = {.median = 1.90, .low = 1.85, .high = 1.94, .slots = 24};
    r.default_ratio = {.median = 1.20, .low = 1.18, .high = 1.23, .slots = 24};
    r.verified_error = 0.0123;
    r.prepare_seconds = 0.0412;
    r.bound.seconds_lower = 1.29e-3;
    r.bound.seconds_serial = 1.71e-3;
    r.bound.binding = "reads";
    r.bound.terms = {
        {.kind = "reads",
         .amount = 51.6e6,
         .rate = 40.0e9,
         .seconds = 1.29e-3,
         .ceiling = "bandwidth load, 4 MiB, 4 streams, 2 threads",
         .opportunity = "a smaller format: 16-bit indices, register blocks, less padding",
         .beyond = 4194304.0,
         .level = "DRAM"},
        {.kind = "both",
         .amount = 51.9e6,
         .rate = 43.0e9,
         .seconds = 1.207e-3,
         .ceiling = "bandwidth nt_copy, 4 MiB, 8 streams, 2 threads",
         .opportunity = "a smaller format: fewer bytes moved",
         .beyond = 4194304.0,
         .level = "DRAM"},
        {.kind = "loads",
         .amount = 1.2e6,
         .rate = 2.9e9,
         .seconds = 4.2e-4,
         .ceiling = "issue loads, 1 thread",
         .opportunity = "register blocking or wider vectors: fewer loads an element"},
        {.kind = "compute",
         .amount = 9.8e6,
         .rate = 159.0e9,
         .seconds = 6.16e-5,
         .ceiling = "compute fma f64 × 512 bit, 12 chains, 2 threads",
         .opportunity = "wider vectors, or fewer padded operations"},
    };
    r.explanation.opportunities = {
        {.kind = "bottleneck",
         .what = {"memory", "loads"},
         .seconds = 6.16e-5,
         .at_most = 22.78,
         .then = "compute",
         .how = "fewer loads an element"},
        {.kind = "bottleneck",
         .what = {"memory"},
         .seconds = 4.2e-4,
         .at_most = 3.34,
         .then = "loads",
         .how = "fewer bytes: fusion with the kernel before or after"},
        {.kind = "precision",
         .what = {"f32"},
         .seconds = 6.45e-4,
         .at_most = 2.175,
         .how = "f32 in place of f64, where its precision is enough"},
        {.kind = "parameter",
         .what = {"chunk"},
         .seconds = 1.25e-3,
         .at_most = 1.1224,
         .then = "reads",
         .to = {{"chunk", "8"}},
         .open = 1},
        {.kind = "parameter",
         .what = {"streams", "prefetch"},
         .seconds = 1.29e-3,
         .at_most = 1.0876,
         .then = "reads",
         .open = 6},
        {.kind = "variant", .seconds = 1.29e-3, .at_most = 1.0876, .then = "reads"},
        {.kind = "ceiling",
         .what = {"streams"},
         .seconds = 1.34e-3,
         .at_most = 1.047,
         .proven = false,
         .how = "streams from 1 to 4"}};
    r.explanation.estimates = {{"gathers", 1.36e-3, "indexed loads at the rate that the probe had"},
                               {"streams", 1.35e-3, "the probe's own rate with 1 stream a thread"}};
    r.explanation.settled_by_measuring = {"format", "sigma", "index"};
    r.explanation.settled_by_proof = {"threads", "simd"};
    r.problem_roof_seconds = 1.235e-3;
    CertificateReport& c = r.certificate;
    c.space = 5312;
    c.excluded = 4702;
    c.set_aside = 210;
    c.measured = 120;
    c.raced_out = 260;
    c.failed = 3;
    c.failed_environment = 1;
    c.unmeasured = 17;
    c.gap = 0.118;
    c.gap_low = 0.112;
    c.gap_high = 0.139;
    c.margin = 0.034;
    c.epsilon = 0.03;
    c.stopped_by = "budget";
    c.audit = {.measured = 60, .violations = 0, .regrets = 0, .upper_limit = 0.05};
    c.sampled = {{39, 22, 0, 0.1273}, {268, 8, 1, 0.4707}, 0.48};
    c.bounds_evaluated = 1843;
    c.subtrees_cut = 311;
    c.excluded_by = {{"reads", 3810}, {"reads_thread", 700}, {"loads", 192}};
    c.slice = {{{"simd", "512"}, {"threads", "2"}}, 820, 410, 82, 311, 17};
    r.config_file = "/tmp/out/spmv-ship_001_mesh.json";
    r.header_file = "/tmp/out/spmv-ship_001_mesh.h";
    r.plot_file = "/tmp/out/spmv-ship_001_mesh.svg";
    r.resumed = 0;
    r.elapsed_seconds = 57.3;

    r.ceilings = {{"512-bit FMA, 2 threads", false, 159.6e9}, {"256-bit FMA, 2 threads", false, 89.4e9},
                  {"512-bit FMA, 1 thread", false, 79.8e9},   {"scalar, 2 threads", false, 11.6e9},
                  {"load, 32 KiB, 2 threads", true, 640e9},   {"load, 2 MiB, 2 threads", true, 150e9},
                  {"load, 64 MiB, 2 threads", true, 40e9},    {"load, 64 MiB, 1 thread", true, 26e9}};
    const auto point = [&r](std::string label, double intensity, double rate, std::string kind) {
        r.points.push_back({std::move(label), intensity, rate, std::move(kind)});
    };
    unsigned state = 12345;
    const auto next = [&state] {  // Park and Miller's minimal generator: the same points everywhere
        state = static_cast<unsigned>(static_cast<unsigned long long>(state) * 16807u % 2147483647u);
        return static_cast<double>(state) / 2147483647.0;
    };
    for (int i = 0; i < 120; ++i) {
        const double intensity = 0.10 + 0.08 * next();
        point("format=sell, variant " + std::to_string(i), intensity,
              intensity * 40e9 * (0.35 + 0.58 * next()), "measured");
    }
    for (int i = 0; i < 90; ++i) {
        const double intensity = 0.05 + 0.06 * next();
        point("format=bcsr, variant " + std::to_string(i), intensity, intensity * 38e9, "excluded");
    }
    point("format=csr, index=32, threads=2", 0.158, r.flops_nominal / (1.9 * 1.403e-3), "naive");
    point("format=sell, chunk=8, sigma=1, index=32, threads=2", 0.158, r.flops_nominal / (1.2 * 1.403e-3),
          "default");
    point("format=sell, chunk=16, sigma=512, index=16, threads=2", 0.18, r.flops_nominal / 1.403e-3,
          "winner");
    return r;
}

/// A family without a phrase of its own, with nothing left to find.
inline TuneResult unknown_family_result() {
    TuneResult r = spmv_result();
    r.family = "triad";
    r.title = "triad n=1000";
    r.problem = {{"n", "1000"}};
    r.best = {{"block", "32"}, {"unroll", "4"}};
    r.naive = {{"block", "1"}, {"unroll", "1"}};
    r.fallback = {{"block", "16"}, {"unroll", "4"}};
    r.certificate.stopped_by = "exhausted";
    r.certificate.gap = r.certificate.gap_low = r.certificate.gap_high = 0.0;
    r.certificate.sampled = {};
    r.certificate.measured = 610;
    r.certificate.set_aside = r.certificate.raced_out = r.certificate.failed =
        r.certificate.failed_environment = r.certificate.unmeasured = 0;
    return r;
}

/// Every variant failed.
inline TuneResult failed_result() {
    TuneResult r;
    r.family = "spmv";
    r.title = "spmv broken, f32";
    r.state = "cold";
    r.threads = 1;
    r.machine_name = "Example CPU, 2 cores";
    r.certificate.space = 12;
    r.certificate.failed = 12;
    r.certificate.failed_environment = 2;
    r.certificate.stopped_by = "exhausted";
    return r;
}

/// Two measurements beat their bound, a term was demoted, the audit found a regret.
inline TuneResult alarmed_result() {
    TuneResult r = spmv_result();
    r.certificate.violations = 2;
    r.certificate.audit = {.measured = 60, .violations = 1, .regrets = 1, .upper_limit = 0.0766};
    r.bound.terms[0].demoted = true;
    r.bound.binding = "both";
    r.certificate.gap = r.certificate.gap_low = r.certificate.gap_high = 1.5;
    r.certificate.stopped_by = "interrupted";
    r.resumed = 44;
    return r;
}

}  // namespace rooftune::test
