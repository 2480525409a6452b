// The work of products on OpenCL devices at sizes that no tile divides: the operations are counted again item
// by item, as the generated source computes them, and what is held besides the cache covers what the items
// keep.
#include "kernels/matmul/opencl_work.h"
#include "kernels/matmul/opencl_space.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/support/full_machine.h"
#include "tests/support/places.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::test;

namespace {

struct Counted {
    double all = 0.0;
    double of_a_group = 0.0;
    std::int64_t groups = 0;
};

/// Every item of every group multiplies all its rows and vectors at each step, inside C or not.
Counted count(const OpenclTile& t, std::int64_t m, std::int64_t n, std::int64_t k) {
    Counted c;
    for (std::int64_t i = 0; i < m; i += t.rows()) {
        for (std::int64_t j = 0; j < n; j += t.columns()) {
            double here = 0.0;
            for (int item = 0; item < t.items(); ++item)
                here += 2.0 * t.item_rows * t.item_vectors * t.vector * static_cast<double>(k);
            c.all += here;
            c.of_a_group = here;
            ++c.groups;
        }
    }
    return c;
}

}  // namespace

TEST_CASE("opencl matmul: padded operations at sizes that tiles do not divide, and at every prefix") {
    std::mt19937 random(8);
    int checked = 0;
    int padded = 0;
    for (const Device& device : made_up_devices()) {
        const Target target = device_target(device);
        for (int i = 0; i < 12; ++i) {
            const auto size = [&] { return 1 + static_cast<std::int64_t>(random() % 150); };
            const std::int64_t m = size(), n = size(), k = size();
            const auto problem = MatmulProblem::load(
                matmul_test::spec_of("m=" + std::to_string(m) + ",n=" + std::to_string(n) +
                                     ",k=" + std::to_string(k) + ",dtype=f32"));
            const Space space = make_opencl_space(*problem, target);
            const auto model = make_opencl_work_model(*problem, space, target, State::warm);
            for (const Variant& v : some_variants(space, 0, 25, static_cast<unsigned>(random()))) {
                const OpenclChoice choice = decode_opencl(space, v, *problem);
                if (choice.naive) continue;
                const Counted c = count(choice.tile, m, n, k);
                const Work work = model->work(v);
                INFO(space.to_text(v) << " of " << m << " x " << n << " x " << k);
                CHECK(work.total.ops.value == Approx(c.all));
                CHECK(c.all >= work.flops_nominal.value);
                // However groups are dealt out, some unit has at least so many.
                const std::int64_t most = (c.groups + target.threads - 1) / target.threads;
                CHECK(work.heaviest.ops.value == Approx(static_cast<double>(most) * c.of_a_group));
                PartialVariant partial;
                for (int p = 0; p < space.size(); ++p) {
                    const Work at = model->work(partial);
                    CHECK(at.total.ops.value <= c.all * (1.0 + 1e-12));
                    CHECK(at.heaviest.ops <= work.heaviest.ops);
                    partial.fix(p, v[p]);
                }
                // The most that one unit of any device known keeps beside its caches: 256 KiB of registers
                // and as much for its tensor cores, and 228 KiB of local memory.
                if (!device.is_cpu) CHECK(work.traffic.held.value >= target.threads * 740.0 * 1024.0);
                padded += c.all > work.flops_nominal.value;
                ++checked;
            }
        }
    }
    CHECK(checked > 200);
    CHECK(padded > 50);
}

TEST_CASE("opencl matmul: work without padding would be seen") {
    OpenclTile t;
    t.item_rows = 4;
    t.vector = 4;
    t.group_rows = 2;
    CHECK(count(t, 8, 4, 10).all == 2.0 * 8 * 4 * 10);
    CHECK(count(t, 9, 5, 10).all == 2.0 * 16 * 8 * 10);
}
