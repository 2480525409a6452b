// The streams of addresses that bounds and estimates are judged by are those of the real loops. (The
// stencil's walk is the real one already; here are the other two.)
#include <map>
#include <utility>

#include "kernels/matmul/engine.h"
#include "kernels/matmul/tiles.h"
#include "kernels/spmv/matrix_bytes.h"
#include "tests/support/address_streams.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/unit/matmul/support.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::test;

namespace {

/// An access to A, B or packed memory, by its real address.
struct Noted {
    const double* address;
    bool write;
};
std::vector<Noted> noted;
std::int64_t columns = 1;  // of a tile

template <int kRows>
void note_tile(const matmul::TileArguments& t) {
    for (std::int64_t p = 0; p < t.steps; ++p) {
        for (int r = 0; r < kRows; ++r)
            noted.push_back({static_cast<const double*>(t.a) + p * t.a_step + r * t.a_row, false});
        for (std::int64_t j = 0; j < columns; ++j)
            noted.push_back({static_cast<const double*>(t.b) + p * t.b_step + j, false});
    }
}

template <int... kRows>
matmul::TileKernel noting_tile(int rows, std::integer_sequence<int, kRows...>) {
    static constexpr matmul::TileKernel kAll[] = {&note_tile<kRows>...};
    return kAll[rows];
}
matmul::TileKernel noting_tile(int rows) {
    return noting_tile(rows, std::make_integer_sequence<int, 29>());
}

void note_packing(const void* in, std::int64_t along_step, std::int64_t along_i, std::int64_t count,
                  std::int64_t steps, std::int64_t width, void* out) {
    for (std::int64_t p = 0; p < steps; ++p) {
        for (std::int64_t i = 0; i < width; ++i) {
            if (i < count)
                noted.push_back({static_cast<const double*>(in) + p * along_step + i * along_i, false});
            noted.push_back({static_cast<const double*>(out) + p * width + i, true});
        }
    }
}
void note_rows(const void* in, std::int64_t ld, std::int64_t count, std::int64_t steps, std::int64_t width,
               void* out) {
    note_packing(in, ld, 1, count, steps, width, out);
}
void note_columns(const void* in, std::int64_t ld, std::int64_t count, std::int64_t steps, std::int64_t width,
                  void* out) {
    note_packing(in, 1, ld, count, steps, width, out);
}

/// What the real engine does with kernels that only note: on one thread, which waits for nobody.
std::vector<Noted> by_the_engine(const matmul::MatmulProblem& p, const matmul::Choice& c) {
    matmul::Plan plan;
    plan.grid = c.grid;
    plan.mr = c.tile.mr;
    plan.nr = c.nr;
    plan.mc = c.mc;
    plan.nc = c.nc;
    plan.kc = c.kc;
    plan.pack_a = c.pack_a;
    plan.pack_b = c.pack_b;
    plan.a_outer = c.a_outer;
    plan.pages = Pages::small;
    plan.tile = noting_tile(c.tile.mr);
    plan.short_tile.resize(static_cast<std::size_t>(c.tile.mr));
    plan.short_height.resize(static_cast<std::size_t>(c.tile.mr));
    for (int rows = 1; rows < c.tile.mr; ++rows) {
        const int height = matmul::height_for(matmul::tiles_of(p.dtype(), c.width_bits), c.tile, rows);
        plan.short_height[static_cast<std::size_t>(rows)] = height;
        plan.short_tile[static_cast<std::size_t>(rows)] = noting_tile(height);
    }
    plan.packers = {&note_rows, &note_columns};
    std::vector<double> a(static_cast<std::size_t>(p.m() * p.k()));
    std::vector<double> b(static_cast<std::size_t>(p.k() * p.n()));
    std::vector<double> out(static_cast<std::size_t>(p.m() * p.n()));
    noted.clear();
    columns = c.nr;
    matmul::Engine<double> engine(p, plan);
    engine.bind(matmul::without_gaps<double>(p, a.data(), b.data(), out.data()));
    engine.run(0);
    return noted;
}

}  // namespace

