// Entries of histories, as tests plant them.
#pragma once

#include <string>

#include "tuner/track/entry.h"

namespace rooftune::test {

/// The n-th entry of a kernel: `seconds` with an interval of ±1 %, under a roof of `roof` seconds.
inline track::Entry entry_of(int n, double seconds, double roof = 0.8, const std::string& note = "") {
    track::Entry e;
    e.revision = std::string(40, 'a');
    e.revision[0] = "0123456789"[n / 10 % 10];
    e.revision[1] = "0123456789"[n % 10];
    e.revision_date = "2026-01-" + std::string(n < 9 ? "0" : "") + std::to_string(n + 1) + "T12:00:00Z";
    e.at = e.revision_date;
    e.note = note;
    e.machine = "some-machine";
    e.machine_name = "Some machine";
    e.family = "matmul";
    e.title = "matmul 512x512x512";
    e.digest = "0123456789abcdef0123";
    e.dtype = "f64";
    e.backend = "cpu";
    e.state = "warm";
    e.threads = 2;
    e.config = "/results/matmul.json";
    e.variant = {{"mr", "6"}, {"nr", "16"}};
    e.build = "build";
    e.seconds = {seconds, 0.99 * seconds, 1.01 * seconds, 0.98 * seconds, 24};
    e.processes = 3;
    e.flops = 2.0 * 512 * 512 * 512;
    e.problem_roof_seconds = 0.9 * roof;
    e.roof_now_seconds = roof;
    return e;
}

/// What was recorded beside an entry, but for its machine and build.
inline track::RunEnvironment environment_of_then() {
    track::RunEnvironment e;
    e.machine = "some-machine";
    e.build = "build";
    e.compiler = "GNU 12.2.0";
    e.libc = "glibc 2.36";
    e.kernel = "Linux 6.1.0-18-amd64";
    e.clock_source = "tsc";
    e.processor = "Some Processor 9";
    e.processors = 8;
    return e;
}

inline track::Entry failed_entry(int n, const std::string& outcome) {
    track::Entry e = entry_of(n, 1.0);
    e.outcome = outcome;
    e.detail = "element 3 is 2 and should be 1";
    e.seconds = {};
    e.processes = 0;
    return e;
}

}  // namespace rooftune::test
