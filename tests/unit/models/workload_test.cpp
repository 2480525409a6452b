// Workloads as a user writes them: every kind with its defaults, what is refused and why, and the solver's
// corners. Values of published examples are in golden_values_test.cpp.
#include "models/workload.h"

#include <cmath>
#include <set>

#include "tests/support/catch.h"
#include "tests/support/full_machine.h"
#include "tests/support/published.h"
#include "tests/support/toy.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// A spec that makes each kind with as little as it needs.
WorkloadSpec least_spec(const WorkloadKind& kind) {
    WorkloadSpec spec;
    for (const WorkloadKey& key : kind.keys()) {
        if (key.fallback.empty()) spec[key.name] = key.size ? "64" : "add+relu";
    }
    return spec;
}

WorkloadError refused(const std::string& kind, const WorkloadSpec& spec) {
    try {
        find_workload(kind)->make(spec);
    } catch (const WorkloadError& e) {
        return e;
    }
    return {"nothing", ""};
}

WorkloadBound bound(const std::string& kind, const WorkloadSpec& spec, const Machine& machine) {
    return bound_workload(find_workload(kind)->make(spec), machine);
}

}  // namespace

TEST_CASE("every kind has a name, words for its keys, and works with the least that it needs") {
    std::set<std::string_view> names;
    for (const WorkloadKind* kind : workload_kinds()) {
        INFO(kind->name());
        CHECK(names.insert(kind->name()).second);
        CHECK(find_workload(kind->name()) == kind);
        CHECK_FALSE(kind->summary().empty());
        std::set<std::string> keys;
        for (const WorkloadKey& key : kind->keys()) {
            CHECK(keys.insert(key.name).second);
            CHECK_FALSE(key.help.empty());
        }
        for (const std::string common : {"dtype", "unit", "sparse", "state"}) CHECK(keys.contains(common));

        const Workload w = kind->make(least_spec(*kind));
        CHECK_FALSE(w.title.empty());
        CHECK(w.dtype == DType::f64);
        CHECK(w.devices == 1.0);
        CHECK(w.work.traffic.state == State::warm);
        CHECK(w.flops.value == w.work.total.ops.value);
        for (const TrafficPart& part : w.extra) {
            CHECK(part.bytes.value > 0.0);
            CHECK_FALSE(part.cure.empty());
        }
        CHECK(w.footprint.value >= 0.0);
        // In half the bits, half the bytes.
        WorkloadSpec half = least_spec(*kind);
        half["dtype"] = "f32";
        CHECK(kind->make(half).work.traffic.writes.value == w.work.traffic.writes.value / 2.0);
    }
    CHECK(names.size() == 9);
    CHECK(find_workload("gemm") == nullptr);
}

TEST_CASE("every size of every kind may be zero, huge or a fraction where it makes sense") {
    const Machine m = tpu_v5e();
    for (const WorkloadKind* kind : workload_kinds()) {
        for (const WorkloadKey& key : kind->keys()) {
            if (!key.size) continue;
            for (const std::string value : {"0", "1e15", "1.5"}) {
                INFO(kind->name() << " " << key.name << "=" << value);
                WorkloadSpec spec = least_spec(*kind);
                spec[key.name] = value;
                spec["dtype"] = "bf16";
                try {
                    const WorkloadBound b = bound_workload(kind->make(spec), m);
                    CHECK(std::isfinite(b.bound.seconds_lower.value));
                    CHECK(std::isfinite(b.attainable));
                    CHECK(std::isfinite(b.intensity));
                    CHECK(b.intensity_low <= b.intensity);
                    CHECK(b.attainable_serial <= b.attainable);
                } catch (const WorkloadError& e) {
                    CHECK(e.key == key.name);  // less than one device, one step, one row of a block
                    CHECK(value == "0");
                }
            }
        }
    }
}