TEST_CASE("streams: matmul's are the accesses that the engine asks its kernels for") {
    std::mt19937 random(6);
    int compared = 0;
    for (const char* text : {"m=13,n=21,k=17", "m=40,n=9,k=33,transa=yes", "m=7,n=50,k=20,transb=yes,beta=1",
                             "m=30,n=31,k=300,transa=yes,transb=yes", "m=300,n=20,k=5"}) {
        const auto problem = matmul::MatmulProblem::load(matmul_test::spec_of(text));
        const Space space = matmul::make_space(*problem, matmul_test::target_of({128, 256, 512}, 1));
        for (const Variant& v : some_variants(space, 0, 25, static_cast<unsigned>(random()))) {
            const matmul::Choice c = matmul::decode(space, v, *problem);
            if (c.naive) continue;
            const std::vector<Noted> engine = by_the_engine(*problem, c);
            Stream ours;
            for (const Access& a : merged(matmul_run(*problem, c), nullptr)) {
                if (a.address >> 36 != 2) ours.push_back(a);  // C is stored by the engine where tiles are cut
            }
            INFO(text << ": " << space.to_text(v));
            REQUIRE(ours.size() == engine.size());
            // The same element has the same address throughout, and no two share one.
            std::map<const double*, std::int64_t> there;
            std::map<std::int64_t, const double*> back;
            bool same = true;
            for (std::size_t i = 0; i < ours.size(); ++i) {
                same = same && ours[i].write == engine[i].write &&
                       there.emplace(engine[i].address, ours[i].address).first->second == ours[i].address &&
                       back.emplace(ours[i].address, engine[i].address).first->second == engine[i].address;
            }
            CHECK(same);
            ++compared;
        }
    }
    CHECK(compared >= 50);  // of 5 problems × 25 variants, those that are not naive
}

TEST_CASE("streams: matmul's reads and writes of C by hand") {
    const auto problem = matmul::MatmulProblem::load(matmul_test::spec_of("m=5,n=7,k=4,beta=1"));
    const Space space = matmul::make_space(*problem, matmul_test::target_of({256}, 1));
    const Variant naive = matmul::naive_variant(space, matmul_test::target_of({256}, 1));
    std::map<std::pair<std::int64_t, bool>, int> count;
    for (const Access& a : merged(matmul_run(*problem, matmul::decode(space, naive, *problem)), nullptr))
        ++count[{a.address >> 36, a.write}];
    CHECK(count[{0, false}] == 5 * 4);
    CHECK(count[{1, false}] == 5 * 4 * 7);
    CHECK(count[{2, false}] == 5 * 7 + 5 * 4 * 7);
    CHECK(count[{2, true}] == 5 * 7 + 5 * 4 * 7);
}

TEST_CASE("streams: spmv touches every byte of the converted matrix once, x where there are entries, and y") {
    int cut = 0;
    for (const spmv_test::Named& named : spmv_test::awkward_matrices()) {
        const auto analysis =
            std::make_shared<const spmv::Analysis>(spmv::analyse(named.matrix.view(), DType::f64, 3));
        const Space space = spmv::make_space(analysis, spmv_test::target_of({128, 256, 512}, 3));
        for (const Variant& v : some_variants(space, 0, 30, 3)) {
            const spmv::Choice c = spmv::decode(space, v, DType::f64);
            std::map<std::int64_t, std::map<std::int64_t, int>> touched;  // array → address → bytes
            for (const Access& a : merged(spmv_run(named.matrix.view(), c, DType::f64), nullptr))
                touched[a.address >> 36][a.address] = a.bytes;
            const spmv::MatrixBytes bytes =
                spmv::matrix_bytes(spmv::make_layout(named.matrix.view(), c.format), DType::f64);
            const auto sum = [&](std::int64_t array) {
                std::int64_t all = 0;
                for (const auto& [address, size] : touched[array]) all += size;
                return all;
            };
            INFO(named.name << ": " << space.to_text(v));
            CHECK(sum(0) == bytes.values);
            CHECK(sum(1) == bytes.indices);
            if (c.partition == spmv::Partition::split) {
                // Of rows that are cut, threads have these words for themselves, and some more.
                ++cut;
                CHECK(sum(2) + sum(3) + sum(4) + sum(8) >= bytes.pointers + bytes.bases + bytes.groups);
            } else {
                CHECK(sum(2) == bytes.pointers);
                CHECK(sum(3) == bytes.bases);
                CHECK(sum(4) == bytes.groups);
            }
            CHECK(sum(5) == bytes.permutation);
            CHECK(sum(7) == 8 * named.matrix.rows);
        }
    }
    CHECK(cut > 0);
}
