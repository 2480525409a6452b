// Devices and links, sharded products, offloading, fusion, and the estimate of ECM.
#include "models/ecm.h"
#include "models/fusion.h"
#include "models/offload.h"
#include "models/sharded_matmul.h"
#include "models/workload.h"
#include "tests/support/catch.h"
#include "tests/support/published.h"

using namespace rooftune;
using namespace rooftune::test;

TEST_CASE("collectives: bytes of a device's busiest link") {
    const Bytes v(1200.0);
    for (const Wiring wiring : {Wiring::ring, Wiring::port}) {
        CHECK(exchanged(Collective::all_gather, 1.0, v, wiring).value == 0.0);
        CHECK(exchanged(Collective::all_gather, 2.0, v, wiring).value == 600.0);
        CHECK(exchanged(Collective::all_reduce, 2.0, v, wiring).value == 1200.0);
        CHECK(exchanged(Collective::reduce_scatter, 4.0, v, wiring) ==
              exchanged(Collective::all_gather, 4.0, v, wiring));
    }
    CHECK(exchanged(Collective::all_gather, 4.0, v, Wiring::port).value == 900.0);
    CHECK(exchanged(Collective::all_gather, 4.0, v, Wiring::ring).value == 450.0);
    // A ring of very many devices moves the array at both links' rate, however many they are.
    CHECK(exchanged(Collective::all_gather, 1e9, v, Wiring::ring).value == Approx(600.0));
}

TEST_CASE("collectives: a small array waits for hops, a large one for bytes") {
    const Links links{.each_way = BytesPerSecond(1e9), .latency = Seconds(1e-6)};
    CHECK(hops(Collective::all_gather, 2.0, Wiring::ring) == 1.0);
    CHECK(hops(Collective::all_gather, 8.0, Wiring::ring) == 4.0);
    CHECK(hops(Collective::all_gather, 8.0, Wiring::port) == 1.0);
    CHECK(hops(Collective::all_reduce, 8.0, Wiring::ring) == 8.0);
    CHECK(seconds(Collective::all_gather, 8.0, Bytes(8.0), links).value == Approx(4e-6));
    CHECK(seconds(Collective::all_gather, 8.0, Bytes(16e6), links).value == Approx(7e-3));
    CHECK(seconds(Collective::all_gather, 1.0, Bytes(16e6), links).value == 0.0);
}

TEST_CASE("sharded products: every split shares the flops, and only some exchange") {
    const MatmulShape whole{64.0, 128.0, 256.0};
    const MatmulElements bf16{2.0, 2.0, 2.0};
    for (const auto along : {MatmulDimension::m, MatmulDimension::n, MatmulDimension::k}) {
        for (const double p : {1.0, 2.0, 8.0}) {
            const ShardedMatmul part = shard(whole, bf16, {.along = along, .devices = p});
            CHECK(part.mine.flops() * p == whole.flops());
        }
    }
    CHECK(shard(whole, bf16, {.along = MatmulDimension::m, .devices = 4.0}).exchanged().value == 0.0);
    CHECK(shard(whole, bf16, {.along = MatmulDimension::n, .devices = 4.0}).exchanged().value == 0.0);

    // Gathered: the operand that each needs whole. B along m, A along n.
    const MatmulSharding gathered_m{.along = MatmulDimension::m, .devices = 2.0, .gather_operand = true};
    CHECK(shard(whole, bf16, gathered_m).exchanged().value == 0.5 * 2.0 * 256.0 * 128.0);
    CHECK(shard(whole, bf16, gathered_m).gathered.value == 0.5 * 2.0 * 256.0 * 128.0);
    const MatmulSharding gathered_n{.along = MatmulDimension::n, .devices = 2.0, .gather_operand = true};
    CHECK(shard(whole, bf16, gathered_n).exchanged().value == 0.5 * 2.0 * 64.0 * 256.0);

    // Along k the sums are exchanged: twice as much where everybody needs them.
    const MatmulSharding parts{.along = MatmulDimension::k, .devices = 2.0};
    const MatmulSharding all{.along = MatmulDimension::k, .devices = 2.0, .whole_result = true};
    CHECK(shard(whole, bf16, parts).exchanged().value == 0.5 * 2.0 * 64.0 * 128.0);
    CHECK(shard(whole, bf16, all).exchanged().value == 2.0 * 64.0 * 128.0);
}

