// Work of SpMV variants: admissible and monotone, exhaustively on small matrices; bytes and counts
// against an independent count.
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <random>
#include <set>

#include "kernels/spmv/analysis.h"
#include "kernels/spmv/family.h"
#include "kernels/spmv/in_core.h"
#include "kernels/spmv/random_matrices.h"
#include "kernels/spmv/space.h"
#include "kernels/spmv/work.h"
#include "models/bound.h"
#include "tests/support/catch.h"
#include "tests/support/least_work.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;
using rooftune::test::permits;

namespace {

struct Setting {
    std::shared_ptr<const Analysis> analysis;
    Space space;
    std::unique_ptr<WorkModel> model;
};

Setting setting_of(const Csr& matrix, DType dtype, State state = State::warm) {
    auto analysis = std::make_shared<const Analysis>(analyse(matrix.view(), dtype, 3));
    const Target target = target_of({128, 256, 512}, 3);
    Space space = make_space(analysis, target);
    auto model = make_work_model(analysis, space, target, state);
    return {std::move(analysis), std::move(space), std::move(model)};
}

int violations_below(const Setting& s, const PartialVariant& partial) {
    int wrong = 0;
    std::vector<PartialVariant> below;
    s.space.children(partial, below);
    for (const PartialVariant& child : below) {
        if (s.space.count(child) == 0) continue;
        if (!permits(*s.model, partial, child)) ++wrong;
        // Below `unroll` nothing changes: one child shows it.
        if (s.space.first_free(child) >= 0 && s.space.first_free(child) <= kStreams)
            wrong += violations_below(s, child);
    }
    return wrong;
}

}  // namespace

TEST_CASE("spmv: work never falls from a partial variant to its children") {
    for (const Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            INFO(named.name);
            CHECK(violations_below(setting_of(named.matrix, dtype), {}) == 0);
        }
    }
}

TEST_CASE("spmv: parameters fixed in any order never lower the work") {
    std::mt19937 random(5);
    for (const Named& named : awkward_matrices()) {
        const Setting s = setting_of(named.matrix, DType::f64);
        std::vector<Variant> some;
        s.space.each({}, [&](const Variant& v) {
            if (random() % 97 == 0) some.push_back(v);
            return true;
        });
        int wrong = 0;
        for (const Variant& v : some) {
            std::vector<int> order(kParameterCount);
            for (int p = 0; p < kParameterCount; ++p) order[static_cast<std::size_t>(p)] = p;
            std::shuffle(order.begin(), order.end(), random);
            PartialVariant partial;
            for (const int p : order) {
                PartialVariant next = partial;
                next.fix(p, v[p]);
                if (!permits(*s.model, partial, next) || !permits(*s.model, next, v)) ++wrong;
                partial = next;
            }
        }
        INFO(named.name);
        CHECK(wrong == 0);
    }
}

TEST_CASE("spmv: a wrong work would be seen by the comparison") {
    const Setting s = setting_of(awkward_matrices()[4].matrix, DType::f64);
    Variant csr;
    s.space.each({}, [&](const Variant& v) {
        csr = v;
        return false;
    });
    CHECK(permits(*s.model, {}, csr));
    CHECK_FALSE(permits(*s.model, csr, {}));
}

TEST_CASE("spmv: reads and writes are the arrays' bytes and the touched elements") {
    for (const Named& named : awkward_matrices()) {
        const Csr& a = named.matrix;
        std::set<std::uint32_t> columns(a.column.begin(), a.column.end());
        const Setting s = setting_of(a, DType::f32, State::cold);
        s.space.each({}, [&](const Variant& v) {
            if (v[kStreams] > 0 || v[kPrefetch] > 0 || v[kSimd] > 0) return true;
            const Choice c = decode(s.space, v, DType::f32);
            const Work work = s.model->work(v);
            std::set<std::int64_t> touched;
            for (const std::uint32_t j : columns) {
                for (std::int64_t k = 0; k < c.format.block.cols; ++k) {
                    touched.insert(std::min<std::int64_t>(a.cols - 1,
                                                          j / c.format.block.cols * c.format.block.cols + k));
                }
            }
            const double matrix =
                static_cast<double>(matrix_bytes(make_layout(a.view(), c.format), DType::f32).total());
            CHECK(work.traffic.reads.value == matrix + 4.0 * static_cast<double>(touched.size()));
            CHECK(work.traffic.writes.value == 4.0 * static_cast<double>(a.rows));
            CHECK(work.traffic.state == State::cold);
            CHECK(work.heaviest_traffic.reads <= work.traffic.reads);
            CHECK(work.heaviest_traffic.writes <= work.traffic.writes);
            CHECK(work.heaviest.instructions <= work.total.instructions);
            CHECK(work.heaviest.instructions.value * c.threads >= work.total.instructions.value);
            return true;
        });
    }
}

