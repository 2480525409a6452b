// How the matrices of a product lie in memory, and what may be wrong with that. For plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "tuner/plans/matmul_plan.h"
#include "tuner/plans/stored_rows.h"

namespace rooftune {

/// `lines` rows (of a column-major matrix: columns) of `length` elements, each beginning `pitch` elements
/// behind the one before.
struct MatrixStorage {
    std::int64_t lines = 0, length = 0, pitch = 0;

    /// `element`: bytes of one.
    StoredRows at(const void* first, std::size_t element) const {
        const auto bytes = static_cast<std::int64_t>(element);
        return {first, length == 0 ? 0 : lines, length * bytes, pitch * bytes};
    }
};

struct MatmulStorage {
    MatrixStorage a, b, c;
};

/// Throws InputError for a negative size and for a leading dimension that a row does not fit into or that no
/// memory has room for.
MatmulStorage storage_of(const MatmulShape& shape);

/// The same product of row-major matrices: column-major ones are the transposed of these, and
/// Cᵀ = op(B)ᵀ·op(A)ᵀ. What is A there is B here.
MatmulShape row_major(const MatmulShape& shape);

/// Which product of a batch errors are about; none where there is no batch.
inline constexpr std::int64_t kNoBatch = -1;

/// Throw InputError for a null pointer to a matrix that has elements (`name`: "A"), and where C lies over a
/// matrix that is read.
void check_matrix(const StoredRows& matrix, const char* name, std::int64_t product);
void check_apart_from_c(const StoredRows& read, const char* name, const StoredRows& c, std::int64_t product);

/// Throws InputError for a negative count, and for a stride that leads out of the memory.
void check_strides(std::int64_t count, std::int64_t stride_a, std::int64_t stride_b, std::int64_t stride_c);

/// Throws InputError where two matrices C of `count`, `stride_bytes` apart, share an element.
void check_results_apart(const StoredRows& first, std::int64_t stride_bytes, std::int64_t count);
/// The same of matrices anywhere: seen are those that no third one lies between.
template <typename T>
void check_results_apart(const MatrixStorage& storage, T* const* c, std::int64_t count);

extern template void check_results_apart(const MatrixStorage&, float* const*, std::int64_t);
extern template void check_results_apart(const MatrixStorage&, double* const*, std::int64_t);

}  // namespace rooftune
