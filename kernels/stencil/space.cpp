#include "kernels/stencil/space.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "kernels/stencil/layout.h"
#include "kernels/stencil/sweep.h"

namespace rooftune::stencil {
namespace {

constexpr int kPlain = 0;  ///< positions in the values of simd
constexpr int kScalar = 1;
// Few values each, for all of them multiply. Twice the last of them, and so on as long as the grid is longer,
// comes once the best has that, in large grids.
constexpr std::int64_t kBlockYs[] = {8, 16, 32, 64, 128};
constexpr std::int64_t kBlockZs[] = {32};
// Bytes; the long ones for grids that no cache holds, and those beyond once the best has the last of these.
constexpr std::int64_t kPrefetches[] = {0, 512};
constexpr std::int64_t kLongPrefetches[] = {2048, 8192}, kPrefetchesBeyond[] = {16384, 32768};
constexpr int kStreamsAtFirst = 4;
constexpr const char* kNoneBeyond = "the family offers none beyond";
constexpr const char* kCompiled = "the kernels are compiled with no more";

std::vector<ParameterValue> simd_values(const Target& target, DType dtype) {
    std::vector<ParameterValue> values{{"plain", 128}, {"scalar", 8 * static_cast<int>(size_of(dtype))}};
    for (const int bits : target.width_bits) values.push_back({std::to_string(bits), bits});
    return values;
}

std::vector<ParameterValue> depth_values(std::int64_t steps) {
    std::vector<std::int64_t> depths;
    for (std::int64_t depth = 1; depth <= std::min<std::int64_t>(steps, kDeepest); depth *= 2)
        depths.push_back(depth);
    return numbers(depths);
}

/// Grids that a cache holds have little to wait for.
bool is_large(const Grid& g) {
    constexpr double kLarge = 16.0 * 1024.0 * 1024.0;
    return 2.0 * static_cast<double>(g.volume() * g.element()) >= kLarge;
}

std::vector<std::int64_t> prefetch_distances(const Grid& g) {
    std::vector<std::int64_t> distances(std::begin(kPrefetches), std::end(kPrefetches));
    if (!is_large(g)) return distances;
    distances.insert(distances.end(), std::begin(kLongPrefetches), std::end(kLongPrefetches));
    distances.insert(distances.end(), std::begin(kPrefetchesBeyond), std::end(kPrefetchesBeyond));
    return distances;
}

Parameter prefetch_parameter(const Grid& g) {
    Parameter p("prefetch", "bytes prefetched ahead in rows not met before; 0 is none",
                numbers(prefetch_distances(g)));
    return is_large(g) ? p.ordered(kNoneBeyond).growing(static_cast<int>(std::size(kPrefetchesBeyond)))
                       : p.ordered("longer distances are for grids that no cache holds");
}

Parameter streams_parameter(const Grid& g) {
    std::vector<std::int64_t> streams;
    for (std::int64_t n = 1; n <= kStreamsAtFirst; n *= 2) streams.push_back(n);
    if (is_large(g)) streams.push_back(2 * kStreamsAtFirst);
    return Parameter("streams", "ranges of rows that a thread walks in turn", numbers(streams))
        .ordered(is_large(g) ? "the kernels walk no more at once" : "more are for grids that no cache holds")
        .growing(is_large(g) ? 1 : 0);
}

std::vector<ParameterValue> thread_values(int threads) {
    std::vector<std::int64_t> values;
    for (int n = 1; n < threads; n *= 2) values.push_back(n);
    values.push_back(threads);
    return numbers(values);
}

std::vector<ParameterValue> row_values(int points) {
    std::vector<ParameterValue> values;
    for (const RegisterBlock block : kRegisterBlocks) {
        if (!block_exists(points, block)) continue;
        values.push_back({std::to_string(block.y) + "x" + std::to_string(block.z), block.y * 10 + block.z});
    }
    return values;
}

/// "whole" first; sizes from the grid's own on would be the same.
template <typename List>
Parameter block_parameter(std::string name, std::string help, const List& list, std::int64_t length,
                          bool grows) {
    std::vector<ParameterValue> values{{"whole", length}};
    for (const std::int64_t size : list) {
        if (size < length) values.push_back({std::to_string(size), size});
    }
    int beyond = 0;
    for (std::int64_t size = 2 * *(std::end(list) - 1); grows && size < length; size *= 2, ++beyond)
        values.push_back({std::to_string(size), size});
    return Parameter(std::move(name), std::move(help), std::move(values)).ordered().growing(beyond);
}

/// Conditions and constraints.
class Rules {
public:
    Rules(const Grid& grid, const Space& values) : g_(grid), values_(values) {}

