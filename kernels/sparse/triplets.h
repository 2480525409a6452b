// Entries in any order, and the compressed rows made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "kernels/sparse/csr.h"

namespace rooftune::sparse {

/// Entries as they come, indices from 0; room for as many as are promised, which nobody has touched before.
class Triplets {
public:
    explicit Triplets(std::size_t most)
        : row_(std::make_unique_for_overwrite<std::uint32_t[]>(most)),
          col_(std::make_unique_for_overwrite<std::uint32_t[]>(most)),
          value_(std::make_unique_for_overwrite<double[]>(most)) {}

    /// The k-th, within the room.
    void set(std::size_t k, std::uint32_t row, std::uint32_t col, double value) {
        row_[k] = row;
        col_[k] = col;
        value_[k] = value;
    }
    /// The first `size` have been set.
    void resize(std::size_t size) { size_ = size; }

    std::size_t size() const { return size_; }
    std::uint32_t row(std::size_t k) const { return row_[k]; }
    std::uint32_t col(std::size_t k) const { return col_[k]; }
    double value(std::size_t k) const { return value_[k]; }

private:
    std::unique_ptr<std::uint32_t[]> row_, col_;
    std::unique_ptr<double[]> value_;
    std::size_t size_ = 0;
};

/// Which entries stand for a mirrored one as well.
enum class Mirror { none, same, negated };

/// A place that is given more than once.
struct Duplicate {
    std::uint32_t row = 0;
    std::uint32_t col = 0;
};

/// Stored entries of the full matrix.
std::int64_t stored_in_full(const Triplets& entries, Mirror mirror);

/// Compressed rows with ascending columns. Mirrored entries off the diagonal are added. When a place
/// is given twice, the first of these in the first row that has any is put into `duplicate` and the matrix is
/// of no use. On up to eight processors.
Csr assemble(const Triplets& entries, std::int64_t rows, std::int64_t cols, Mirror mirror,
             std::optional<Duplicate>& duplicate);

}  // namespace rooftune::sparse
