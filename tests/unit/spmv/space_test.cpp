// The space: what exists for which matrix and target, and how many variants real matrices have.
#include <cstdlib>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include "kernels/spmv/family.h"
#include "kernels/spmv/kernel.h"
#include "kernels/spmv/space.h"
#include "models/space_offer.h"
#include "tests/support/catch.h"
#include "tests/support/descent.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;

namespace {

std::shared_ptr<const Analysis> analysis_of(const Csr& a, DType dtype, int threads) {
    return std::make_shared<const Analysis>(analyse(a.view(), dtype, threads));
}

/// What a variant executes: its code, its arrays, its walks. Two variants with the same text would
/// differ only in a parameter without effect.
std::string executed(const Space& space, const Variant& v, const CsrView& a, DType dtype,
                     const Variant& naive) {
    const Choice c = decode(space, v, dtype);
    const Layout layout = make_layout(a, c.format);
    std::ostringstream text;
    const KernelKey key{c.format.format, dtype, c.format.block, c.format.index_bits, c.lanes, c.unroll};
    const Kernel kernel = v == naive ? naive_kernel(dtype) : find_kernel(Isa::avx3, key);
    REQUIRE(kernel);
    text << reinterpret_cast<const void*>(kernel) << ' ' << c.format.chunk << ' ' << c.format.index_bits
         << " p" << c.prefetch << " pl" << static_cast<int>(c.placement) << ' ';
    for (const std::int64_t s : layout.step_begin) text << s << ',';
    for (const std::uint32_t r : layout.row_of) text << r << ',';
    for (const ThreadRange& range : ranges_of(layout, c.threads, c.partition)) {
        text << '|';
        for (const Steps& part : {range.head, range.tail}) {
            if (!part.empty()) text << part.begin << '+' << part.end << ' ';
        }
        for (const Walk& w : walks_of(layout, range.g0, range.g1, c.streams))
            text << w.segment << '-' << w.end << ' ';
    }
    return text.str();
}

}  // namespace

TEST_CASE("parameters stand in branching order") {
    const Csr matrix = from_rows(1, {{0}});
    const Space space = make_space(analysis_of(matrix, DType::f64, 2), target_of({128, 256, 512}, 2));
    std::vector<std::string> order;
    for (const Parameter& p : space.parameters()) order.push_back(p.name);
    CHECK(order == std::vector<std::string>{"format", "block", "chunk", "sigma", "index", "threads",
                                            "partition", "simd", "unroll", "streams", "prefetch",
                                            "placement"});
}

TEST_CASE("no two variants do the same") {
    for (const Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const Target target = target_of({128, 256, 512}, 2, 2);
            const Space space = make_space(analysis_of(named.matrix, dtype, 2), target);
            const Variant naive = naive_variant(space, target);
            // Prefetch and placement enter the text as they are: one value of each is enough, and
            // that one of each differs is checked below.
            std::set<std::string> seen;
            std::size_t variants = 0;
            space.each({}, [&](const Variant& v) {
                if (v[kPrefetch] > 0 || v[kPlacement] > 0) return true;
                ++variants;
                const bool fresh = seen.insert(executed(space, v, named.matrix.view(), dtype, naive)).second;
                if (!fresh)
                    FAIL_CHECK(named.name << ": another variant does the same as " << space.to_text(v));
                return true;
            });
            CHECK(variants == seen.size());
        }
    }
}

TEST_CASE("every variant has a kernel on every target that offers it") {
    for (const DType dtype : {DType::f64, DType::f32}) {
        for (const auto& [isa, widths] :
             std::vector<std::pair<Isa, std::vector<int>>>{{Isa::sse4, {}},
                                                           {Isa::sse4, {128}},
                                                           {Isa::avx2, {128, 256}},
                                                           {Isa::avx3, {128, 256, 512}}}) {
            const Csr matrix = random_matrix(70, 70, 2, [](std::int64_t) { return 0.95; });
            const Space space = make_space(analysis_of(matrix, dtype, 1), target_of(widths, 1));
            space.each({}, [&](const Variant& v) {
                const Choice c = decode(space, v, dtype);
                KernelKey key{c.format.format, dtype, c.format.block, c.format.index_bits, c.lanes, c.unroll};
                const Kernel gathering = find_kernel(isa, key);
                key.gathers = false;
                const Kernel loading = find_kernel(isa, key);
                if (!gathering || !loading) FAIL_CHECK("no kernel for " << space.to_text(v));
                const bool both = isa == Isa::avx3 && c.lanes > 1 && c.format.format != Format::bcsr;
                if ((gathering != loading) != both) FAIL_CHECK("one kernel for two: " << space.to_text(v));
                return true;
            });
        }
    }
}

