// The golden values of the roofline model: published examples and what follows from them by arithmetic. Each
// is compared to the digits that its source gives.
#include <cmath>

#include "models/workload.h"
#include "tests/support/catch.h"
#include "tests/support/published.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

Workload make(const std::string& kind, const WorkloadSpec& spec) {
    return find_workload(kind)->make(spec);
}

WorkloadBound bound(const std::string& kind, const WorkloadSpec& spec, const Machine& machine) {
    return bound_workload(make(kind, spec), machine);
}

double critical(const std::string& kind, const WorkloadSpec& spec, const std::string& size,
                const Machine& machine) {
    const auto found = solve_critical_size(*find_workload(kind), spec, size, machine);
    REQUIRE(found);
    CHECK(found->compute_bound_above);
    return found->value;
}

WorkloadSpec product(const std::string& nk, const WorkloadSpec& more) {
    WorkloadSpec spec{{"n", nk}, {"k", nk}};
    spec.insert(more.begin(), more.end());
    return spec;
}

/// To the digits given: half a unit of the last one.
auto digits(double value, double unit) {
    return Catch::WithinAbs(value, 0.5 * unit);
}

}  // namespace

TEST_CASE("golden: TPU v5e in bf16, ridge and batch") {
    const Machine m = tpu_v5e();
    const WorkloadSpec bf16{{"dtype", "bf16"}};
    CHECK_THAT(bound("matmul", {{"m", "1"}, {"n", "1"}, {"k", "1"}, {"dtype", "bf16"}}, m).ridge,
               digits(240.24, 0.01));
    CHECK_THAT(critical("matmul", product("1e12", bf16), "m", m), digits(240.24, 0.01));
    CHECK_THAT(critical("matmul", product("1024", bf16), "m", m), digits(452.6, 0.1));
    CHECK_THAT(critical("matmul", product("4096", bf16), "m", m), digits(272.17, 0.01));
    CHECK_THAT(critical("matmul", product("8192", bf16), "m", m), digits(255.2, 0.1));
}

TEST_CASE("golden: weights in int8, activations and compute in bf16") {
    const Machine m = tpu_v5e();
    const WorkloadSpec mixed{{"dtype", "bf16"}, {"weights", "int8"}};
    CHECK_THAT(critical("matmul", product("4096", mixed), "m", m), digits(136.09, 0.01));
    CHECK_THAT(critical("matmul", product("1024", mixed), "m", m), digits(226.31, 0.01));
    CHECK_THAT(critical("matmul", product("1e12", mixed), "m", m), digits(120.1, 0.1));
}

TEST_CASE("golden: int8 both, at the other bandwidth of the same source") {
    Machine m = tpu_v5e();
    m.ceilings[1].max = 8.1e11;
    const WorkloadSpec int8{{"dtype", "int8"}};
    const double b = critical("matmul", product("1e12", int8), "m", m);
    CHECK_THAT(b, digits(243.2, 0.1));
    CHECK_THAT(bound("matmul", product("1e12", {{"dtype", "int8"}, {"m", "1"}}), m).ridge,
               digits(486.4, 0.1));
}

TEST_CASE("golden: H100 in bf16, dense") {
    const WorkloadSpec bf16{{"dtype", "bf16"}};
    CHECK_THAT(critical("matmul", product("1e12", bf16), "m", published_machine(DType::bf16, 1e15, 3.35e12)),
               digits(298.5, 0.1));
    CHECK_THAT(
        critical("matmul", product("1e12", bf16), "m", published_machine(DType::bf16, 9.895e14, 3.35e12)),
        digits(295.4, 0.1));
}

TEST_CASE("golden: rates with sparsity count only when asked for") {
    Machine m = published_machine(DType::bf16, 9.89e14, 3.35e12);
    m.ceilings.push_back(published(Resource::compute, 1.979e15, DType::bf16));
    m.ceilings.back().when.sparse = true;
    m.ceilings.back().excludes = false;
    const WorkloadSpec spec{{"flops", "1e12"}, {"dtype", "bf16"}};
    WorkloadSpec sparse = spec;
    sparse["sparse"] = "1";
    CHECK(bound("work", spec, m).peak == 9.89e14);
    CHECK(bound("work", sparse, m).peak == 1.979e15);
    m.ceilings.pop_back();
    CHECK_THROWS_AS(bound("work", sparse, m), WorkloadError);
}

TEST_CASE("golden: a million million operations on two accelerators") {
    const WorkloadSpec spec{{"flops", "1e12"}, {"dtype", "bf16"}};
    const auto milliseconds = [&](const Machine& m) {
        return 1e3 * bound("work", spec, m).bound.seconds_lower.value;
    };
    CHECK_THAT(milliseconds(published_machine(DType::bf16, 9.89e14, 3.35e12)), digits(1.011, 0.001));
    CHECK_THAT(milliseconds(published_machine(DType::bf16, 9.1e14, 1.6e12)), digits(1.099, 0.001));
}

