// A machine with a few round ceilings, and a world in which peers are functions and time stands still.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tuner/machine/audit/audit.h"

namespace rooftune::audit::test {

inline Ceiling ceiling(Resource resource, Conditions when, double max) {
    Ceiling c;
    c.resource = resource;
    c.when = when;
    c.max = c.p95 = c.median = max;
    c.windows = 3;  // p95 as high as the maximum: a margin of 3 %
    c.source = "probe";
    return c;
}

/// One thread: 100 flop/s in f64 (fma; 120 with fma_add), 10 B/s of loads and 6 B/s of updates over 4 KiB,
/// 4 B/s of loads over 1 MiB. Two threads: twice the flops.
inline Machine small_machine() {
    Machine machine;
    machine.id = "small";
    const auto compute = [](Mix mix, int threads) {
        return Conditions{
            .dtype = DType::f64, .width_bits = 256, .mix = mix, .chains = 8, .threads = threads};
    };
    const auto bandwidth = [](Mix mix, double footprint) {
        return Conditions{.mix = mix, .threads = 1, .footprint = Bytes(footprint), .streams = 4};
    };
    machine.ceilings = {
        ceiling(Resource::compute, compute(Mix::fma, 1), 100.0),
        ceiling(Resource::compute, compute(Mix::fma_add, 1), 120.0),
        ceiling(Resource::compute, compute(Mix::fma, 2), 200.0),
        ceiling(Resource::bandwidth, bandwidth(Mix::load, 4096.0), 10.0),
        ceiling(Resource::bandwidth, bandwidth(Mix::update, 4096.0), 6.0),
        ceiling(Resource::bandwidth, bandwidth(Mix::load, 1048576.0), 4.0),
    };
    return machine;
}

inline Case product(double flops, int threads = 1) {
    Case c;
    c.peer = "peer";
    c.kernel = "gemm";
    c.threads = threads;
    c.least.flops = Operations(flops);
    c.like = Mix::fma;
    return c;
}

inline Case walk(double read, double written, double footprint) {
    Case c;
    c.peer = "peer";
    c.kernel = "walk";
    c.level = "L1";
    c.least = {Operations(0.0), Bytes(read), Bytes(written), Bytes(footprint)};
    c.like = Mix::load;
    return c;
}

inline Measurement took(double seconds) {
    Measurement m;
    m.outcome = Outcome::measured;
    m.seconds = seconds;
    m.windows = 5;
    return m;
}

/// Answers with the given measurements one after the other, the last one for ever; probes answer `fresh`.
struct FakeWorld {
    std::vector<Measurement> answers;
    std::vector<Ceiling> fresh{};
    int measured = 0, probed = 0;
    double time = 0.0;
    double seconds_a_case = 1.0;
    int stop_after = 1 << 20;

    World world() {
        World w;
        w.measure = [this](const Case&, double) {
            time += seconds_a_case;
            const auto last = answers.size() - 1;
            return answers[std::min(last, static_cast<std::size_t>(measured++))];
        };
        w.probe_again = [this](const Case&) {
            ++probed;
            return fresh;
        };
        w.now = [this] { return time; };
        w.keep_going = [this] { return measured < stop_after; };
        return w;
    }
};

}  // namespace rooftune::audit::test
