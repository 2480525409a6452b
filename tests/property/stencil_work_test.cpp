// Work of stencil variants: monotone on every prefix; counts against the real walk with kernels that
// only count. (Traffic: traffic_lower_test.cpp.)
#include <random>

#include "kernels/stencil/in_core.h"
#include "kernels/stencil/likely.h"
#include "kernels/stencil/sweep.h"
#include "kernels/stencil/work.h"
#include "tests/support/catch.h"
#include "tests/support/least_work.h"
#include "tests/unit/stencil/grids.h"

using namespace rooftune;
using namespace rooftune::stencil_test;
using rooftune::test::permits;

namespace {

int violations_below(const WorkModel& model, const Space& space, const PartialVariant& partial) {
    int wrong = 0;
    std::vector<PartialVariant> below;
    space.children(partial, below);
    for (const PartialVariant& child : below) {
        if (space.count(child) == 0) continue;
        if (!permits(model, partial, child)) ++wrong;
        // Below `partition` nothing changes: one child shows it.
        if (space.first_free(child) >= 0 && space.first_free(child) <= kStreams)
            wrong += violations_below(model, space, child);
    }
    return wrong;
}

const Target kThree = target_of({128, 256, 512}, 3);

std::vector<Grid> some_grids() {
    return {grid_of(1, 1, 1), grid_of(19, 9, 6, 27, 1, DType::f32),
            grid_of(17, 13, 5, 7, 5, DType::f64, Boundary::periodic), grid_of(9, 18, 70, 7, 3)};
}

/// What the kernels below were called for; they have no context to keep it in.
struct Seen {
    std::int64_t bundles = 0, singles = 0;
} seen;

void count_bundle(const RowArguments& a) {
    seen.bundles += a.begin == 0;
}
void count_single(const RowArguments& a) {
    seen.singles += a.begin == 0;
}

/// Walks a variant as the bench does, one thread after the other.
class Replay {
public:
    Replay(const Grid& grid, const Choice& choice) : grid_(grid), choice_(choice) {
        const Layout layout = layout_of(grid, choice.padding);
        for (auto& array : arrays_) array.resize(static_cast<std::size_t>(layout.bytes) / 8 + 16);
        scratch_.resize(
            static_cast<std::size_t>(scratch_bytes(grid, layout, choice.depth, choice.cut.block_y) / 8) + 16);
    }

    /// Bundles and single rows of each thread.
    std::vector<std::pair<std::int64_t, std::int64_t>> run() {
        const Layout layout = layout_of(grid_, choice_.padding);
        const Coefficients coefficients = coefficients_of(grid_.points);
        std::vector<std::pair<std::int64_t, std::int64_t>> calls(
            static_cast<std::size_t>(choice_.cut.threads));
        Pass pass;
        pass.grid = &grid_;
        pass.layout = &layout;
        pass.coefficients = coefficients.data();
        pass.given = pass.from = data(0);
        pass.streams = choice_.streams;
        pass.kernels = {choice_.rows, &count_bundle, &count_single, &count_bundle, &count_single};
        const std::int64_t passes = blocks_in(grid_.steps, choice_.depth);
        for (std::int64_t p = 0; p < passes; ++p) {
            pass.depth =
                static_cast<int>(std::min<std::int64_t>(choice_.depth, grid_.steps - p * choice_.depth));
            pass.last = p + 1 == passes;
            pass.to = data(1 + static_cast<std::size_t>((passes - 1 - p) % 2));
            for (int t = 0; t < choice_.cut.threads; ++t) {
                seen.bundles = seen.singles = 0;
                sweep(pass, blocks_of(grid_, choice_.cut, t), reinterpret_cast<std::byte*>(scratch_.data()));
                calls[static_cast<std::size_t>(t)].first += seen.bundles;
                calls[static_cast<std::size_t>(t)].second += seen.singles;
            }
            pass.from = pass.to;
        }
        return calls;
    }

private:
    std::byte* data(std::size_t i) { return reinterpret_cast<std::byte*>(arrays_[i].data()); }
    Grid grid_;
    Choice choice_;
    std::vector<double> arrays_[3];
    std::vector<double> scratch_;
};

}  // namespace