TEST_CASE("placement has more than one value on several nodes, and 'none' needs several threads") {
    const Csr matrix = random_matrix(50, 50, 2, [](std::int64_t) { return 0.1; });
    const Space one = make_space(analysis_of(matrix, DType::f64, 2), target_of({128}, 2, 1));
    CHECK(one.parameters()[kPlacement].values.size() == 1);
    const Space two = make_space(analysis_of(matrix, DType::f64, 2), target_of({128}, 2, 2));
    CHECK(two.parameters()[kPlacement].values.size() == 3);
    std::set<std::pair<int, int>> seen;
    two.each({}, [&](const Variant& v) {
        const Choice c = decode(two, v, DType::f64);
        seen.insert({c.threads, static_cast<int>(c.placement)});
        return true;
    });
    CHECK(seen == std::set<std::pair<int, int>>{{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}});
}

TEST_CASE("long matrices grow in how far they prefetch, and others are on offer whole") {
    // The distances follow from the length alone.
    const auto distances = [](std::int64_t stored) {
        Analysis a;
        a.dtype = DType::f64;
        a.stored = stored;
        return prefetch_distances(a);
    };
    constexpr std::int64_t kDistance = 1024 / 12;  // entries of 12 bytes, for a byte of distance
    CHECK(distances(0).back() == 1024);
    CHECK(distances(kDistance * 8300).back() == 8192);
    CHECK(distances(kDistance * 17000).back() == 16384);
    CHECK(distances(kDistance * 40000).back() == 32768);
    CHECK(distances(kDistance * 400000).back() == 32768);
    const Csr matrix = random_matrix(50, 50, 2, [](std::int64_t) { return 0.1; });
    CHECK(
        SpaceOffer::first(make_space(analysis_of(matrix, DType::f64, 2), target_of({128}, 2))).everything());
    // One long row, as often as it takes.
    std::vector<std::uint32_t> row;
    for (std::uint32_t c = 0; c < 2000; ++c) row.push_back(c);
    const Csr long_rows = from_rows(2000, std::vector<std::vector<std::uint32_t>>(750, row));
    const auto analysis = analysis_of(long_rows, DType::f64, 1);
    const Target target = target_of({128}, 1);
    const Space space = make_space(analysis, target);
    const SpaceOffer first = SpaceOffer::first(space);
    CHECK(space.parameters()[kPrefetch].values.back().text == "16384");
    CHECK(first.offered(space, kPrefetch) == 8);
    CHECK(space.parameters()[kPrefetch].values[static_cast<std::size_t>(first.edge(space, kPrefetch))].text ==
          "8192");
    CHECK(first.offers(space, naive_variant(space, target)));
    CHECK(first.offers(space, default_variant(space, target, long_rows.view())));
}

TEST_CASE("naive and default are members, also on targets without vectors") {
    const auto family = make_spmv_family();
    for (const Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const auto problem = problem_of(named.matrix, dtype, named.name);
            for (const auto& widths : {std::vector<int>{}, {128}, {128, 256}, {128, 256, 512}}) {
                const Target target = target_of(widths, 2);
                const Space space = family->space(*problem, target);
                CHECK(space.valid(family->naive_variant(*problem, space, target)));
                CHECK(space.valid(family->default_variant(*problem, space, target)));
            }
        }
    }
}