TEST_CASE("golden: a vector unit beside a matrix unit has a ridge of its own") {
    Machine m = published_machine(DType::bf16, 4.59e14, 2.765e12);
    m.ceilings[0].when.unit = "matrix";
    m.ceilings.push_back(published(Resource::compute, 7e12, DType::bf16, "vector"));
    const auto ridge = [&](const std::string& unit) {
        return bound("elementwise", {{"n", "1e6"}, {"dtype", "bf16"}, {"unit", unit}}, m).ridge;
    };
    CHECK(std::round(ridge("vector")) == 3.0);
    CHECK(ridge("matrix") == Approx(166.0).epsilon(1e-3));
    CHECK(ridge("any") == ridge("matrix"));
    CHECK_THROWS_AS(ridge("scalar"), WorkloadError);
}

TEST_CASE("golden: two chips, the contraction split") {
    const Machine m = tpu_v5e();
    const WorkloadSpec spec{{"dtype", "bf16"}, {"links", "2"}, {"shard", "k"}};
    for (const auto& [b, f] : {std::pair{"1e12", "1e12"}, {"64", "16384"}, {"4096", "4096"}}) {
        WorkloadSpec sized = spec;
        sized.insert({{"m", b}, {"n", f}});
        const Workload w = find_workload("matmul")->make(
            {{"m", b}, {"n", f}, {"k", "1000"}, {"dtype", "bf16"}, {"links", "2"}, {"shard", "k"}});
        const double bf = std::stod(b) * std::stod(f);
        CHECK(w.work.exchanged.value == Approx(2.0 * bf));
        CHECK(w.work.total.ops.value == Approx(bf * 1000.0));  // T_math = BDF/π
    }
    WorkloadSpec large = spec;
    large.insert({{"m", "1e12"}, {"n", "1e12"}});
    CHECK_THAT(critical("matmul", large, "k", m), digits(8755.6, 0.1));
    // The least memory traffic does not bind before the link does at ordinary sizes either.
    WorkloadSpec ordinary = spec;
    ordinary.insert({{"m", "4096"}, {"n", "16384"}});
    CHECK_THAT(critical("matmul", ordinary, "k", m), digits(8755.6, 0.1));
}

TEST_CASE("golden: two Apple GPUs") {
    const auto ridge = [](double peak, double bandwidth) {
        return bound("dot", {{"n", "1e6"}, {"dtype", "f32"}}, published_machine(DType::f32, peak, bandwidth))
            .ridge;
    };
    CHECK_THAT(ridge(27.199e12, 800e9), digits(34.0, 0.1));
    CHECK_THAT(ridge(10.4e12, 400e9), digits(26.0, 0.1));
}

TEST_CASE("golden: intensities of section 2") {
    const Machine m = published_machine(DType::f64, 1e12, 1e11);
    const WorkloadBound lbmhd = bound("lbmhd", {}, m);
    CHECK_THAT(lbmhd.intensity, digits(1.069, 0.001));
    CHECK_THAT(lbmhd.intensity_low, digits(0.703, 0.001));

    const auto intensity = [&](const std::string& kind, const WorkloadSpec& spec) {
        return bound(kind, spec, m).intensity;
    };
    CHECK(intensity("elementwise", {{"n", "1e6"}, {"dtype", "f32"}}) == 0.125);
    CHECK(intensity("dot", {{"n", "1e12"}, {"dtype", "bf16"}}) == Approx(0.5));
    const Workload dot = make("dot", {{"n", "10"}, {"dtype", "bf16"}});
    CHECK(dot.flops.value == 19.0);
    CHECK((dot.work.traffic.reads + dot.work.traffic.writes).value == 42.0);

    for (const std::string n : {"3", "96", "4096"}) {
        CHECK(intensity("matmul", {{"m", n}, {"n", "m"}, {"k", "m"}, {"dtype", "f16"}}) ==
              Approx(std::stod(n) / 3.0));
    }
    const double batched =
        intensity("batched_matmul", {{"b", "128"}, {"d", "4096"}, {"f", "4096"}, {"dtype", "int8"}});
    CHECK(batched == Approx(2.0).epsilon(1e-3));
    CHECK(batched < 2.0);

    const WorkloadBound stencil = bound("stencil", {{"nx", "384"}}, m);
    CHECK(stencil.intensity == 0.5);
    CHECK(stencil.intensity_low == Approx(1.0 / 3.0));

    const double csr = intensity("spmv", {{"rows", "1e6"}, {"nnz", "1e8"}});
    CHECK(csr < 1.0 / 6.0);
    CHECK(csr > 0.16);
    const double blocks =
        intensity("spmv", {{"rows", "1e6"}, {"nnz", "1e8"}, {"format", "bcsr"}, {"r", "8"}, {"c", "8"}});
    CHECK(blocks > csr);
    CHECK(blocks < 0.25);
}

TEST_CASE("golden: batched products are memory bound at any batch") {
    const Machine m = tpu_v5e();
    CHECK_FALSE(solve_critical_size(*find_workload("batched_matmul"),
                                    {{"d", "4096"}, {"f", "4096"}, {"dtype", "int8"}}, "b", m));
}
