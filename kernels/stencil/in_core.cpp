#include "kernels/stencil/in_core.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>
#include <vector>

#include "kernels/runtime/memory.h"
#include "kernels/stencil/sweep.h"
#include "models/traffic.h"

namespace rooftune::stencil {
namespace {

/// One turn of the loop over a bundle, in vectors or single elements.
struct Turn {
    double operations;    ///< floating-point ones a lane
    double instructions;  ///< floating-point ones
    double loads;
    double fused;  ///< of the instructions, fused multiply-adds
    double added;  ///< of the instructions, additions; the rest are products
    double rows;   ///< of which the neighbours in x are loaded as well
};

Turn turn_of(int points, int lanes, RegisterBlock r) {
    const double out = r.y * r.z;
    const double square = (r.y + 2) * (r.z + 2);
    if (points == 7) {
        const double cross = out + 2.0 * r.y + 2.0 * r.z;
        return {8.0 * out, 7.0 * out, cross + (lanes > 1 ? 2.0 * out : 0.0), out, 5.0 * out, out};
    }
    const double shared = square + 2.0 * (r.z + 2) * r.y;
    return {shared + 15.0 * out, shared + 12.0 * out, square * (lanes > 1 ? 3.0 : 1.0),
            3.0 * out,           shared + 8.0 * out,  square};
}

/// Of the loads of both neighbours in x of `vectors` vectors side by side, those that straddle two lines.
/// Rows begin on lines (layout.h), so a vector that begins a line has its left neighbour begin in the line
/// before, and one that ends a line has its right one end in the line behind; all others stay within theirs.
double split_in_row(std::int64_t vectors, std::int64_t bytes) {
    const std::int64_t in_a_line = std::max<std::int64_t>(1, static_cast<std::int64_t>(kCacheLine) / bytes);
    return static_cast<double>(blocks_in(vectors, in_a_line) + vectors / in_a_line);
}

void add(InCore& to, const InCore& more, double times) {
    to.ops += times * more.ops;
    to.fused += times * more.fused;
    to.added += times * more.added;
    to.instructions += times * more.instructions;
    to.loads += times * more.loads;
    to.fmas += times * more.fmas;
    to.wide_loads += times * more.wide_loads;
    to.split_loads += times * more.split_loads;
}

void raise(InCore& to, const InCore& other) {
    to.ops = std::max(to.ops, other.ops);
    to.fused = std::max(to.fused, other.fused);
    to.added = std::max(to.added, other.added);
    to.instructions = std::max(to.instructions, other.instructions);
    to.loads = std::max(to.loads, other.loads);
    to.fmas = std::max(to.fmas, other.fmas);
    to.wide_loads = std::max(to.wide_loads, other.wide_loads);
    to.split_loads = std::max(to.split_loads, other.split_loads);
}

/// Rows and planes that a slab's blocks compute at one step of a pass, by how they are bundled.
struct Lines {
    double bundled = 0.0;  ///< bundles
    double single = 0.0;   ///< left over
    double all() const { return bundled + single; }
};

Lines lines_of(const Range& slab, std::int64_t length, std::int64_t block, std::int64_t ghost, int height,
               Boundary boundary) {
    Lines lines;
    for (std::int64_t at = slab.begin; at < slab.end; at += block) {
        std::int64_t begin = at - ghost;
        std::int64_t end = std::min(at + block, slab.end) + ghost;
        if (boundary == Boundary::dirichlet) {
            begin = std::max<std::int64_t>(0, begin);
            end = std::min(end, length);
        }
        lines.bundled += static_cast<double>((end - begin) / height);
        lines.single += static_cast<double>((end - begin) % height);
    }
    return lines;
}

/// One pass of `depth` steps over a slab.
InCore pass_cost(const Grid& g, const Choice& c, const Block& slab, int depth, const InCore& bundle,
                 const InCore& single) {
    InCore cost;
    for (int k = 1; k <= depth; ++k) {
        const Lines y = lines_of(slab.y, g.ny, c.cut.block_y, depth - k, c.rows.y, g.boundary);
        const Lines z = lines_of(slab.z, g.nz, c.cut.block_z, depth - k, c.rows.z, g.boundary);
        add(cost, bundle, y.bundled * z.bundled);
        const double rows = y.bundled * c.rows.y + y.single;
        add(cost, single, y.single * c.rows.z * z.bundled + rows * z.single);
    }
    return cost;
}

/// A slab moved so that it begins at most `depth` from one edge, and with its size less than that from the
/// other only where it was: what is cut off at edges is the same.
Range kind_of(const Range& slab, std::int64_t length, int depth) {
    const std::int64_t near = std::min<std::int64_t>(slab.begin, depth);
    const std::int64_t far = std::min<std::int64_t>(length - slab.end, depth);
    return {near * (kDeepest + 1) + far, slab.size()};
}

/// Points of a slab, or of every block where blocks are dealt out, that neighbours do not read with a pass of
/// `depth` steps and whose lines no other core's prefetchers reach, nor the variants' own prefetches. All of
/// them where one thread has the grid.
double points_alone(const Grid& g, const Cut& cut, const Block& slab, int depth) {
    if (cut.threads == 1) return static_cast<double>(g.nx * slab.y.size() * slab.z.size());
    const auto element = static_cast<double>(g.element());
    const double reach = std::max(kPrefetchReach, static_cast<double>(farthest_prefetch(g)));
    const auto alone = [&](std::int64_t y, std::int64_t z, bool cut_in_y) {
        const auto planes = static_cast<double>(std::max<std::int64_t>(0, z));
        const auto plane = element * static_cast<double>(g.nx * std::max<std::int64_t>(0, y));
        return (cut_in_y ? planes * out_of_reach(plane, reach) : out_of_reach(planes * plane, reach)) /
               element;
    };
    switch (cut.partition) {
        case Partition::z:
            return alone(slab.y.size(), slab.z.size() - 2 * depth, false);
        case Partition::y:
            return alone(slab.y.size() - 2 * depth, slab.z.size(), true);
        case Partition::cyclic:
            break;
    }
    double points = 0.0;
    for (std::int64_t y = 0; y < g.ny; y += cut.block_y) {
        for (std::int64_t z = 0; z < g.nz; z += cut.block_z) {
            points += alone(std::min(cut.block_y, g.ny - y) - 2 * depth,
                            std::min(cut.block_z, g.nz - z) - 2 * depth, true);
        }
    }
    return points;
}

/// The compiler's own vectors: at most two or four lanes, no fused operations, and each row of the
/// stencil loaded at least once.
Executed plain(const Grid& g, const Choice& c) {
    const auto of = [&](double points) {
        const double flops = flops_a_point(g.points);
        const double vectors = points * static_cast<double>(g.steps) / c.lanes;
        return InCore{Operations(flops * c.lanes * vectors), Operations((flops + 1.0) * vectors),
                      Operations((g.points == 7 ? 5.0 : 9.0) * vectors), Operations(flops * vectors)};
    };
    const double plane = static_cast<double>(g.nx * g.ny);
    const double planes = std::ceil(static_cast<double>(g.nz) / c.cut.threads);
    const Block slab{{0, g.ny}, {0, static_cast<std::int64_t>(planes)}};
    return {of(plane * static_cast<double>(g.nz)), of(plane * planes), plane * planes,
            points_alone(g, {c.cut.threads, Partition::z, g.ny, g.nz}, slab, 1)};
}

}  // namespace

InCore bundle_cost(const Grid& g, int lanes, RegisterBlock rows) {
    const Turn turn = turn_of(g.points, lanes, rows);
    const double vectors = static_cast<double>(g.nx / lanes);
    const double out = rows.y * rows.z;
    InCore cost{Operations(turn.operations * lanes * vectors),
                Operations((turn.instructions + out) * vectors), Operations(turn.loads * vectors),
                Operations(turn.instructions * vectors)};
    cost.fused = Operations(2.0 * turn.fused * lanes * vectors);
    cost.added = Operations(turn.added * lanes * vectors);
    if (lanes > 1) {
        cost.wide_loads = cost.loads;  // those of what is left are narrower
        cost.split_loads = Operations(turn.rows * split_in_row(g.nx / lanes, lanes * g.element()));
    }
    const auto left = static_cast<unsigned>(g.nx % lanes);
    for (int narrow = lanes / 2; narrow >= 1; narrow /= 2) {
        if ((left & static_cast<unsigned>(narrow)) == 0) continue;
        const Turn one = turn_of(g.points, narrow, {1, 1});
        cost.ops += Operations(out * one.operations * narrow);
        cost.fused += Operations(2.0 * out * one.fused * narrow);
        cost.added += Operations(out * one.added * narrow);
        cost.instructions += Operations(out * (one.instructions + 1.0));
        cost.loads += Operations(out * one.loads);
        cost.fmas += Operations(out * one.instructions);
    }
    return cost;
}

Executed executed(const Grid& g, const Choice& c) {
    if (c.plain) return plain(g, c);
    const InCore bundle = bundle_cost(g, c.lanes, c.rows);
    const InCore single = bundle_cost(g, c.lanes, {1, 1});
    const auto whole_passes = static_cast<double>(g.steps / c.depth);
    const auto rest = static_cast<int>(g.steps % c.depth);
    const bool dealt = c.cut.partition == Partition::cyclic;
    Executed e;
    // Slabs of a size and as far from the edges cost the same, and there are few kinds of them.
    std::vector<std::pair<Range, InCore>> kinds;
    for (int t = 0; t < (dealt ? 1 : c.cut.threads); ++t) {
        const Block slab = slab_of(g, c.cut, t);
        const Range kind = kind_of(c.cut.partition == Partition::y ? slab.y : slab.z,
                                   c.cut.partition == Partition::y ? g.ny : g.nz, c.depth);
        auto known = std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == kind; });
        if (known == kinds.end()) {
            InCore cost;
            add(cost, pass_cost(g, c, slab, c.depth, bundle, single), whole_passes);
            if (rest > 0) add(cost, pass_cost(g, c, slab, rest, bundle, single), 1.0);
            kinds.emplace_back(kind, cost);
            known = kinds.end() - 1;
        }
        const InCore& mine = known->second;
        add(e.total, mine, 1.0);
        raise(e.heaviest, mine);
        e.heaviest_points =
            std::max(e.heaviest_points, static_cast<double>(g.nx * slab.y.size() * slab.z.size()));
        e.heaviest_alone = std::max(e.heaviest_alone, points_alone(g, c.cut, slab, c.depth));
    }
    if (dealt) {
        // Somebody has at least the mean.
        const double share = 1.0 / c.cut.threads;
        e.heaviest = InCore();
        add(e.heaviest, e.total, share);
        e.heaviest_points *= share;
        e.heaviest_alone *= share;
    }
    return e;
}

}  // namespace rooftune::stencil
