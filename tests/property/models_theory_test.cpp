// Properties of the theory beyond the bound: the roofline's shape, workloads on machines at random, split and
// fused work, collectives, offloading, the estimate of ECM.
#include <algorithm>

#include "models/ecm.h"
#include "models/fusion.h"
#include "models/offload.h"
#include "models/roofline.h"
#include "models/sharded_matmul.h"
#include "models/workload.h"
#include "tests/support/catch.h"
#include "tests/support/published.h"
#include "tests/support/random_models.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

constexpr int kTheoryCases = 2000;
constexpr double kTheoryUlps = 1e-12;

std::string text(double value) {
    char buffer[32];
    std::snprintf(buffer, sizeof buffer, "%.17g", value);
    return buffer;
}

Roofline roofline(RandomModels& random) {
    return {OperationsPerSecond(random.real(1e9, 1e15)), BytesPerSecond(random.real(1e9, 1e13))};
}

/// A spec of a kind with each size at random.
WorkloadSpec spec_of(const WorkloadKind& kind, RandomModels& random) {
    static const std::string kOperations[] = {"matmul+bias+gelu+matmul", "add+mul+relu", "softmax",
                                              "matmul+relu"};
    static const std::string kShards[] = {"m", "n", "k"};
    WorkloadSpec spec;
    for (const WorkloadKey& key : kind.keys()) {
        if (key.size && key.name != "bytes") spec[key.name] = text(random.real(1.0, 1e5));
        if (key.name == "ops") spec[key.name] = random.pick(kOperations);
        if (key.name == "shard") spec[key.name] = random.pick(kShards);
        if (key.name == "wiring" && random.chance(0.5)) spec[key.name] = "port";
        if (key.name == "output" && random.chance(0.5)) spec[key.name] = "whole";
    }
    spec["dtype"] = "bf16";
    if (random.chance(0.5)) spec["state"] = "warm";
    return spec;
}

}  // namespace

TEST_CASE("property: the roofline is concave, its serial form between half of it and all of it") {
    RandomModels random(21);
    for (int i = 0; i < kTheoryCases; ++i) {
        const Roofline roof = roofline(random);
        const Intensity a(random.real(1e-3, 1e5));
        const Intensity b(a.value * random.real(1.0, 1e3));
        REQUIRE(roof.attainable(a) <= roof.attainable(b));
        REQUIRE(roof.attainable(a) <= roof.peak);
        REQUIRE(roof.attainable(a).value <= roof.bandwidth.value * a.value);
        const double middle = roof.attainable(Intensity(0.5 * (a.value + b.value))).value;
        REQUIRE(middle >= 0.5 * (roof.attainable(a).value + roof.attainable(b).value) * (1.0 - kTheoryUlps));
        const double overlap = roof.attainable_serial(a) / roof.attainable(a);
        REQUIRE(overlap >= 0.5 * (1.0 - kTheoryUlps));
        REQUIRE(overlap <= 1.0 + kTheoryUlps);
        REQUIRE(roof.attainable_serial(roof.ridge()) / roof.peak == Approx(0.5));
        const Operations f(random.real(1.0, 1e15));
        const Bytes q(f.value / a.value);
        REQUIRE((f / roof.lower(f, q)).value == Approx(roof.attainable(a).value));
        REQUIRE((f / roof.serial(f, q)).value == Approx(roof.attainable_serial(a).value));
    }
}