TEST_CASE("what is wrong is named by its key") {
    for (const std::string bad :
         {"", "x", "1x", " 1", "1 ", "-1", "nan", "inf", "1e999", "0x10", "+1", "1,5"}) {
        INFO("'" << bad << "'");
        CHECK(refused("dot", {{"n", bad}}).key == "n");
    }
    CHECK(refused("dot", {}).key == "n");
    CHECK(refused("dot", {}).message.find("needed") != std::string::npos);
    CHECK(refused("dot", {{"n", "1"}, {"dtype", "double"}}).key == "dtype");
    CHECK(refused("dot", {{"n", "1"}, {"dtype", "double"}}).message.find("f64") != std::string::npos);
    CHECK(refused("dot", {{"n", "1"}, {"state", "tepid"}}).message == "expected warm or cold, got 'tepid'");
    CHECK(refused("dot", {{"n", "1"}, {"sparse", "yes"}}).key == "sparse");
    CHECK(refused("matmul", {{"m", "n"}, {"n", "k"}, {"k", "m"}}).message.find("circle") !=
          std::string::npos);
    CHECK(refused("matmul", {{"m", "m"}, {"n", "1"}, {"k", "1"}}).key == "m");
    CHECK(refused("matmul", {{"m", "1"}, {"n", "1"}, {"k", "1"}, {"links", "0.5"}}).key == "links");
    CHECK(
        refused("matmul", {{"m", "1"}, {"n", "1"}, {"k", "1"}, {"links", "2"}, {"inputs", "gathered"}}).key ==
        "inputs");
    CHECK(refused("stencil", {{"nx", "8"}, {"points", "9"}}).message == "expected 7 or 27, got '9'");
    CHECK(refused("work", {{"bytes", "8"}, {"reads", "8"}}).key == "bytes");
    CHECK(refused("spmv", {{"rows", "8"}, {"nnz", "8"}, {"format", "coo"}}).key == "format");
}

TEST_CASE("a size may be another's name: square products, and solved for together") {
    const Workload square = find_workload("matmul")->make({{"m", "n"}, {"n", "k"}, {"k", "100"}});
    CHECK(square.flops.value == 2e6);
    // A cold n×n product in f16 has intensity n/3: critical where that is the ridge.
    const Machine m = published_machine(DType::f16, 3e14, 1e12);
    const auto n =
        solve_critical_size(*find_workload("matmul"), {{"m", "k"}, {"n", "k"}, {"dtype", "f16"}}, "k", m);
    REQUIRE(n);
    CHECK(n->value == Approx(900.0).epsilon(1e-12));
}

TEST_CASE("the solver: both sides of the value, the direction, and when there is none") {
    const Machine m = tpu_v5e();
    const WorkloadKind& matmul = *find_workload("matmul");
    WorkloadSpec spec{{"n", "4096"}, {"k", "4096"}, {"dtype", "bf16"}};
    const auto b = solve_critical_size(matmul, spec, "m", m);
    REQUIRE(b);
    for (const auto& [factor, kind] : {std::pair{1.000001, TermKind::compute}, {0.999999, TermKind::both}}) {
        spec["m"] = std::to_string(b->value * factor);
        const Bound at = bound("matmul", spec, m).bound;
        const TermKind binding = at.terms[static_cast<std::size_t>(at.binding)].kind;
        CHECK((binding == TermKind::compute) == (kind == TermKind::compute));
    }
    // More bytes for the same flops: compute bound below the value.
    const auto bytes =
        solve_critical_size(*find_workload("work"), {{"flops", "1.97e14"}, {"dtype", "bf16"}}, "bytes", m);
    REQUIRE(bytes);
    CHECK(bytes->value == Approx(8.2e11));
    CHECK_FALSE(bytes->compute_bound_above);

    // Nothing computes, nothing moves, no roof for the type, or one side binds everywhere.
    CHECK_FALSE(solve_critical_size(*find_workload("work"), {{"flops", "0"}}, "bytes", m));
    CHECK_FALSE(solve_critical_size(*find_workload("work"), {{"dtype", "bf16"}}, "flops", m));
    spec["dtype"] = "f64";
    CHECK_FALSE(solve_critical_size(matmul, spec, "m", m));
    CHECK_FALSE(solve_critical_size(*find_workload("dot"), {{"dtype", "bf16"}}, "n", m));

    const auto refuses = [&](const std::string& size) {
        try {
            solve_critical_size(matmul, {{"n", "1"}, {"k", "1"}, {"m", "1"}}, size, m);
        } catch (const WorkloadError& e) {
            return e.key == size;
        }
        return false;
    };
    CHECK(refuses("dtype"));
    CHECK(refuses("q"));
}

TEST_CASE("links: the number of devices at which a split product stops paying") {
    const auto p = solve_critical_size(
        *find_workload("matmul"),
        {{"m", "1e6"}, {"n", "1e6"}, {"k", "1e6"}, {"dtype", "bf16"}, {"shard", "k"}, {"wiring", "port"}},
        "links", tpu_v5e());
    REQUIRE(p);
    CHECK_FALSE(p->compute_bound_above);
    // 2mnk/(pπ) = 2·(1 − 1/p)·2mn/W: p − 1 = kW/(2π).
    CHECK(p->value == Approx(1.0 + 1e6 * 4.5e10 / (2.0 * 1.97e14)));
}

