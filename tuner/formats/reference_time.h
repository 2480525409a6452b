// What a winner is compared with, and how long it took: the one answer, so that summary, page, plot and
// documents never show two times of one variant.
#pragma once

#include "tuner/formats/tune_result.h"

namespace rooftune {

enum class Reference { naive, fallback };

/// Seconds with their interval: the winner's own where the reference is the winner, else what it took itself
/// in the finals. Its ratio to the winner is the median over rounds, and no quotient of two medians. Older
/// results do not hold that time: their plotted point has it, or else the winner's time times the ratio (no
/// interval, 0 slots). 0 where nothing is known.
TimeInterval reference_time(const TuneResult& result, Reference which);

/// Its interval is worth showing: of three turns, which a far slower variant has, the outermost two enclose
/// the median in three of four cases only.
bool has_interval(const TimeInterval& seconds);

}  // namespace rooftune
