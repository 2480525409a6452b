// The space: its size, its rules, the two variants that are always there, and words for them.
#include "kernels/stencil/in_core.h"
#include "kernels/stencil/layout.h"
#include "kernels/stencil/sweep.h"
#include "models/space_offer.h"
#include "tests/support/catch.h"
#include "tests/unit/stencil/grids.h"

using namespace rooftune;
using namespace rooftune::stencil_test;

namespace {

/// The default variant, row after row, with some parameters changed; "-" takes one away. Whether the space
/// has it.
bool has(const Space& space, const Target& target, const std::map<std::string, std::string>& changes) {
    std::map<std::string, std::string> values =
        space.to_map(default_variant(space, target, grid_of(64, 64, 64)));
    values["rows"] = "1x1";
    values["unroll"] = "1";
    for (const auto& [name, value] : changes) {
        if (value == "-") {
            values.erase(name);
        } else {
            values[name] = value;
        }
    }
    std::string why;
    return space.from_map(values, why).has_value();
}

}  // namespace

TEST_CASE("stencil: the default problem has a space worth searching") {
    const Target target = target_of({128, 256, 512}, 2);
    const Space space = make_space(grid_of(384, 384, 384), target);
    CHECK(space.count({}) >= 20'000);
    CHECK(space.find("depth") == kDepth);
    CHECK(space.find("partition") == kPartition);
    CHECK(space.find("pages") == kPages);
    CHECK(make_space(grid_of(384, 384, 384, 27), target).count({}) >= 20'000);
    CHECK(make_space(grid_of(1, 1, 1), target_of({}, 1)).count({}) > 1);
}

TEST_CASE("stencil: small grids are on offer whole, and large ones grow") {
    const Target target = target_of({128, 256, 512}, 2);
    CHECK(SpaceOffer::first(make_space(grid_of(64, 64, 64), target)).everything());
    CHECK(SpaceOffer::first(make_space(grid_of(100, 100, 100), target)).everything());
    const Space space = make_space(grid_of(128, 520, 140), target);
    const SpaceOffer first = SpaceOffer::first(space);
    const auto held = [&](int p) {
        return static_cast<int>(space.parameters()[static_cast<std::size_t>(p)].values.size()) -
               first.offered(space, p);
    };
    CHECK(held(kPrefetch) == 2);
    CHECK(held(kStreams) == 1);
    CHECK(held(kBlockY) == 2);  // 256 and 512 of 520 rows
    CHECK(held(kBlockZ) == 2);  // 64 and 128 of 140 planes
    const auto edge = [&](int p) {
        return space.parameters()[static_cast<std::size_t>(p)]
            .values[static_cast<std::size_t>(first.edge(space, p))]
            .text;
    };
    CHECK(edge(kPrefetch) == "8192");
    CHECK(edge(kStreams) == "4");
    CHECK(edge(kBlockY) == "128");
    CHECK(edge(kBlockZ) == "32");
    CHECK(first.offers(space, naive_variant(space, target)));
    CHECK(first.offers(space, default_variant(space, target, grid_of(128, 520, 140))));
}

TEST_CASE("stencil: no core's own prefetches bring in what a bound says another has to") {
    const Target target = target_of({128}, 2);
    const Grid grid = grid_of(128, 128, 128);
    REQUIRE(farthest_prefetch(grid) == 32768);
    CHECK(farthest_prefetch(grid_of(64, 64, 64)) == 512);
    const Space space = make_space(grid, target);
    Choice choice = decode(space, default_variant(space, target, grid), grid);
    // 64 planes, of which the two outermost are read by others too, and as far as anybody prefetches.
    const double plane = 128.0 * 128.0;
    choice.cut.partition = Partition::z;
    CHECK(executed(grid, choice).heaviest_alone == 62.0 * plane - 2.0 * 32768.0 / 8.0);
    choice.cut.partition = Partition::y;  // of each of 128 planes
    CHECK(executed(grid, choice).heaviest_alone == 128.0 * std::max(0.0, 62.0 * 128.0 - 2.0 * 32768.0 / 8.0));
}

TEST_CASE("stencil: rules") {
    const Target target = target_of({128, 256, 512}, 2);
    const Space one = make_space(grid_of(384, 384, 384), target);
    CHECK(has(one, target, {}));
    CHECK(has(one, target, {{"store", "nontemporal"}, {"streams", "2"}, {"unroll", "2"}}));
    CHECK_FALSE(has(one, target, {{"simd", "scalar"}, {"store", "nontemporal"}}));
    CHECK_FALSE(has(one, target, {{"depth", "2"}}));
    CHECK_FALSE(has(one, target, {{"rows", "2x1"}}));
    CHECK_FALSE(has(one, target, {{"threads", "1"}}));
    CHECK(has(one, target, {{"threads", "1"}, {"partition", "-"}}));
    CHECK_FALSE(has(one, target, {{"partition", "cyclic"}}));
    CHECK(has(one, target, {{"partition", "cyclic"}, {"block_y", "64"}}));
    CHECK_FALSE(has(one, target, {{"rows", "4x1"}}));
    CHECK(has(one, target, {{"rows", "4x1"}, {"unroll", "-"}}));
    CHECK(has(one, target, {{"block_y", "8"}, {"streams", "4"}}));
    CHECK_FALSE(has(one, target, {{"block_y", "8"}, {"rows", "4x1"}, {"unroll", "-"}, {"streams", "4"}}));

    const Space eight = make_space(grid_of(200, 200, 200, 7, 8), target);
    CHECK(has(eight, target, {{"depth", "4"}, {"streams", "-"}}));
    CHECK_FALSE(has(eight, target, {{"depth", "4"}}));
    CHECK_FALSE(has(eight, target, {{"depth", "16"}, {"streams", "-"}}));
    CHECK_FALSE(has(eight, target, {{"depth", "4"}, {"streams", "-"}, {"rows", "1x2"}, {"unroll", "-"}}));

    const Space deep = make_space(grid_of(64, 64, 64, 7, 16), target);
    CHECK(has(deep, target, {{"depth", "16"}, {"streams", "-"}, {"block_y", "16"}}));
    CHECK_FALSE(has(deep, target, {{"depth", "16"}, {"streams", "-"}, {"block_y", "8"}}));

    const Space thin = make_space(grid_of(7, 1, 1), target);
    CHECK_FALSE(has(thin, target, {{"rows", "2x1"}}));
    CHECK_FALSE(has(thin, target, {{"partition", "y"}}));
    CHECK_FALSE(has(thin, target, {{"unroll", "2"}}));
    CHECK_FALSE(has(thin, target, {{"store", "nontemporal"}}));
}

TEST_CASE("stencil: the naive and the default variant exist everywhere") {
    for (const std::vector<int>& widths : {std::vector<int>{}, {128}, {128, 256}, {128, 256, 512}}) {
        for (const int threads : {1, 2, 3, 8}) {
            for (const Grid& grid : {grid_of(1, 1, 1), grid_of(2, 3, 5, 27, 3), grid_of(40, 9, 9)}) {
                const Target target = target_of(widths, threads, threads > 2 ? 2 : 1);
                const Space space = make_space(grid, target);
                CHECK(space.valid(naive_variant(space, target)));
                const Variant usual = default_variant(space, target, grid);
                CHECK(space.valid(usual));
                CHECK(decode(space, usual, grid).cut.threads == threads);
                CHECK(decode(space, naive_variant(space, target), grid).plain);
            }
        }
    }
}

TEST_CASE("stencil: a variant in words") {
    const Target target = target_of({128, 256, 512}, 2);
    const auto family = make_stencil_family();
    CHECK(family->phrase({{"simd", "512"},
                          {"rows", "2x1"},
                          {"store", "nontemporal"},
                          {"streams", "2"},
                          {"block_y", "32"},
                          {"block_z", "64"},
                          {"threads", "2"}}) ==
          "512-bit, 2x1 register block, non-temporal stores, 2 streams, blocks 32x64 on 2 threads");
    const Space space = make_space(grid_of(40, 9, 9), target);
    CHECK(family->phrase(space.to_map(naive_variant(space, target))) == "the plain loop on 2 threads");
    const Grid grid = grid_of(40, 9, 9);
    CHECK(family->phrase(space.to_map(default_variant(space, target, grid))) ==
          "512-bit, 2x2 register block on 2 threads");
    const Grid flat = grid_of(40, 9, 1);  // no second plane to go with
    const Space of_flat = make_space(flat, target);
    CHECK(family->phrase(of_flat.to_map(default_variant(of_flat, target, flat))) ==
          "512-bit, 2x1 register block on 2 threads");
    const Grid row = grid_of(64, 1, 1);
    const Space of_row = make_space(row, target);
    CHECK(family->phrase(of_row.to_map(default_variant(of_row, target, row))) == "512-bit on 2 threads");
    // Vectors that a line of the grid does not fill are no help.
    const auto width = [&](int nx, DType dtype) {
        Grid line = grid_of(nx, 9, 9);
        line.dtype = dtype;
        const Space its = make_space(line, target);
        return std::string(its.text(default_variant(its, target, line), 0));
    };
    CHECK(width(32, DType::f64) == "512");
    CHECK(width(31, DType::f64) == "256");
    CHECK(width(64, DType::f32) == "512");
    CHECK(width(63, DType::f32) == "256");
    CHECK(width(24, DType::f64) == "256");
    // Short lines take the textbook loop.
    CHECK(width(23, DType::f64) == "plain");
    CHECK(width(47, DType::f32) == "plain");
    CHECK(width(3, DType::f64) == "plain");
    CHECK(family->phrase({}).empty());
    // Large grids are prefetched, and beyond the caches the stores pass them by.
    const auto usual_of = [&](const Grid& large, const Target& where) {
        const Space its = make_space(large, where);
        return family->phrase(its.to_map(default_variant(its, where, large)));
    };
    const std::string rows = "512-bit, 2x2 register block, ", far = "prefetch 8192 B ahead on 2 threads";
    CHECK(usual_of(grid_of(64, 64, 64), target) == "512-bit, 2x2 register block on 2 threads");
    CHECK(usual_of(grid_of(256, 256, 127), target) == rows + far);
    CHECK(usual_of(grid_of(256, 256, 128), target) == rows + "non-temporal stores, " + far);
    Target one = target;
    one.threads = 1;
    CHECK(usual_of(grid_of(256, 256, 128), one) ==
          rows + "non-temporal stores, prefetch 8192 B ahead on 1 thread");
    one.threads = 2;
    one.width_bits = {};
    CHECK(usual_of(grid_of(256, 256, 128), one) == "the plain loop on 2 threads");
    Grid other = grid_of(256, 256, 128);
    other.steps = 2;
    CHECK(usual_of(other, target) == rows + far);
    other.steps = 1;
    other.boundary = Boundary::periodic;
    CHECK(usual_of(other, target) == rows + far);
    other.boundary = Boundary::dirichlet;
    other.dtype = DType::f32;
    CHECK(usual_of(other, target) == rows + far);
    other.points = 27;
    CHECK(usual_of(other, target) == "512-bit, 1x2 register block, " + far);
}

TEST_CASE("stencil: blocks cover the grid once, whoever walks them") {
    for (const Partition partition : {Partition::z, Partition::y, Partition::cyclic}) {
        for (const int threads : {1, 2, 3, 7}) {
            for (const std::int64_t size : {1, 2, 4, 5, 100}) {
                const Grid grid = grid_of(2, 5, 6);
                std::vector<int> covered(30, 0);
                for (int t = 0; t < threads; ++t) {
                    for (const Block& b : blocks_of(grid, {threads, partition, size, size + 1}, t)) {
                        for (std::int64_t z = b.z.begin; z < b.z.end; ++z) {
                            for (std::int64_t y = b.y.begin; y < b.y.end; ++y)
                                ++covered[static_cast<std::size_t>(z * 5 + y)];
                        }
                    }
                }
                CHECK(std::all_of(covered.begin(), covered.end(), [](int n) { return n == 1; }));
            }
        }
    }
}

TEST_CASE("stencil: rows begin on cache lines and keep apart") {
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (const std::int64_t nx : {1, 6, 7, 14, 15, 384}) {
            for (const std::int64_t padding : {0, 3}) {
                const Grid grid = grid_of(nx, 3, 2, 7, 1, dtype);
                const Layout l = layout_of(grid, padding);
                CHECK(l.at(0, 0) % 64 == 0);
                CHECK(l.at(2, 1) % 64 == 0);
                CHECK(l.row_bytes >= (nx + 2) * grid.element() + 64 * padding);
                CHECK(l.at(-1, -1) >= grid.element());
                CHECK(l.at(3, 2) + (nx + 1) * grid.element() <= l.bytes);
            }
        }
    }
}