TEST_CASE("rows are cut where that takes a good part off a thread, and then by default") {
    const auto offered = [](const Csr& matrix, int threads) {
        const Target target = target_of({128, 256}, threads);
        const Space space = make_space(analysis_of(matrix, DType::f64, threads), target);
        const Variant usual = default_variant(space, target, matrix.view());
        CHECK(space.valid(usual));
        const bool cuts = space.parameters()[kPartition].values.back().text == "split";
        CHECK((usual[kPartition] != PartialVariant::kAbsent && space.text(usual, kPartition) == "split") ==
              cuts);
        return cuts;
    };
    // 16 384 entries more than one row's make the default more than the textbook loop.
    const auto with_row = [](std::uint32_t length) {
        std::vector<std::vector<std::uint32_t>> rows(2100,
                                                     std::vector<std::uint32_t>{0, 1, 2, 3, 4, 5, 6, 7});
        rows[700].clear();
        for (std::uint32_t c = 0; c < length; ++c) rows[700].push_back(c);
        return from_rows(20000, rows);
    };
    CHECK(offered(with_row(16000), 2));
    CHECK_FALSE(offered(with_row(16000), 1));
    CHECK_FALSE(offered(with_row(60), 2));
    CHECK(offered(with_row(16000), 7));
}

TEST_CASE("the default sums long rows in turn, and is the textbook loop of small matrices with short ones") {
    const Target target = target_of({128, 256, 512}, 2);
    const auto usual = [&](int rows, std::int64_t row_length, DType dtype) -> std::string {
        std::vector<std::uint32_t> row;
        for (std::uint32_t c = 0; c < row_length; ++c) row.push_back(c);
        // The first quarter of the rows has twice as many, so that halves of rows and of entries differ.
        std::vector<std::vector<std::uint32_t>> all(static_cast<std::size_t>(rows), row);
        for (std::size_t r = 0; 4 * r < all.size(); ++r) {
            for (std::uint32_t c = 0; c < row_length; ++c) all[r].push_back(256 + c);
        }
        const Csr matrix = from_rows(1024, all);
        const Space space = make_space(analysis_of(matrix, dtype, 2), target);
        const Variant variant = default_variant(space, target, matrix.view());
        CHECK(space.valid(variant));
        if (variant == naive_variant(space, target)) return "naive";
        std::string text;
        for (const int p : {kSimd, kUnroll, kPartition}) {
            if (variant[p] != PartialVariant::kAbsent) text += std::string(space.text(variant, p)) + " ";
        }
        return text;
    };
    for (const DType dtype : {DType::f64, DType::f32}) {
        CHECK(usual(2, 0, dtype) == "naive");
        CHECK(usual(2, 1, dtype) == "naive");
        CHECK(usual(400, 12, dtype) == "naive");
        CHECK(usual(1200, 12, dtype) == "scalar 1 nnz ");
        CHECK(usual(1000, 19, dtype) == "scalar 1 nnz ");  // with the first quarter 23.75 on average
        CHECK(usual(8, 26, dtype) == "scalar 2 nnz ");     // with the first two rows 32 on average
        CHECK(usual(400, 30, dtype) == "scalar 2 nnz ");
        CHECK(usual(100, 200, dtype) == "scalar 4 nnz ");
    }
    // Sums of f32 are waited for sooner.
    CHECK(usual(1000, 24, DType::f64) == "scalar 1 nnz ");
    CHECK(usual(1000, 24, DType::f32) == "scalar 2 nnz ");
    CHECK(usual(1000, 20, DType::f32) == "scalar 2 nnz ");
    // At the thresholds: rows of one length, and 1024 rows with 16 384 entries, 31 in each of the first 64.
    const auto of = [&](const std::vector<std::vector<std::uint32_t>>& rows, int threads) -> std::string {
        const Csr matrix = from_rows(1024, rows);
        const Target its = target_of({128, 256, 512}, threads);
        const Space space = make_space(analysis_of(matrix, DType::f64, threads), its);
        const Variant variant = default_variant(space, its, matrix.view());
        CHECK(space.valid(variant));
        return variant == naive_variant(space, its) ? "naive" : std::string(space.text(variant, kUnroll));
    };
    const auto row_of = [](std::uint32_t length) {
        std::vector<std::uint32_t> row;
        for (std::uint32_t c = 0; c < length; ++c) row.push_back(c);
        return row;
    };
    for (const int threads : {1, 2}) {
        CHECK(of(std::vector<std::vector<std::uint32_t>>(64, row_of(31)), threads) == "naive");
        CHECK(of(std::vector<std::vector<std::uint32_t>>(64, row_of(32)), threads) == "2");
        CHECK(of(std::vector<std::vector<std::uint32_t>>(64, row_of(95)), threads) == "2");
        CHECK(of(std::vector<std::vector<std::uint32_t>>(64, row_of(96)), threads) == "4");
    }
    std::vector<std::vector<std::uint32_t>> uneven(1024, row_of(15));
    for (std::size_t r = 0; r < 64; ++r) uneven[r] = row_of(31);
    CHECK(of(uneven, 2) == "naive");
    uneven[0] = row_of(32);
    CHECK(of(uneven, 2) == "1");
}

