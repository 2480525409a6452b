#include "kernels/stencil/arrays.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "kernels/stencil/input.h"

namespace rooftune::stencil {
namespace {

constexpr std::size_t kGranule = std::size_t{2} << 20;
constexpr int kPoison = 0xFF;
constexpr std::size_t kInputs = 2;
constexpr double kSpare = 8.0;  ///< arrays that must fit beside a second input

std::size_t count(std::int64_t n) {
    return static_cast<std::size_t>(n);
}

/// The planes −1 … nz that a thread of `parts` deals with outside of sweeps.
Range planes_of(const Grid& g, int part, int parts) {
    const Range r = share_of(g.nz + 2, part, parts);
    return {r.begin - 1, r.end - 1};
}

/// A plane's plane_bytes, which begin at x = −1 of its first row.
std::byte* plane_of(const Grid& g, const Buffer& buffer, const Layout& l, std::int64_t z) {
    return buffer.data() + l.at(-1, z) - g.element();
}

template <typename T>
void fill_plane(const Grid& g, const Layout& l, const Buffer& to, std::uint64_t seed, std::int64_t z) {
    const bool periodic = g.boundary == Boundary::periodic;
    std::memset(plane_of(g, to, l, z), kPoison, count(l.plane_bytes));
    if (periodic && (z < 0 || z >= g.nz)) return;
    for (std::int64_t y = -1; y <= g.ny; ++y) {
        if (periodic && (y < 0 || y >= g.ny)) continue;
        T* row = reinterpret_cast<T*>(to.data() + l.at(y, z));
        const std::uint64_t first = input_number(g, y, z) + 1;
        for (std::int64_t x = 0; x < g.nx; ++x)
            row[x] = static_cast<T>(input_value(seed, first + static_cast<std::uint64_t>(x)));
        const auto given = [&](std::uint64_t i) { return static_cast<T>(input_value(seed, i)); };
        row[-1] = periodic ? row[g.nx - 1] : given(first - 1);
        row[g.nx] = periodic ? row[0] : given(first + static_cast<std::uint64_t>(g.nx));
    }
}

bool poisoned(const std::byte* from, const std::byte* to) {
    return std::all_of(from, to, [](std::byte b) { return b == std::byte{kPoison}; });
}

}  // namespace

ArrayKey array_key(const Choice& choice, int nodes, int team_size) {
    ArrayKey key{choice.padding, choice.pages, choice.placement, team_size, Partition::z};
    if (nodes > 1 && choice.placement == Placement::owner) {
        key.threads = choice.cut.threads;
        if (choice.cut.partition == Partition::y) key.partition = Partition::y;
    }
    return key;
}

Buffer place_array(const Grid& grid, const Layout& layout, const ArrayKey& key, Team& team) {
    Buffer buffer(count(layout.bytes), pages_for(count(layout.bytes), key.pages));
    const bool as_filled = key.threads == team.size() && key.partition == Partition::z;
    if (key.placement == Placement::owner && as_filled) {
        // Filling and poisoning share the planes out alike: they are the first touch.
    } else if (key.placement == Placement::owner) {
        const Cut cut{std::min(key.threads, team.size()), key.partition, grid.ny, grid.nz};
        team.run(cut.threads, [&](int t) {
            const Block slab = slab_of(grid, cut, t);
            for (std::int64_t z = slab.z.begin; z < slab.z.end; ++z) {
                std::memset(plane_of(grid, buffer, layout, z) + (slab.y.begin + 1) * layout.row_bytes,
                            kPoison, count(slab.y.size() * layout.row_bytes));
            }
        });
    } else {
        const int threads = key.placement == Placement::none ? 1 : team.size();
        team.run(threads, [&](int t) {
            for (std::size_t at = static_cast<std::size_t>(t) * kGranule; at < buffer.bytes();
                 at += static_cast<std::size_t>(threads) * kGranule) {
                std::memset(buffer.data() + at, kPoison, std::min(kGranule, buffer.bytes() - at));
            }
        });
    }
    buffer.arm();
    return buffer;
}

Arrays::Arrays(const Grid& grid, const ArrayKey& key, Team& team)
    : grid_(grid),
      key_(key),
      layout_(layout_of(grid, key.padding)),
      output_(place_array(grid, layout_, key, team)) {}

const Buffer& Arrays::between(Team& team) {
    if (between_.bytes() == 0) between_ = place_array(grid_, layout_, key_, team);
    return between_;
}

const Buffer& Arrays::input(std::uint64_t seed, Team& team) {
    const auto it =
        std::find_if(inputs_.begin(), inputs_.end(), [&](const Input& i) { return i.seed == seed; });
    if (it != inputs_.end()) {
        std::rotate(inputs_.begin(), it, it + 1);
        return inputs_.front().buffer;
    }
    // Each variant is verified with the same two seeds, so two are kept; one where memory is short.
    const bool short_of_memory = available_memory() < kSpare * static_cast<double>(layout_.bytes);
    if (inputs_.size() == kInputs || (!inputs_.empty() && short_of_memory)) {
        std::rotate(inputs_.begin(), inputs_.end() - 1, inputs_.end());
    } else {
        inputs_.push_front({seed, place_array(grid_, layout_, key_, team)});
    }
    inputs_.front().seed = seed;
    fill(inputs_.front(), team);
    return inputs_.front().buffer;
}

void Arrays::fill(const Input& input, Team& team) const {
    team.run(team.size(), [&](int t) {
        const Range planes = planes_of(grid_, t, team.size());
        for (std::int64_t z = planes.begin; z < planes.end; ++z) {
            if (grid_.dtype == DType::f64) {
                fill_plane<double>(grid_, layout_, input.buffer, input.seed, z);
            } else {
                fill_plane<float>(grid_, layout_, input.buffer, input.seed, z);
            }
        }
    });
}

void Arrays::poison(Team& team) {
    team.run(team.size(), [&](int t) {
        const Range planes = planes_of(grid_, t, team.size());
        const std::size_t bytes = count(planes.size() * layout_.plane_bytes);
        for (const Buffer* b : {&output_, &between_}) {
            if (b->bytes() > 0) std::memset(plane_of(grid_, *b, layout_, planes.begin), kPoison, bytes);
        }
    });
}

bool Arrays::intact(bool closed, Team& team) const {
    const auto holds = [](const Input& i) { return i.buffer.intact(); };
    if (!std::all_of(inputs_.begin(), inputs_.end(), holds) || !output_.intact() || !between_.intact())
        return false;
    const std::int64_t margin = closed ? grid_.element() : 0;
    std::atomic<bool> good{true};
    team.run(team.size(), [&](int t) {
        const Range planes = planes_of(grid_, t, team.size());
        for (std::int64_t z = planes.begin; z < planes.end; ++z) {
            const bool outside = z < 0 || z >= grid_.nz;
            // What lies between the end of one row's elements and the first of the next.
            const std::byte* from = plane_of(grid_, output_, layout_, z);
            for (std::int64_t y = 0; y < grid_.ny && !outside; ++y) {
                const std::byte* row = output_.data() + layout_.at(y, z);
                if (!poisoned(from, row - margin)) good = false;
                from = row + grid_.nx * grid_.element() + margin;
            }
            if (!poisoned(from, plane_of(grid_, output_, layout_, z + 1))) good = false;
        }
    });
    return good;
}

void Arrays::flush() const {
    for (const Input& input : inputs_) flush_lines(input.buffer.data(), input.buffer.bytes());
    for (const Buffer* b : {&output_, &between_}) flush_lines(b->data(), b->bytes());
}

}  // namespace rooftune::stencil