TEST_CASE("property: an optimisation outside its region costs nothing, inside at least something") {
    RandomModels random(22);
    for (int i = 0; i < kTheoryCases; ++i) {
        const Roofline roof = roofline(random);
        std::vector<MissingCeiling> ceilings;
        for (int n = random.below(5); n > 0; --n) {
            const bool memory = random.chance(0.5);
            ceilings.push_back(
                {"c", memory, (memory ? roof.bandwidth.value : roof.peak.value) * random.real(0.01, 1.0)});
        }
        const Intensity at(roof.ridge().value * random.real(1e-3, 1e3));
        const PayingRegion region = paying_region(roof, ceilings, at);
        const auto costs = missing_costs(roof, ceilings, at);
        REQUIRE(costs.size() == ceilings.size());
        for (std::size_t c = 0; c < costs.size(); ++c) {
            REQUIRE(costs[c].factor >= 1.0);
            if (c > 0) REQUIRE(costs[c].factor <= costs[c - 1].factor);
            const bool pays =
                region == PayingRegion::both ||
                region == (costs[c].ceiling.memory ? PayingRegion::memory : PayingRegion::compute);
            if (!pays) REQUIRE(costs[c].factor == 1.0);
        }
    }
}

TEST_CASE("property: a larger size never takes less time, and what is reported of it is consistent") {
    RandomModels random(23);
    const Machine tpu = tpu_v5e();
    int grown = 0;
    for (int i = 0; i < kTheoryCases; ++i) {
        const WorkloadKind& kind = *workload_kinds()[static_cast<std::size_t>(
            random.below(static_cast<int>(workload_kinds().size())))];
        Machine measured = random.machine();
        for (Ceiling& c : measured.ceilings) c.when.dtype = DType::bf16;
        const Machine& m = random.chance(0.5) ? tpu : measured;
        WorkloadSpec spec = spec_of(kind, random);
        const Workload before = kind.make(spec);
        const WorkloadBound at = bound_workload(before, m);
        REQUIRE(at.attainable >= at.attainable_serial);
        REQUIRE(at.attainable <= 2.0 * at.attainable_serial * (1.0 + kTheoryUlps));
        REQUIRE(at.intensity_low <= at.intensity);
        for (const LevelUse& use : at.hierarchy.levels) {
            REQUIRE(use.seconds.value <= at.bound.seconds_lower.value * (1.0 + kTheoryUlps));
        }
        if (at.peak > 0.0 && at.attainable > 0.0) {
            REQUIRE(at.attainable <= at.peak * before.devices * (1.0 + 1e-9));
        }
        if (kind.name() == "matmul") continue;  // more devices take less time: see below
        for (const WorkloadKey& key : kind.keys()) {
            // What makes the work smaller as it grows: fused steps, longer chunks, larger blocks.
            if (!key.size || spec.count(key.name) == 0 || key.name == "fuse" || key.name == "chunk" ||
                key.name == "r" || key.name == "c") {
                continue;
            }
            WorkloadSpec larger = spec;
            larger[key.name] = text(std::stod(spec[key.name]) * random.real(1.0, 10.0));
            const WorkloadBound after = bound_workload(kind.make(larger), m);
            REQUIRE(after.bound.seconds_lower.value >= at.bound.seconds_lower.value * (1.0 - kTheoryUlps));
            ++grown;
        }
    }
    CHECK(grown > kTheoryCases);
}

TEST_CASE("property: at a critical size computing takes as long as the rest") {
    RandomModels random(24);
    const WorkloadKind& matmul = *find_workload("matmul");
    int solved = 0;
    for (int i = 0; i < kTheoryCases / 10; ++i) {
        Machine m = tpu_v5e();
        m.ceilings[0].max = random.real(1e12, 1e15);
        m.ceilings[1].max = random.real(1e10, 1e13);
        WorkloadSpec spec = spec_of(matmul, random);
        static const std::string kSizes[] = {"m", "n", "k"};
        const std::string size = random.pick(kSizes);
        const auto critical = solve_critical_size(matmul, spec, size, m);
        if (!critical) continue;
        ++solved;
        const auto ratio = [&](double factor) {
            spec[size] = text(critical->value * factor);
            double compute = 0.0;
            double others = 0.0;
            for (const Term& t : bound_workload(matmul.make(spec), m).bound.terms) {
                double& side = t.kind == TermKind::compute ? compute : others;
                side = std::max(side, t.seconds.value);
            }
            return compute / others;
        };
        REQUIRE(ratio(1.0) == Approx(1.0).epsilon(1e-9));
        REQUIRE((ratio(1.01) > 1.0) == critical->compute_bound_above);
        REQUIRE((ratio(0.99) < 1.0) == critical->compute_bound_above);
    }
    CHECK(solved > kTheoryCases / 100);
}

