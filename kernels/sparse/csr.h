// The matrix as every format starts from it: compressed rows, columns ascending within a row,
// explicit zeros kept, duplicates refused by the reader.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rooftune::sparse {

/// A view: the arrays live in vectors or in memory shared with other processes.
struct CsrView {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::span<const std::int64_t> row_begin;  ///< rows + 1 entries
    std::span<const std::uint32_t> column;    ///< stored entries
    std::span<const double> value;            ///< as given; f32 problems round on conversion

    std::int64_t stored() const { return static_cast<std::int64_t>(column.size()); }
    std::int64_t row_length(std::int64_t row) const {
        return row_begin[static_cast<std::size_t>(row) + 1] - row_begin[static_cast<std::size_t>(row)];
    }
};

struct Csr {
    std::int64_t rows = 0;
    std::int64_t cols = 0;
    std::vector<std::int64_t> row_begin{0};
    std::vector<std::uint32_t> column;
    std::vector<double> value;

    CsrView view() const { return {rows, cols, row_begin, column, value}; }
};

}  // namespace rooftune::sparse
