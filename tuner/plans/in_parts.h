// A loop over elements, shared out over a plan's threads.
#pragma once

#include <cstdint>

#include "kernels/runtime/team.h"

namespace rooftune {

/// Calls body(first, end) for parts of 0 … length−1 that make up all of it, on all threads where there is
/// something to share out. `team`: may be null: on the thread that calls, then.
template <typename Body>
void in_parts(Team* team, std::int64_t length, Body&& body) {
    constexpr std::int64_t kWorthSharing = 8192;
    const int parts = team == nullptr || length < kWorthSharing ? 1 : team->size();
    if (parts == 1) {
        body(std::int64_t{0}, length);
        return;
    }
    team->run(parts, [&](int t) { body(length * t / parts, length * (t + 1) / parts); });
}

}  // namespace rooftune
