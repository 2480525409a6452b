// How memory answers to anything but streams at their best: latency, gathers, strides, and loads under other
// conditions than the fastest.
#pragma once

#include <string>

#include "models/machine.h"

namespace rooftune {

/// Nanoseconds a load and elements a second by level; empty when none of it was measured.
std::string access_table(const Machine& machine, int threads);

/// Load bandwidth by level on narrower vectors, one stream, small pages, without and with software
/// prefetch, of shared and of remote data; empty when none of it was measured.
std::string load_conditions_table(const Machine& machine, int threads);

}  // namespace rooftune
