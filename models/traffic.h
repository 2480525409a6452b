// Traffic profile Q(w): the least bytes that any cache of capacity w must exchange with what lies
// beyond it in one repetition. Derivation, for F_R and F_W distinct bytes read and written and any
// replacement policy, bypass and foresight included:
//   * reads, cold: every distinct byte read must come in once:            >= F_R
//   * reads, warm: at most w of them may already be inside at the start:  >= F_R - w
//   * writes: at most w dirty bytes may stay inside at the end:           >= F_W - w
//   * sum: the same two savings draw on one capacity each end:            >= F - w cold, F - 2w warm
// For a kernel that streams its data p times each pass obeys the warm form on its own, and only the
// first may start cold; successive passes share the capacity at their common end.
// Contract 4 of the design: T >= max over w of Q(w)/B*(w), separately for reads, writes and sum.
#pragma once

#include <algorithm>

#include "models/units.h"
#include "models/vocabulary.h"

namespace rooftune {

struct TrafficProfile {
    Bytes reads{0.0};     ///< F_R, distinct bytes read in one pass
    Bytes writes{0.0};    ///< F_W, distinct bytes written in one pass
    double passes = 1.0;  ///< times the whole is streamed in one repetition
    State state = State::warm;

    /// Least bytes read from beyond a cache of capacity w in one repetition.
    Bytes reads_beyond(Bytes w) const {
        const double warm = std::max(0.0, reads.value - w.value);
        const double first = state == State::cold ? reads.value : warm;
        return Bytes(first + (passes - 1.0) * warm);
    }

    /// Least bytes written beyond a cache of capacity w in one repetition.
    Bytes writes_beyond(Bytes w) const { return Bytes(passes * std::max(0.0, writes.value - w.value)); }

    /// Least bytes exchanged in both directions together.
    Bytes sum_beyond(Bytes w) const {
        const double total = reads.value + writes.value;
        const double warm = std::max(0.0, total - 2.0 * w.value);
        const double first = state == State::cold ? std::max(0.0, total - w.value) : warm;
        return Bytes(first + (passes - 1.0) * warm);
    }
};

}  // namespace rooftune
