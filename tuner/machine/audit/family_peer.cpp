#include "tuner/machine/audit/family_peer.h"

#include <algorithm>
#include <array>
#include <memory>

#include "kernels/registry.h"
#include "kernels/runtime/cpu.h"
#include "kernels/runtime/error.h"
#include "tuner/chart/phrases.h"
#include "tuner/machine/audit/windows.h"
#include "tuner/measure/judge.h"

namespace rooftune::audit {
namespace {

/// A problem at two sizes, one for a cache and one for memory.
struct Sample {
    const char* family;
    const char* kernel;
    const char* level;
    ProblemSpec spec;
    bool flops;  ///< judged by its flops; else by its bytes
};

const std::vector<Sample>& samples() {
    static const std::vector<Sample> all{
        {"matmul", "256³", "", {{"m", "256"}, {"n", "256"}, {"k", "256"}}, true},
        {"matmul", "1024³", "", {{"m", "1024"}, {"n", "1024"}, {"k", "1024"}}, true},
        {"spmv", "poisson27 16³", kSomeCache, {{"gen", "poisson27"}, {"nx", "16"}}, false},
        {"spmv", "poisson27 64³", "memory", {{"gen", "poisson27"}, {"nx", "64"}}, false},
        {"stencil",
         "7-point 40³",
         kSomeCache,
         {{"points", "7"}, {"nx", "40"}, {"ny", "40"}, {"nz", "40"}},
         false},
        {"stencil",
         "7-point 224³",
         "memory",
         {{"points", "7"}, {"nx", "224"}, {"ny", "224"}, {"nz", "224"}},
         false},
    };
    return all;
}

std::vector<Case> family_cases(const std::string& family, const PeerSetting& setting) {
    std::vector<Case> result;
    for (const Sample& sample : samples()) {
        if (family != sample.family) continue;
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const int threads : setting.thread_counts()) {
                Case c;
                c.peer = "rooftune " + family;
                c.kernel = sample.kernel;
                c.level = sample.level;
                c.dtype = dtype;
                c.threads = threads;
                c.whole_kernel = true;
                c.like = sample.flops ? Mix::fma : Mix::none;
                // Single precision and single threads take turns: they say little that is new.
                const int number = static_cast<int>(result.size());
                if (dtype == DType::f32 || threads == 1) c.turn = number % 3;
                result.push_back(std::move(c));
            }
        }
    }
    return result;
}

const Sample& sample_of(const Case& c) {
    for (const Sample& sample : samples()) {
        if (c.peer == std::string("rooftune ") + sample.family && c.kernel == sample.kernel) return sample;
    }
    throw EnvironmentError("there is no sample for " + describe(c));
}

Measurement measure_family(const Case& what, const std::vector<int>& cpus, double seconds) {
    const Sample& sample = sample_of(what);
    const Registry registry = built_in_families();
    const Family* family = registry.find(sample.family);
    if (!family) throw EnvironmentError(std::string("this build has no family ") + sample.family);
    const Target target = target_on(read_topology(), usable_widths(), static_cast<int>(cpus.size()));
    ProblemSpec spec = sample.spec;
    spec["dtype"] = to_text(what.dtype);
    const auto problem = family->problem(spec);
    const Space space = family->space(*problem, target);
    const Variant variant = family->default_variant(*problem, space, target);
    const Work work = family->work_model(*problem, space, target, State::warm)->work(variant);
    Team team(cpus);
    const auto bench = family->bench(*problem, space, target);
    const auto prepared = bench->prepare(variant, team);
    const std::array<std::uint64_t, 1> seeds{1};
    const rooftune::Correctness verdict = verify_answer(*prepared, *bench, team, seeds);
    Measurement m;
    if (!verdict.right) {
        m.outcome = Outcome::wrong;
        m.detail = verdict.detail;
        return m;
    }
    team.wake();
    m = fastest_window(
        [&](std::int64_t repetitions) {
            for (std::int64_t r = 0; r < repetitions; ++r) prepared->run();
        },
        seconds);
    m.detail = variant_assignment(space.to_map(variant));
    m.error = verdict.error;
    Amounts amounts;
    if (sample.flops) {
        amounts.flops = Operations(problem->flops_nominal());
    } else {
        amounts.read = work.traffic.reads * work.traffic.passes;
        amounts.written = work.traffic.writes * work.traffic.passes;
    }
    amounts.footprint = work.traffic.reads + work.traffic.writes;
    m.amounts = amounts;
    return m;
}

}  // namespace

std::vector<Peer> family_peers() {
    std::vector<Peer> peers;
    for (const char* family : {"matmul", "spmv", "stencil"}) {
        Peer peer;
        peer.name = std::string("rooftune ") + family;
        peer.cases = [family](const PeerSetting& setting) { return family_cases(family, setting); };
        peer.find = [] { return Found{true, "our own default variants"}; };
        peer.measure = measure_family;
        peers.push_back(std::move(peer));
    }
    return peers;
}

}  // namespace rooftune::audit
