// A machine in words and tables, for `rooftune machine`.
#pragma once

#include <string>
#include <vector>

#include "models/machine.h"

namespace rooftune {

/// Processor and caches; peak by width and type, and other operations; bandwidth, latency, gathers, strides
/// and other conditions by region; ridge points; core; which ceilings exclude; when they were last seen. At
/// most about sixty lines without devices. `now`: a date as utc_now() writes it, by which ceilings are called
/// old; empty: none is.
std::string summary_text(const Machine& machine, const std::string& now = {});

}  // namespace rooftune
