#include "kernels/matmul/space.h"

#include <algorithm>
#include <array>
#include <memory>
#include <stdexcept>

#include "kernels/matmul/kernel.h"
#include "models/space_offer.h"

namespace rooftune::matmul {
namespace {

constexpr std::array<std::int64_t, 4> kDepths{192, 256, 384, 512};
constexpr std::array<std::int64_t, 4> kRowBlocks{96, 168, 240, 336};
constexpr std::array<std::int64_t, 2> kRowBlocksBeyond{480, 672};  ///< once the best has the last of those
constexpr std::array<std::int64_t, 5> kColumnBlocks{512, 1024, 2048, 4096, 8192};
constexpr std::int64_t kTileFactor = 1000;  ///< a tile's number is mr·1000 + nr

int element_bits(DType dtype) {
    return 8 * static_cast<int>(size_of(dtype));
}

std::string text_of(std::int64_t mr, std::int64_t nr) {
    return std::to_string(mr) + "x" + std::to_string(nr);
}

std::vector<int> widths_of(const Target& target, DType dtype) {
    std::vector<int> widths{element_bits(dtype)};
    widths.insert(widths.end(), target.width_bits.begin(), target.width_bits.end());
    return widths;
}

std::vector<ParameterValue> simd_values(const std::vector<int>& widths) {
    std::vector<ParameterValue> values{{"scalar", widths.front()}};
    for (std::size_t i = 1; i < widths.size(); ++i) values.push_back({std::to_string(widths[i]), widths[i]});
    return values;
}

/// The tiles of all usable widths, the widest vectors' first, each size once.
std::vector<ParameterValue> tile_values(const std::vector<int>& widths, DType dtype) {
    std::vector<ParameterValue> values;
    for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
        for (const TileShape& shape : tiles_of(dtype, *width)) {
            const std::int64_t nr = std::int64_t{shape.vectors} * lanes_of(dtype, *width);
            const ParameterValue value{text_of(shape.mr, nr), shape.mr * kTileFactor + nr};
            if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
        }
    }
    return values;
}

/// 1, 2, 4, … and the most.
std::vector<std::int64_t> thread_counts(int most) {
    std::vector<std::int64_t> counts;
    for (std::int64_t t = 1; t < most; t *= 2) counts.push_back(t);
    counts.push_back(most);
    return counts;
}

/// Matrices that a large cache holds, all three, need no more of anything than is offered at first.
bool is_large(const MatmulProblem& p) {
    constexpr double kLarge = 16.0 * 1024.0 * 1024.0;
    const auto m = static_cast<double>(p.m()), n = static_cast<double>(p.n()), k = static_cast<double>(p.k());
    return static_cast<double>(size_of(p.dtype())) * (m * n + m * k + k * n) >= kLarge;
}

/// Those values that leave something to block, and the whole.
template <typename List>
std::vector<ParameterValue> block_values(const List& list, std::int64_t whole) {
    std::vector<ParameterValue> values;
    for (const std::int64_t value : list) {
        if (value < whole) values.push_back({std::to_string(value), value});
    }
    values.push_back({"whole", whole});
    return values;
}

Parameter row_blocks(const MatmulProblem& problem) {
    std::vector<ParameterValue> values = block_values(kRowBlocks, problem.m());
    int beyond = 0;
    for (const std::int64_t value : kRowBlocksBeyond) {
        if (!is_large(problem) || value >= problem.m()) continue;
        values.push_back({std::to_string(value), value});
        ++beyond;
    }
    return Parameter("mc", "rows of a block of A, rounded up to whole tiles", std::move(values))
        .ordered()
        .growing(beyond);
}

Parameter steps_ahead(const MatmulProblem& problem) {
    std::vector<std::int64_t> steps{0, 4, 8};
    const int beyond = is_large(problem) ? 2 : 0;
    for (int i = 0; i < beyond; ++i) steps.push_back(2 * steps.back());
    return Parameter("ahead", "steps of k that A and B are prefetched ahead; 0 is none", numbers(steps))
        .ordered(beyond > 0 ? "the family offers none beyond" : "more is for matrices that no cache holds")
        .growing(beyond);
}

const TileShape* find_shape(DType dtype, int width, std::int64_t number) {
    const int lanes = lanes_of(dtype, width);
    for (const TileShape& shape : tiles_of(dtype, width)) {
        if (shape.mr * kTileFactor + std::int64_t{shape.vectors} * lanes == number) return &shape;
    }
    return nullptr;
}

/// Conditions and constraints, all of which look at the problem.
class Rules {
public:
    Rules(const MatmulProblem& problem, std::vector<int> widths, std::vector<Parameter> parameters,
          int most_threads)
        : problem_(problem),
          widths_(std::move(widths)),
          most_threads_(most_threads),
          parameters_(std::move(parameters)) {}

