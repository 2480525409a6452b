// Rows of a matrix in memory, with gaps between them, and whether two matrices have an element in common.
#pragma once

#include <cstdint>

namespace rooftune {

/// `rows` rows of `row_bytes`, each beginning `pitch_bytes` (at least row_bytes) behind the one before.
struct StoredRows {
    const void* first = nullptr;
    std::int64_t rows = 0;
    std::int64_t row_bytes = 0, pitch_bytes = 0;

    /// Bytes from the first element to behind the last one.
    std::int64_t extent() const {
        return rows == 0 || row_bytes == 0 ? 0 : (rows - 1) * pitch_bytes + row_bytes;
    }
};

/// Whether a byte is of both. Rows of the one may lie in the gaps of the other: blocks of one large matrix
/// do.
bool have_common_bytes(const StoredRows& x, const StoredRows& y);

}  // namespace rooftune
