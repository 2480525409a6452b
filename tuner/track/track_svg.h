// The plot of histories: the fraction of attainable of each entry, a row a kernel and machine.
#pragma once

#include <string>

#include "tuner/track/track_report.h"

namespace rooftune {

/// An SVG image. Entries are evenly spaced in their order; changes are dashed lines, failures crosses at the
/// bottom. Each mark says revision, time and note when it is pointed at.
std::string track_svg(const track::TrackReport& report);

}  // namespace rooftune