TEST_CASE("spmv: CSR counts agree with the loop counted by hand") {
    // Rows of 9, 0 and 3 entries; four lanes: 3 + 0 + 1 vectors.
    std::vector<std::vector<std::uint32_t>> rows{{0, 1, 2, 3, 4, 5, 6, 7, 8}, {}, {1, 4, 7}};
    const Analysis a = analyse(from_rows(9, rows).view(), DType::f64, 1);
    const FormatSummary& csr = a.of_csr(0);
    const InCore four = in_core(csr, csr.all, {.lanes = 4, .unroll = 1});
    CHECK(four.fmas.value == 4.0);
    CHECK(four.ops.value == 32.0);
    CHECK(four.loads.value == 12.0 + 3.0);
    // Four vectors, of which the last of each row may be a part of one.
    CHECK(four.wide_loads.value == 1.0);
    CHECK(four.gathered.value == 4.0);
    // Without gathers three more loads, and as many instructions, for the one whole vector.
    const InCore one_by_one = in_core(csr, csr.all, {.lanes = 4, .unroll = 1, .gathers = false});
    CHECK(one_by_one.gathered.value == 0.0);
    CHECK(one_by_one.loads.value == four.loads.value + 3.0);
    CHECK(one_by_one.instructions.value == four.instructions.value + 3.0);
    CHECK(load_bits(csr, {.lanes = 4, .unroll = 1}, DType::f64) == 256);
    CHECK(four.instructions.value == 12.0 + 3.0 + 3.0);
    CHECK(chain_steps(csr.key, csr.longest, {.lanes = 4, .unroll = 1}) == 3.0);
    CHECK(chain_steps(csr.key, csr.longest, {.lanes = 4, .unroll = 2}) == 2.0);
    CHECK(chain_steps(csr.key, csr.longest, {.lanes = 1, .unroll = 1}) == 9.0);
    const InCore scalar = in_core(csr, csr.all, {.lanes = 1, .unroll = 1});
    CHECK(scalar.fmas.value == 12.0);
    CHECK(scalar.ops.value == 24.0);
    CHECK(scalar.wide_loads.value == 0.0);
    CHECK(scalar.gathered.value == 0.0);
    CHECK(in_core(csr, csr.all, {.lanes = 1, .unroll = 1, .gathers = false}).loads.value ==
          scalar.loads.value);
}

TEST_CASE("spmv: counts of a row that two threads share agree with the loops counted by hand") {
    // 64 entries in one row, four lanes: 8 vectors each, and each may have a part of one last.
    std::vector<std::uint32_t> row;
    for (std::uint32_t c = 0; c < 64; ++c) row.push_back(c);
    const Analysis a = analyse(from_rows(64, {row}).view(), DType::f64, 2);
    const FormatSummary& csr = a.of_csr(0);
    REQUIRE(csr.cuts_rows.back());
    const Split& split = csr.split(1, Partition::split);
    REQUIRE(split.threads.size() == 2);
    const Code four{.lanes = 4, .unroll = 1};
    const InCore first = in_core(csr, split.threads[0], four), second = in_core(csr, split.threads[1], four);
    CHECK(first.fmas.value == 8.0);
    CHECK(first.loads.value == 1.0 + 24.0);
    CHECK(first.instructions.value == 1.0 + 24.0 + 1.0);  // the store of the row
    CHECK(first.wide_loads.value == 7.0);
    CHECK(second.fmas.value == 8.0);
    CHECK(second.loads.value == 1.0 + 24.0);
    CHECK(second.instructions.value == 1.0 + 24.0);
    CHECK(second.wide_loads.value == 7.0);
    CHECK(chain_steps(csr.key, split.longest, four) == 8.0);
    auto analysis = std::make_shared<const Analysis>(a);
    const Target target = target_of({256}, 2);
    const Space space = make_space(analysis, target);
    const auto model = make_work_model(analysis, space, target, State::warm);
    int seen = 0;
    space.each({}, [&](const Variant& v) {
        const Choice c = decode(space, v, DType::f64);
        if (c.partition != Partition::split || c.lanes != 4 || c.unroll != 1) return true;
        ++seen;
        const Work work = model->work(v);
        CHECK(work.total.fmas.value == 16.0);
        CHECK(work.total.wide_loads.value == 14.0);
        CHECK(work.heaviest.fmas.value == 8.0);
        CHECK(work.chain_steps.value == 8.0);
        CHECK(work.heaviest_traffic.writes.value == 0.0);
        return true;
    });
    CHECK(seen > 0);
}

