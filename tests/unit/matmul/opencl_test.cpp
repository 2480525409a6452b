// Matmul on an OpenCL device: answers of a cut space on awkward sizes, planted mistakes, the space and its
// work.
#include <algorithm>
#include <cmath>

#include "kernels/matmul/family.h"
#include "kernels/matmul/fill.h"
#include "kernels/matmul/opencl_kernel.h"
#include "kernels/matmul/opencl_space.h"
#include "kernels/matmul/oracle.h"
#include "kernels/runtime/error.h"
#include "kernels/runtime/opencl.h"
#include "kernels/runtime/opencl_context.h"
#include "models/bound.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/devices.h"
#include "tests/support/places.h"
#include "tests/support/toy.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::test;

namespace {

/// A device as an accelerator describes itself; nothing runs on it.
Device planted_device(bool is_cpu) {
    Device device;
    device.id = "planted";
    device.name = "planted device";
    device.is_cpu = is_cpu;
    device.compute_units = 7;
    device.max_work_group = 1024;
    device.local_memory = Bytes(49152.0);
    device.global_memory = Bytes(8e9);
    device.f64 = true;
    device.float_lanes = is_cpu ? 16 : 1;
    device.double_lanes = is_cpu ? 8 : 1;
    return device;
}

std::unique_ptr<MatmulProblem> problem_of(int m, int n, int k, ProblemSpec more = {}) {
    more["m"] = std::to_string(m);
    more["n"] = std::to_string(n);
    more["k"] = std::to_string(k);
    return MatmulProblem::load(more);
}

struct Answer {
    double error = 0.0;  ///< in units of the tolerance
    bool guards = true;
};

/// Runs a source as the bench does, for sources that no variant has.
Answer answer_of(const std::string& source, const OpenclTile& tile, const MatmulProblem& problem,
                 const Device& device) {
    constexpr std::size_t kGuard = 512;  // elements
    const auto context = opencl::open(device.id, two_cpus());
    const auto count = [](std::int64_t rows, std::int64_t columns) {
        return static_cast<std::size_t>(rows * columns);
    };
    const std::size_t results = count(problem.m(), problem.n());
    std::vector<double> a(count(problem.m(), problem.k())), b(count(problem.k(), problem.n()));
    fill_slice(a.data(), Operand::a, 5, 0, static_cast<std::int64_t>(a.size()));
    fill_slice(b.data(), Operand::b, 5, 0, static_cast<std::int64_t>(b.size()));
    std::vector<double> c(results + 2 * kGuard, 77.0);
    const opencl::Buffer on_a = context->buffer(8 * a.size()), on_b = context->buffer(8 * b.size());
    const opencl::Buffer on_c = context->buffer(8 * c.size());
    context->write(on_a, a.data(), 8 * a.size());
    context->write(on_b, b.data(), 8 * b.size());
    context->write(on_c, c.data(), 8 * c.size());
    opencl::Kernel kernel = context->kernel(source, "-cl-std=CL1.2", "product");
    kernel.arguments(on_a, on_b, on_c, cl_ulong{kGuard}, static_cast<cl_int>(problem.m()),
                     static_cast<cl_int>(problem.n()), static_cast<cl_int>(problem.k()), 1.0, 0.0);
    const auto items = static_cast<std::size_t>(tile.items());
    context->run(kernel, {{items * static_cast<std::size_t>(tile.groups_across(problem.n())),
                           static_cast<std::size_t>(tile.groups_down(problem.m())), 1},
                          {items, 1, 1}});
    context->read(on_c, c.data(), 8 * c.size());
    Answer answer;
    for (std::size_t i = 0; i < kGuard; ++i)
        answer.guards = answer.guards && c[i] == 77.0 && c[kGuard + results + i] == 77.0;
    answer.error = worst_of(c.data() + kGuard, make_oracle(problem, 5, nullptr), 0, results).error;
    return answer;
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

}  // namespace

TEST_CASE("matmul on a device: every kind of tile is right on sizes that nothing divides",
          "[matmul][opencl]") {
    const std::vector<Device> devices = devices_or_warn();
    if (devices.empty()) return;
    const auto family = make_matmul_family();
    Team team(two_cpus());
    const std::vector<std::unique_ptr<MatmulProblem>> problems = [] {
        std::vector<std::unique_ptr<MatmulProblem>> list;
        list.push_back(problem_of(37, 29, 23));
        list.push_back(problem_of(13, 61, 9, {{"transb", "yes"}, {"beta", "0.5"}, {"alpha", "-2"}}));
        list.push_back(problem_of(31, 17, 41, {{"transa", "yes"}, {"dtype", "f32"}, {"beta", "1"}}));
        return list;
    }();
    const auto problem = GENERATE(0, 1, 2);
    const MatmulProblem& p = *problems[static_cast<std::size_t>(problem)];
    const Target target = device_target(devices[0]);
    const Space space = family->space(p, target);
    const auto bench = family->bench(p, space, target);
    // Each kind of local memory with vectors and without, one item a group and several, both orders.
    const std::vector<std::map<std::string, std::string>> cut = {
        {{"vector", "1"},
         {"item_rows", "2"},
         {"item_vectors", "3"},
         {"group_rows", "4"},
         {"group_columns", "2"},
         {"local", "none"},
         {"unroll", "2"},
         {"spread", "apart"},
         {"order", "columns"}},
        {{"vector", "8"},
         {"item_rows", "6"},
         {"item_vectors", "2"},
         {"group_rows", "1"},
         {"group_columns", "1"},
         {"local", "none"},
         {"unroll", "4"},
         {"order", "rows"}},
        {{"vector", "4"},
         {"item_rows", "4"},
         {"item_vectors", "1"},
         {"group_rows", "2"},
         {"group_columns", "4"},
         {"local", "a"},
         {"k_block", "8"},
         {"unroll", "1"},
         {"order", "rows"}},
        {{"vector", "2"},
         {"item_rows", "4"},
         {"item_vectors", "2"},
         {"group_rows", "2"},
         {"group_columns", "4"},
         {"local", "b"},
         {"k_block", "16"},
         {"unroll", "8"},
         {"spread", "side_by_side"},
         {"order", "columns"}},
        {{"vector", "4"},
         {"item_rows", "2"},
         {"item_vectors", "2"},
         {"group_rows", "4"},
         {"group_columns", "2"},
         {"local", "both"},
         {"k_block", "8"},
         {"unroll", "2"},
         {"spread", "apart"},
         {"order", "rows"}},
        {{"vector", "16"},
         {"item_rows", "1"},
         {"item_vectors", "1"},
         {"group_rows", "8"},
         {"group_columns", "1"},
         {"local", "both"},
         {"k_block", "64"},
         {"unroll", "1"},
         {"order", "columns"}},
    };
    std::vector<Variant> variants{opencl_naive_variant(space), opencl_default_variant(space, p, target)};
    for (std::map<std::string, std::string> values : cut) {
        values["method"] = "tiled";
        std::string why;
        const auto variant = space.from_map(values, why);
        INFO(why);
        REQUIRE(variant.has_value());
        variants.push_back(*variant);
    }
    for (const Variant& v : variants) {
        INFO(space.to_text(v));
        const auto prepared = bench->prepare(v, team);
        for (const std::uint64_t seed : {1, 2}) {
            prepared->reset(seed);
            CHECK_FALSE(bench->compare(*prepared, seed, team)->error <= 1.0);
            prepared->run();
            CHECK(bench->compare(*prepared, seed, team)->error <= 1.0);
        }
        CHECK(prepared->guards_intact());
        CHECK(prepared->device_seconds().value() > 0.0);
        prepared->flush();
        CHECK(prepared->output().size() == static_cast<std::size_t>(p.m() * p.n()));
    }
}

TEST_CASE("matmul on a device: planted mistakes are found", "[matmul][opencl]") {
    const std::vector<Device> devices = devices_or_warn();
    if (devices.empty() || !devices[0].f64) return;
    const auto problem = problem_of(19, 21, 17);
    OpenclTile tile;
    tile.vector = 4;
    tile.item_rows = 4;
    tile.group_rows = 2;
    tile.group_columns = 2;
    const std::string source = opencl_source(tile);
    const Answer right = answer_of(source, tile, *problem, devices[0]);
    CHECK(right.error <= 1.0);
    CHECK(right.guards);

    const Answer short_sum = answer_of(with(source, "q < k;", "q < k - 1;"), tile, *problem, devices[0]);
    CHECK(short_sum.error > 1.0);
    CHECK(short_sum.guards);

    const Answer outside =
        answer_of(with(source, "&& first_row + own_row + r < m", ""), tile, *problem, devices[0]);
    CHECK_FALSE(outside.guards);
}

TEST_CASE("matmul on a device: what it lacks is the variant's failure", "[matmul][opencl]") {
    const std::vector<Device> devices = devices_or_warn();
    if (devices.empty()) return;
    // A work-group larger than the device takes: no space has one, so its kernel is built by hand.
    const auto context = opencl::open(devices[0].id, two_cpus());
    OpenclTile tile;
    tile.dtype = DType::f32;
    tile.group_columns = 2 * devices[0].max_work_group;
    CHECK_THROWS_AS(
        [&] {
            opencl::Kernel kernel = context->kernel(opencl_source(tile), "-cl-std=CL1.2", "product");
            const opencl::Buffer buffer = context->buffer(64);
            kernel.arguments(buffer, buffer, buffer, cl_ulong{0}, cl_int{1}, cl_int{1}, cl_int{1}, 1.0f,
                             0.0f);
            const auto items = static_cast<std::size_t>(tile.items());
            context->run(kernel, {{items, 1, 1}, {items, 1, 1}});
        }(),
        VariantError);
    const auto problem = problem_of(64, 64, 64, {{"dtype", "f32"}});
    const auto family = make_matmul_family();
    Target nowhere = device_target(devices[0]);
    nowhere.device.id = "not here";
    const Space space = family->space(*problem, nowhere);
    Team team(two_cpus());
    const auto bench = family->bench(*problem, space, nowhere);
    CHECK_THROWS_AS(bench->prepare(opencl_naive_variant(space), team), EnvironmentError);
}

TEST_CASE("matmul's space on devices: large, and within what they have", "[matmul][opencl]") {
    const auto family = make_matmul_family();
    const auto problem = problem_of(1024, 1024, 1024);
    const Target target = device_target(planted_device(GENERATE(true, false)));
    const Space space = family->space(*problem, target);
    CHECK(space.count(PartialVariant()) >= 20000);
    CHECK(space.valid(opencl_naive_variant(space)));
    CHECK(space.valid(opencl_default_variant(space, *problem, target)));
    for (const Variant& v : some_variants(space, 1, 200, 3)) {
        const OpenclChoice choice = decode_opencl(space, v, *problem);
        INFO(space.to_text(v));
        CHECK(choice.tile.items() <= target.device.max_work_group);
        CHECK(choice.tile.local_bytes() <= target.device.local_memory.value);
        CHECK_FALSE(family->phrase(space.to_map(v)).empty());
    }
    const auto tiny = problem_of(1, 1, 1);
    const Space small = family->space(*tiny, target);
    CHECK(small.valid(opencl_default_variant(small, *tiny, target)));
    Target single = target;
    single.device.f64 = false;
    CHECK_THROWS_AS(family->space(*problem, single), InputError);
    CHECK_NOTHROW(family->space(*problem_of(8, 8, 8, {{"dtype", "f32"}}), single));
}

TEST_CASE("matmul's work on devices: padding and the busiest unit, by hand", "[matmul][opencl]") {
    const auto family = make_matmul_family();
    const auto problem = problem_of(100, 60, 10);
    const Target target = device_target(planted_device(false));  // 7 units
    const Space space = family->space(*problem, target);
    const auto model = family->work_model(*problem, space, target, State::cold);
    std::string why;
    const auto variant = space.from_map({{"method", "tiled"},
                                         {"vector", "4"},
                                         {"item_rows", "2"},
                                         {"item_vectors", "2"},
                                         {"group_rows", "8"},
                                         {"group_columns", "2"},
                                         {"local", "none"},
                                         {"unroll", "1"},
                                         {"spread", "apart"},
                                         {"order", "rows"}},
                                        why);
    INFO(why);
    REQUIRE(variant.has_value());
    // Tiles of 16 x 16: 7 x 4 = 28 groups, 4 for each of 7 units; 112 x 64 elements are computed.
    const Work work = model->work(*variant);
    CHECK(work.total.ops.value == Approx(2.0 * 112 * 64 * 10));
    CHECK(work.heaviest.ops.value == Approx(4 * 2.0 * 16 * 16 * 10));
    CHECK(work.traffic.reads.value == Approx(8.0 * (1000 + 600)));
    CHECK(work.traffic.writes.value == Approx(8.0 * 6000));
    const Work any = model->work(PartialVariant());
    CHECK(any.total.ops.value == Approx(2.0 * 100 * 60 * 10));
    CHECK(any.heaviest.ops.value == Approx(2.0 * 100 * 60 * 10 / 7));
    CHECK(model->traits(*variant).threads == 7);

    std::vector<Bytes> capacities{Bytes(1024.0), Bytes(1e5), Bytes(1e9)};
    std::vector<Bytes> bytes{Bytes(1.0), Bytes(1.0), Bytes(1.0)};
    model->likely_traffic(*variant, capacities, bytes);
    CHECK(bytes[0] >= bytes[1]);
    CHECK(bytes[1] >= bytes[2]);
    CHECK(bytes[2].value == 1.0);
}

TEST_CASE("arithmetic bounds a product on a device whose widest vectors could not be probed",
          "[matmul][opencl]") {
    const auto family = make_matmul_family();
    const auto problem = problem_of(512, 512, 512, {{"dtype", "f32"}});
    const Target target = device_target(planted_device(false));  // 7 units
    const Space space = family->space(*problem, target);
    const auto model = family->work_model(*problem, space, target, State::warm);
    Machine machine;
    for (const int lanes : {1, 2, 4, 8}) {
        for (const int units : {1, 7}) {
            Conditions when;
            when.mix = Mix::fma;
            when.dtype = DType::f32;
            when.width_bits = 32 * lanes;
            when.threads = units;
            machine.ceilings.push_back(
                toy::ceiling(Resource::compute, when, units * (lanes == 4 ? 5e11 : 4e11)));
        }
    }
    const Roofs roofs(machine);
    const BoundModel bound(roofs);
    const PartialVariant any;
    CHECK(bound.seconds(model->work(any), model->traits(any)).value ==
          Approx(2.0 * 512 * 512 * 512 / (7 * 5e11)));
    for (const Variant& v : some_variants(space, 1, 20, 3)) {
        const double lower = bound.seconds(model->work(v), model->traits(v)).value;
        CHECK(lower >= 2.0 * 512 * 512 * 512 / (7 * 5e11) * (1.0 - 1e-12));
    }
}

TEST_CASE("matmul's work on devices grows as parameters get fixed", "[matmul][opencl]") {
    const auto family = make_matmul_family();
    const auto problem = problem_of(130, 77, 33);
    const Target target = device_target(planted_device(GENERATE(true, false)));
    const Space space = family->space(*problem, target);
    const auto model = family->work_model(*problem, space, target, State::warm);
    for (const Variant& v : some_variants(space, 1, 200, 5)) {
        PartialVariant partial;
        Work before = model->work(partial);
        for (int p = 0; p < space.size(); ++p) {
            partial.fix(p, v[p]);
            const Work now = model->work(partial);
            CHECK(now.total.ops.value >= before.total.ops.value);
            CHECK(now.heaviest.ops.value >= before.heaviest.ops.value * (1.0 - 1e-12));
            before = now;
        }
    }
}
