// Entries in any order, and the compressed rows made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/sparse/csr.h"

namespace rooftune::sparse {

/// Entries as they come, indices from 0.
struct Triplets {
    std::vector<std::uint32_t> row;
    std::vector<std::uint32_t> col;
    std::vector<double> value;

    void reserve(std::size_t entries);
    void add(std::uint32_t r, std::uint32_t c, double v) {
        row.push_back(r);
        col.push_back(c);
        value.push_back(v);
    }
    std::size_t size() const { return row.size(); }
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
/// is given twice, one such place is put into `duplicate` and the matrix is of no use.
Csr assemble(const Triplets& entries, std::int64_t rows, std::int64_t cols, Mirror mirror,
             std::optional<Duplicate>& duplicate);

}  // namespace rooftune::sparse