TEST_CASE("spmv: block and chunk counts agree with the loops counted by hand") {
    // Two block rows of 3x3 blocks, one block each; as chunks of four rows: 3 and 3 columns.
    const Analysis a =
        analyse(from_rows(6, {{0, 1, 2}, {0, 1, 2}, {0, 1, 2}, {3, 4, 5}, {3, 4, 5}, {3, 4, 5}}).view(),
                DType::f64, 1);
    for (const FormatSummary& s : a.bcsr) {
        if (s.key.block != BlockShape{3, 3} || s.key.index_bits != 32) continue;
        const InCore wide = in_core(s, s.all, {.lanes = 4, .unroll = 1});
        CHECK(wide.fmas.value == 6.0);
        CHECK(wide.ops.value == 2.0 * 6.0 * 4.0);
        CHECK(wide.instructions.value == 2.0 + 2.0 * (1.0 + 3.0 * 2.0) + 2.0);
        const InCore narrow = in_core(s, s.all, {.lanes = 2, .unroll = 1});
        CHECK(narrow.fmas.value == 12.0);
        CHECK(wide.wide_loads.value == 6.0);
        CHECK(wide.gathered.value == 0.0);  // x is broadcast
        CHECK(narrow.wide_loads.value == 12.0);
        // Rows beyond the block are not loaded.
        CHECK(load_bits(s, {.lanes = 8, .unroll = 1}, DType::f64) == 256);
        CHECK(load_bits(s, {.lanes = 2, .unroll = 1}, DType::f64) == 128);
        CHECK(chain_steps(s.key, s.longest, {.lanes = 4, .unroll = 1}) == 3.0);
    }
    const FormatSummary& sell = a.of_sell(0, 0, 0);
    REQUIRE(sell.key.chunk == 4);
    CHECK(sell.steps == 6);
    CHECK(in_core(sell, sell.all, {.lanes = 4, .unroll = 1}).fmas.value == 6.0);
    CHECK(in_core(sell, sell.all, {.lanes = 2, .unroll = 1}).fmas.value == 12.0);
    CHECK(chain_steps(sell.key, sell.longest, {.lanes = 4, .unroll = 1}) == 3.0);
    CHECK(in_core(sell, sell.all, {.lanes = 4, .unroll = 1}).wide_loads.value == 6.0);
    CHECK(in_core(sell, sell.all, {.lanes = 4, .unroll = 1}).gathered.value == 24.0);
    CHECK(in_core(sell, sell.all, {.lanes = 2, .unroll = 1, .gathers = false}).loads.value ==
          in_core(sell, sell.all, {.lanes = 2, .unroll = 1}).loads.value + 12.0);
}