TEST_CASE("sharded products: the closed form, the times and the solver agree") {
    const MatmulElements bf16{2.0, 2.0, 2.0};
    const OperationsPerSecond peak(1.97e14);
    const BytesPerSecond each_way(4.5e10);
    for (const double p : {2.0, 4.0, 16.0}) {
        for (const bool whole : {false, true}) {
            for (const Wiring wiring : {Wiring::ring, Wiring::port}) {
                const MatmulSharding how{
                    .along = MatmulDimension::k, .devices = p, .wiring = wiring, .whole_result = whole};
                const double k = critical_k(bf16, how, peak, each_way);
                const Links links{.each_way = each_way, .wiring = wiring};
                const auto times = [&](double size) {
                    return seconds({512.0, 2048.0, size}, bf16, how, peak, links);
                };
                CHECK(times(k * 1.0001).compute_bound());
                CHECK_FALSE(times(k * 0.9999).compute_bound());
                const auto solved = solve_critical_size(*find_workload("matmul"),
                                                        {{"m", "1e12"},
                                                         {"n", "1e12"},
                                                         {"dtype", "bf16"},
                                                         {"links", std::to_string(p)},
                                                         {"shard", "k"},
                                                         {"output", whole ? "whole" : "parts"},
                                                         {"wiring", std::string(to_text(wiring))}},
                                                        "k", tpu_v5e());
                REQUIRE(solved);
                CHECK(solved->value == Approx(k).epsilon(1e-9));
            }
        }
    }
    CHECK(critical_k(bf16, {.along = MatmulDimension::k, .devices = 2.0, .whole_result = true}, peak,
                     each_way) == Approx(8755.6).epsilon(1e-5));
}

TEST_CASE("offload: transfers are earned back by repetitions, or never") {
    Offload o;
    o.on_host = Seconds(10.0);
    o.on_device = Seconds(2.0);
    o.in = Bytes(3e9);
    o.out = Bytes(1e9);
    o.to_device = o.from_device = BytesPerSecond(1e8);
    CHECK(o.serial(1.0).value == 42.0);
    CHECK(o.overlapped(1.0).value == 30.0);
    CHECK(o.overlapped(100.0).value == 200.0);
    o.both_ways = false;
    CHECK(o.overlapped(1.0).value == 40.0);
    REQUIRE(o.break_even());
    CHECK(*o.break_even() == 5.0);
    CHECK(o.serial(*o.break_even()).value == o.on_host.value * 5.0);
    o.launch = Seconds(8.0);
    CHECK_FALSE(o.break_even());
    o.on_device = Seconds(20.0);
    CHECK_FALSE(o.break_even());
}

namespace {

Workload chain(const std::string& ops, const std::string& fused, const WorkloadSpec& more = {}) {
    WorkloadSpec spec{{"ops", ops}, {"fused", fused}, {"m", "1000"}, {"n", "100"}, {"dtype", "f32"}};
    spec.insert(more.begin(), more.end());
    return find_workload("chain")->make(spec);
}

double bytes_of(const Workload& w) {
    return (w.work.traffic.reads + w.work.traffic.writes).value;
}

}  // namespace

TEST_CASE("fusion: arrays between element-by-element steps need not move") {
    const double array = 4.0 * 1000.0 * 100.0;
    // relu, scale, relu: each reads and writes once; fused, one read and one write are left.
    CHECK(bytes_of(chain("relu+scale+relu", "none")) == 6.0 * array);
    CHECK(bytes_of(chain("relu+scale+relu", "1")) == 4.0 * array);
    CHECK(bytes_of(chain("relu+scale+relu", "2")) == 4.0 * array);
    CHECK(bytes_of(chain("relu+scale+relu", "1+2")) == 2.0 * array);
    CHECK(bytes_of(chain("relu+scale+relu", "all")) == 2.0 * array);
    CHECK(chain("relu+scale+relu", "all").flops == chain("relu+scale+relu", "none").flops);
    // add and mul read another array each, fused or not.
    CHECK(bytes_of(chain("add+mul+relu", "none")) == 8.0 * array);
    CHECK(bytes_of(chain("add+mul+relu", "all")) == 4.0 * array);
    CHECK(chain("add+mul+relu", "all").title == "chain add+mul+relu on 1000 rows, f32");
    CHECK(chain("add+mul+relu", "1").title == "chain add+mul / relu on 1000 rows, f32");
    CHECK(bytes_of(chain("relu", "all")) == 2.0 * array);
}

