// The arrays of a declared kernel in memory: filled by seed, poisoned where they are only written, with guard
// zones around each.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "tuner/external/instance.h"

namespace rooftune::external {

class Arrays {
public:
    /// Maps them and touches their pages. Those that are only read are `inputs`' own where it is given, which
    /// must outlive this. Throws std::bad_alloc.
    Arrays(const Instance& instance, Team& team, const Arrays* inputs = nullptr);

    /// Fills what is read for this seed (arrays with an expression are the same for every seed), and makes
    /// every byte of what is only written 0xFF, a NaN in the real types.
    void reset(std::uint64_t seed, Team& team);
    /// Whether nothing was written around an array, nor into one that is only read (by a sum of its bytes).
    bool intact(Team& team);
    void flush() const;

    /// In declared order; of an empty array the address of no element.
    void* const* pointers() const { return pointers_.data(); }
    const std::byte* data(std::size_t array) const { return static_cast<const std::byte*>(pointers_[array]); }

private:
    struct Filled {
        bool valid = false;
        std::uint64_t seed = 0;
        std::uint64_t sum = 0;  ///< of its bytes
    };

    void fill(std::size_t array, std::uint64_t seed, Team& team);
    std::uint64_t sum_of(std::size_t array, Team& team) const;
    std::size_t bytes(std::size_t array) const;

    const Instance& instance_;
    std::vector<Buffer> buffers_;  ///< by array; empty for what is shared
    std::vector<void*> pointers_;
    std::vector<Filled> filled_;
    std::vector<Buffer> masters_;  ///< of arrays that are read and written by an expression: what they held
};

}  // namespace rooftune::external