TEST_CASE("property: fusing moves less and computes the same") {
    RandomModels random(25);
    const std::vector<ChainOperation>& operations = chain_operations();
    for (int i = 0; i < kTheoryCases; ++i) {
        std::vector<ChainStep> steps;
        double columns = random.real(1.0, 1e4);
        const double rows = random.real(1.0, 1e4);
        for (int n = 1 + random.below(6); n > 0; --n) {
            const ChainOperation& op =
                operations[static_cast<std::size_t>(random.below(static_cast<int>(operations.size())))];
            const double to = op.operand == ChainOperand::weights ? random.real(1.0, 1e4) : columns;
            steps.push_back({&op, rows, columns, to, random.chance(0.3)});
            columns = to;
        }
        const ChainKernel before = chain_total(chain_kernels(steps, 4.0));
        const std::size_t joint = static_cast<std::size_t>(random.below(static_cast<int>(steps.size())));
        std::vector<ChainStep> more = steps;
        more[joint].fused_with_next = true;
        const ChainKernel after = chain_total(chain_kernels(more, 4.0));
        REQUIRE(after.flops.value == Approx(before.flops.value));
        const bool joins = joint + 1 < steps.size() && !steps[joint].fused_with_next;
        const double saved = joins ? 2.0 * 4.0 * rows * steps[joint].to : 0.0;
        REQUIRE((after.reads + after.writes).value + saved ==
                Approx((before.reads + before.writes).value).epsilon(1e-9));
        REQUIRE(after.operands.value == Approx(before.operands.value));
        const Roofline roof = roofline(random);
        REQUIRE(seconds_in_sequence(chain_kernels(more, 4.0), roof).value <=
                seconds_in_sequence(chain_kernels(steps, 4.0), roof).value * (1.0 + kTheoryUlps));
    }
}

TEST_CASE("property: an all-reduce is a reduce-scatter and an all-gather, and no device receives less") {
    RandomModels random(26);
    for (int i = 0; i < kTheoryCases; ++i) {
        const double p = std::floor(random.real(1.0, 1000.0));
        const Bytes v(random.real(1.0, 1e12));
        const Links links{.each_way = BytesPerSecond(random.real(1e9, 1e12)),
                          .latency = Seconds(random.chance(0.5) ? 0.0 : random.real(1e-7, 1e-5)),
                          .wiring = random.chance(0.5) ? Wiring::ring : Wiring::port};
        const auto moved = [&](Collective c) { return exchanged(c, p, v, links.wiring).value; };
        REQUIRE(moved(Collective::all_reduce) ==
                Approx(moved(Collective::all_gather) + moved(Collective::reduce_scatter)));
        // Two links at most bring what a device lacks.
        REQUIRE(2.0 * moved(Collective::all_gather) >= v.value * (1.0 - 1.0 / p) * (1.0 - kTheoryUlps));
        REQUIRE(exchanged(Collective::all_gather, p, v, Wiring::ring) <=
                exchanged(Collective::all_gather, p, v, Wiring::port));
        REQUIRE(seconds(Collective::all_reduce, p, v, links) >= seconds(Collective::all_gather, p, v, links));
        const Bytes larger(v.value * random.real(1.0, 10.0));
        REQUIRE(seconds(Collective::all_gather, p, larger, links) >=
                seconds(Collective::all_gather, p, v, links));
    }
}