    static bool tiled(const PartialVariant& v) { return v[kMethod] == 0; }
    static bool packs_a(const PartialVariant& v) { return v[kPackA] == 0; }
    static bool packs_b(const PartialVariant& v) { return v[kPackB] == 0; }

    std::int64_t number(const PartialVariant& v, int p) const {
        return parameters_[static_cast<std::size_t>(p)].values[static_cast<std::size_t>(v[p])].number;
    }
    int width(const PartialVariant& v) const { return widths_[static_cast<std::size_t>(v[kSimd])]; }
    const TileShape* shape(const PartialVariant& v) const {
        return find_shape(problem_.dtype(), width(v), number(v, kTile));
    }

    bool tile(const PartialVariant& v) const {
        if (!tiled(v)) return true;
        const TileShape* found = shape(v);
        if (!found) return false;
        return height_for(tiles_of(problem_.dtype(), width(v)), *found, problem_.m()) == found->mr;
    }

    bool threads(const PartialVariant& v) const { return tiled(v) || number(v, kThreads) == most_threads_; }

    bool several(const PartialVariant& v) const { return tiled(v) && number(v, kThreads) > 1; }

    Grid grid(const PartialVariant& v) const {
        const Loop loop = v.fixed(kLoop) ? static_cast<Loop>(v[kLoop]) : Loop::rows;
        return grid_of(loop, static_cast<int>(number(v, kThreads)));
    }

    bool loop(const PartialVariant& v) const {
        if (!several(v)) return true;
        const Grid g = grid(v);
        if (static_cast<Loop>(v[kLoop]) == Loop::both && (g.rows == 1 || g.columns == 1)) return false;
        return g.rows <= problem_.m() && g.columns <= ceil_div(problem_.n(), number(v, kTile) % kTileFactor);
    }

    bool unroll(const PartialVariant& v) const {
        if (!tiled(v)) return true;
        const TileShape* found = shape(v);
        if (!found) return true;  // another rule's business
        const std::int64_t steps = number(v, kUnroll);
        return steps <= found->most_unroll && (steps == 1 || steps <= problem_.k());
    }

    bool pack_b(const PartialVariant& v) const { return !tiled(v) || packs_b(v) || !problem_.transpose_b(); }

    std::int64_t most_rows(const PartialVariant& v) const { return ceil_div(problem_.m(), grid(v).rows); }
    std::int64_t most_columns(const PartialVariant& v) const {
        const std::int64_t nr = number(v, kTile) % kTileFactor;
        return ceil_div(ceil_div(problem_.n(), nr), grid(v).columns) * nr;
    }

    /// A block smaller than the whole must leave something over, and be another than the next smaller one.
    bool block(const PartialVariant& v, int parameter, std::int64_t unit, std::int64_t whole) const {
        const Parameter& p = parameters_[static_cast<std::size_t>(parameter)];
        if (value_above(p, v[parameter]) < 0) return true;  // the whole
        const std::int64_t strips = ceil_div(number(v, parameter), unit);
        if (strips * unit >= whole) return false;
        const int smaller = value_below(p, v[parameter]);
        return smaller < 0 || strips != ceil_div(p.values[static_cast<std::size_t>(smaller)].number, unit);
    }

    bool mc(const PartialVariant& v) const {
        if (!v.fixed(kMc)) return true;
        return block(v, kMc, number(v, kTile) / kTileFactor, most_rows(v));
    }
    bool nc(const PartialVariant& v) const {
        if (!v.fixed(kNc)) return true;
        return block(v, kNc, number(v, kTile) % kTileFactor, most_columns(v));
    }

    bool order(const PartialVariant& v) const {
        if (!tiled(v) || v[kOrder] == 0) return true;
        return most_rows(v) > number(v, kTile) / kTileFactor &&
               most_columns(v) > number(v, kTile) % kTileFactor;
    }