TEST_CASE("stencil: work never falls from a partial variant to its children") {
    for (const Grid& grid : some_grids()) {
        const Space space = make_space(grid, kThree);
        const auto model = make_work_model(grid, space, State::warm);
        INFO(grid.nx << ' ' << grid.steps);
        CHECK(violations_below(*model, space, {}) == 0);
    }
}

TEST_CASE("stencil: parameters fixed in any order never lower the work") {
    std::mt19937 random(5);
    for (const Grid& grid : some_grids()) {
        const Space space = make_space(grid, kThree);
        const auto model = make_work_model(grid, space, State::cold);
        int wrong = 0;
        space.each({}, [&](const Variant& v) {
            if (random() % 197 != 0) return true;
            std::vector<int> order(kParameterCount);
            for (int p = 0; p < kParameterCount; ++p) order[static_cast<std::size_t>(p)] = p;
            std::shuffle(order.begin(), order.end(), random);
            PartialVariant partial;
            for (const int p : order) {
                PartialVariant next = partial;
                next.fix(p, v[p]);
                if (!permits(*model, partial, next) || !permits(*model, next, v)) ++wrong;
                partial = next;
            }
            return true;
        });
        CHECK(wrong == 0);
    }
}

TEST_CASE("stencil: a wrong work would be seen by the comparison") {
    const Grid grid = grid_of(17, 9, 6, 7, 4);
    const Space space = make_space(grid, kThree);
    const auto model = make_work_model(grid, space, State::warm);
    const Variant variant = default_variant(space, kThree, grid);
    CHECK(permits(*model, {}, variant));
    CHECK_FALSE(permits(*model, variant, {}));
}

TEST_CASE("stencil: operations are those of the calls that the walk makes") {
    int compared = 0;
    for (const Grid& grid : {grid_of(19, 13, 9, 7, 7), grid_of(9, 11, 18, 27, 3, DType::f32),
                             grid_of(9, 9, 6, 7, 5, DType::f64, Boundary::periodic), grid_of(12, 33, 18)}) {
        const Space space = make_space(grid, kThree);
        space.each({}, [&](const Variant& v) {
            if (v.absent(kRows) || !drawn(v, 150)) return true;
            const Choice choice = decode(space, v, grid);
            const Executed work = executed(grid, choice);
            const InCore bundle = bundle_cost(grid, choice.lanes, choice.rows);
            const InCore single = bundle_cost(grid, choice.lanes, {1, 1});
            double total = 0.0;
            double most = 0.0;
            for (const auto& [bundles, singles] : Replay(grid, choice).run()) {
                const double mine = static_cast<double>(bundles) * bundle.ops.value +
                                    static_cast<double>(singles) * single.ops.value;
                total += mine;
                most = std::max(most, mine);
            }
            INFO(space.to_text(v));
            CHECK(work.total.ops.value == Approx(total).epsilon(1e-12));
            CHECK(work.heaviest.ops.value <= most * (1.0 + 1e-12));
            if (choice.cut.partition != Partition::cyclic)
                CHECK(work.heaviest.ops.value == Approx(most).epsilon(1e-12));
            ++compared;
            return true;
        });
    }
    CHECK(compared > 200);
}

