// The stencil's walk is the real one. Its kernels get addresses of rows and note every element of them.
#include <algorithm>

#include "kernels/stencil/layout.h"
#include "kernels/stencil/sweep.h"
#include "tests/support/address_streams.h"

namespace rooftune::test {
namespace {

using namespace rooftune::stencil;

constexpr std::int64_t kApart = std::int64_t{1} << 36;

/// Where the arrays really lie, and where they are said to lie.
struct Place {
    const std::byte* begin;
    std::int64_t bytes;
    std::int64_t address;
};

/// What the kernels below are called for; they have no other way to know.
struct Noting {
    RegisterBlock block;
    bool corners = false;
    bool closes = false;  ///< x = −1 and x = nx are written after the row
    bool periodic = false;
    bool nontemporal = false;
    std::int64_t nx = 0;
    std::int64_t lanes = 1;  ///< elements that are loaded at once
    int element = 8;
    std::vector<Place> places;
    Stream* stream = nullptr;

    std::int64_t address(const void* row) const {
        const auto* at = static_cast<const std::byte*>(row);
        for (const Place& p : places) {
            if (at >= p.begin && at < p.begin + p.bytes) return p.address + (at - p.begin);
        }
        return -1;
    }
} noting;

void note(const RowArguments& a, RegisterBlock rows, bool streams_past, bool closes) {
    Noting& n = noting;
    const std::int64_t e = n.element;
    const int wide = rows.y + 2;
    std::int64_t in[kMostRowsIn];
    std::int64_t out[kMostRowsOut];
    for (int i = 0; i < wide * (rows.z + 2); ++i) in[i] = n.address(a.in[i]);
    for (int i = 0; i < rows.y * rows.z; ++i) out[i] = n.address(a.out[i]);
    const std::int64_t whole = a.begin + (a.end - a.begin) * e / 64 * 64 / e;
    for (std::int64_t x = a.begin; x < a.end; x += n.lanes) {
        const std::int64_t last = std::min(x + n.lanes, a.end);
        for (int k = 0; k < rows.z + 2; ++k) {
            for (int j = 0; j < wide; ++j) {
                const bool inner = k > 0 && k <= rows.z && j > 0 && j <= rows.y;
                const bool corner = (k == 0 || k > rows.z) && (j == 0 || j > rows.y);
                if (corner && !n.corners) continue;
                const int reach = inner || n.corners ? 1 : 0;
                for (int d = -reach; d <= reach; ++d) {
                    for (std::int64_t l = x; l < last; ++l)
                        n.stream->push_back({in[k * wide + j] + (l + d) * e, n.element, false, false});
                }
            }
        }
        for (int i = 0; i < rows.y * rows.z; ++i) {
            for (std::int64_t l = x; l < last; ++l)
                n.stream->push_back({out[i] + l * e, n.element, true, streams_past && l < whole});
        }
    }
    if (!closes || a.end != n.nx) return;
    for (int k = 1; k <= rows.z; ++k) {
        for (int j = 1; j <= rows.y; ++j) {
            const std::int64_t to = out[(k - 1) * rows.y + j - 1];
            const std::int64_t from = n.periodic ? to : in[k * wide + j];
            const std::int64_t left = n.periodic ? n.nx - 1 : -1;
            const std::int64_t right = n.periodic ? 0 : n.nx;
            n.stream->push_back({from + left * e, n.element, false, false});
            n.stream->push_back({to - e, n.element, true, false});
            n.stream->push_back({from + right * e, n.element, false, false});
            n.stream->push_back({to + n.nx * e, n.element, true, false});
        }
    }
}

void bundle(const RowArguments& a) {
    note(a, noting.block, noting.nontemporal, noting.closes);
}
void single(const RowArguments& a) {
    note(a, {1, 1}, noting.nontemporal, noting.closes);
}
void scratch_bundle(const RowArguments& a) {
    note(a, noting.block, false, true);
}
void scratch_single(const RowArguments& a) {
    note(a, {1, 1}, false, true);
}

}  // namespace

Run stencil_run(const Grid& grid, const Choice& choice) {
    const Layout layout = layout_of(grid, choice.padding);
    const auto bytes = static_cast<std::size_t>(layout.bytes) + 64;
    const auto scratch_size =
        static_cast<std::size_t>(scratch_bytes(grid, layout, choice.depth, choice.cut.block_y)) + 64;
    const auto threads = static_cast<std::size_t>(choice.cut.threads);
    std::vector<std::vector<std::byte>> memory(3, std::vector<std::byte>(bytes));
    std::vector<std::vector<std::byte>> scratch(threads, std::vector<std::byte>(scratch_size));

    noting = {};
    noting.block = choice.rows;
    noting.corners = grid.points == 27;
    noting.periodic = grid.boundary == Boundary::periodic;
    noting.nontemporal = choice.store == Store::nontemporal;
    noting.nx = grid.nx;
    noting.lanes = choice.lanes;
    noting.element = static_cast<int>(grid.element());
    for (const auto* list : {&memory, &scratch}) {
        for (const auto& m : *list) {
            noting.places.push_back({m.data(), static_cast<std::int64_t>(m.size()),
                                     kApart * static_cast<std::int64_t>(noting.places.size())});
        }
    }

    const Coefficients coefficients = coefficients_of(grid.points);
    Pass pass;
    pass.grid = &grid;
    pass.layout = &layout;
    pass.coefficients = coefficients.data();
    pass.given = pass.from = memory[0].data();
    pass.streams = choice.streams;
    pass.kernels = {choice.rows, &bundle, &single, &scratch_bundle, &scratch_single};
    const std::int64_t passes = blocks_in(grid.steps, choice.depth);
    Run run;
    for (std::int64_t p = 0; p < passes; ++p) {
        pass.depth = static_cast<int>(std::min<std::int64_t>(choice.depth, grid.steps - p * choice.depth));
        pass.last = p + 1 == passes;
        pass.to = memory[1 + static_cast<std::size_t>((passes - 1 - p) % 2)].data();
        noting.closes = !pass.last;
        run.phases.emplace_back(threads);
        for (std::size_t t = 0; t < threads; ++t) {
            noting.stream = &run.phases.back()[t];
            sweep(pass, blocks_of(grid, choice.cut, static_cast<int>(t)), scratch[t].data());
        }
        pass.from = pass.to;
    }
    return run;
}

}  // namespace rooftune::test