    bool ahead(const PartialVariant& v) const {
        return !v.fixed(kAhead) || number(v, kAhead) < std::min(problem_.k(), number(v, kKc));
    }

private:
    MatmulProblem problem_;
    std::vector<int> widths_;
    int most_threads_;
    std::vector<Parameter> parameters_;
};

/// The first variant in the order of preference: for each parameter the values named, then the others.
using Preferences = std::array<std::vector<std::string>, kParameterCount>;

bool complete_by(const Space& space, const Preferences& wanted, PartialVariant& v) {
    const int p = space.first_free(v);
    if (p < 0) return true;
    std::vector<PartialVariant> children;
    space.children(v, children);
    // A child may have decided absent parameters on the way: its own is the last one fixed.
    const auto rank = [&](const PartialVariant& child) {
        std::size_t sum = 0;
        for (int q = p; q < space.size() && !child.free_at(q); ++q) {
            if (!child.fixed(q)) continue;
            const auto& order = wanted[static_cast<std::size_t>(q)];
            sum = static_cast<std::size_t>(std::find(order.begin(), order.end(), space.text(child, q)) -
                                           order.begin());
        }
        return sum;
    };
    std::stable_sort(children.begin(), children.end(),
                     [&](const auto& a, const auto& b) { return rank(a) < rank(b); });
    for (PartialVariant& child : children) {
        if (complete_by(space, wanted, child)) {
            v = child;
            return true;
        }
    }
    return false;
}

Variant assemble(const Space& space, const Preferences& wanted) {
    PartialVariant v;
    if (!complete_by(space, wanted, v)) throw std::logic_error("matmul: the space has no variant");
    return v;
}

}  // namespace

Space make_space(const MatmulProblem& problem, const Target& target) {
    const std::vector<int> widths = widths_of(target, problem.dtype());
    std::vector<Parameter> parameters;
    const auto parameter = [&](std::string name, std::string help,
                               std::vector<ParameterValue> values) -> Parameter& {
        return parameters.emplace_back(std::move(name), std::move(help), std::move(values));
    };
    const auto tiled = [](const PartialVariant& v) { return Rules::tiled(v); };
    const std::string if_tiled = "method is tiled";
    const ParameterSet method{kMethod};
    parameters.reserve(kParameterCount);
    parameter("method", "register tiles with blocking, or the textbook loops",
              names({"tiled", "triple_loop"}));
    parameter("simd", "vector width in bits", simd_values(widths)).when(if_tiled, method, tiled);
    parameter("tile", "rows x columns of C that are kept in registers", tile_values(widths, problem.dtype()))
        .when(if_tiled, method, tiled);
    parameter("threads", "threads", numbers(thread_counts(target.threads)));
    parameter("loop", "what the threads share: rows of C, its columns, or both", names({"m", "n", "2d"}));
    parameter("kc", "steps of k that a block takes", block_values(kDepths, problem.k()))
        .when(if_tiled, method, tiled)
        .ordered();
    parameter("unroll", "steps of k in one turn of the inner loop", numbers({1, 2, 4}))
        .when(if_tiled, method, tiled)
        .ordered("the kernels are compiled with no more");
    parameter("pack_a", "copy blocks of A to the order of use", names({"yes", "no"}))
        .when(if_tiled, method, tiled);
    parameter("pack_b", "copy blocks of B to the order of use", names({"yes", "no"}))
        .when(if_tiled, method, tiled);
    parameters.emplace_back(row_blocks(problem))
        .when("A is packed", {kMethod, kPackA},
              [](const PartialVariant& v) { return Rules::tiled(v) && Rules::packs_a(v); });
    parameter("nc", "columns of a block of B, rounded up to whole tiles",
              block_values(kColumnBlocks, problem.n()))
        .when("B is packed", {kMethod, kPackB},
              [](const PartialVariant& v) { return Rules::tiled(v) && Rules::packs_b(v); })
        .ordered();
    parameter("order", "the outer of the two loops over tiles: strips of B or strips of A",
              names({"b_outer", "a_outer"}))
        .when(if_tiled, method, tiled);
    parameters.emplace_back(steps_ahead(problem))
        .when("A and B are packed", {kMethod, kPackA, kPackB}, [](const PartialVariant& v) {
            return Rules::tiled(v) && Rules::packs_a(v) && Rules::packs_b(v);
        });
    parameter("prefetch_c", "prefetch a tile of C while its sums are formed", names({"yes", "no"}))
        .when(if_tiled, method, tiled);
    parameter("pages", "pages of the matrices and of packed blocks", names({"huge", "small"}))
        .when(if_tiled, method, tiled);

    const auto rules = std::make_shared<const Rules>(problem, widths, parameters, target.threads);
    parameters[kLoop].when("threads is above 1", {kMethod, kThreads},
                           [rules](const PartialVariant& v) { return rules->several(v); });

    Space space("matmul", kSpaceVersion);
    for (Parameter& p : parameters) space.add(std::move(p));
    const auto add = [&](std::string text, int decided_by, ParameterSet depends_on,
                         bool (Rules::*holds)(const PartialVariant&) const) {
        space.add(Constraint{std::move(text), decided_by,
                             [rules, holds](const PartialVariant& v) { return (*rules.*holds)(v); },
                             depends_on});
    };
    const ParameterSet shares{kTile, kThreads, kLoop};  // rows and columns of a thread
    add("the tile is compiled for this width, and no shorter one covers all rows", kTile,
        {kMethod, kSimd, kTile}, &Rules::tile);
    add("the triple loop takes all threads", kThreads, {kMethod, kThreads}, &Rules::threads);
    add("each thread has a row and a tile's columns, and 2d differs from m and n", kLoop, method | shares,
        &Rules::loop);
    add("the tile is compiled with this unrolling, and k has as many steps", kUnroll,
        {kMethod, kSimd, kTile, kUnroll}, &Rules::unroll);
    add("a transposed B is packed", kPackB, {kMethod, kPackB}, &Rules::pack_b);
    add("mc cuts a thread's rows, otherwise than the next smaller value", kMc, shares | ParameterSet{kMc},
        &Rules::mc);
    add("nc cuts a thread's columns, otherwise than the next smaller value", kNc, shares | ParameterSet{kNc},
        &Rules::nc);
    add("there are several tiles both ways", kOrder, method | shares | ParameterSet{kOrder}, &Rules::order);
    add("what is prefetched lies within the block", kAhead, {kKc, kAhead}, &Rules::ahead);
    return space;
}

