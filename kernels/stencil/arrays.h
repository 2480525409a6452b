// The arrays of a grid in memory: input, answer, and what lies between passes. Kept between variants of
// one layout, because filling and placing hundreds of megabytes takes longer than a sweep.
#pragma once

#include <cstdint>
#include <deque>

#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "kernels/stencil/layout.h"
#include "kernels/stencil/space.h"

namespace rooftune::stencil {

/// What decides where elements lie. On one node every page is as near as any other, so the threads that
/// share them out do not matter there, and all variants have the same.
struct ArrayKey {
    std::int64_t padding = 0;
    Pages pages = Pages::huge;
    Placement placement = Placement::owner;
    int threads = 1;
    Partition partition = Partition::z;
    bool operator==(const ArrayKey&) const = default;
};

/// The arrays that a variant runs on. `nodes`: NUMA nodes of the machine.
ArrayKey array_key(const Choice& choice, int nodes, int team_size);

/// One array, mapped, its pages touched where the key's owners are not those who fill it by planes anyway.
Buffer place_array(const Grid& grid, const Layout& layout, const ArrayKey& key, Team& team);

class Arrays {
public:
    /// Maps the arrays and touches their pages.
    Arrays(const Grid& grid, const ArrayKey& key, Team& team);

    const ArrayKey& key() const { return key_; }
    const Layout& layout() const { return layout_; }
    const Buffer& output() const { return output_; }
    /// The array between passes; made and placed on the first call.
    const Buffer& between(Team& team);

    /// The input of this seed, filled unless it is still there: no run changes it. It stays until the next
    /// call but one.
    const Buffer& input(std::uint64_t seed, Team& team);
    /// Every byte of the answer and of what lies between passes becomes 0xFF, a NaN in both types.
    void poison(Team& team);
    /// Whether guard zones hold, and every byte of the answer outside the grid is still poison. With
    /// `closed`, x = −1 and x = nx may have been written.
    bool intact(bool closed, Team& team) const;
    void flush() const;

private:
    struct Input {
        std::uint64_t seed = 0;
        Buffer buffer;
    };

    void fill(const Input& input, Team& team) const;

    Grid grid_;
    ArrayKey key_;
    Layout layout_;
    Buffer output_, between_;
    std::deque<Input> inputs_;  ///< the last used first
};

}  // namespace rooftune::stencil
