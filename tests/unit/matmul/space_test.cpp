// The space: sizes, values that collapse, the naive and the default variant, words for variants.
#include <iostream>
#include <set>

#include "kernels/matmul/engine.h"
#include "kernels/matmul/phrase.h"
#include "kernels/matmul/space.h"
#include "models/space_offer.h"
#include "tests/support/catch.h"
#include "tests/unit/matmul/support.h"

using namespace rooftune;
using namespace rooftune::matmul;
using namespace rooftune::matmul_test;

namespace {

Space space_of(const std::string& text, const Target& target) {
    return make_space(*MatmulProblem::load(spec_of(text)), target);
}

}  // namespace

TEST_CASE("matmul: spaces are large where there is much to block, and small where there is not") {
    const Target two = target_of({128, 256, 512}, 2);
    const std::uint64_t large = space_of("m=1024,n=1024,k=1024", two).count({});
    const std::uint64_t small = space_of("m=64,n=64,k=64", two).count({});
    const std::uint64_t least = space_of("m=1,n=1,k=1", two).count({});
    std::cout << "matmul variants, 2 threads: 1024 " << large << ", 64 " << small << ", 1 " << least << '\n';
    CHECK(large >= 20000);
    CHECK(small < large);
    CHECK(least < 1000);
    CHECK(least > 0);
}

TEST_CASE("matmul: small products are on offer whole, and large ones grow") {
    const Target two = target_of({128, 256, 512}, 2);
    CHECK(SpaceOffer::first(space_of("m=256,n=256,k=256", two)).everything());
    CHECK(SpaceOffer::first(space_of("m=640,n=640,k=640", two)).everything());
    const Space space = space_of("m=1024,n=1024,k=1024", two);
    const SpaceOffer first = SpaceOffer::first(space);
    const auto texts = [&](int p) {
        std::string list;
        for (const ParameterValue& v : space.parameters()[static_cast<std::size_t>(p)].values)
            list += v.text + " ";
        return list;
    };
    CHECK(texts(kMc) == "96 168 240 336 whole 480 672 ");
    CHECK(texts(kAhead) == "0 4 8 16 32 ");
    CHECK(first.offered(space, kMc) == 5);
    CHECK(first.edge(space, kMc) == 3);
    CHECK(first.offered(space, kAhead) == 3);
    CHECK(first.edge(space, kAhead) == 2);
    // What is held back changes nothing of what is on offer: a block is compared with the next smaller one.
    const Space offered = first.of(space);
    offered.counts();
    bool same = true;
    offered.each({}, [&](const Variant& v) {
        same = same && space.valid(v);
        return same;
    });
    CHECK(same);
}

TEST_CASE("matmul: no two variants decode to the same") {
    for (const char* text : {"m=33,n=65,k=129,transb=yes", "m=200,n=1,k=7", "m=16,n=700,k=300,dtype=f32"}) {
        const auto problem = MatmulProblem::load(spec_of(text));
        const Target target = target_of({128, 512}, 2);
        const Space space = make_space(*problem, target);
        std::set<std::vector<std::int64_t>> seen;
        std::uint64_t count = 0;
        space.each({}, [&](const Variant& v) {
            ++count;
            const Choice c = decode(space, v, *problem);
            if (c.naive) {
                seen.insert({-1});
                return true;
            }
            CHECK(space.valid(v));
            CHECK(c.grid.rows * c.grid.columns == c.threads);
            seen.insert({c.width_bits, c.tile.mr, c.nr, c.threads, c.grid.rows, c.unroll, c.kc, c.pack_a,
                         c.pack_b, std::min(c.mc, problem->m()), std::min(c.nc, problem->n()), c.a_outer,
                         c.ahead, c.prefetch_c, c.huge_pages});
            return true;
        });
        INFO(text);
        CHECK(seen.size() == count);
    }
}

TEST_CASE("matmul: the naive and the default variant are valid on every example and machine") {
    const auto family = make_matmul_family();
    for (const ProblemSpec& spec : family->examples()) {
        const auto problem = family->problem(spec);
        for (const int threads : {1, 2, 3, 8}) {
            for (const std::vector<int>& widths :
                 std::vector<std::vector<int>>{{}, {128}, {128, 256}, {128, 256, 512}}) {
                const Target target = target_of(widths, threads);
                const Space space = family->space(*problem, target);
                const Variant naive = family->naive_variant(*problem, space, target);
                const Variant usual = family->default_variant(*problem, space, target);
                CHECK(space.valid(naive));
                CHECK(space.valid(usual));
                CHECK(space.text(naive, kMethod) == "triple_loop");
                // One element of C fills no tile.
                const auto sizes = MatmulProblem::load(spec);
                const bool dot = sizes->m() == 1 && sizes->n() == 1;
                CHECK(space.text(usual, kMethod) == (dot ? "triple_loop" : "tiled"));
                std::string why;
                CHECK(space.from_map(space.to_map(usual), why) == usual);
            }
        }
    }
}