Choice decode(const Space& space, const PartialVariant& v, const MatmulProblem& problem) {
    Choice c;
    c.naive = v[kMethod] == 1;
    c.threads = static_cast<int>(space.number(v, kThreads, 1));
    c.grid = grid_of(v.fixed(kLoop) ? static_cast<Loop>(v[kLoop]) : Loop::rows, c.threads);
    c.width_bits = static_cast<int>(space.number(v, kSimd, element_bits(problem.dtype())));
    c.lanes = lanes_of(problem.dtype(), c.width_bits);
    if (!v.fixed(kTile)) return c;
    const std::int64_t tile = space.number(v, kTile, kTileFactor + 1);
    if (const TileShape* shape = find_shape(problem.dtype(), c.width_bits, tile)) c.tile = *shape;
    c.nr = tile % kTileFactor;
    c.unroll = static_cast<int>(space.number(v, kUnroll, 1));
    c.kc = space.number(v, kKc, problem.k());
    c.pack_a = v[kPackA] != 1;
    c.pack_b = v[kPackB] != 1;
    c.mc = ceil_div(space.number(v, kMc, problem.m()), c.tile.mr) * c.tile.mr;
    c.nc = ceil_div(space.number(v, kNc, problem.n()), c.nr) * c.nr;
    c.a_outer = v[kOrder] == 1;
    c.ahead = static_cast<int>(space.number(v, kAhead, 0));
    c.prefetch_c = v[kPrefetchC] == 0;
    c.huge_pages = v[kPages] != 1;
    return c;
}

Variant naive_variant(const Space& space, const Target& target) {
    Preferences wanted;
    wanted[kMethod] = {"triple_loop"};
    wanted[kThreads] = {std::to_string(target.threads)};
    return assemble(space, wanted);
}

namespace {

// What few tiles use is not worth a copy. On Zen 5 (two threads, f64, operands of 1 to 270 MB), A unpacked
// against packed: 0.49 of the time for 16 columns, 0.64 for 48, 0.79 to 0.95 for 32 to 128 in caches, 0.90
// for 128 beyond them, 0.98 for 256 and 1.11 for 512. B unpacked in wide strips against packed 14x16: 0.68 to
// 0.93 with 16 to 128 rows; against the same tile packed, 1.15 to 1.32 with 256 rows.
constexpr std::int64_t kFewUses = 128;

double bytes_of_operands(const MatmulProblem& problem) {
    const auto m = static_cast<double>(problem.m());
    const auto n = static_cast<double>(problem.n());
    const auto k = static_cast<double>(problem.k());
    return static_cast<double>(size_of(problem.dtype())) * (m * n + m * k + k * n);
}

/// Tiles that the default takes, the best first: tall ones of two vectors.
std::vector<std::string> tall_tiles(const MatmulProblem& problem, const std::vector<int>& widths) {
    std::vector<std::string> tiles;
    for (const int vectors : {2, 4, 1}) {
        for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
            for (const TileShape& shape : tiles_of(problem.dtype(), *width)) {
                if (shape.vectors == vectors)
                    tiles.push_back(text_of(shape.mr, vectors * lanes_of(problem.dtype(), *width)));
            }
        }
    }
    return tiles;
}