TEST_CASE("with AVX-512 that gathers slowly the default loads x one by one, from eighteen entries a row on") {
    const auto usual = [&](std::uint32_t length, DType dtype, const std::vector<int>& widths, bool slow,
                           int threads) -> std::string {
        std::vector<std::uint32_t> row;
        for (std::uint32_t c = 0; c < length; ++c) row.push_back(c);
        const Csr matrix = from_rows(64, std::vector<std::vector<std::uint32_t>>(2000, row));
        Target target = target_of(widths, threads);
        target.slow_gathers = slow;
        const Space space = make_space(analysis_of(matrix, dtype, threads), target);
        const Variant variant = default_variant(space, target, matrix.view());
        CHECK(space.valid(variant));
        return std::string(space.text(variant, kSimd)) + " " + std::string(space.text(variant, kUnroll)) +
               " " + std::string(space.text(variant, kPrefetch));
    };
    const std::vector<int> wide{128, 256, 512}, narrower{128, 256};
    for (const int threads : {1, 2}) {
        CHECK(usual(17, DType::f64, wide, true, threads) == "scalar 1 0");
        CHECK(usual(18, DType::f64, wide, true, threads) == "256 1 0");
        CHECK(usual(38, DType::f32, wide, true, threads) == "scalar 2 0");
        CHECK(usual(39, DType::f32, wide, true, threads) == "256 1 0");
        CHECK(usual(40, DType::f64, wide, false, threads) == "scalar 2 0");
        CHECK(usual(40, DType::f64, narrower, true, threads) == "scalar 2 0");
        CHECK(usual(40, DType::f64, {}, true, threads) == "scalar 2 0");
        CHECK(usual(40, DType::f64, {128, 512}, true, threads) == "scalar 2 0");
    }
}

