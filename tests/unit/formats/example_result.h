// A tune result with every field set to a value of its own, for tests of files.
#pragma once

#include "tuner/formats/tune_result.h"

namespace rooftune::test {

inline TuneResult example_result() {
    TuneResult r;
    r.family = "spmv";
    r.problem = {{"matrix", "ship.mtx"}, {"dtype", "f64"}};
    r.title = "spmv ship, f64";
    r.facts = {{"rows", 1000}, {"nonzeros", 50'000}, {"longest row", 72}};
    r.digest = "d1g3st";
    r.pattern = "p4tt3rn";
    r.dtype = "f64";
    r.backend = "opencl";
    r.device = "Some GPU";
    r.state = "cold";
    r.threads = 2;
    r.machine_id = "intel-6-143-8-2t";
    r.machine_name = "Some Xeon";
    r.space_version = 3;
    r.best = {{"format", "sell"}, {"chunk", "16"}, {"threads", "2"}};
    r.naive = {{"format", "csr"}};
    r.fallback = {{"format", "csr"}, {"threads", "2"}};
    r.seconds = {1.25e-5, 1.2e-5, 1.3e-5, 1.1e-5, 12};
    r.flops_nominal = 1e5;
    r.fraction_of_variant_bound = 0.81;
    r.fraction_of_problem_roof = 0.72;
    r.fraction_of_roof_now = 0.93;
    r.speedup_over_naive = 1.9;
    r.speedup_over_default = 1.4;
    r.naive_ratio = {1.9, 1.8, 2.0, 0.0, 10};
    r.default_ratio = {1.4, 1.3, 1.5, 0.0, 11};
    r.naive_seconds = {2.4e-5, 2.3e-5, 2.5e-5, 2.25e-5, 10};
    r.default_seconds = {1.74e-5, 1.7e-5, 1.8e-5, 1.6e-5, 11};
    r.runner_up = {{"format", "sell"}, {"chunk", "8"}, {"threads", "2"}};
    r.runner_up_ratio = {1.03, 1.01, 1.05, 0.0, 12};
    r.runner_up_seconds = {1.29e-5, 1.26e-5, 1.32e-5, 1.2e-5, 12};
    r.needs = {512, 2};
    r.binding_ceilings = {
        {"problem", "DRAM-side load", "byte/s", 4.4e10, 4.3e10, 4.1e10, "2024-05-31T17:03:00Z"},
        {"winner", "load, 64 MiB", "byte/s", 4e10, 3.9e10, 3.8e10, ""}};
    r.grown = {{"prefetch", "1024", "4096"}};
    r.edges = {{"chunk", "16", "the kernels are compiled with no more"}};
    r.verified_error = 0.02;
    r.verified_by = "by the exit status alone";
    r.prepare_seconds = 0.004;
    r.bound.seconds_lower = 1.0e-5;
    r.bound.seconds_serial = 1.4e-5;
    r.bound.binding = "reads";
    r.bound.terms = {{"reads", 4e5, 4e10, 1e-5, "DRAM-side load", "a smaller format", false},
                     {"compute", 1e5, 7e10, 1.4e-6, "FMA, 512 bits", "wider vectors", true}};
    r.bound.terms[0].beyond = 65536.0;
    r.bound.terms[0].level = "L2";
    r.explanation.opportunities = {{.kind = "bottleneck",
                                    .what = {"memory"},
                                    .seconds = 1.4e-6,
                                    .at_most = 8.9,
                                    .then = "compute",
                                    .how = "fewer bytes"},
                                   {.kind = "parameter",
                                    .what = {"chunk"},
                                    .seconds = 9e-6,
                                    .at_most = 1.39,
                                    .then = "reads",
                                    .to = {{"chunk", "8"}},
                                    .open = 3},
                                   {.kind = "traffic",
                                    .what = {"capacity"},
                                    .seconds = 1.2e-5,
                                    .at_most = 1.04,
                                    .proven = false,
                                    .how = "blocking"}};
    r.explanation.estimates = {{"gathers", 1.1e-5, "indexed loads"}, {"now", 1.05e-5, "as probed"}};
    r.explanation.settled_by_measuring = {"format"};
    r.explanation.settled_by_proof = {"threads", "simd"};
    r.problem_roof_seconds = 9e-6;
    r.certificate.space = 5000;
    r.certificate.excluded = 4000;
    r.certificate.set_aside = 300;
    r.certificate.measured = 200;
    r.certificate.raced_out = 100;
    r.certificate.failed = 50;
    r.certificate.failed_environment = 7;
    r.certificate.unmeasured = 350;
    r.certificate.gap = 0.12;
    r.certificate.gap_low = 0.11;
    r.certificate.gap_high = 0.15;
    r.certificate.margin = 0.05;
    r.certificate.epsilon = 0.04;
    r.certificate.stopped_by = "budget";
    r.certificate.violations = 1;
    r.certificate.audit = {
        60, 1, 0, 0.05, {30, 0, 15, 0, 0.18, {1.4, 2.5}}, {30, 0, 15, 0, 0.18, {0.9, 1.1}}};
    r.certificate.sampled = {{372, 22, 1, 0.198}, {108, 8, 0, 0.313}, 0.28};
    r.certificate.bounds_evaluated = 12'345;
    r.certificate.subtrees_cut = 678;
    r.certificate.excluded_by = {{"compute", 1000}, {"reads", 3000}};
    r.certificate.slice = {{{"threads", "2"}}, 2500, 1800, 150, 200, 350};
    r.points = {{"sell", 0.25, 8e9, "winner"}, {"csr", 0.2, 4e9, "naive"}};
    r.ceilings = {{"DRAM", true, 4e10}, {"peak", false, 7e10}};
    r.config_file = "/somewhere/ship.json";
    r.header_file = "/somewhere/ship.h";
    r.plot_file = "/somewhere/ship.svg";
    r.config_before = {"replaced", 0.35, 0.4};
    r.resumed = 5;
    r.elapsed_seconds = 61.5;
    r.budget_seconds = 60.0;
    r.finals_seconds = 9.25;
    r.setup_seconds = 4.5;
    r.waited_seconds = 12.25;
    r.model_doubts = {"2 ceilings were never probed undisturbed."};
    r.accused = {
        "mine.cpp:7:14: flops 2000*n would need 15.4 Tflop/s, and the most that was seen here is 331 "
        "Gflop/s"};
    r.next = {"To close the gap, give it more time: `--budget 240s`."};
    r.no_bounds = true;
    r.failures = {"2 unbuildable, like simd=512: g++: error"};
    return r;
}

}  // namespace rooftune::test
