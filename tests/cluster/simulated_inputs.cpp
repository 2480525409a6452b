#include "tests/cluster/simulated_inputs.h"

#include <cmath>
#include <random>

#include "kernels/registry.h"

namespace rooftune::test {

Machine simulated_machine(int kind) {
    Machine machine;
    machine.id = "simulated-" + std::to_string(kind);
    machine.name = machine.id;
    machine.topology.cpu = "simulated";
    machine.topology.threads = 2;
    const auto add = [&](Resource resource, const Conditions& when, double max) {
        Ceiling c;
        c.resource = resource;
        c.when = when;
        c.max = c.p95 = c.median = max;
        c.windows = c.undisturbed = 20;
        c.seen = "2026-01-01T00:00:00Z";
        c.source = "probe";
        c.top = {max, max, max};
        c.occasions = {1, max, {}, c.seen, 20};
        machine.ceilings.push_back(std::move(c));
    };
    for (int i = 0; i < 54; ++i) {
        Conditions when;
        when.width_bits = 128 << (i % 3);
        when.chains = 1 + i / 6;
        when.threads = 1 + i % 2;
        add(Resource::compute, when, 1e10 * (1 + i % 7));
    }
    for (int i = 0; i < 460; ++i) {
        Conditions when;
        when.footprint = Bytes{std::ldexp(16384.0, i / 40)};
        when.streams = 1 + i % 20;
        when.threads = 1 + (i / 20) % 2;
        add(Resource::bandwidth, when, 1e10 * (1 + i % 5));
    }
    return machine;
}

TuneResult simulated_result() {
    TuneResult result;
    result.family = "matmul";
    result.dtype = "f64";
    result.state = "warm";
    result.default_ratio = {1.5, 1.4, 1.6, 1.4, 10};
    result.seconds = {1e-3, 0.9e-3, 1.1e-3, 0.9e-3, 10};
    result.certificate.stopped_by = "epsilon";
    result.certificate.measured = 100;
    return result;
}

SetTask::Values simulated_winner(std::size_t i) {
    return {{"method", "tiled"}, {"simd", "512"},         {"tile", std::to_string(i) + "x3"},
            {"threads", "2"},    {"loop", "2d"},          {"kc", "256"},
            {"unroll", "4"},     {"pack_a", "1"},         {"pack_b", "1"},
            {"mc", "96"},        {"nc", "1024"},          {"order", "b_outer"},
            {"ahead", "0"},      {"prefetch_c", "false"}, {"pages", "huge"}};
}

JobList simulated_jobs(std::size_t problems) {
    static const Registry registry = built_in_families();
    JobList list;
    list.name = "simulated";
    list.jobs.resize(problems);
    for (std::size_t i = 0; i < problems; ++i) {
        list.jobs[i].family = registry.find("matmul");
        list.jobs[i].problem = {
            {"m", std::to_string(i + 1)}, {"n", "512"}, {"k", "512"}, {"dtype", "f64"}, {"beta", "0"}};
    }
    return list;
}

std::vector<ProblemSketch> simulated_sketches(const SimulatedSettings& settings) {
    std::mt19937_64 random(settings.seed);
    std::uniform_real_distribution<double> size(6.0, 12.0);
    std::bernoulli_distribution either(0.5);
    std::vector<ProblemSketch> sketches(settings.problems);
    for (std::size_t i = 0; i < sketches.size(); ++i) {
        sketches[i].group = "group " + std::to_string(i % settings.groups);
        sketches[i].names = {"log2(m)", "log2(n)", "log2(k)", "2*transa", "2*transb", "beta!=0"};
        const auto of_two = [&](double value) { return either(random) ? value : 0.0; };
        sketches[i].features = {size(random), size(random), size(random),
                                of_two(2.0),  of_two(2.0),  of_two(1.0)};
        sketches[i].digest = std::to_string(i);
    }
    return sketches;
}

}  // namespace rooftune::test