    bool tuned(const PartialVariant& v) const { return v[kSimd] != kPlain; }
    bool vectors(const PartialVariant& v) const { return v[kSimd] > kScalar; }
    RegisterBlock rows(const PartialVariant& v) const {
        const auto code = static_cast<int>(values_.number(v, kRows, 11));
        return {code / 10, code % 10};
    }
    std::int64_t depth(const PartialVariant& v) const { return values_.number(v, kDepth, 1); }
    std::int64_t threads(const PartialVariant& v) const { return values_.number(v, kThreads, 1); }

    bool bundle_fits(const PartialVariant& v) const {
        const RegisterBlock r = rows(v);
        return r.y <= g_.ny && r.z <= g_.nz && (r.z == 1 || depth(v) <= 1);
    }
    bool unroll(const PartialVariant& v) const {
        if (v[kUnroll] <= 0) return true;
        const auto lanes = values_.number(v, kSimd, 0) / (8 * g_.element());
        return 2 * lanes <= g_.nx;
    }
    bool block_y(const PartialVariant& v) const {
        if (!v.fixed(kBlockY)) return true;
        const std::int64_t size = values_.number(v, kBlockY, g_.ny);
        if (size < rows(v).y) return false;
        return scratch_bytes(g_, layout_of(g_, 0), static_cast<int>(depth(v)), size) <= kMostScratch;
    }
    bool ghost(const PartialVariant& v) const {
        if (depth(v) <= 1) return true;
        const auto wide = [&](int parameter) {
            return v[parameter] <= 0 || values_.number(v, parameter, 0) >= depth(v);
        };
        return wide(kBlockY) && wide(kBlockZ);
    }
    bool partition(const PartialVariant& v) const {
        switch (static_cast<Partition>(std::max<int>(0, v[kPartition]))) {
            case Partition::z:
                return true;
            case Partition::y:
                return g_.ny > 1;
            case Partition::cyclic:
                return blocks_in(g_.ny, values_.number(v, kBlockY, g_.ny)) *
                           blocks_in(g_.nz, values_.number(v, kBlockZ, g_.nz)) >
                       1;
        }
        return true;
    }
    bool store(const PartialVariant& v) const {
        return v[kStore] <= 0 ||
               (vectors(v) && g_.nx * g_.element() >= static_cast<std::int64_t>(kCacheLine));
    }
    bool streams(const PartialVariant& v) const {
        if (v[kStreams] <= 0) return true;
        std::int64_t height = std::min(g_.ny, values_.number(v, kBlockY, g_.ny));
        if (v[kPartition] == static_cast<int>(Partition::y)) height = std::min(height, g_.ny / threads(v));
        return height / rows(v).y >= values_.number(v, kStreams, 1);
    }
    bool placement(const PartialVariant& v) const {
        return static_cast<Placement>(v[kPlacement]) != Placement::none || threads(v) > 1;
    }

private:
    Grid g_;
    Space values_;  ///< of the parameters alone, to read numbers from
};

/// The variant with these values where the parameters exist.
Variant assemble(const Space& space, const std::array<std::string, kParameterCount>& values) {
    Variant variant;
    for (int p = 0; p < space.size(); ++p) {
        const Parameter& parameter = space.parameters()[static_cast<std::size_t>(p)];
        if (parameter.exists && !parameter.exists(variant)) {
            variant.fix(p, PartialVariant::kAbsent);
            continue;
        }
        const std::string& text = values[static_cast<std::size_t>(p)];
        const auto it = std::find_if(parameter.values.begin(), parameter.values.end(),
                                     [&](const ParameterValue& v) { return v.text == text; });
        if (it == parameter.values.end())
            throw std::logic_error("stencil: no value " + text + " of " + parameter.name);
        variant.fix(p, static_cast<int>(it - parameter.values.begin()));
    }
    return variant;
}

void add_parameters(Space& space, const Grid& g, const Target& target,
                    const std::shared_ptr<const Rules>& rules) {
    const auto tuned = [rules](const PartialVariant& v) { return rules->tuned(v); };
    const std::string not_plain = "simd is not plain";
    const ParameterSet simd{kSimd};
    space.add(Parameter("simd", "vector width in bits; plain is the textbook loop as the compiler has it",
                        simd_values(target, g.dtype)));
    space.add(Parameter("depth", "time steps that one pass over the grid takes", depth_values(g.steps))
                  .ordered(2 * kDeepest <= g.steps ? "the kernels fuse no more" : "")
                  .when("steps is above 1 and simd is not plain", simd,
                        [rules, steps = g.steps](const PartialVariant& v) {
                            return steps > 1 && rules->tuned(v);
                        }));
    space.add(Parameter("threads", "threads", thread_values(target.threads)));
    space.add(Parameter("rows", "rows in y x planes in z computed together", row_values(g.points))
                  .when(not_plain, simd, tuned));
    space.add(Parameter("unroll", "vectors along x a turn of the loop", numbers({1, 2}))
                  .ordered(kCompiled)
                  .when("one row is computed at a time, and simd is not plain", {kSimd, kRows},
                        [rules](const PartialVariant& v) {
                            return rules->tuned(v) && block_unrolls(rules->rows(v));
                        }));
    space.add(block_parameter("block_y", "rows of a block", kBlockYs, g.ny, is_large(g))
                  .when(not_plain, simd, tuned));
    space.add(block_parameter("block_z", "planes of a block", kBlockZs, g.nz, is_large(g))
                  .when(not_plain, simd, tuned));
    space.add(
        Parameter("partition", "what threads share out: slabs in z, slabs in y, or blocks dealt out in turn",
                  names({"z", "y", "cyclic"}))
            .when("threads is above 1 and simd is not plain", {kSimd, kThreads},
                  [rules](const PartialVariant& v) { return rules->tuned(v) && rules->threads(v) > 1; }));
    space.add(Parameter("store", "ordinary stores, or such as pass the caches by",
                        names({"regular", "nontemporal"}))
                  .when(not_plain, simd, tuned));
    space.add(streams_parameter(g).when(
        "depth is 1 and simd is not plain", {kSimd, kDepth},
        [rules](const PartialVariant& v) { return rules->tuned(v) && rules->depth(v) <= 1; }));
    space.add(prefetch_parameter(g).when(not_plain, simd, tuned));
    space.add(Parameter("padding", "cache lines added to the pitch of a row", numbers({0, 1}))
                  .when(not_plain, simd, tuned));
    std::vector<std::string> placements{"owner"};
    if (target.numa_nodes > 1) placements = {"owner", "interleave", "none"};
    space.add(Parameter("placement", "pages: first touched by their owner, interleaved, or all by one thread",
                        names(placements)));
    space.add(Parameter("pages", "pages of memory", names({"huge", "small"})).when(not_plain, simd, tuned));
}

void add_constraints(Space& space, const std::shared_ptr<const Rules>& rules) {
    const auto add = [&](std::string text, int decided_by, ParameterSet depends_on,
                         bool (Rules::*holds)(const PartialVariant&) const) {
        space.add(Constraint{std::move(text), decided_by,
                             [rules, holds](const PartialVariant& v) { return ((*rules).*holds)(v); },
                             depends_on});
    };
    add("the grid has the rows computed together, and several steps go plane by plane", kRows,
        {kDepth, kRows}, &Rules::bundle_fits);
    add("a row has the vectors of a turn", kUnroll, {kSimd, kUnroll}, &Rules::unroll);
    add("a block has the rows computed together, and its steps' planes stay below 16 MiB", kBlockY,
        {kDepth, kRows, kBlockY}, &Rules::block_y);
    add("a cut block is at least as wide as the steps are deep", kBlockZ, {kDepth, kBlockY, kBlockZ},
        &Rules::ghost);
    add("there is something to share out", kPartition, {kBlockY, kBlockZ, kPartition}, &Rules::partition);
    add("non-temporal stores need vectors and a whole line", kStore, {kSimd, kStore}, &Rules::store);
    add("each stream has rows", kStreams, {kThreads, kRows, kBlockY, kPartition, kStreams}, &Rules::streams);
    add("placement by one thread differs from the owner's only with several", kPlacement,
        {kThreads, kPlacement}, &Rules::placement);
}

}  // namespace

std::int64_t farthest_prefetch(const Grid& grid) {
    return prefetch_distances(grid).back();
}

Space make_space(const Grid& grid, const Target& target) {
    // The rules read numbers from a space of the same values, which must be there before them.
    Space values("stencil", kSpaceVersion);
    add_parameters(values, grid, target, nullptr);
    const auto rules = std::make_shared<const Rules>(grid, values);
    Space space("stencil", kSpaceVersion);
    add_parameters(space, grid, target, rules);
    add_constraints(space, rules);
    return space;
}

Choice decode(const Space& space, const PartialVariant& v, const Grid& grid) {
    Choice c;
    const int element_bits = static_cast<int>(8 * grid.element());
    c.plain = v[kSimd] == kPlain;
    c.width_bits = static_cast<int>(space.number(v, kSimd, element_bits));
    c.lanes = lanes_of(grid.dtype, c.width_bits);
    c.depth = static_cast<int>(space.number(v, kDepth, 1));
    const auto rows = static_cast<int>(space.number(v, kRows, 11));
    c.rows = {rows / 10, rows % 10};
    c.unroll = static_cast<int>(space.number(v, kUnroll, 1));
    c.cut.threads = static_cast<int>(space.number(v, kThreads, 1));
    c.cut.partition = static_cast<Partition>(std::max<int>(0, v[kPartition]));
    c.cut.block_y = space.number(v, kBlockY, grid.ny);
    c.cut.block_z = space.number(v, kBlockZ, grid.nz);
    c.store = v[kStore] == 1 ? Store::nontemporal : Store::regular;
    c.streams = static_cast<int>(space.number(v, kStreams, 1));
    c.prefetch = space.number(v, kPrefetch, 0);
    c.padding = space.number(v, kPadding, 0);
    c.placement = static_cast<Placement>(std::max<int>(0, v[kPlacement]));
    c.pages = v[kPages] == 1 ? Pages::small : Pages::huge;
    return c;
}

Variant naive_variant(const Space& space, const Target& target) {
    return assemble(space, {"plain", "", std::to_string(target.threads), "", "", "", "", "", "", "", "", "",
                            "owner", ""});
}

Variant default_variant(const Space& space, const Target& target, const Grid& grid) {
    // In vectors, lines of 17 f64 elements were 0.82 to 0.9 times as fast as in the textbook loop, of 33 f32
    // elements 0.92 times.
    constexpr std::int64_t kShortLine = 192, kVectorsALine = 4;  // bytes, vectors
    const auto size = static_cast<std::int64_t>(size_of(grid.dtype));
    if (grid.nx * size < kShortLine || target.width_bits.empty()) return naive_variant(space, target);
    std::string simd = std::to_string(target.width_bits.front());
    for (const int bits : target.width_bits) {
        if (kVectorsALine * lanes_of(grid.dtype, bits) <= grid.nx) simd = std::to_string(bits);
    }
    // Rows computed together load what they share once: with four of 7 points five values a point in place of
    // seven, with two of 27 points eighteen in place of 27. On a Zen 5 at 512 and 128 bits, against row after
    // row: 7 points of 64³ f64 1.6 and 1.4 times as fast, of 256³ 1.34 and 1.27 times, 27 points of 96³ 1.3
    // and 1.4 times. Without them 7 points at 128 bits were behind the textbook loop.
    // Two planes go together where each thread has two.
    const bool flat = grid.nz < 2 * static_cast<std::int64_t>(target.threads);
    const char* const rows = grid.points == 7 ? (flat ? "2x1" : "2x2") : (flat ? "2x1" : "1x2");
    // Rows that are asked for two pages ahead where a second-level cache holds few of them: 7 points of 128³
    // at 128 bits were 0.87 times as fast as the textbook loop without, and are 1.3 times with it.
    constexpr int kAhead = 8192;
    const char* const prefetch = farthest_prefetch(grid) >= kAhead ? "8192" : "0";
    // Where few caches hold even the answer, one that is not read before it is written, unless it is read
    // soon after, by the next step or to close periodic rows.
    constexpr std::int64_t kBeyondCaches = std::int64_t{64} << 20;  // bytes of an array
    const bool streams =
        grid.volume() * size >= kBeyondCaches && grid.steps == 1 && grid.boundary != Boundary::periodic;
    const auto with = [&](const char* together, const char* store) {
        return assemble(space, {simd, "1", std::to_string(target.threads), together, "1", "whole", "whole",
                                "z", store, "1", prefetch, "0", "owner", "huge"});
    };
    for (const char* const together : {rows, "1x1"}) {
        for (const char* const store : {"nontemporal", "regular"}) {
            const Variant variant = with(together, store);
            if ((streams || store == std::string_view("regular")) && space.valid(variant)) return variant;
        }
    }
    return with("1x1", "regular");
}

}  // namespace rooftune::stencil