TEST_CASE("what one device holds and moves when a product is split") {
    const WorkloadSpec spec{{"m", "100"},   {"n", "200"},   {"k", "400"},
                            {"links", "4"}, {"shard", "m"}, {"inputs", "gathered"}};
    const Workload w = find_workload("matmul")->make(spec);
    CHECK(w.devices == 4.0);
    CHECK(w.flops.value == 2.0 * 100 * 200 * 400);
    CHECK(w.work.total.ops.value == w.flops.value / 4.0);
    // Three quarters of B come over the links, and need not come from memory.
    CHECK(w.work.traffic.reads.value == 8.0 * (25 * 400 + 400 * 200 / 4.0));
    CHECK(w.work.exchanged.value == 8.0 * 400 * 200 * 0.75 / 2.0);
    CHECK(w.footprint.value == 8.0 * (25 * 400 + 400 * 200 + 25 * 200));
    REQUIRE(w.extra.size() == 1);
    CHECK(w.extra[0].bytes.value == 2.0 * 8.0 * 400 * 200 * 0.75);
    const WorkloadBound b =
        bound("matmul",
              {{"m", "1e3"}, {"n", "1e3"}, {"k", "1e3"}, {"links", "4"}, {"shard", "n"}, {"dtype", "bf16"}},
              tpu_v5e());
    CHECK(b.attainable <= 4.0 * b.peak * (1.0 + 1e-12));
    CHECK(b.attainable > b.peak);
}

TEST_CASE("a link may be asked for by name, and is refused with the names that there are") {
    Machine m = tpu_v5e();
    m.ceilings.push_back(published(Resource::link, 1e10, DType::f64, "pcie"));
    const auto seconds = [&](const std::string& link) {
        return bound("work", {{"link_bytes", "4.5e10"}, {"link", link}}, m).bound.seconds_lower.value;
    };
    CHECK(seconds("any") == 1.0);
    CHECK(seconds("ici") == 1.0);
    CHECK(seconds("pcie") == 4.5);
    try {
        seconds("nvlink");
        FAIL("nvlink was taken");
    } catch (const WorkloadError& e) {
        CHECK(e.key == "link");
        CHECK(e.message.find("ici, pcie") != std::string::npos);
    }
}

TEST_CASE("a peak that only ranks is an estimate, and one that excludes is none") {
    Machine machine;
    Conditions when;
    when.dtype = DType::int32;
    when.mix = Mix::add;
    machine.ceilings.push_back(toy::ceiling(Resource::compute, when, 100.0));
    machine.ceilings.back().excludes = false;
    const WorkloadKind& kind = *find_workload("work");
    const Workload integers = kind.make({{"flops", "1000"}, {"bytes", "0"}, {"dtype", "int32"}});
    const WorkloadBound ranked = bound_workload(integers, machine);
    CHECK(ranked.peak_is_estimate);
    CHECK(ranked.peak == 100.0);
    CHECK(ranked.bound.seconds_lower.value == 10.0);
    when.mix = Mix::none;
    machine.ceilings.push_back(toy::ceiling(Resource::compute, when, 50.0));
    const WorkloadBound proven = bound_workload(integers, machine);
    CHECK_FALSE(proven.peak_is_estimate);
    CHECK(proven.peak == 50.0);
    // Of another type nothing is known, and nothing is let in.
    CHECK_FALSE(bound_workload(kind.make({{"flops", "1"}, {"dtype", "int64"}}), machine).peak_is_estimate);
}

TEST_CASE("term ceilings are indices into the machine as it was handed over") {
    Machine m = tpu_v5e();
    m.ceilings.insert(m.ceilings.begin(), published(Resource::compute, 1e18, DType::bf16, "other"));
    m.ceilings[1].when.unit = "matrix";
    const WorkloadBound b = bound("work", {{"flops", "1e12"}, {"dtype", "bf16"}, {"unit", "matrix"}}, m);
    REQUIRE(b.bound.binding == 0);
    CHECK(b.bound.terms[0].ceiling == 1);
    CHECK(m.ceilings[0].excludes);
}

