#include "kernels/matmul/opencl_space.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

#include "kernels/runtime/error.h"

namespace rooftune::matmul {
namespace {

// Registers of an item, and statements of its kernel: beyond these, tiles only spill and take long to build.
constexpr std::int64_t kMostSums = 32;          ///< accumulating vectors
constexpr std::int64_t kMostAccumulated = 256;  ///< accumulated elements
constexpr std::int64_t kMostStatements = 192;
constexpr std::int64_t kMostItems = 1024;  ///< of a work-group

bool is_tiled(const PartialVariant& v) {
    return v[kOclMethod] == 1;
}

std::vector<std::int64_t> up_to(std::vector<std::int64_t> values, std::int64_t most) {
    std::erase_if(values, [&](std::int64_t v) { return v > most; });
    return values;
}

}  // namespace

Space make_opencl_space(const MatmulProblem& problem, const Target& target) {
    if (problem.dtype() == DType::f64 && !target.device.f64) {
        throw InputError("matmul: " + target.device.name +
                         " has no double precision; give dtype=f32 or another device");
    }
    Space space("matmul", kOpenclSpaceVersion);
    const auto tiled = [](const PartialVariant& v) { return is_tiled(v); };
    const auto add = [&](const char* name, const char* help, std::vector<ParameterValue> values) {
        space.add(Parameter(name, help, std::move(values)).when("method is tiled", {kOclMethod}, tiled));
    };
    const std::int64_t m = problem.m(), n = problem.n();
    space.add(Parameter("method", "element: one work item an element of C; tiled: a tile of C an item",
                        names({"element", "tiled"})));
    add("vector", "columns of a vector", numbers(up_to({1, 2, 4, 8, 16}, n)));
    add("item_rows", "rows of an item's tile",
        numbers(up_to({1, 2, 4, 6, 8, 12}, std::max<std::int64_t>(1, 2 * m - 1))));
    add("item_vectors", "columns of an item's tile, in vectors", numbers({1, 2, 3, 4}));
    add("group_rows", "work items of a group, one below the other", numbers({1, 2, 4, 8, 16}));
    add("group_columns", "work items of a group, side by side", numbers({1, 2, 4, 8, 16, 32}));
    add("local", "operands that go through local memory", names({"none", "a", "b", "both"}));
    space.add(Parameter("k_block", "steps of k in local memory", numbers({8, 16, 32, 64}))
                  .when("something goes through local memory", {kOclMethod, kOclLocal},
                        [](const PartialVariant& v) { return is_tiled(v) && v[kOclLocal] > 0; }));
    add("unroll", "steps of k in one turn of the loop", numbers({1, 2, 4, 8}));
    space.add(Parameter("spread", "an item's vectors lie side by side, or a vector of every item apart",
                        names({"side_by_side", "apart"}))
                  .when("an item has several vectors and a row of the group several items",
                        {kOclMethod, kOclItemVectors, kOclGroupColumns}, [](const PartialVariant& v) {
                            return is_tiled(v) && v[kOclItemVectors] > 0 && v[kOclGroupColumns] > 0;
                        }));
    add("order", "neighbouring groups are side by side, or below each other", names({"rows", "columns"}));

    // The values are looked up in a copy: constraints outlive this function, and a space may be moved.
    const auto values = std::make_shared<std::vector<Parameter>>(space.parameters());
    const auto at = [values](const PartialVariant& v, int parameter) -> std::int64_t {
        const auto p = static_cast<std::size_t>(parameter);
        return v.fixed(parameter) ? (*values)[p].values[static_cast<std::size_t>(v[parameter])].number : 1;
    };
    space.add(Constraint{"item_rows * item_vectors <= 32 and item_rows * item_vectors * vector <= 256",
                         kOclItemVectors,
                         [at](const PartialVariant& v) {
                             const std::int64_t sums = at(v, kOclItemRows) * at(v, kOclItemVectors);
                             return sums <= kMostSums && sums * at(v, kOclVector) <= kMostAccumulated;
                         },
                         {kOclVector, kOclItemRows, kOclItemVectors}});
    space.add(Constraint{"a group's tile has less than twice the rows of C",
                         kOclGroupRows,
                         [at, m](const PartialVariant& v) {
                             return !is_tiled(v) || at(v, kOclItemRows) * at(v, kOclGroupRows) < 2 * m;
                         },
                         {kOclMethod, kOclItemRows, kOclGroupRows}});
    const std::int64_t items = std::min<std::int64_t>(kMostItems, target.device.max_work_group);
    space.add(Constraint{"a group's tile has less than twice the columns of C, and a group at most " +
                             std::to_string(items) + " items",
                         kOclGroupColumns,
                         [at, n, items](const PartialVariant& v) {
                             if (!is_tiled(v)) return true;
                             return at(v, kOclVector) * at(v, kOclItemVectors) * at(v, kOclGroupColumns) <
                                        2 * n &&
                                    at(v, kOclGroupRows) * at(v, kOclGroupColumns) <= items;
                         },
                         {kOclMethod, kOclVector, kOclItemVectors, kOclGroupRows, kOclGroupColumns}});
    const double local = target.device.local_memory.value;
    const auto size = static_cast<double>(size_of(problem.dtype()));
    space.add(Constraint{
        "blocks fit into local memory",
        kOclBlock,
        [at, local, size](const PartialVariant& v) {
            if (!v.fixed(kOclBlock)) return true;
            const bool a = v[kOclLocal] == 1 || v[kOclLocal] == 3;
            const bool b = v[kOclLocal] >= 2;
            const auto rows = static_cast<double>(at(v, kOclItemRows) * at(v, kOclGroupRows));
            const auto columns =
                static_cast<double>(at(v, kOclVector) * at(v, kOclItemVectors) * at(v, kOclGroupColumns));
            const double across = (a ? rows : 0.0) + (b ? columns : 0.0);
            return across * static_cast<double>(at(v, kOclBlock)) * size <= local;
        },
        {kOclVector, kOclItemRows, kOclItemVectors, kOclGroupRows, kOclGroupColumns, kOclLocal, kOclBlock}});
    space.add(Constraint{"unroll * item_rows * item_vectors <= 192",
                         kOclUnroll,
                         [at](const PartialVariant& v) {
                             return at(v, kOclUnroll) * at(v, kOclItemRows) * at(v, kOclItemVectors) <=
                                    kMostStatements;
                         },
                         {kOclItemRows, kOclItemVectors, kOclUnroll}});
    return space;
}

OpenclChoice decode_opencl(const Space& space, const PartialVariant& variant, const MatmulProblem& problem) {
    OpenclChoice choice;
    OpenclTile& tile = choice.tile;
    tile.dtype = problem.dtype();
    tile.transpose_a = problem.transpose_a();
    tile.transpose_b = problem.transpose_b();
    choice.naive = variant[kOclMethod] == 0;
    const auto number = [&](int parameter, int otherwise) {
        return static_cast<int>(space.number(variant, parameter, otherwise));
    };
    tile.vector = number(kOclVector, 1);
    tile.item_rows = number(kOclItemRows, 1);
    tile.item_vectors = number(kOclItemVectors, 1);
    tile.group_rows = number(kOclGroupRows, 1);
    tile.group_columns = number(kOclGroupColumns, 1);
    tile.unroll = number(kOclUnroll, 1);
    tile.k_block = number(kOclBlock, 16);
    tile.local_a = variant[kOclLocal] == 1 || variant[kOclLocal] == 3;
    tile.local_b = variant[kOclLocal] == 2 || variant[kOclLocal] == 3;
    tile.interleave = variant[kOclSpread] == 1;
    tile.rows_first = variant[kOclOrder] == 1;
    return choice;
}

Variant opencl_naive_variant(const Space& space) {
    std::string why;
    return space.from_map({{"method", "element"}}, why).value();
}

Variant opencl_default_variant(const Space& space, const MatmulProblem& problem, const Target& target) {
    const Device& device = target.device;
    const int lanes = problem.dtype() == DType::f64 ? device.double_lanes : device.float_lanes;
    // In the order of the parameters; named values by their positions.
    using Wanted = std::array<std::int64_t, kOclOrder + 1>;
    const Wanted wanted = device.is_cpu ? Wanted{1, std::max(1, lanes), 8, 2, 1, 1, 0, 16, 1, 0, 0}
                                        : Wanted{1, 1, 4, 4, 16, 16, 3, 16, 1, 1, 0};
    // The nearest value that the problem and the device leave, from the first parameter on; the smaller of
    // two.
    Variant variant;
    std::vector<PartialVariant> children;
    for (int p = space.first_free(variant); p >= 0; p = space.first_free(variant)) {
        space.children(variant, children);
        std::erase_if(children, [&](const PartialVariant& c) { return space.count(c) == 0; });
        const auto distance = [&](const PartialVariant& c) {
            return std::abs(space.number(c, p, 0) - wanted[static_cast<std::size_t>(p)]);
        };
        variant = *std::min_element(children.begin(), children.end(),
                                    [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
    }
    return variant;
}

}  // namespace rooftune::matmul