TEST_CASE(
    "spmv: what gathers is the instruction set of the widest vectors, for all, where that is not slow") {
    const Csr matrix = from_rows(6, {{0, 1, 2, 3}, {0, 1, 2, 5}, {0, 1, 2}, {3, 4, 5}, {3, 4, 5}, {3, 4, 5}});
    auto analysis = std::make_shared<const Analysis>(analyse(matrix.view(), DType::f64, 1));
    const auto sell_of_128_bits = [&](const std::vector<int>& widths, bool slow_gathers = false) {
        Target target = target_of(widths, 1);
        target.slow_gathers = slow_gathers;
        const Space space = make_space(analysis, target);
        const auto model = make_work_model(analysis, space, target, State::warm);
        std::optional<Work> found;
        space.each({}, [&](const Variant& v) {
            if (space.text(v, kFormat) == "sell" && space.text(v, kChunk) == "4" &&
                space.text(v, kSigma) == "1" && space.text(v, kIndex) == "32" &&
                space.text(v, kSimd) == "128" && space.text(v, kUnroll) == "1")
                found = model->work(v);
            return !found;
        });
        REQUIRE(found);
        return found->total;
    };
    // Two chunks of four rows and four and three columns: 28 elements in 14 vectors.
    const InCore sse4 = sell_of_128_bits({128}), avx2 = sell_of_128_bits({128, 256}),
                 avx3 = sell_of_128_bits({128, 256, 512}), slow = sell_of_128_bits({128, 256, 512}, true);
    CHECK(sse4.gathered.value == 0.0);
    CHECK(avx2.gathered.value == 0.0);
    CHECK(avx3.gathered.value == 28.0);
    CHECK(sse4.loads == avx2.loads);
    CHECK(avx2.loads.value == avx3.loads.value + 14.0);
    CHECK(slow.gathered.value == 0.0);
    CHECK(slow.loads == avx2.loads);
    CHECK(slow.instructions == avx2.instructions);
    CHECK(sell_of_128_bits({128, 256}, true).loads == avx2.loads);
}

TEST_CASE("spmv: the bytes of ship_001 are those of the worked example") {
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (!data) {
        WARN("skipped: ROOFTUNE_DATA is not set");
        return;
    }
    const auto family = make_spmv_family();
    const auto problem =
        family->problem({{"matrix", std::string(data) + "/matrices/ship_001_mesh.mtx.gz"}, {"dtype", "f64"}});
    const Target target = target_of({128, 256, 512}, 2);
    const Space space = family->space(*problem, target);
    const auto model = family->work_model(*problem, space, target, State::cold);
    const Work work = model->work(family->naive_variant(*problem, space, target));
    // 4 644 230 · 12 + 34 921 · 4 + 34 920 · 8 bytes read.
    CHECK(work.traffic.reads.value == 4644230.0 * 12 + 34921.0 * 4 + 34920.0 * 8);
    CHECK(work.traffic.writes.value == 34920.0 * 8);

    std::vector<Variant> variants;
    space.each({}, [&](const Variant& v) {
        variants.push_back(v);
        return variants.size() < 20000;
    });
    double sum = 0.0;
    const auto begin = std::chrono::steady_clock::now();
    for (const Variant& v : variants) sum += model->work(v).traffic.reads.value;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    std::cout << "work(variant): " << took.count() / static_cast<double>(variants.size()) << " ns\n";
    CHECK(sum > 0.0);
}

TEST_CASE("spmv: gathers that find no cache fall with the capacity, and are few where the matrix is narrow") {
    const auto far_share = [](const Setting& s, const Variant& variant, double capacity) {
        const Bytes at{capacity};
        double count = s.model->traits(variant).gathers.value;
        const double all = count;
        s.model->likely_gathers(variant, std::span(&at, 1), std::span(&count, 1));
        CHECK(count >= 0.0);
        CHECK(count <= all);
        return all > 0.0 ? count / all : 0.0;
    };
    std::mt19937_64 random(3);
    std::vector<Named> matrices = awkward_matrices();
    matrices.push_back({"band", banded(20'000, 40, 1)});
    matrices.push_back({"random", uniform_random(20'000, 20'000, 10, 1)});
    for (const Named& named : matrices) {
        const Setting s = setting_of(named.matrix, DType::f64);
        for (int i = 0; i < 40; ++i) {
            PartialVariant v;
            std::vector<PartialVariant> below;
            while (s.space.first_free(v) >= 0) {
                below.clear();
                s.space.children(v, below);
                std::erase_if(below, [&](const PartialVariant& c) { return s.space.count(c) == 0; });
                v = below[random() % below.size()];
            }
            INFO(named.name << " " << s.space.to_text(v));
            double before = 1.0;
            for (double capacity = 64.0; capacity < 1e9; capacity *= 4.0) {
                const double share = far_share(s, v, capacity);
                CHECK(share <= before + 1e-12);
                before = share;
            }
            // The whole of x and of the matrix fits.
            CHECK(before == Approx(0.0).margin(1e-12));
            if (named.name == "band") CHECK(far_share(s, v, 65536.0) < 0.01);
            if (named.name == "random") CHECK(far_share(s, v, 4096.0) > 0.8);
        }
    }
}
