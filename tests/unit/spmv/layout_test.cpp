// Structure, bytes and partition of converted matrices, against counts made by hand or by building.
#include <set>

#include "kernels/spmv/analysis.h"
#include "kernels/spmv/blocks.h"
#include "kernels/spmv/placed_matrix.h"
#include "tests/support/catch.h"
#include "tests/unit/spmv/matrices.h"

using namespace rooftune;
using namespace rooftune::spmv;
using namespace rooftune::spmv_test;

namespace {

std::vector<FormatKey> every_key(const CsrView& a) {
    std::vector<FormatKey> keys;
    for (const int bits : {32, 16}) {
        keys.push_back({.index_bits = bits});
        for (const BlockShape shape : kBlockShapes) {
            keys.push_back({.format = Format::bcsr, .block = shape, .index_bits = bits});
        }
        for (const int chunk : kChunks) {
            for (const std::int64_t sigma : {std::int64_t{1}, std::int64_t{16}, a.rows}) {
                keys.push_back({.format = Format::sell, .chunk = chunk, .sigma = sigma, .index_bits = bits});
            }
        }
    }
    return keys;
}

}  // namespace

TEST_CASE("a row beyond 65 536 columns is cut where 16 bits end") {
    const Csr matrix =
        from_rows(200000, {{0, 65535, 65536, 131071, 131072, 196607}, {}, {70000, 135535}, {70000, 135536}});
    const Layout layout = make_layout(matrix.view(), {.index_bits = 16});
    CHECK(layout.base == std::vector<std::uint32_t>{0, 65536, 131072, 0, 70000, 70000, 135536});
    CHECK(layout.group == std::vector<std::uint32_t>{0, 0, 0, 1, 2, 3, 3});
    CHECK(layout.step_begin == std::vector<std::int64_t>{0, 2, 4, 6, 6, 8, 9, 10});
    CHECK(layout.first_segment == std::vector<std::int64_t>{0, 3, 4, 5, 7});
}

TEST_CASE("bases and groups exist only where they say something") {
    const Csr narrow = from_rows(65536, {{0, 65535}, {7}});
    CHECK(make_layout(narrow.view(), {.index_bits = 16}).base.empty());
    const Csr band = from_rows(65537, {{0, 1}, {65536}});
    const Layout one_each = make_layout(band.view(), {.index_bits = 16});
    CHECK(one_each.base == std::vector<std::uint32_t>{0, 65536});
    CHECK(one_each.group.empty());
    // 65 537 columns are 32 769 block columns of two.
    CHECK(make_layout(band.view(), {.format = Format::bcsr, .block = {2, 2}, .index_bits = 16}).base.empty());
}

TEST_CASE("sorting is stable, within windows, and absent where it changes nothing") {
    const Csr matrix = from_rows(4, {{0}, {0, 1}, {0}, {0, 1, 2}, {0, 1}, {}});
    CHECK(sorted_rows(matrix.view(), 1).empty());
    CHECK(sorted_rows(matrix.view(), 6) == std::vector<std::uint32_t>{3, 1, 4, 0, 2, 5});
    CHECK(sorted_rows(matrix.view(), 2) == std::vector<std::uint32_t>{1, 0, 3, 2, 4, 5});
    const Csr level = from_rows(4, {{0}, {1}, {2}, {3}});
    CHECK(sorted_rows(level.view(), 4).empty());
}

TEST_CASE("block counts agree with a count by sets") {
    for (const Named& named : awkward_matrices()) {
        const CsrView a = named.matrix.view();
        for (const BlockShape shape : kBlockShapes) {
            std::set<std::pair<std::int64_t, std::int64_t>> blocks;
            for (std::int64_t i = 0; i < a.rows; ++i) {
                for (std::int64_t k = a.row_begin[static_cast<std::size_t>(i)];
                     k < a.row_begin[static_cast<std::size_t>(i) + 1]; ++k) {
                    blocks.insert({i / shape.rows, a.column[static_cast<std::size_t>(k)] / shape.cols});
                }
            }
            INFO(named.name << " " << to_text(shape));
            CHECK(make_layout(a, {.format = Format::bcsr, .block = shape}).steps() ==
                  static_cast<std::int64_t>(blocks.size()));
        }
    }
}

