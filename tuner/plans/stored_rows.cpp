#include "tuner/plans/stored_rows.h"

#include <algorithm>

namespace rooftune {
namespace {

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

// Rows i of x and j of y meet where −y.row_bytes < distance + (j − i)·pitch < x.row_bytes.
bool meet_at_one_pitch(const StoredRows& x, const StoredRows& y, std::int64_t distance) {
    const std::int64_t pitch = x.pitch_bytes;
    const std::int64_t least = std::max(floor_div(-y.row_bytes - distance, pitch) + 1, 1 - x.rows);
    const std::int64_t most = std::min(-floor_div(distance - x.row_bytes, pitch) - 1, y.rows - 1);
    return least <= most;
}

}  // namespace

bool have_common_bytes(const StoredRows& x, const StoredRows& y) {
    const std::int64_t x_extent = x.extent(), y_extent = y.extent();
    if (x_extent == 0 || y_extent == 0) return false;
    const auto distance = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(y.first) -
                                                    reinterpret_cast<std::uintptr_t>(x.first));
    if (distance >= x_extent || -distance >= y_extent) return false;
    if (x.pitch_bytes == y.pitch_bytes) return meet_at_one_pitch(x, y, distance);
    // Both are walked from their first rows on; whoever lies behind leaps to where the other one is.
    std::int64_t i = 0, j = 0;
    while (i < x.rows && j < y.rows) {
        const std::int64_t x_row = i * x.pitch_bytes, y_row = distance + j * y.pitch_bytes;
        if (x_row + x.row_bytes <= y_row) {
            i = (y_row - x.row_bytes) / x.pitch_bytes + 1;
        } else if (y_row + y.row_bytes <= x_row) {
            j = (x_row - distance - y.row_bytes) / y.pitch_bytes + 1;
        } else {
            return true;
        }
    }
    return false;
}

}  // namespace rooftune
