#include "kernels/stencil/likely.h"

#include <algorithm>
#include <string>

#include "kernels/stencil/layout.h"
#include "kernels/stencil/sweep.h"
#include "models/layer_condition.h"
#include "models/set_conflicts.h"

namespace rooftune::stencil {
namespace {

/// How often a block of `size` reads an element when it reaches `reach` beyond itself on both sides.
double overlap(std::int64_t size, std::int64_t length, std::int64_t reach) {
    if (size >= length) return 1.0;
    return static_cast<double>(size + 2 * reach) / static_cast<double>(size);
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return (a >= 0 ? a : a - b + 1) / b;
}

/// Rows that one thread's blocks have.
std::int64_t height_of(const Grid& g, const Choice& c) {
    const std::int64_t slab =
        c.cut.partition == Partition::y ? std::max<std::int64_t>(1, g.ny / c.cut.threads) : g.ny;
    return std::min(c.cut.block_y, slab);
}

bool reads_row(const Grid& g, RegisterBlock rows, int j, int k) {
    const bool outer_y = j < 0 || j >= rows.y;
    const bool outer_z = k < 0 || k >= rows.z;
    return g.points == 27 || !(outer_y && outer_z);
}

/// A turn of the loop of one bundle at one x. Of ry rows and rz planes that go on by as many, each row and
/// plane meets its own again: they are arrays of their own, whose rows and planes are ry and rz times as
/// close.
std::vector<ArrayAccesses> accesses_of(const Grid& g, const Choice& c, std::int64_t row,
                                       std::int64_t height) {
    const RegisterBlock r = c.rows;
    const std::int64_t plane = std::max<std::int64_t>(1, row * (height + 2) / r.y / c.streams);
    std::vector<ArrayAccesses> arrays;
    for (int jc = 0; jc < r.y; ++jc) {
        for (int kc = 0; kc < r.z; ++kc) {
            ArrayAccesses in;
            for (int k = -1; k <= r.z; ++k) {
                for (int j = -1; j <= r.y; ++j) {
                    if (((j + r.y) % r.y) != jc || ((k + r.z) % r.z) != kc || !reads_row(g, r, j, k))
                        continue;
                    const std::int64_t at = floor_div(j, r.y) * row + floor_div(k, r.z) * plane;
                    const bool inner = j >= 0 && j < r.y && k >= 0 && k < r.z;
                    const std::int64_t reach = inner || g.points == 27 ? 1 : 0;
                    for (std::int64_t d = -reach; d <= reach; ++d) in.offsets.push_back(at + d);
                }
            }
            arrays.push_back(std::move(in));
            arrays.push_back({{0}, 1, c.store == Store::nontemporal});
        }
    }
    return arrays;
}

/// What of the arrays is to stay: `rows` rows of each plane that is read, and the planes written.
std::vector<MemoryRun> runs_of(const Choice& c, const Layout& layout, std::int64_t rows) {
    std::vector<MemoryRun> runs;
    for (int k = -1; k <= c.rows.z; ++k)
        runs.push_back({layout.at(-1, 0) + k * layout.plane_bytes, rows * layout.row_bytes});
    for (int k = 0; k < c.rows.z; ++k)
        runs.push_back({layout.at(0, 0) + k * layout.plane_bytes, layout.row_bytes});
    return runs;
}

/// The lines under way at one x.
std::vector<MemoryRun> lines_of(const Grid& g, const Choice& c, const Layout& layout, double line) {
    std::vector<MemoryRun> runs;
    const auto bytes = static_cast<std::int64_t>(line);
    for (int k = -1; k <= c.rows.z; ++k) {
        for (int j = -1; j <= c.rows.y; ++j) {
            if (reads_row(g, c.rows, j, k)) runs.push_back({layout.at(j, k), bytes});
        }
    }
    if (c.store == Store::nontemporal) return runs;
    for (int k = 0; k < c.rows.z; ++k) {
        for (int j = 0; j < c.rows.y; ++j) runs.push_back({layout.at(j, k), bytes});
    }
    return runs;
}

}  // namespace

LikelyTraffic::LikelyTraffic(const Grid& grid, const Choice& choice)
    : grid_(grid),
      choice_(choice),
      layout_(layout_of(grid, choice.padding)),
      height_(height_of(grid, choice)) {
    const std::int64_t row = layout_.row_bytes / grid.element();
    const std::vector<ArrayAccesses> loop = accesses_of(grid, choice, row, height_ + 2 * (choice.depth - 1));
    conditions_ = layer_conditions(loop, Bytes(static_cast<double>(grid.element() * choice.streams)));
    // A cache holds lines: elements next to each other in x are there together in any of them.
    std::erase_if(conditions_, [](const LayerCondition& c) { return c.reach < 1; });
}

bool LikelyTraffic::all_fits(Bytes capacity) const {
    const double arrays = blocks_in(grid_.steps, choice_.depth) > 1 ? 3.0 : 2.0;
    return arrays * static_cast<double>(layout_.bytes) <= capacity.value;
}

const LayerCondition& LikelyTraffic::holds(Bytes mine) const {
    const auto fits = std::find_if(conditions_.begin(), conditions_.end(),
                                   [&](const LayerCondition& c) { return c.needed <= mine; });
    return fits != conditions_.end() ? *fits : conditions_.back();
}

double LikelyTraffic::reads(const LayerCondition& condition) const {
    return condition.load_misses / (choice_.rows.y * choice_.rows.z);
}

bool LikelyTraffic::planes_stay(Bytes mine) const {
    if (choice_.depth == 1) return reads(holds(mine)) <= 1.0;
    const double planes =
        4.0 * static_cast<double>(height_ + 2 * choice_.depth) * static_cast<double>(layout_.row_bytes);
    const std::int64_t scratch = scratch_bytes(grid_, layout_, choice_.depth, choice_.cut.block_y);
    return static_cast<double>(scratch) + planes <= mine.value;
}

double LikelyTraffic::conflicts(const CacheShape& mine, double fetched) const {
    const LayerCondition& now = holds(mine.capacity);
    // Rows or planes that lose their sets are as good as absent: the next condition's reads.
    const auto next = std::find_if(conditions_.begin(), conditions_.end(),
                                   [&](const LayerCondition& c) { return reads(c) > reads(now); });
    double conflict = 0.0;
    if (next != conditions_.end()) {
        const std::int64_t rows = planes_stay(mine.capacity) ? height_ + 2 : choice_.rows.y + 2;
        conflict = conflicting_share(runs_of(choice_, layout_, rows), mine) * (reads(*next) - reads(now));
    }
    // A line that does not stay until the next vector comes in again for each of them.
    const std::vector<MemoryRun> lines = lines_of(grid_, choice_, layout_, mine.line.value);
    const double lost = conflicting_share(lines, mine);
    const double again = mine.line.value / static_cast<double>(grid_.element() * choice_.lanes);
    const double a_point = static_cast<double>(lines.size()) / (choice_.rows.y * choice_.rows.z);
    return conflict + lost * std::max(0.0, a_point * again - fetched);
}

TrafficAmounts LikelyTraffic::beyond(const CacheShape& cache) const {
    TrafficAmounts amounts;
    if (all_fits(cache.capacity)) return amounts;
    const Cut& cut = choice_.cut;
    const int depth = choice_.depth;
    CacheShape mine = cache;
    mine.capacity = Bytes(cache.capacity.value / cut.threads);
    const double edges = overlap(cut.block_y, grid_.ny, depth) * overlap(cut.block_z, grid_.nz, depth);
    const double now = reads(holds(mine.capacity));
    double fetched = edges;  // reads a point
    double conflict = 0.0;
    if (depth == 1) {
        fetched = std::max(edges, now * (now > 1.0 ? overlap(cut.block_y, grid_.ny, 1) : 1.0));
        if (mine.ways > 0) conflict = conflicts(mine, fetched);
    } else if (!planes_stay(mine.capacity)) {
        // Steps that do not stay inside read what they read alone, and all but the last fetch and write too.
        fetched = edges * (now * depth + 2.0 * (depth - 1));
    }
    const auto element = static_cast<double>(grid_.element());
    const double volume = static_cast<double>(grid_.volume()) * element;
    const auto passes = static_cast<double>(blocks_in(grid_.steps, depth));
    amounts.compulsory = passes * (2.0 * volume + element * static_cast<double>(halo_elements(grid_)));
    amounts.write_allocate = choice_.store == Store::nontemporal ? 0.0 : passes * volume;
    amounts.capacity = passes * volume * (fetched - 1.0);
    amounts.conflict = passes * volume * conflict;
    return amounts;
}

namespace {

/// Rows a block may have for its planes to stay; 0: not even one.
std::int64_t rows_that_fit(const Grid& g, const Choice& c, Bytes capacity) {
    Choice cut = c;
    std::int64_t fits = 0;
    std::int64_t low = 1;
    std::int64_t high = g.ny;
    while (low <= high) {
        cut.cut.block_y = (low + high) / 2;
        if (LikelyTraffic(g, cut).planes_stay(capacity)) {
            fits = cut.cut.block_y;
            low = cut.cut.block_y + 1;
        } else {
            high = cut.cut.block_y - 1;
        }
    }
    return fits;
}

std::string capacity_cure(const Grid& g, const Choice& c, const LikelyTraffic& likely, Bytes mine) {
    if (likely.planes_stay(mine))
        return "larger blocks: what lies around a block is read for each of its neighbours again";
    // Flatter blocks read about as much beyond their edges as they save.
    constexpr std::int64_t kFlattest = 4;
    const std::int64_t rows = rows_that_fit(g, c, mine);
    if (rows >= std::max<std::int64_t>(kFlattest, c.rows.y))
        return "cache blocking: block_y of at most " + std::to_string(rows) + " rows";
    if (c.depth > 1) return "fewer steps a pass (depth): what lies between them does not stay";
    return c.streams > 1 ? "fewer streams: each wants planes of its own"
                         : "none in this cache: not even the planes of four rows stay";
}

}  // namespace

Bytes likely_bytes(const Grid& g, const Choice& c, Bytes capacity) {
    return Bytes(LikelyTraffic(g, c).beyond({capacity, Bytes(64.0), 0}).total());
}

std::vector<TrafficPart> likely_parts(const Grid& g, const Choice& c, const CacheShape& cache, Bytes least) {
    const LikelyTraffic likely(g, c);
    TrafficAmounts amounts = likely.beyond(cache);
    if (likely.all_fits(cache.capacity)) amounts.compulsory = least.value;
    TrafficCures cures{"non-temporal stores", "", "padding: a pitch of rows that is no power of two lines"};
    if (amounts.capacity > 0.0)
        cures.capacity = capacity_cure(g, c, likely, Bytes(cache.capacity.value / c.cut.threads));
    return parts_of(amounts, cures);
}

}  // namespace rooftune::stencil