TEST_CASE("block counts on two threads are those of one") {
    Team team(two_cpus());
    // Enough entries to be shared out, with rows left over at the end; then so few of many columns that they
    // are merged.
    std::vector<std::vector<std::uint32_t>> rows(30'011);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        for (std::uint32_t k = 0; k < i % 9; ++k) rows[i].push_back((i / 3 * 7 + k * k * 11) % 500 + k * 500);
    }
    for (const std::int64_t cols : {std::int64_t{5'000}, std::int64_t{2'000'000}}) {
        const Csr matrix = from_rows(cols, rows);
        REQUIRE(matrix.view().stored() > 100'000);
        for (const BlockShape shape : kBlockShapes) {
            const FormatKey key{.format = Format::bcsr, .block = shape};
            INFO(to_text(shape) << ", " << cols << " columns");
            CHECK(make_layout(matrix.view(), key, &team).step_begin ==
                  make_layout(matrix.view(), key).step_begin);
        }
    }
}

TEST_CASE("counted bytes are the bytes of the built matrix") {
    Team team(two_cpus());
    for (const Named& named : awkward_matrices()) {
        const CsrView a = named.matrix.view();
        for (const DType dtype : {DType::f64, DType::f32}) {
            for (const FormatKey& key : every_key(a)) {
                const Layout layout = make_layout(a, key);
                const Owners owners{Placement::owner, 2, split_groups(layout, 2, Partition::nnz)};
                const PlacedMatrix placed(a, layout, dtype, owners, team);
                const MatrixBytes counted = matrix_bytes(layout, dtype);
                const MatrixBytes built = placed.bytes();
                INFO(named.name << " format " << static_cast<int>(key.format) << " " << to_text(key.block)
                                << " C " << key.chunk << " sigma " << key.sigma << " bits "
                                << key.index_bits);
                CHECK(counted.values == built.values);
                CHECK(counted.indices == built.indices);
                CHECK(counted.pointers == built.pointers);
                CHECK(counted.bases == built.bases);
                CHECK(counted.groups == built.groups);
                CHECK(counted.permutation == built.permutation);
                CHECK(placed.intact());
            }
        }
    }
}

TEST_CASE("the bytes of shares add up to the matrix, and every split covers every row once") {
    for (const Named& named : awkward_matrices()) {
        const Analysis analysis = analyse(named.matrix.view(), DType::f64, 3);
        REQUIRE(analysis.threads == std::vector<int>{1, 2, 3});
        for (const auto* list : {&analysis.csr, &analysis.bcsr, &analysis.sell}) {
            for (const FormatSummary& summary : *list) {
                for (const Split& split : summary.splits) {
                    std::int64_t bytes = 4;  // the pointer past the last segment
                    std::int64_t rows = 0;
                    std::int64_t steps = 0;
                    for (const ThreadShare& share : split.threads) {
                        bytes += share_bytes(summary, share, DType::f64);
                        rows += share.rows;
                        steps += share.steps;
                    }
                    INFO(named.name);
                    CHECK(bytes == summary.bytes.total());
                    CHECK(rows == analysis.rows);
                    CHECK(steps == summary.steps);
                }
            }
        }
    }
}

TEST_CASE("a partition by nonzeros isolates a huge row") {
    std::vector<std::vector<std::uint32_t>> rows(100, std::vector<std::uint32_t>{1});
    for (std::uint32_t c = 0; c < 1000; ++c) {
        if (c != 1) rows[0].push_back(c);
    }
    std::sort(rows[0].begin(), rows[0].end());
    const Layout layout = make_layout(from_rows(1000, rows).view(), {});
    CHECK(split_groups(layout, 2, Partition::nnz) == std::vector<std::int64_t>{0, 1, 100});
    CHECK(split_groups(layout, 2, Partition::rows) == std::vector<std::int64_t>{0, 50, 100});
}

TEST_CASE("ranges cover every step once, in order, and cut nothing that is not asked for") {
    for (const Named& named : awkward_matrices()) {
        for (const FormatKey& key : every_key(named.matrix.view())) {
            const Layout layout = make_layout(named.matrix.view(), key);
            for (const int threads : {1, 2, 3, 7, 64}) {
                for (const Partition partition : {Partition::rows, Partition::nnz, Partition::split}) {
                    const std::vector<ThreadRange> ranges = ranges_of(layout, threads, partition);
                    CAPTURE(named.name, threads, static_cast<int>(partition));
                    REQUIRE(ranges.size() == static_cast<std::size_t>(threads));
                    std::int64_t step = 0, group = 0;
                    bool in_order = true;
                    for (const ThreadRange& range : ranges) {
                        if (!range.head.empty()) {
                            // Of the last group that any thread before has begun.
                            in_order = in_order && range.head.begin == step && range.g0 == group;
                            step = range.head.end;
                        }
                        in_order = in_order && range.g0 == group && range.g1 >= range.g0;
                        in_order = in_order && (range.g0 == range.g1 || layout.step_of(range.g0) == step);
                        if (range.g0 < range.g1) step = layout.step_of(range.g1);
                        group = range.g1;
                        if (!range.tail.empty()) {
                            in_order = in_order && range.tail.begin == layout.step_of(group);
                            step = range.tail.end;
                            in_order = in_order && step < layout.step_of(++group);
                        }
                    }
                    CHECK(in_order);
                    CHECK(step == layout.steps());
                    CHECK(group == layout.groups);
                    if (partition != Partition::split || threads == 1) CHECK_FALSE(cuts_groups(ranges));
                }
            }
        }
    }
}

TEST_CASE("a row with half of the entries is shared by as many threads as its share takes") {
    // 400 rows of 8 entries, and among them one of 3200.
    std::vector<std::vector<std::uint32_t>> rows(401);
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        for (std::uint32_t c = 0; c < (i == 100 ? 3200U : 8U); ++c) rows[i].push_back(c);
    }
    const Csr matrix = from_rows(3200, rows);
    const Layout layout = make_layout(matrix.view(), {});
    const auto ranges = ranges_of(layout, 4, Partition::split);
    // Shares of 1600 steps; the row has those from 800 to 4000.
    CHECK(ranges[0].g1 == 100);
    CHECK(ranges[0].tail.begin == 800);
    CHECK(ranges[0].tail.end == 1600);
    CHECK(ranges[1].g0 == ranges[1].g1);
    CHECK(ranges[1].head.end - ranges[1].head.begin == 1600);
    CHECK(ranges[1].tail.empty());
    CHECK(ranges[2].head.end == 4000);
    CHECK(ranges[2].g0 == 101);
    CHECK(layout.step_of(ranges[2].g1) == 4800);
    CHECK(ranges[3].head.empty());
    const Analysis analysis = analyse(matrix.view(), DType::f64, 4);
    const FormatSummary& csr = analysis.of_csr(0);
    const Split& whole = csr.split(2, Partition::nnz);
    const Split& cut = csr.split(2, Partition::split);
    const auto most = [](const Split& split) {
        std::int64_t steps = 0;
        for (const ThreadShare& share : split.threads) steps = std::max(steps, share.steps);
        return steps;
    };
    CHECK(most(whole) >= 3200);
    CHECK(most(cut) == 1600);
    CHECK(whole.longest == 3200);
    CHECK(cut.longest == 1600);
    CHECK(csr.cuts_rows == std::vector<bool>{false, true, true});
    std::int64_t continued = 0;
    for (const ThreadShare& share : cut.threads) continued += share.continued;
    CHECK(continued == 2);
}

TEST_CASE("walks cover a thread's segments in order and drop empty streams") {
    for (const Named& named : awkward_matrices()) {
        for (const FormatKey& key : every_key(named.matrix.view())) {
            const Layout layout = make_layout(named.matrix.view(), key);
            for (const int streams : {1, 2, 4, 8}) {
                std::uint32_t segment = 0;
                for (const Walk& walk : walks_of(layout, 0, layout.groups, streams)) {
                    CHECK(walk.segment == segment);
                    CHECK(walk.end > walk.segment);
                    CHECK(walk.step == static_cast<std::uint64_t>(layout.step_begin[segment]));
                    segment = walk.end;
                }
                CHECK(segment == layout.segments());
            }
        }
    }
}

TEST_CASE("a column's block is the quotient, up to the last column there can be") {
    for (const BlockShape shape : kBlockShapes) {
        const ColumnBlocks blocks(shape.cols);
        const auto width = static_cast<std::uint32_t>(shape.cols);
        const auto check = [&](std::uint32_t column) { return blocks.block_of(column) == column / width; };
        const std::uint32_t last = INT32_MAX;
        for (std::uint32_t near = 0; near < 4096; ++near) {
            REQUIRE(check(near));
            REQUIRE(check(last - near));
            REQUIRE(check(last / 4096 * near));
        }
    }
    CHECK_FALSE(ColumnBlocks::exact(7));
}
