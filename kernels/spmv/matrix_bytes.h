// Bytes of a converted matrix, array by array. All of them are read exactly once in a repetition.
#pragma once

#include <cstdint>

#include "kernels/spmv/layout.h"
#include "models/vocabulary.h"

namespace rooftune::spmv {

struct MatrixBytes {
    std::int64_t values = 0;
    std::int64_t indices = 0;
    std::int64_t pointers = 0;
    std::int64_t bases = 0;
    std::int64_t groups = 0;
    std::int64_t permutation = 0;

    std::int64_t total() const { return values + indices + pointers + bases + groups + permutation; }
};

/// values: steps · values a step · element; indices: steps · indices a step · (4 or 2); pointers:
/// 4 · (segments + 1); bases and groups: 4 · segments each, where they exist; permutation: 4 · rows,
/// where the rows are sorted.
inline MatrixBytes matrix_bytes(const Layout& layout, DType dtype) {
    constexpr std::int64_t kWord = 4;
    MatrixBytes bytes;
    bytes.values = layout.steps() * layout.key.step_values() * static_cast<std::int64_t>(size_of(dtype));
    bytes.indices = layout.steps() * layout.key.step_indices() * layout.key.index_bits / 8;
    bytes.pointers = kWord * (layout.segments() + 1);
    bytes.bases = layout.base.empty() ? 0 : kWord * layout.segments();
    bytes.groups = layout.group.empty() ? 0 : kWord * layout.segments();
    bytes.permutation = layout.row_of.empty() ? 0 : kWord * layout.rows;
    return bytes;
}

}  // namespace rooftune::spmv