TEST_CASE("memory is the third limit: what does not fit is said") {
    const WorkloadBound b = bound("elementwise", {{"n", "1e9"}, {"dtype", "f64"}}, tpu_v5e());
    REQUIRE(b.memory_share);
    CHECK(*b.memory_share == 1.0);
    CHECK_FALSE(bound("elementwise", {{"n", "1"}}, published_machine(DType::f64, 1, 1)).memory_share);
}

TEST_CASE("a measured machine: all of its threads, its widest vectors, and traffic level by level") {
    Machine m = full_machine({.name = "balanced"}, {1, 2, 4});
    m.topology.threads = 4;
    m.topology.caches = {{.level = 1, .reported = Bytes(32768), .shared_by = 1},
                         {.level = 2, .reported = Bytes(1 << 20), .shared_by = 2}};
    const WorkloadBound b = bound("matmul", {{"m", "512"}, {"n", "512"}, {"k", "512"}}, m);
    CHECK(b.peak == Approx(6e9 * 2.0 * 8 * 4));
    REQUIRE(b.hierarchy.levels.size() == 3);
    // A schedule cannot avoid moving more near the core than at the outside, whatever it is.
    for (std::size_t i = 1; i < 3; ++i) {
        CHECK(b.hierarchy.levels[i].reads <= b.hierarchy.levels[i - 1].reads);
        CHECK(b.hierarchy.levels[i].seconds <= b.bound.seconds_lower);
    }
    // From memory come at least both factors, or what of them the caches cannot have kept.
    const WorkloadBound cold =
        bound("matmul", {{"m", "512"}, {"n", "512"}, {"k", "512"}, {"state", "cold"}}, m);
    CHECK(cold.hierarchy.levels.back().reads.value >= 2.0 * 8.0 * 512 * 512);
    CHECK(b.hierarchy.levels.back().reads < cold.hierarchy.levels.back().reads);

    // One thread was probed, but the machine has more: no guess.
    Machine one = full_machine({.name = "one thread"}, {1});
    one.topology.threads = 4;
    CHECK(bound("dot", {{"n", "1e6"}}, one).bound.terms.empty());
}

TEST_CASE("warm data may lie in a cache, cold data never does") {
    Machine m = full_machine({.name = "balanced"}, {1});
    m.topology.threads = 1;
    const auto seconds = [&](const std::string& state) {
        return bound("dot", {{"n", "1e6"}, {"state", state}}, m).bound.seconds_lower;
    };
    CHECK(seconds("warm") < seconds("cold"));
}

TEST_CASE("spmv: formats by their bytes an entry") {
    const auto reads = [](const WorkloadSpec& more) {
        WorkloadSpec spec{{"rows", "1000"}, {"nnz", "50000"}};
        spec.insert(more.begin(), more.end());
        return find_workload("spmv")->make(spec).work.traffic.reads.value;
    };
    const double x = 8.0 * 1000;
    CHECK(reads({}) == 12.0 * 50000 + 4.0 * 1001 + x);
    CHECK(reads({{"index", "16"}}) == 10.0 * 50000 + 4.0 * 1001 + x);
    CHECK(reads({{"format", "sell"}, {"chunk", "10"}, {"fill", "1.25"}}) == 15.0 * 50000 + 4.0 * 101 + x);
    CHECK(reads({{"format", "bcsr"}, {"r", "2"}, {"c", "4"}, {"fill", "1.5"}}) ==
          1.5 * 8.5 * 50000 + 4.0 * 501 + x);
    const Workload far = find_workload("spmv")->make({{"rows", "1000"}, {"nnz", "50000"}, {"alpha", "0.5"}});
    REQUIRE(far.extra.size() == 2);
    CHECK(far.extra[1].cause == TrafficCause::capacity);
    CHECK(far.extra[1].bytes.value == 8.0 * (25000.0 - 1000.0));
}

TEST_CASE("stencil: passes follow steps, and fusing steps saves them") {
    const auto make = [](const std::string& steps, const std::string& fuse) {
        return find_workload("stencil")->make(
            {{"nx", "10"}, {"points", "27"}, {"steps", steps}, {"fuse", fuse}});
    };
    CHECK(make("10", "1").flops.value == 30.0 * 1000 * 10);
    CHECK(make("10", "1").work.traffic.passes == 10.0);
    CHECK(make("10", "4").work.traffic.passes == 3.0);
    CHECK(make("10", "100").work.traffic.passes == 1.0);
    CHECK(make("10", "4").extra[0].bytes.value == 3.0 * 8000.0);
}