TEST_CASE("property: a split product shares its flops, and its parts hold at least the whole") {
    RandomModels random(27);
    for (int i = 0; i < kTheoryCases; ++i) {
        const MatmulShape whole{random.real(1.0, 1e5), random.real(1.0, 1e5), random.real(1.0, 1e5)};
        const MatmulElements e{2.0, 1.0, 4.0};
        static constexpr MatmulDimension kAlong[] = {MatmulDimension::none, MatmulDimension::m,
                                                     MatmulDimension::n, MatmulDimension::k};
        const MatmulSharding how{.along = random.pick(kAlong),
                                 .devices = std::floor(random.real(1.0, 100.0)),
                                 .wiring = random.chance(0.5) ? Wiring::ring : Wiring::port,
                                 .gather_operand = random.chance(0.5),
                                 .whole_result = random.chance(0.5)};
        const ShardedMatmul part = shard(whole, e, how);
        const double parts = how.along == MatmulDimension::none ? 1.0 : how.devices;
        REQUIRE(part.mine.flops() * parts == Approx(whole.flops()));
        const auto bytes = [&](const MatmulShape& s) {
            return (s.a_bytes(e) + s.b_bytes(e) + s.c_bytes(e)).value;
        };
        REQUIRE(bytes(part.mine) * parts >= bytes(whole) * (1.0 - kTheoryUlps));
        REQUIRE(part.gathered.value <= bytes(part.mine));
        if (parts == 1.0) REQUIRE(part.exchanged().value == 0.0);
    }
}

TEST_CASE("property: offloading pays from its break-even on and not before") {
    RandomModels random(28);
    int pays = 0;
    for (int i = 0; i < kTheoryCases; ++i) {
        Offload o;
        o.on_host = Seconds(random.real(1e-6, 1.0));
        o.on_device = Seconds(random.real(1e-6, 1.0));
        o.in = Bytes(random.real(1.0, 1e10));
        o.out = Bytes(random.real(1.0, 1e10));
        o.to_device = BytesPerSecond(random.real(1e9, 1e11));
        o.from_device = BytesPerSecond(random.real(1e9, 1e11));
        o.launch = Seconds(random.real(1e-7, 1e-4));
        o.both_ways = random.chance(0.5);
        const double n = random.real(1.0, 1e6);
        REQUIRE(o.overlapped(n) <= o.serial(n));
        REQUIRE(o.serial(n).value <= 3.0 * o.overlapped(n).value * (1.0 + kTheoryUlps));
        const auto even = o.break_even();
        REQUIRE(even.has_value() == (o.on_device + o.launch < o.on_host));
        if (!even) continue;
        ++pays;
        REQUIRE(o.serial(*even * 1.01) < o.on_host * (*even * 1.01));
        REQUIRE(o.serial(*even * 0.99) > o.on_host * (*even * 0.99));
    }
    CHECK(pays > kTheoryCases / 10);
}

TEST_CASE("property: ECM's estimate is never below the longest of its parts, nor above their sum") {
    RandomModels random(29);
    for (int i = 0; i < kTheoryCases; ++i) {
        EcmInput in{random.real(0.1, 100.0), random.real(0.1, 100.0), {}};
        double sum = in.overlapping + in.loads;
        double longest = std::max(in.overlapping, in.loads);
        for (int n = random.below(4); n > 0; --n) {
            in.transfers.push_back(random.real(0.1, 100.0));
            sum += in.transfers.back();
            longest = std::max(longest, in.transfers.back());
        }
        REQUIRE(ecm_time(in) >= longest);
        REQUIRE(ecm_time(in) <= sum);
        for (std::size_t n = 0; n < in.transfers.size(); ++n) {
            REQUIRE(ecm_time_from(in, n) <= ecm_time_from(in, n + 1));
        }
        if (in.transfers.empty()) continue;
        const double cores = ecm_saturation(in);
        REQUIRE(cores >= 1.0);
        REQUIRE(ecm_time_on(in, cores) == in.transfers.back());
        if (cores > 1.0) REQUIRE(ecm_time_on(in, cores - 1.0) > in.transfers.back());
    }
}