TEST_CASE("fusion: a layer of a network, by hand") {
    // m×k · k×n, bias of n, gelu, then n×k back: f32, m = 1000, n = 100, k = 40.
    const WorkloadSpec k{{"k", "40"}};
    const double x = 1000.0 * 40.0, hidden = 1000.0 * 100.0, weights = 40.0 * 100.0;
    const Workload none = chain("matmul+bias+gelu+matmul", "none", k);
    CHECK(none.flops.value == 2.0 * 2.0 * 1000.0 * 40.0 * 100.0 + hidden * 10.0);
    CHECK(none.work.traffic.reads.value ==
          4.0 * (x + weights + (hidden + 100.0) + hidden + hidden + weights));
    CHECK(none.work.traffic.writes.value == 4.0 * (3.0 * hidden + x));
    const Workload two = chain("matmul+bias+gelu+matmul", "1+2", k);
    CHECK(bytes_of(two) == 4.0 * (x + weights + 100.0 + hidden + hidden + weights + x));
    const Workload all = chain("matmul+bias+gelu+matmul", "all", k);
    CHECK(bytes_of(all) == 4.0 * (x + 2.0 * weights + 100.0 + x));
    CHECK(all.flops == none.flops);
}

TEST_CASE("fusion: kernels one after the other take at least as long as their sum may") {
    const Roofline roof{OperationsPerSecond(1e12), BytesPerSecond(1e11)};
    const ChainOperation& matmul = *find_chain_operation("matmul");
    const ChainOperation& relu = *find_chain_operation("relu");
    const std::vector<ChainKernel> kernels =
        chain_kernels({{&matmul, 512, 512, 512, false}, {&relu, 512, 512, 512, false}}, 4.0);
    REQUIRE(kernels.size() == 2);
    const ChainKernel sum = chain_total(kernels);
    CHECK(seconds_in_sequence(kernels, roof) >= roof.lower(sum.flops, sum.reads + sum.writes));
    CHECK(kernels[1].operands.value == 0.0);
}

TEST_CASE("fusion: what cannot be read is refused with its key") {
    const auto key_of = [](const std::string& ops, const std::string& fused) {
        try {
            chain(ops, fused);
        } catch (const WorkloadError& e) {
            return e.key;
        }
        return std::string("nothing");
    };
    CHECK(key_of("matmull+bias", "none") == "ops");
    CHECK(key_of("", "none") == "ops");
    CHECK(key_of("add++mul", "none") == "ops");
    CHECK(key_of("add+mul", "2") == "fused");
    CHECK(key_of("add+mul", "0") == "fused");
    CHECK(key_of("add+mul", "1+x") == "fused");
    CHECK(key_of("add", "1") == "fused");
    CHECK(key_of("add+mul", "1") == "nothing");
}

TEST_CASE("ECM: a two-dimensional 5-point stencil on Sandy Bridge") {
    // Inputs in cycles a cache line as kerncraft publishes them with its example 2d-5pt (2d-5pt.testcases):
    // overlapping 8, loads 6, then L1–L2, L2–L3 and L3–memory as the row length breaks one layer condition
    // after another. The time of a line from memory is the sum, since transfers exclude each other here.
    struct Row {
        double l1_l2, l2_l3, l3_memory, time, saturation;
    };
    for (const Row& row :
         {Row{6, 6, 13, 31, 3}, Row{10, 6, 13, 35, 3}, Row{10, 10, 13, 39, 3}, Row{10, 10, 22, 48, 3}}) {
        const EcmInput in{8.0, 6.0, {row.l1_l2, row.l2_l3, row.l3_memory}};
        CHECK(ecm_time(in) == row.time);
        CHECK(ecm_saturation(in) == row.saturation);
        CHECK(ecm_time_from(in, 0) == 8.0);  // in the first cache arithmetic takes longest
        CHECK(ecm_time_from(in, 1) == 6.0 + row.l1_l2);
        CHECK(ecm_time_on(in, 1.0) == row.time);
        CHECK(ecm_time_on(in, 100.0) == row.l3_memory);
    }
    CHECK(ecm_time({50.0, 6.0, {10.0, 6.0, 13.0}}) == 50.0);
    CHECK(ecm_saturation({50.0, 6.0, {}}) == 0.0);
}