TEST_CASE("stencil: counts of a row by hand") {
    // 19 = two vectors of 8, one of 2 and one of 1.
    const InCore seven = bundle_cost(grid_of(19, 9, 9), 8, {1, 1});
    CHECK(seven.ops.value == 8.0 * 19.0);
    CHECK(seven.fmas.value == 7.0 * 4.0);
    // Five additions, a product, and a fused one of two operations, for each of the 19.
    CHECK(seven.added.value == 5.0 * 19.0);
    CHECK(seven.fused.value == 2.0 * 19.0);
    CHECK(seven.instructions.value == 8.0 * 4.0);
    CHECK(seven.loads.value == 7.0 * 3.0 + 5.0);
    // The two vectors of 8: what is left is narrower, and scalar code has none.
    CHECK(seven.wide_loads.value == 7.0 * 2.0);
    CHECK(seven.split_loads.value == 2.0 * 2.0);
    CHECK(bundle_cost(grid_of(19, 9, 9), 1, {1, 1}).wide_loads.value == 0.0);
    CHECK(bundle_cost(grid_of(7, 9, 9), 8, {1, 1}).wide_loads.value == 0.0);
    // Two rows share the two between them: 6 in the middle plane, 2 above and 2 below, 4 off by one in x.
    CHECK(bundle_cost(grid_of(16, 9, 9), 8, {2, 1}).loads.value == 2.0 * (4.0 + 4.0 + 4.0));
    const InCore more = bundle_cost(grid_of(16, 9, 9, 27), 8, {1, 1});
    CHECK(more.ops.value == 30.0 * 16.0);
    CHECK(more.added.value == 23.0 * 16.0);
    CHECK(more.fused.value == 6.0 * 16.0);
    // Two rows: of each of 4 x 3 rows one sum along x, of each of 3 planes two pairs a row, eight a point.
    CHECK(bundle_cost(grid_of(16, 9, 9, 27), 8, {2, 1}).added.value == (12.0 + 12.0 + 16.0) * 16.0);
    CHECK(more.fmas.value == 27.0 * 2.0);
    CHECK(more.loads.value == 27.0 * 2.0);
    CHECK(more.wide_loads.value == 27.0 * 2.0);
}

TEST_CASE("stencil: loads of neighbours in x that straddle two lines, counted by their addresses") {
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (std::int64_t nx = 1; nx < 70; ++nx) {
            const Grid grid = grid_of(nx, 9, 9, 27, 1, dtype);
            const Layout layout = layout_of(grid, 1);
            for (const int bits : {128, 256, 512}) {
                const int lanes = lanes_of(dtype, bits);
                std::int64_t split = 0;
                for (std::int64_t x = 0; x + lanes <= nx; x += lanes) {
                    for (const std::int64_t at : {x - 1, x + 1}) {
                        const std::int64_t from = layout.at(3, 4) + at * grid.element();
                        split += from / 64 != (from + bits / 8 - 1) / 64;
                    }
                }
                // All nine rows of one bundle have their neighbours loaded.
                CHECK(bundle_cost(grid, lanes, {1, 1}).split_loads.value == 9.0 * static_cast<double>(split));
            }
            CHECK(bundle_cost(grid, 1, {1, 1}).split_loads.value == 0.0);
        }
    }
}

TEST_CASE("stencil: likely traffic falls with the capacity and with what saves it") {
    const Grid grid = grid_of(384, 384, 384);
    const Target target = target_of({512}, 2);
    const Space space = make_space(grid, target);
    Choice choice = decode(space, default_variant(space, target, grid), grid);
    choice.store = Store::regular;
    double before = std::numeric_limits<double>::infinity();
    for (const double capacity : {1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10}) {
        const double bytes = likely_bytes(grid, choice, Bytes(capacity)).value;
        CHECK(bytes <= before);
        before = bytes;
    }
    CHECK(before == 0.0);
    const Bytes cache(4e6);
    const double regular = likely_bytes(grid, choice, cache).value;
    choice.store = Store::nontemporal;
    CHECK(likely_bytes(grid, choice, cache).value < regular);
    const double volume = 8.0 * 384.0 * 384.0 * 384.0;
    CHECK(likely_bytes(grid, choice, Bytes(2e7)).value ==
          Approx(2.0 * volume + 8.0 * static_cast<double>(halo_elements(grid))));
}