TEST_CASE("matmul: the default variant of a large product is that of the BLIS tables") {
    const auto problem = MatmulProblem::load(spec_of("m=1024,n=1024,k=1024"));
    const Target target = target_of({128, 256, 512}, 2);
    const Space space = make_space(*problem, target);
    const Variant v = default_variant(*problem, space, target);
    CHECK(phrase(space.to_map(v)) ==
          "14x16 tile of 512-bit vectors, kc 256, mc 240, A and B packed, threaded over m on 2 threads");
    CHECK(phrase(space.to_map(naive_variant(space, target))) == "the triple loop on 2 threads");
    // What few rows or columns of C use is not packed.
    const auto packs = [&](const std::string& text, int which) {
        const auto other = MatmulProblem::load(spec_of(text));
        const Space its = make_space(*other, target);
        return std::string(its.text(default_variant(*other, its, target), which));
    };
    CHECK(packs("m=1024,n=8,k=1024", kPackA) == "no");
    CHECK(packs("m=1024,n=8,k=1024", kPackB) == "yes");
    CHECK(packs("m=8,n=1024,k=1024", kPackA) == "yes");
    CHECK(packs("m=8,n=1024,k=1024", kPackB) == "no");
    CHECK(packs("m=128,n=512,k=512", kPackB) == "no");
    CHECK(packs("m=128,n=512,k=512", kLoop) == "n");
    CHECK(packs("m=129,n=512,k=512", kPackB) == "yes");
    CHECK(packs("m=129,n=512,k=512", kLoop) == "m");
    CHECK(packs("m=129,n=512,k=512", kTile) == "14x16");
    CHECK(packs("m=512,n=128,k=512", kPackA) == "no");
    CHECK(packs("m=512,n=129,k=512", kPackA) == "yes");
    // Unpacked strips are wide, as high as leaves few rows empty, and several for each thread.
    CHECK(packs("m=16,n=4096,k=8192", kTile) == "6x32");
    CHECK(packs("m=8,n=4096,k=8192", kTile) == "4x32");
    CHECK(packs("m=8,n=4096,k=8192,dtype=f32", kTile) == "4x64");
    CHECK(packs("m=64,n=224,k=1024", kTile) == "14x16");
    CHECK(packs("m=64,n=225,k=1024", kTile) == "6x32");
    CHECK(packs("m=16,n=24,k=90000", kTile) == "14x16");
    CHECK(packs("m=96,n=96,k=96", kTile) == "14x16");
    CHECK(packs("m=16,n=4096,k=8192,transb=yes", kTile) == "14x16");
    // Whatever the widest vectors are, the tile is of those.
    const auto tile_of = [&](const std::string& text, const std::vector<int>& widths) {
        const auto other = MatmulProblem::load(spec_of(text));
        const Target its = target_of(widths, 2);
        const Space where = make_space(*other, its);
        return std::string(where.text(default_variant(*other, where, its), kTile));
    };
    CHECK(tile_of("m=16,n=4096,k=8192", {128, 256}) == "4x12");
    CHECK(tile_of("m=16,n=4096,k=8192,dtype=f32", {128, 256}) == "4x24");
    CHECK(tile_of("m=16,n=4096,k=8192", {128}) == "6x4");
    CHECK(tile_of("m=16,n=4096,k=8192,dtype=f32", {128}) == "6x8");
    CHECK(tile_of("m=16,n=4096,k=8192", {}) == "4x4");
    const Space narrow = make_space(*problem, target_of({128, 256}, 1));
    CHECK(narrow.text(default_variant(*problem, narrow, target_of({128, 256}, 1)), kTile) == "6x8");
}

TEST_CASE("matmul: threads form a grid that covers C once") {
    CHECK(grid_of(Loop::both, 4).rows == 2);
    CHECK(grid_of(Loop::both, 8).rows == 4);
    CHECK(grid_of(Loop::both, 7).rows == 7);
    for (const std::int64_t n : {1, 16, 17, 100}) {
        const Grid grid = grid_of(Loop::columns, 3);
        std::int64_t at = 0;
        for (int i = 0; i < 3; ++i) {
            const Range range = columns_of(n, 16, grid, i);
            if (range.size() <= 0) continue;
            CHECK(range.begin == at);
            at = range.end;
        }
        CHECK(at == n);
    }
}

TEST_CASE("matmul: left-over rows get the shortest kernel that covers them") {
    const auto tiles = tiles_of(DType::f64, 512);
    const TileShape tile{14, 2, 2};
    CHECK(height_for(tiles, tile, 1) == 2);
    CHECK(height_for(tiles, tile, 7) == 8);
    CHECK(height_for(tiles, tile, 13) == 14);
    CHECK(height_for(tiles, {4, 3, 2}, 1) == 4);
}

TEST_CASE("matmul: all tiles fit the registers of their vectors") {
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (const int width : {128, 256, 512}) {
            for (const TileShape& t : tiles_of(dtype, width))
                CHECK(t.mr * t.vectors + t.vectors + 1 <= (width == 512 ? 32 : 16));
        }
    }
}
