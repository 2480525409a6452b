// Y = alpha·A·X + beta·Y for several vectors at once: the matrix is read once for all vectors of a pass,
// where products one after the other read it for each.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/runtime/isa.h"
#include "kernels/runtime/memory.h"
#include "kernels/runtime/team.h"
#include "kernels/spmv/multivector_kernel.h"
#include "kernels/spmv/placed_matrix.h"
#include "kernels/spmv/space.h"

namespace rooftune::spmv {

/// Vectors in memory: element i of vector j lies at first[i·element_stride + j·vector_stride].
template <typename T>
struct Vectors {
    T* first = nullptr;
    std::int64_t element_stride = 1;
    std::int64_t vector_stride = 0;

    T* at(std::int64_t element, std::int64_t vector) const {
        return first + element * element_stride + vector * vector_stride;
    }
    Vectors from(std::int64_t vector) const {
        return {first + vector * vector_stride, element_stride, vector_stride};
    }
};

/// The matrix of a plan, or of a tune, on several vectors. Threads share it out by whole groups, as the
/// variant says; where that cuts rows between them (Partition::split), by equal steps.
class MultivectorProduct {
public:
    /// The team must outlive it. `cols`: of the matrix. Throws EnvironmentError when the variant wants more
    /// threads than the team has.
    MultivectorProduct(std::shared_ptr<const PlacedMatrix> matrix, std::int64_t cols, const Choice& choice,
                       Isa isa, Team& team);

    /// T is of the matrix's type, `count` at least 1; any alignment; x and y must not overlap. With beta 0 y
    /// is not read. x must be finite, as for Product. Throws std::bad_alloc.
    template <typename T>
    void run(std::int64_t count, T alpha, Vectors<const T> x, T beta, Vectors<T> y);

    /// Bytes that it holds beside the matrix, from its first run on.
    std::size_t memory_bytes() const;

private:
    template <typename T>
    void pass(int vectors, int count, T alpha, const Vectors<const T>& x, T beta, const Vectors<T>& y);
    /// X side by side, with zeros for vectors that there are not and for columns beyond the matrix.
    template <typename T>
    const T* packed(int vectors, int count, const Vectors<const T>& x);

    std::shared_ptr<const PlacedMatrix> matrix_;
    std::int64_t cols_;
    std::int64_t padded_cols_;  ///< with what a block column at the right edge reads beyond
    Choice choice_;
    Isa isa_;
    Team* team_;
    std::vector<std::int64_t> cuts_;  ///< first group of each thread, and the end
    Buffer packed_x_;
    std::vector<Buffer> sums_;  ///< of each thread, for the groups that it has in hand
};

}  // namespace rooftune::spmv
