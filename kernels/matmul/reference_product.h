// A product in double, for answers that others are compared with.
#pragma once

#include <cstddef>
#include <vector>

#include "kernels/matmul/geometry.h"
#include "kernels/runtime/memory.h"

namespace rooftune::matmul {

/// Shares no code with the variants.
class ReferenceProduct {
public:
    /// For so many callers at once, each with half a MB to pack into. Throws std::bad_alloc.
    explicit ReferenceProduct(int callers);

    /// sums (m × n) += a (m × k) · b (k × n), all row-major without gaps; of the result the rows and columns
    /// given. The sums over k are in any order, fused or not. `caller`: 0 … callers − 1, each one at a time.
    /// Allocates nothing, since threads of a team must not throw.
    void add(int caller, const std::vector<double>& a, const std::vector<double>& b, std::size_t n,
             std::size_t k, const Range& rows, const Range& columns, std::vector<double>& sums) const;

    struct Block;
    /// For the widest vectors that may be used.
    struct Kernel {
        void (*add)(const Block&) = nullptr;
        std::size_t columns = 0;  ///< of b that it goes through at once
    };

private:
    Kernel kernel_;
    Buffer room_;
};

}  // namespace rooftune::matmul
