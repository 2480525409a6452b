// The clock of the tuner, by which durations and deadlines are told.
#pragma once

namespace rooftune {

/// Seconds of CLOCK_MONOTONIC, since some moment that stays the same while the system runs.
double monotonic_seconds();

}  // namespace rooftune