/// The same for few rows. Unpacked, B is read from rows that lie far apart: the wider the strip the better
/// (6x32 and 8x24 take 0.79 to 0.98 of the time of 14x16), and of as many vectors the height that leaves few
/// rows of a last tile empty.
std::vector<std::string> wide_tiles(const MatmulProblem& problem, const std::vector<int>& widths) {
    std::vector<std::string> tiles;
    for (auto width = widths.rbegin(); width != widths.rend(); ++width) {
        std::vector<TileShape> shapes;
        for (const TileShape& shape : tiles_of(problem.dtype(), *width)) shapes.push_back(shape);
        // A tile's loads of B cost it about as much as two rows.
        const auto cost = [&](const TileShape& shape) {
            return ceil_div(problem.m(), shape.mr) * (shape.mr + 2);
        };
        std::stable_sort(shapes.begin(), shapes.end(), [&](const TileShape& x, const TileShape& y) {
            return x.vectors != y.vectors ? x.vectors > y.vectors : cost(x) < cost(y);
        });
        for (const TileShape& shape : shapes)
            tiles.push_back(text_of(shape.mr, shape.vectors * lanes_of(problem.dtype(), *width)));
    }
    return tiles;
}

/// Rows of the tallest tile of two vectors.
std::int64_t tallest_of(const MatmulProblem& problem, const std::vector<int>& widths) {
    std::int64_t tallest = 1;
    for (const int width : widths) {
        for (const TileShape& shape : tiles_of(problem.dtype(), width)) {
            if (shape.vectors == 2) tallest = std::max<std::int64_t>(tallest, shape.mr);
        }
    }
    return tallest;
}

}  // namespace

Variant default_variant(const MatmulProblem& problem, const Space& space, const Target& target) {
    // A product of one row and one column fills no tile: 0.7 times as fast as the textbook loop.
    if (problem.m() == 1 && problem.n() == 1) return naive_variant(space, target);
    const std::vector<int> widths = widths_of(target, problem.dtype());
    Preferences wanted;
    wanted[kMethod] = {"tiled"};
    for (std::size_t i = widths.size(); i-- > 1;) {
        // Vectors that are wider than C are for later.
        if (lanes_of(problem.dtype(), widths[i]) <= problem.n() || i == 1)
            wanted[kSimd].push_back(std::to_string(widths[i]));
    }
    wanted[kSimd].push_back("scalar");
    const bool is_large = bytes_of_operands(problem) > 256.0 * 1024.0;
    // A wide strip is many columns: each thread has several.
    constexpr std::int64_t kVectors = 4, kStripsAThread = 4;
    const std::int64_t strips = ceil_div(problem.n(), kVectors * lanes_of(problem.dtype(), widths.back()));
    const bool few_rows = is_large && problem.m() <= kFewUses && !problem.transpose_b() &&
                          strips >= kStripsAThread * target.threads;
    wanted[kTile] = few_rows ? wide_tiles(problem, widths) : tall_tiles(problem, widths);
    const std::vector<std::int64_t> counts = thread_counts(target.threads);
    for (auto t = counts.rbegin(); t != counts.rend(); ++t) wanted[kThreads].push_back(std::to_string(*t));
    // Threads that share out few rows would each read all of B.
    const bool by_columns = few_rows || problem.m() < target.threads * tallest_of(problem, widths);
    wanted[kLoop] =
        by_columns ? std::vector<std::string>{"n", "2d", "m"} : std::vector<std::string>{"m", "2d", "n"};
    wanted[kKc] = {"256", "whole"};
    wanted[kUnroll] = {"1"};
    const auto packed = [&](std::int64_t uses) { return is_large && uses > kFewUses ? "yes" : "no"; };
    wanted[kPackA] = {packed(problem.n())};
    wanted[kPackB] = {packed(problem.m())};
    wanted[kMc] = {"240", "whole"};
    wanted[kNc] = {"4096", "whole"};
    wanted[kOrder] = {"b_outer"};
    wanted[kAhead] = {"0"};
    wanted[kPrefetchC] = {"yes"};
    wanted[kPages] = {"huge"};
    return assemble(space, wanted);
}

}  // namespace rooftune::matmul
