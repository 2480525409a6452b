// Several vectors as a program hands them over. For plans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kernels/spmv/multivector.h"
#include "tuner/plans/stored_rows.h"

namespace rooftune {

// Several vectors: one behind the other, each `stride` elements after the one before, or side by side, with
// the elements of one index in a row and `stride` from row to row.
struct SeveralVectors {
    std::int64_t number, length, stride;
    bool side_by_side;
    std::string_view name;  ///< "x" or "y"

    std::int64_t lines() const { return side_by_side ? length : number; }
    std::int64_t line_length() const { return side_by_side ? number : length; }
    StoredRows rows(const void* first, std::size_t element) const {
        const auto size = static_cast<std::int64_t>(element);
        return {first, lines(), line_length() * size, stride * size};
    }
    template <typename T>
    spmv::Vectors<T> vectors(T* first) const {
        return {first, side_by_side ? stride : 1, side_by_side ? 1 : stride};
    }

    /// Throws InputError for a number or a stride that cannot be.
    void check() const;
};

}  // namespace rooftune
