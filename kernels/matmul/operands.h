// A and B in memory. Kept between variants, because filling and placing hundreds of megabytes takes longer
// than a product of few rows.
#pragma once

#include <cstdint>
#include <list>

#include "kernels/matmul/problem.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"

namespace rooftune::matmul {

/// What decides where elements lie. On one node every page is as near as any other, so the threads that share
/// them out do not matter there, and all variants have the same.
struct OperandKey {
    Pages pages = Pages::huge;
    int threads = 1;  ///< that touch the pages first, each its part of the elements
    bool operator==(const OperandKey&) const = default;
};

/// A and B as one seed fills them.
struct Input {
    std::uint64_t seed = 0;
    Buffer a, b;
    std::uint64_t checksum = 0;  ///< of both when they were filled
};

class Operands {
public:
    Operands(const MatmulProblem& problem, const OperandKey& key) : problem_(problem), key_(key) {}

    const OperandKey& key() const { return key_; }

    /// A and B of this seed, filled unless they are still there and no run has changed them. The reference
    /// holds as long as this object, but other seeds may take their place. May throw std::bad_alloc, the
    /// first time.
    const Input& input(std::uint64_t seed, Team& team);
    /// Whether A and B are as they were filled, and the guard zones around them hold.
    bool intact(const Input& input, Team& team) const;
    static void flush(const Input& input);

private:
    void fill(Input& input, Team& team) const;

    MatmulProblem problem_;
    OperandKey key_;
    std::list<Input> inputs_;  ///< the last used first; none moves in memory, for variants point to them
};

}  // namespace rooftune::matmul
