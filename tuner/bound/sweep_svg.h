// The plot of a sweep: the attainable rate over a size, the roofs that make it, the rate without overlap, and
// the critical size.
#pragma once

#include <string>

#include "tuner/bound/bound_answer.h"

namespace rooftune {

/// An SVG image. The answer must have a sweep; points at which nothing bounds are left out.
std::string sweep_svg(const BoundAnswer& answer);

}  // namespace rooftune