TEST_CASE("beyond the caches the default prefetches where vectors of x are loaded one by one, in f64") {
    const auto family = make_spmv_family();
    // Rows of one length around the diagonal.
    const auto band = [](std::int64_t rows, std::uint32_t length) {
        Csr a;
        a.rows = rows;
        a.cols = rows + length;
        for (std::int64_t i = 0; i < rows; ++i) {
            for (std::uint32_t k = 0; k < length; ++k) a.column.push_back(static_cast<std::uint32_t>(i) + k);
            a.row_begin.push_back(static_cast<std::int64_t>(a.column.size()));
        }
        a.value.assign(a.column.size(), 1.5);
        return a;
    };
    const auto usual = [&](const Csr& matrix, DType dtype, const std::vector<int>& widths) {
        const auto problem = problem_of(matrix, dtype, "a band");
        const Target target = target_of(widths, 2);
        const Space whole = family->space(*problem, target);
        const Variant variant = family->default_variant(*problem, whole, target);
        CHECK(whole.valid(variant));
        const Space part = family->space_around(*problem, target, {});
        CHECK(part.to_map(family->default_variant(*problem, part, target)) == whole.to_map(variant));
        return std::string(whole.text(variant, kSimd)) + " " + std::string(whole.text(variant, kUnroll)) +
               " " + std::string(whole.text(variant, kPrefetch));
    };
    const Csr large = band(60'000, 24);
    CHECK(usual(large, DType::f64, {128, 256}) == "256 2 2048");
    CHECK(usual(large, DType::f64, {128, 256, 512}) == "scalar 1 0");
    CHECK(usual(large, DType::f64, {128}) == "scalar 1 0");
    CHECK(usual(large, DType::f32, {128, 256}) == "scalar 2 0");
    CHECK(usual(band(58'000, 24), DType::f64, {128, 256}) == "scalar 1 0");  // 16.7 MB
    CHECK(usual(band(70'000, 23), DType::f64, {128, 256}) == "scalar 1 0");
}

TEST_CASE("real matrices have at least 5 000 variants") {
    const char* data = std::getenv("ROOFTUNE_DATA");
    if (!data) {
        WARN("skipped: ROOFTUNE_DATA is not set");
        return;
    }
    const auto family = make_spmv_family();
    for (const std::string name : {"ship_001_mesh", "bcsstk16", "memplus", "BOYD1_A", "CONT-300_A", "wing"}) {
        for (const std::string dtype : {"f64", "f32"}) {
            const auto problem = family->problem(
                {{"matrix", std::string(data) + "/matrices/" + name + ".mtx.gz"}, {"dtype", dtype}});
            const Space space = family->space(*problem, target_of({128, 256, 512}, 2));
            const std::uint64_t count = space.count({});
            std::cout << "variants of " << name << ' ' << dtype << ": " << count << '\n';
            CHECK(count >= 5000);
        }
    }
}

TEST_CASE("the part of the space around a variant has it, and says of others what the whole space says") {
    const auto family = make_spmv_family();
    int members = 0;
    for (const Named& named : awkward_matrices()) {
        for (const DType dtype : {DType::f64, DType::f32}) {
            const auto problem = problem_of(named.matrix, dtype, named.name);
            for (const int threads : {1, 2}) {
                const Target target = target_of({128, 256}, threads);
                const Space whole = family->space(*problem, target);
                for (const Variant& v : test::some_variants(whole, 0, 24, 11)) {
                    const auto values = whole.to_map(v);
                    const Space part = family->space_around(*problem, target, values);
                    std::string why;
                    const auto found = part.from_map(values, why);
                    INFO(named.name << ": " << whole.to_text(v) << ": " << why);
                    REQUIRE(found);
                    CHECK(part.to_map(*found) == values);
                    CHECK(part.version() == whole.version());
                    CHECK(decode(part, *found, dtype).format == decode(whole, v, dtype).format);
                    ++members;
                }
                const Space around_default = family->space_around(*problem, target, {});
                const Variant usual = family->default_variant(*problem, around_default, target);
                CHECK(around_default.valid(usual));
                CHECK(around_default.to_map(usual) ==
                      whole.to_map(family->default_variant(*problem, whole, target)));
            }
        }
    }
    CHECK(members > 500);
    const auto problem = problem_of(awkward_matrices()[4].matrix, DType::f64, "532x231");
    const Target target = target_of({128}, 1);
    const Space whole = family->space(*problem, target);
    auto values = whole.to_map(family->default_variant(*problem, whole, target));
    for (const auto& [name, wrong] : std::map<std::string, std::string>{
             {"format", "coo"}, {"index", "8"}, {"simd", "4096"}, {"unroll", "4"}, {"streams", "3"}}) {
        auto changed = values;
        changed[name] = wrong;
        std::string by_whole, by_part;
        const bool possible = whole.from_map(changed, by_whole).has_value();
        CHECK(family->space_around(*problem, target, changed).from_map(changed, by_part).has_value() ==
              possible);
        CHECK(by_part == by_whole);
    }
    for (const auto& [name, wrong] : std::map<std::string, std::string>{{"chunk", "5"}, {"sigma", "7"}}) {
        std::map<std::string, std::string> sell = values;
        sell["format"] = "sell";
        sell["chunk"] = "8";
        sell["sigma"] = "1";
        sell[name] = wrong;
        std::string why;
        CHECK_FALSE(family->space_around(*problem, target, sell).from_map(sell, why));
        CHECK_THAT(why, Catch::Contains("cannot be '" + wrong + "'"));
    }
}
